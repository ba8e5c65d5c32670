"""The interactive reference pages, served whole from this computer."""

from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse

from .errors import ApiError

router = APIRouter(include_in_schema=False)

OPENAPI_PATH = "/external-docs/openapi.json"

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Reference of the built-in service</title>
<link rel="stylesheet" href="assets/swagger-ui.css">
<link rel="icon" href="data:,">
<link rel="service-desc" type="application/json" href="openapi.json">
</head>
<body>
<div id="reference"></div>
<noscript>The description is at <a href="openapi.json">openapi.json</a>.</noscript>
<script src="assets/swagger-ui-bundle.js"></script>
<script>
SwaggerUIBundle({url: "openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null})
</script>
</body>
</html>
"""


@router.get("/external-docs/docs")
def page() -> HTMLResponse:
    """The reference; it asks nothing of any other host."""
    return HTMLResponse(_PAGE)


@router.get("/external-docs/assets/{name}")
def asset(name: str) -> FileResponse:
    """Swagger UI's own files, out of the package that carries them."""
    package = find_spec("fastapi_offline")
    if name not in ("swagger-ui.css", "swagger-ui-bundle.js") or package is None or not package.origin:
        raise ApiError(404, "no such asset")
    return FileResponse(Path(package.origin).parent / "static" / name, headers={"Cache-Control": "max-age=86400"})
