"""The current interface on the wire: every endpoint and field, and answers of every tolerable shape."""

import asyncio
from collections.abc import Awaitable, Callable
from email.parser import BytesParser
from email.policy import HTTP
from pathlib import Path
from typing import Any

import pytest

from carrel.api import Service, connect
from carrel.model import (
    AgentRequest,
    BadAnswer,
    ChatMetadata,
    ChatRequest,
    ConversationCreated,
    Done,
    ExternalUser,
    InvalidRequest,
    LibraryQuery,
    NotSupported,
    Preferences,
    SearchQuery,
    WorkflowInputs,
    WorkflowQuery,
    WorkflowRunRequest,
)
from faulty import Peer, Seen, faulty, routes


def says(value: Any, status: int = 200) -> Callable[[Peer], Awaitable[None]]:
    async def handler(peer: Peer) -> None:
        await peer.json(value, status)

    return handler


async def asked(route: str, value: Any, call: Callable[[Service], Awaitable[Any]], **account: Any) -> tuple[Seen, Any]:
    """The one request that a call makes, and what the call gave."""
    async with faulty(routes({route: says(value)})) as server, connect(server.account(**account)) as service:
        result = await call(service)
    assert len(server.seen) == 1
    return server.seen[0], result


async def test_models_with_the_headers_that_the_document_names() -> None:
    said = {"success": True, "data": [{"id": "m", "name": "M", "image": None, "is_available": False, "new": 1}]}
    seen, models = await asked("GET /external/models", said, lambda s: s.models(), tenant_id="t-9")
    assert {"X-Client-ID", "X-API-Key", "X-Secret", "X-Tenant-ID"} <= set(seen.names)
    assert seen.headers["x-client-id"].startswith("client-")
    assert seen.headers["x-api-key"].startswith("key-")
    assert seen.headers["x-secret"].startswith("word-")
    assert seen.headers["x-tenant-id"] == "t-9"
    assert (models[0].id, models[0].is_available, models[0].image) == ("m", False, "")
    assert models[0].model_extra == {"new": 1}


async def test_no_tenant_no_header() -> None:
    seen, models = await asked("GET /external/models", {"success": True, "data": None}, lambda s: s.models())
    assert "x-tenant-id" not in seen.headers
    assert len(models) == 0


async def test_library_sends_its_eight_parameters() -> None:
    fields = {
        "page": 2, "page_size": 100, "search": "a b", "provider": "file", "folder_paths": "x/y",
        "file_types": "pdf,docx", "sort_by": "created_at", "sort_order": "asc",
    }  # fmt: skip
    item = {"id": 5, "state": "resting", "folder_path": ["x", "y"], "created_at": None, "odd": {}}
    said = {"total_items": 1, "providers": {"file": 1}, "page": 2, "page_size": 100, "total_pages": 1, "items": [item]}
    seen, page = await asked("GET /external/libraries", said, lambda s: s.library(LibraryQuery(**fields)))
    assert seen.query == {name: str(value) for name, value in fields.items()}
    file = page.items[0]
    assert (file.id, file.state_kind, file.folder_path, file.added) == ("5", "other", ("x", "y"), None)


async def test_library_sends_nothing_that_was_not_set() -> None:
    seen, page = await asked("GET /external/libraries", {}, lambda s: s.library(LibraryQuery()))
    assert seen.query == {}
    assert page.items == ()


async def test_search_sends_its_fields_by_either_name_and_no_null() -> None:
    query = SearchQuery(
        query="lease", top_k=5, group_by_file=True, types=["file"], use_bm25=True, use_vector=False,
        bm25_weight=0.5, vector_weight=0.5, relative_threshold=0, web_search=True,
    )  # fmt: skip
    said = {"success": True, "results": [{"id": "f", "title": "T", "content": "c", "type": "novel", "score": 1}]}
    seen, results = await asked("POST /external/search", said, lambda s: s.search(query))
    assert seen.json() == {
        "keyword": "lease", "limit": 5, "group_by_file": True, "types": ["file"], "use_bm25": True, "use_vector": False,
        "bm25_weight": 0.5, "vector_weight": 0.5, "relative_threshold": 0.0,
    }  # fmt: skip
    assert (results[0].type, results[0].score, results.meta) == ("novel", 1.0, ())


async def test_a_search_without_success_says_what_the_service_says() -> None:
    said = {"success": False, "message": "The index is away."}
    with pytest.raises(BadAnswer, match="The index is away"):
        await asked("POST /external/search", said, lambda s: s.search(SearchQuery(keyword="x")))


async def test_upload_sends_all_in_one_request_of_known_length(tmp_path: Path) -> None:
    paths = [tmp_path / "größe.pdf", tmp_path / 'odd "name".txt']
    paths[0].write_bytes(b"\0" * 3_000_000)
    paths[1].write_bytes(b"one\r\n--two")
    progress: list[tuple[int, int | None]] = []
    said = {"message": "ok", "data": [{"id": "a", "file_name": "x", "state": "loading", "provider": "file"}]}
    seen, files = await asked(
        "POST /external/upload", said, lambda s: s.upload(paths, "one/two", lambda *step: progress.append(step))
    )
    assert int(seen.headers["content-length"]) == len(seen.body)
    parts = parts_of(seen)
    assert parts["folder_paths"] == [(None, b"one/two")]
    assert [(name, len(body)) for name, body in parts["files"]] == [
        ("größe.pdf", 3_000_000),
        ("odd %22name%22.txt", 10),
    ]
    assert files[0].state_kind == "indexing"
    assert progress[-1] == (3_000_010, 3_000_010)
    assert progress == sorted(progress)


async def test_upload_without_a_folder_names_none(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("x")
    seen, _ = await asked("POST /external/upload", {"data": []}, lambda s: s.upload([path]))
    assert set(parts_of(seen)) == {"files"}


CHAT = ChatRequest(
    content="hi",
    model="m",
    document_ids=["d"],
    file_ids=["f"],
    user_timezone="Europe/Berlin",
    quoted_text="q",
    additional_metadata=ChatMetadata(
        web_search=False,
        think=True,
        agentic_mode=False,
        agent_id="a",
        preferences=Preferences(language="de", output_style="s", tones=["t"], character="c"),
        side_by_side=False,
        models=["one", "two"],
        redact_pii=True,
    ),
)


async def _streamed(request: ChatRequest, conversation: str = "") -> tuple[Seen, list[Any]]:
    path = f"/external/conversations/{conversation}" if conversation else "/external/conversations"
    async with (
        faulty(routes({f"POST {path}": lambda peer: peer.reply("a", "b")})) as server,
        connect(server.account()) as service,
    ):
        stream = service.continue_chat(conversation, request) if conversation else service.chat(request)
        events = [event async for event in stream]
    return server.seen[0], events


async def test_a_chat_sends_every_field_and_streams() -> None:
    seen, events = await _streamed(CHAT)
    assert seen.headers["accept"] == "text/event-stream"
    assert seen.json() == {
        "content": "hi", "model": "m", "document_ids": ["d"], "file_ids": ["f"], "user_timezone": "Europe/Berlin",
        "quoted_text": "q",
        "additional_metadata": {
            "web_search": False, "think": True, "agentic_mode": False, "agent_id": "a",
            "preferences": {"language": "de", "output_style": "s", "tones": ["t"], "character": "c"},
            "side_by_side": False, "models": ["one", "two"], "redact_pii": True,
        },
    }  # fmt: skip
    assert isinstance(events[1], ConversationCreated)
    assert isinstance(events[-1], Done)
    assert len(events) == 6


async def test_a_continued_chat_sends_content_and_model_alone() -> None:
    seen, _ = await _streamed(ChatRequest(content="more", model="m"), "c 1?x")
    assert seen.path == "/external/conversations/c 1?x"
    assert seen.json() == {"content": "more", "model": "m"}


async def test_half_a_character_of_a_cut_paste_does_no_harm() -> None:
    seen, events = await _streamed(ChatRequest(content="half a \ud83d smile", quoted_text="€"))
    assert seen.json() == {"content": "half a \ufffd smile", "quoted_text": "€"}
    assert isinstance(events[-1], Done)


@pytest.mark.parametrize("conversation", ["", " ", "..", "."])
async def test_an_id_that_would_lead_to_another_path_is_not_sent(conversation: str) -> None:
    async with faulty(routes({})) as server, connect(server.account()) as service:
        with pytest.raises(InvalidRequest):
            async for _ in service.continue_chat(conversation, ChatRequest(content="x")):
                pass
    assert server.seen == []


async def test_an_agent_run_with_every_field() -> None:
    request = AgentRequest(
        prompt="p", agent_id="a", model="m", document_ids=["d"], file_ids=["f"], user_timezone="UTC",
        timeout_seconds=1800, additional_metadata={"x": [1]},
    )  # fmt: skip
    said = {
        "conversation_id": "c", "output": "# Out", "success": True, "error": None,
        "generated_files": [{"url": "/f/1", "filename": "r.pdf", "size": 5}, {"url": "/f/2"}],
    }  # fmt: skip
    seen, result = await asked("POST /external/agents/run", said, lambda s: s.run_agent(request))
    assert seen.json() == request.model_dump(mode="json")
    assert [file.size for file in result.generated_files] == [5, None]
    assert result.error is None


async def test_workflows_are_listed_by_the_accounts_names() -> None:
    said = {
        "data": [{"group_id": "g", "version": 3, "first_step_id": None}],
        "pagination": {"current_page": 2, "page_size": 10, "total_items": 11, "total_pages": 2},
    }
    query = WorkflowQuery(page=2, page_size=10, search="inv")
    seen, page = await asked("GET /external/workflows", said, lambda s: s.workflows(query))
    assert seen.query == {"page": "2", "page_size": "10", "search": "inv"}
    assert (page.data[0].group_id, page.pagination.total_pages) == ("g", 2)


async def test_a_run_is_queued_with_every_field_and_unwrapped() -> None:
    request = WorkflowRunRequest(
        run_id="r", executor_timezone=-120, external_user=ExternalUser(id="1", email="e", name="n"),
        inputs=WorkflowInputs(form_inputs={"s": {"a": 1}}, file_urls={"s": ["u", "v"], "t": {"f": "w"}, "x": "y"}),
    )  # fmt: skip
    run = {"run_id": "r", "queue_id": "q", "status": "queued", "queue_status": "pending", "external_user": {"id": "1"}}
    seen, result = await asked("POST /external/workflows/g/runs", {"data": run}, lambda s: s.queue_run("g", request))
    assert seen.json() == {
        "run_id": "r", "executor_timezone": -120, "external_user": {"id": "1", "email": "e", "name": "n"},
        "inputs": {"form_inputs": {"s": {"a": 1}}, "file_urls": {"s": ["u", "v"], "t": {"f": "w"}, "x": "y"}},
    }  # fmt: skip
    assert (result.run_id, result.status, result.queue_status) == ("r", "queued", "pending")


async def test_a_runs_status_is_not_to_be_had_without_a_reference() -> None:
    async with faulty(routes({})) as server, connect(server.account()) as service:
        assert not service.capabilities.run_status
        with pytest.raises(NotSupported):
            await service.run_status("g", "r")
    assert server.seen == []


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"7", b'"x"', b"{", b"\xff\xfe", b"[" * 200_000, b'{"data": 5}'])
async def test_an_answer_that_is_none_is_said_to_be_unreadable(body: bytes) -> None:
    async def handler(peer: Peer) -> None:
        await peer.answer(body)

    async with faulty(handler) as server, connect(server.account()) as service:
        for call in (service.models(), service.queue_run("g", WorkflowRunRequest())):
            with pytest.raises(BadAnswer) as caught:
                await call
            assert caught.value.status == 200


async def test_a_missing_field_is_named() -> None:
    with pytest.raises(BadAnswer, match="“id”"):
        await asked("GET /external/models", {"success": True, "data": [{"name": "x"}]}, lambda s: s.models())


async def test_calls_run_beside_each_other() -> None:
    gate = asyncio.Event()

    async def handler(peer: Peer) -> None:
        if len(server.seen) == 20:
            gate.set()
        await asyncio.wait_for(gate.wait(), 10)
        await peer.json({"items": []})

    async with faulty(handler) as server, connect(server.account()) as service:
        calls = [asyncio.ensure_future(service.library(LibraryQuery())) for _ in range(20)]
        assert len(await asyncio.gather(*calls)) == 20


def parts_of(seen: Seen) -> dict[str, list[tuple[str | None, bytes]]]:
    """A multipart body's parts, read by the standard library."""
    head = f"Content-Type: {seen.headers['content-type']}\r\n\r\n".encode()
    parts: dict[str, list[tuple[str | None, bytes]]] = {}
    for part in BytesParser(policy=HTTP).parsebytes(head + seen.body).iter_parts():
        name = part.get_param("name", header="content-disposition")
        assert isinstance(name, str)
        body = part.get_payload(decode=True)
        assert isinstance(body, bytes)
        parts.setdefault(name, []).append((part.get_filename(), body))
    return parts
