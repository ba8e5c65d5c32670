"""The earlier interface on the wire, mapped into the same words."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from carrel.api import Service, connect
from carrel.model import (
    AgentRequest,
    ChatRequest,
    Content,
    Done,
    Event,
    InvalidRequest,
    LibraryQuery,
    MessageStart,
    NotSupported,
    Reply,
    SearchQuery,
    WireNames,
    WorkflowQuery,
    WorkflowRunRequest,
    fold_all,
)
from faulty import Peer, faulty, routes

START = {
    "conversation_id": "c",
    "title": "T",
    "messages": {"id": "m", "text": "hi", "redacted": "h*", "ner_count": 1, "response": "Hello.", "ner_items": []},
}
SENT = {"conversation_id": "c", "sender": "ai", "message_text": "More.", "related_questions": ["Q?"], "id": "m2"}
CONTINUED = {"conversation_id": "c", "message_text": "Other.", "ner_count": 0, "id": "m3", "title": "T"}


def says(value: Any, status: int = 200) -> Callable[[Peer], Awaitable[None]]:
    async def handler(peer: Peer) -> None:
        await peer.json(value, status)

    return handler


SERVICE = routes(
    {
        "GET /api/external/models": says([{"label": "Big", "value": "big-1"}]),
        "PUT /api/external/upload": says({"message": "Files were taken."}),
        "POST /api/external/start-conversation": says(START),
        "POST /api/external/send": says(SENT),
        "POST /api/external/continue": says(CONTINUED),
    }
)


async def _all(stream: Any) -> list[Event]:
    return [event async for event in stream]


async def test_models_with_the_earlier_header_names() -> None:
    async with faulty(SERVICE) as server, connect(server.account(generation="earlier", tenant_id="t")) as service:
        models = await service.models()
    assert [(model.id, model.label) for model in models] == [("big-1", "Big")]
    names = set(server.seen[0].names)
    assert {"client-id", "private-key", "secret"} <= names
    assert not {name for name in names if name.lower().startswith("x-")}


async def test_upload_is_a_put_whose_answer_tells_no_ids(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("words")
    async with faulty(SERVICE) as server, connect(server.account(generation="earlier")) as service:
        files = await service.upload([path])
        with pytest.raises(NotSupported):
            await service.upload([path], "folder")
    assert [(file.id, file.file_name, file.state) for file in files] == [("", "a.txt", "")]
    assert [seen.method for seen in server.seen] == ["PUT"]
    assert b'name="files"; filename="a.txt"' in server.seen[0].body


async def test_search_maps_fields_and_meta() -> None:
    fields = {
        "title": "Lease", "text_contents": "The rent", "type": "library", "page": 3, "download_link": "/f", "id": "x",
        "meta": {"provider": "file", "is_private": True}, "matchfeatures": {"cos_sim": 0.5},
    }  # fmt: skip
    item = {"id": "f1", "relevance": 0.8, "source": "s", "fields": fields}
    said = {"data": [item, {"id": "f2"}], "meta": [{"provider": "file", "id": "f", "count": 2}]}
    async with (
        faulty(routes({"POST /api/external/semantic-search": says(said)})) as server,
        connect(server.account(generation="earlier")) as service,
    ):
        results = await service.search(SearchQuery(keyword="rent", related_context_id="", web_search=False))
        one = await service.search(SearchQuery(keyword="rent", limit=1))
        with pytest.raises(NotSupported, match="bm25_weight"):
            await service.search(SearchQuery(keyword="rent", bm25_weight=0.1))
    assert server.seen[0].json() == {"keyword": "rent", "related_context_id": "", "web_search": False}
    assert server.seen[1].json() == {"keyword": "rent"}
    hit = results[0]
    assert (hit.id, hit.title, hit.content, hit.provider, hit.score, hit.page) == (
        "f1",
        "Lease",
        "The rent",
        "file",
        0.8,
        3,
    )
    assert hit.fields["matchfeatures"] == {"cos_sim": 0.5}
    assert results.meta[0]["count"] == 2
    assert (len(results), len(one)) == (2, 1)


async def test_a_conversation_starts_goes_on_and_changes_its_model() -> None:
    async with faulty(SERVICE) as server, connect(server.account(generation="earlier")) as service:
        started = await _all(service.chat(ChatRequest(content="hi", model="one")))
        sent = await _all(service.continue_chat("c", ChatRequest(content="more", model="one")))
        await _all(service.continue_chat("c", ChatRequest(content="more")))
        continued = await _all(service.continue_chat("c", ChatRequest(content="other", model="two")))
        await _all(service.continue_chat("c", ChatRequest(content="again", model="two")))
    assert [type(event) for event in started] == [MessageStart, Content, Done]
    reply = fold_all(Reply(), started)
    assert (reply.state, reply.text, reply.conversation_id, reply.message_id) == ("complete", "Hello.", "c", "m")
    assert reply.extra["messages"]["redacted"] == "h*"
    assert fold_all(Reply(), sent).extra["related_questions"] == ["Q?"]
    assert fold_all(Reply(), continued).text == "Other."
    assert [(seen.path.rpartition("/")[2], seen.json()) for seen in server.seen] == [
        ("start-conversation", {"message": "hi", "model": "one"}),
        ("send", {"conversation_id": "c", "message": "more"}),
        ("send", {"conversation_id": "c", "message": "more"}),
        ("continue", {"conversation_id": "c", "model": "two", "message": "other"}),
        ("send", {"conversation_id": "c", "message": "again"}),
    ]


async def test_the_message_field_bears_the_accounts_name() -> None:
    names = WireNames(send_message="text", continue_message="words")
    async with faulty(SERVICE) as server, connect(server.account(generation="earlier", names=names)) as service:
        await _all(service.continue_chat("c", ChatRequest(content="a")))
        await _all(service.continue_chat("c", ChatRequest(content="b", model="m")))
    assert server.seen[0].json() == {"conversation_id": "c", "text": "a"}
    assert server.seen[1].json() == {"conversation_id": "c", "model": "m", "words": "b"}


def _verbs(service: Service) -> list[Awaitable[Any]]:
    return [
        service.library(LibraryQuery()),
        service.run_agent(AgentRequest(prompt="p")),
        service.workflows(WorkflowQuery()),
        service.queue_run("g", WorkflowRunRequest()),
        service.run_status("g", "r"),
        _all(service.chat(ChatRequest(content="x", document_ids=["d"]))),
        _all(service.continue_chat("c", ChatRequest(content="x", quoted_text="q"))),
    ]


async def test_what_it_cannot_do_is_not_sent() -> None:
    async with faulty(SERVICE) as server, connect(server.account(generation="earlier")) as service:
        for verb in _verbs(service):
            with pytest.raises(NotSupported) as caught:
                await verb
            assert caught.value.sent == "no"
        assert await service.reference() is None
        can = service.capabilities
        assert not any((can.library, can.agents, can.workflows, can.folders, can.documents))
    assert server.seen == []


async def test_a_validation_error_reads_as_one_sentence() -> None:
    detail = [
        {"loc": ["body", "message"], "msg": "field required", "type": "value_error.missing"},
        {"loc": ["body", "model", 0], "msg": "not a model", "type": "value_error"},
    ]
    async with (
        faulty(routes({"POST /api/external/start-conversation": says({"detail": detail}, 422)})) as server,
        connect(server.account(generation="earlier")) as service,
    ):
        with pytest.raises(InvalidRequest) as caught:
            await _all(service.chat(ChatRequest(content="x")))
    assert caught.value.message == "message: field required; model.0: not a model."
    assert (caught.value.status, caught.value.sent) == (422, "no")
