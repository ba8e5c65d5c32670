"""The OpenAPI 3.1 description: what the routes say of themselves, and what the door and the errors add to it."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from .models import ErrorBody

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
- **web_search** and **agent_id** are accepted without effect: this service never searches the web, and has one
  agent.
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


def describe(app: FastAPI) -> None:
    """Give `app` its description, made at the first request for it."""

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
                _complete_earlier(operation)
            else:
                _complete(operation, has_input="{" in path)
            _untype_streams(operation)
    return made


def _complete(operation: dict[str, Any], *, has_input: bool) -> None:
    """What holds for every operation of the current interface: the door, its headers, its error bodies."""
    operation["security"] = _CURRENT
    responses = operation["responses"]
    invalid = responses.pop("422", None)
    if invalid is not None or "requestBody" in operation:
        responses.setdefault("400", {})
    for status in ("403", "429", "500", *(("404",) if has_input else ())):
        responses.setdefault(status, {})
    for status, response in responses.items():
        if status >= "400":
            _describe_error(status, response)
        response.setdefault("headers", {}).update(_RATE)
    parameters = operation.setdefault("parameters", [])
    if not any(each["name"].lower() == "x-tenant-id" for each in parameters):
        parameters.append(_TENANT)


def _complete_earlier(operation: dict[str, Any]) -> None:
    """The earlier interface's door, and its `detail` errors wherever there is a body to be wrong."""
    operation["security"] = _EARLIER
    _describe_error("403", operation["responses"].setdefault("403", {}))
    if "requestBody" in operation:
        detail = {"application/json": {"schema": {"$ref": "#/components/schemas/HTTPValidationError"}}}
        operation["responses"].setdefault("422", {"description": "validation error", "content": detail})


def _describe_error(status: str, response: dict[str, Any]) -> None:
    response.setdefault("description", _MEANINGS.get(status, "refused"))
    response["content"] = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}


def _untype_streams(operation: dict[str, Any]) -> None:
    """OpenAPI 3.1 has no words for the events of a stream: it is named, and its schema left open."""
    for response in operation["responses"].values():
        if "text/event-stream" in response.get("content", {}):
            response["content"] = {"text/event-stream": {}}
