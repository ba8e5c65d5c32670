"""The live reference: what the service's own API description tells that its document does not show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from carrel.api.answer import MOVED, understood
from carrel.api.call import Call
from carrel.api.http import Wire
from carrel.api.links import joined
from carrel.model import BadAnswer, InvalidRequest, Learned, ServiceError
from carrel.model.account import origin_of

PAGE = "/external-docs/docs"
WANTED = "text/html, application/json"

_LINKS = (
    re.compile(r"""\burl["']?\s*:\s*["']([^"'\s]{1,500})["']"""),  # swagger-ui
    re.compile(r"""\bspec-?url\s*[=:]\s*["']([^"'\s]{1,500})["']""", re.IGNORECASE),  # redoc, rapidoc
    re.compile(r"""\bdata-url\s*=\s*["']([^"'\s]{1,500})["']"""),  # scalar
    re.compile(r"""\bhref\s*=\s*["']([^"'\s]{0,480}openapi[^"'\s]{0,20}\.json)["']"""),
)

Node = Mapping[str, Any]


async def learn(wire: Wire) -> Learned | None:
    """What the description tells, None where there is none that can be read.

    It is a page for browsers, so no credentials go along; a description on another origin is not read.
    """
    try:
        page = await _get(wire, wire.url(PAGE))
        for link in links(page.decode("utf-8", "replace"), wire.url(PAGE)):
            if origin_of(link) == wire.account.origin:
                return await understood(await _get(wire, link), 200, partial(learnt, source=link))
    except ServiceError:
        return None
    return None


async def _get(wire: Wire, url: str) -> bytes:
    for _ in range(2):  # a page may redirect to itself with a slash
        call = Call("GET", url, accept=WANTED, again=True, counted=False, known=False, takes=MOVED)
        async with wire.opened(call) as answer:
            if not answer.moved:
                return await answer.whole()
            url = joined(url, answer.headers.get("location", ""))
        if origin_of(url) != wire.account.origin:
            break
    raise BadAnswer("The reference leads elsewhere.")


def links(page: str, at: str) -> Iterator[str]:
    """The addresses of API descriptions that a reference page names; `at` is the page's own."""
    for pattern in _LINKS:
        for link in pattern.findall(page):
            with suppress(InvalidRequest):
                yield joined(at, link)


def learnt(description: Any, source: str) -> Learned:
    """What an OpenAPI description tells of the three things that the document does not show."""
    paths = {str(path): item for path, item in description["paths"].items() if isinstance(item, Mapping)}
    return Learned(
        source=source,
        version=str((description.get("info") or {}).get("version") or ""),
        **_list_names(description, paths),
        continue_fields=_continue_fields(description, paths),
        run_status_path=_status_path(paths),
    )


def _list_names(description: Node, paths: Mapping[str, Node]) -> dict[str, str]:
    """The workflow list's query parameters, told apart by their type and by what their names contain."""
    named: dict[str, str] = {}
    for parameter in _parameters(description, paths):
        name, words = str(parameter.get("name") or ""), str(parameter.get("name")).lower()
        if parameter.get("in") != "query" or not name:
            continue
        if any(word in words for word in ("size", "limit", "per_page", "perpage")):
            named.setdefault("workflow_page_size", name)
        elif "page" in words:
            named.setdefault("workflow_page", name)
        elif any(word in words for word in ("search", "query", "keyword")) or words == "q":
            named.setdefault("workflow_search", name)
    return named


def _parameters(description: Node, paths: Mapping[str, Node]) -> Iterator[Node]:
    item = _find(paths, r"/external/workflows/?")
    for parameter in [*item.get("parameters", []), *(item.get("get") or {}).get("parameters", [])]:
        yield _resolved(description, parameter)


def _continue_fields(description: Node, paths: Mapping[str, Node]) -> tuple[str, ...]:
    post = _find(paths, r"/external/conversations/\{[^}/]+\}/?").get("post") or {}
    body = _resolved(description, post.get("requestBody") or {})
    media = (body.get("content") or {}).get("application/json") or {}
    return tuple(_fields(description, media.get("schema") or {}))


def _fields(description: Node, schema: Node, depth: int = 0) -> dict[str, None]:
    schema = _resolved(description, schema)
    fields = dict.fromkeys(str(name) for name in schema.get("properties") or ())
    if depth < 8:
        for part in schema.get("allOf") or ():
            fields |= _fields(description, part, depth + 1)
    return fields


def _status_path(paths: Mapping[str, Node]) -> str:
    """A GET path that tells a run: one that ends in a run's id, below workflows or runs."""
    for path, item in paths.items():
        parts = re.fullmatch(r"(/external/(?:workflows/)?(?:\{([^}/]+)\}/)?runs/)\{([^}/]+)\}(/status)?/?", path)
        if parts and "get" in item:
            group = f"{{{parts[2]}}}" if parts[2] else ""
            lead = parts[1].replace(group, "{group_id}") if group else parts[1]
            return f"{lead}{{run_id}}{parts[4] or ''}"
    return ""


def _find(paths: Mapping[str, Node], pattern: str) -> Node:
    return next((item for path, item in paths.items() if re.fullmatch(pattern, path)), {})


def _resolved(description: Node, node: Any) -> Node:
    """The node that a `$ref` within the description points to."""
    for _ in range(8):
        reference = node.get("$ref") if isinstance(node, Mapping) else None
        if not isinstance(reference, str) or not reference.startswith("#/"):
            break
        node = description
        for step in reference[2:].split("/"):
            node = node.get(step.replace("~1", "/").replace("~0", "~"), {})
    return node if isinstance(node, Mapping) else {}
