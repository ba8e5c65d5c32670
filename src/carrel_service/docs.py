"""The interactive reference pages, served whole from this computer, and the description they show."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import FileResponse, HTMLResponse

from .errors import ApiError
from .models import ErrorBody

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

_ABOUT = """The built-in service keeps to the documented interface. Where that says nothing, this service does this:

- **Credentials** that are missing are refused like wrong ones: 403 `invalid_credentials`.
- **X-Tenant-ID**: the account has one tenant, which any name selects, unless the service was started with
  `--tenant`: then any other name is refused with 403.
- **Rate**: the window of a minute begins with the first request after the last window's end; requests of the
  earlier interface are not counted. A 429 also bears `Retry-After`.
- **Invalid requests** are 400 `invalid_request`; nothing out of range is clamped.
- **Files** that cannot be read end as `failed`. A file may be sent in one request with any number of others;
  one that is not accepted refuses the whole request. 1 GB is 2^30 bytes.
- **folder_paths** of the listing includes subfolders; `providers` counts what the other filters leave.
- **Search**: scores are mixed from both sides' scores over one scale, and the best passage has 1. A passage
  out of a zip is headed by its path. Without a search model, keywords decide alone.
- **Folders of this computer** are listed under the provider `folder`.
"""

_SCHEMES = {
    "clientId": {"type": "apiKey", "in": "header", "name": "X-Client-ID"},
    "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    "secret": {"type": "apiKey", "in": "header", "name": "X-Secret"},
    "earlierClientId": {"type": "apiKey", "in": "header", "name": "client-id"},
    "earlierPrivateKey": {"type": "apiKey", "in": "header", "name": "private-key"},
    "earlierSecret": {"type": "apiKey", "in": "header", "name": "secret"},
}
_CURRENT: list[dict[str, list[str]]] = [{"clientId": [], "apiKey": [], "secret": []}]
_EARLIER: list[dict[str, list[str]]] = [{"earlierClientId": [], "earlierPrivateKey": [], "earlierSecret": []}]
_TENANT = {
    "name": "X-Tenant-ID",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "selects a tenant of a multi-tenant account",
}
_MEANINGS = {
    "400": "invalid request",
    "403": "invalid credentials",
    "404": "resource not found",
    "429": "too many requests",
    "500": "server error",
}
_RATE = {
    "X-RateLimit-Limit": {"schema": {"type": "integer"}, "description": "requests allowed per minute"},
    "X-RateLimit-Remaining": {"schema": {"type": "integer"}, "description": "requests left in this window"},
    "X-RateLimit-Reset": {"schema": {"type": "integer"}, "description": "Unix time when the window resets"},
}


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


def describe(app: FastAPI) -> None:
    """Give `app` its OpenAPI 3.1 description, made at the first request for it."""

    def openapi() -> dict[str, Any]:
        if not app.openapi_schema:
            app.openapi_schema = _description(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's own documented way


def _description(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(title=app.title, version=app.version, description=_ABOUT, routes=app.routes)
    components = made.setdefault("components", {})
    components["securitySchemes"] = _SCHEMES
    components.setdefault("schemas", {})["ErrorBody"] = ErrorBody.model_json_schema()
    for path, operations in made["paths"].items():
        for operation in operations.values():
            if path.startswith("/api/"):
                operation["security"] = _EARLIER
                _add_error(operation, "403")
            else:
                _complete(operation, has_input="{" in path)
    return made


def _complete(operation: dict[str, Any], *, has_input: bool) -> None:
    """What holds for every operation of the current interface: the door, its headers, its error bodies."""
    operation["security"] = _CURRENT
    responses = operation["responses"]
    invalid = responses.pop("422", None)
    if invalid is not None or "requestBody" in operation:
        _add_error(operation, "400")
    for status in ("403", "429", "500", *(("404",) if has_input else ())):
        _add_error(operation, status)
    operation.setdefault("parameters", []).append(_TENANT)
    for response in responses.values():
        response.setdefault("headers", {}).update(_RATE)


def _add_error(operation: dict[str, Any], status: str) -> None:
    body = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
    operation["responses"].setdefault(status, {"description": _MEANINGS[status], "content": body})
