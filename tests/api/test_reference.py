"""The live reference: found through its page, read once, and what is learned from it."""

import asyncio
from typing import Any

import pytest

from carrel.api import connect
from carrel.api.reference import learnt, links
from carrel.api.unknowns import paging_ignored, workflow_params
from carrel.model import Learned, Pagination, WireNames, WorkflowPage, WorkflowQuery
from faulty import Faulty, Handler, Peer, faulty, routes

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"version": "1.0.0"},
    "paths": {
        "/external/workflows": {
            "parameters": [{"$ref": "#/components/parameters/tenant"}],
            "get": {
                "parameters": [
                    {"name": "pageNumber", "in": "query", "schema": {"type": "integer"}},
                    {"name": "itemsPerPageLimit", "in": "query"},
                    {"$ref": "#/components/parameters/find"},
                ]
            },
        },
        "/external/conversations/{conversation_id}": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Continue"}}}}
            }
        },
        "/external/workflows/{groupId}/runs": {"post": {}},
        "/external/workflows/{groupId}/runs/{runId}": {"get": {}},
    },
    "components": {
        "parameters": {
            "tenant": {"name": "X-Tenant-ID", "in": "header"},
            "find": {"name": "search_text", "in": "query"},
        },
        "schemas": {
            "Continue": {
                "allOf": [{"$ref": "#/components/schemas/Message"}],
                "properties": {"document_ids": {"type": "array"}},
            },
            "Message": {"properties": {"content": {}, "model": {}}},
        },
    },
}
PAGES = {
    "swagger": '<script>SwaggerUIBundle({url: "openapi.json"})</script>',
    "swagger quoted": "<script>const ui = {'url': '/external-docs/openapi.json'}</script>",
    "redoc": '<redoc spec-url="/external-docs/openapi.json"></redoc>',
    "link": '<link rel="service-desc" href="openapi.json">',
    "scalar": '<script id="api-reference" data-url="../external-docs/openapi.json"></script>',
}


@pytest.mark.parametrize("kind", PAGES)
def test_the_description_is_found_on_the_page(kind: str) -> None:
    assert (
        next(links(PAGES[kind], "https://x.example/external-docs/docs"))
        == "https://x.example/external-docs/openapi.json"
    )


def test_what_the_document_leaves_out_is_learned() -> None:
    learned = learnt(DESCRIPTION, "https://x.example/openapi.json")
    assert (learned.workflow_page, learned.workflow_page_size) == ("pageNumber", "itemsPerPageLimit")
    assert learned.workflow_search == "search_text"
    assert set(learned.continue_fields) == {"content", "model", "document_ids"}
    assert learned.run_status_path == "/external/workflows/{group_id}/runs/{run_id}"
    assert learned.version == "1.0.0"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/external/workflows/runs/{id}", "/external/workflows/runs/{run_id}"),
        ("/external/runs/{run}", "/external/runs/{run_id}"),
        ("/external/workflows/{g}/runs/{r}/status", "/external/workflows/{group_id}/runs/{run_id}/status"),
        ("/external/workflows/{g}", ""),
        ("/external/workflows/{g}/runs", ""),
    ],
)
def test_ways_to_ask_for_a_run(path: str, found: str) -> None:
    assert learnt({"paths": {path: {"get": {}}}}, "x").run_status_path == found


def _documented(description: Any) -> Handler:
    async def page(peer: Peer) -> None:
        await peer.answer(PAGES["swagger"].encode(), content_type="text/html")

    async def told(peer: Peer) -> None:
        await peer.json(description)

    async def run(peer: Peer) -> None:
        await peer.json({"data": {"run_id": "r 1", "status": "completed"}})

    async def listed(peer: Peer) -> None:
        await peer.json({"data": []})

    table = {
        "GET /external-docs/docs": page,
        "GET /external-docs/openapi.json": told,
        "GET /external/workflows/g/runs/r 1": run,
        "GET /external/workflows": listed,
    }
    return routes(table)


def _asked(server: Faulty) -> list[str]:
    return [seen.path for seen in server.seen]


async def test_it_is_read_once_and_used() -> None:
    async with faulty(_documented(DESCRIPTION)) as server, connect(server.account()) as service:
        assert not service.capabilities.run_status
        learned = await service.reference()
        assert await service.reference() is learned
        assert service.capabilities.run_status
        assert (await service.run_status("g", "r 1")).status == "completed"
        await service.workflows(WorkflowQuery(page=2, search="x"))
    assert _asked(server)[:2] == ["/external-docs/docs", "/external-docs/openapi.json"]
    assert server.seen[-1].query == {"pageNumber": "2", "itemsPerPageLimit": "40", "search_text": "x"}
    for seen in server.seen[:2]:
        assert "x-api-key" not in seen.headers
    assert "x-api-key" in server.seen[2].headers


async def test_what_was_learned_before_is_not_asked_again() -> None:
    learned = learnt(DESCRIPTION, "x")
    async with faulty(routes({})) as server, connect(server.account(), learned=learned) as service:
        assert service.capabilities.run_status
        assert await service.reference() == learned
    assert server.seen == []


async def test_it_can_be_turned_off() -> None:
    async with (
        faulty(_documented(DESCRIPTION)) as server,
        connect(server.account(use_reference=False)) as service,
    ):
        assert await service.reference() is None
    assert server.seen == []


@pytest.mark.parametrize("description", [None, [], {}, {"paths": []}, {"paths": {"/external/workflows": {"get": 5}}}])
async def test_a_description_that_cannot_be_read_teaches_nothing(description: Any) -> None:
    async with faulty(_documented(description)) as server, connect(server.account()) as service:
        assert await service.reference() is None


async def test_a_description_elsewhere_is_not_read() -> None:
    async with faulty(routes({})) as other:

        async def page(peer: Peer) -> None:
            await peer.answer(f'<redoc spec-url="{other.url}/openapi.json">'.encode(), content_type="text/html")

        async with faulty(routes({"GET /external-docs/docs": page})) as server, connect(server.account()) as service:
            assert await service.reference() is None
    assert other.seen == []


def test_a_persons_own_names_go_before_learned_ones() -> None:
    learned = Learned(workflow_page="pageNumber", workflow_search="find")
    params = workflow_params(WorkflowQuery(search="x"), WireNames(workflow_page="seite"), learned)
    assert params == {"seite": "1", "page_size": "40", "find": "x"}


@pytest.mark.parametrize(
    ("told", "ignored"),
    [
        (Pagination(current_page=2, page_size=10), False),
        (Pagination(current_page=1, page_size=10), True),
        (Pagination(current_page=2, page_size=40), True),
        (Pagination(current_page=2), False),
    ],
)
def test_paging_that_the_service_ignored_is_noticed(told: Pagination, ignored: bool) -> None:
    assert paging_ignored(WorkflowQuery(page=2, page_size=10), WorkflowPage(pagination=told)) is ignored


async def test_it_is_read_again_when_asked() -> None:
    former = Learned(workflow_page="seite", source="x")
    async with faulty(_documented(DESCRIPTION)) as server, connect(server.account(), learned=former) as service:
        learned = await service.reference(again=True)
        assert learned is not None
        assert await service.reference() == learned
    assert _asked(server) == ["/external-docs/docs", "/external-docs/openapi.json"]
    async with faulty(routes({})) as server, connect(server.account(), learned=former) as service:
        assert await service.reference(again=True) is None
        assert await service.reference() == former


async def test_who_asks_while_it_is_read_waits_and_a_reading_that_is_cancelled_does_not_count() -> None:
    async with faulty(_documented(DESCRIPTION)) as server, connect(server.account()) as service:
        cancelled = asyncio.ensure_future(service.reference())
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
        first, second = await asyncio.gather(service.reference(), service.reference())
        assert first is second is not None
    assert _asked(server).count("/external-docs/openapi.json") == 1
