"""The error bodies of both interfaces, in the one place where a status becomes a body."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

log = logging.getLogger(__name__)

_CODES = {403: "invalid_credentials", 404: "not_found", 408: "timeout", 429: "rate_limit_exceeded"}


class ApiError(Exception):
    """Answered as `{error, message}` with this status; `code` follows from the status unless it is given."""

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code or code_of(status)


def code_of(status: int) -> str:
    """The documented code of a status; the document gives none for other 400s: `invalid_request`."""
    return _CODES.get(status, "internal_error" if status >= 500 else "invalid_request")


def error_response(status: int, code: str, message: str) -> JSONResponse:
    """The current interface's error body."""
    return JSONResponse({"error": code, "message": message}, status)


def install(app: FastAPI) -> None:
    """Answer every error of `app` in the shape of the interface that was called."""
    app.add_exception_handler(ApiError, _on_api_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(Exception, _on_bug)


async def _on_api_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)
    return error_response(error.status, error.code, error.message)


async def _on_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 400 and _is_earlier(request):  # a body that is not even text
        return JSONResponse({"detail": [{"loc": ["body"], "msg": str(error.detail), "type": "json_invalid"}]}, 422)
    response = error_response(error.status_code, code_of(error.status_code), str(error.detail))
    response.headers.update(error.headers or {})
    return response


async def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    """400 and a sentence for the current interface, 422 and `detail` for the earlier one."""
    assert isinstance(error, RequestValidationError)
    detail = [_entry(found) for found in error.errors()]
    if _is_earlier(request):
        return JSONResponse({"detail": detail}, 422)
    return error_response(400, code_of(400), "; ".join(_sentence(entry) for entry in detail))


async def _on_bug(request: Request, error: Exception) -> JSONResponse:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return error_response(500, "internal_error", "server error")


def _is_earlier(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def _entry(found: dict[str, Any]) -> dict[str, Any]:
    """Without the input, which may be private, and with `loc` as strings."""
    return {"loc": [str(part) for part in found["loc"]], "msg": found["msg"], "type": found["type"]}


def _sentence(entry: dict[str, Any]) -> str:
    where = ".".join(entry["loc"][1:]) or entry["loc"][0]
    return f"{where}: {entry['msg']}"
