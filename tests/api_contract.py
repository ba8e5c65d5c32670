"""What any service must do, whatever the generation of its interface: the suite that each must pass."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from carrel.api import Service
from carrel.model import (
    AgentRequest,
    ChatMetadata,
    ChatRequest,
    ConversationCreated,
    Event,
    InvalidModel,
    LibraryQuery,
    MessageStart,
    NotFound,
    NotSupported,
    Reply,
    SearchQuery,
    SearchResults,
    ServiceError,
    SignInNeeded,
    StreamMeta,
    Thinking,
    WorkflowQuery,
    WorkflowRunRequest,
    fold_all,
)

LEASE = (
    "# Lease of the harbour office\n\nThe rent of the harbour office is 2,400 euros a month. It is due on the fifth.\n"
)


class Contract:
    """Tests by inheritance: a subclass gives `service`, an open account with an empty library, and `refused`."""

    async def test_models_have_ids_and_labels(self, service: Service) -> None:
        models = await service.models()
        assert models
        assert all(model.id and model.label for model in models)

    async def test_a_file_that_was_uploaded_is_found(self, service: Service, tmp_path: Path) -> None:
        path = tmp_path / "harbour lease.md"
        path.write_text(LEASE)
        steps: list[tuple[int, int | None]] = []
        folder = "contract/leases" if service.capabilities.folders else ""
        files = await service.upload([path], folder, lambda *step: steps.append(step))
        assert [file.file_name for file in files] == ["harbour lease.md"]
        assert steps[-1] == (len(LEASE), len(LEASE))
        results = await _found(service, "harbour office rent")
        assert "2,400 euros" in results[0].content
        assert results[0].title == "harbour lease.md"
        assert [hit.score for hit in results] == sorted((hit.score for hit in results), reverse=True)

    async def test_the_library_lists_and_filters(self, service: Service, tmp_path: Path) -> None:
        if not service.capabilities.library:
            with pytest.raises(NotSupported):
                await service.library(LibraryQuery())
            return
        paths = [tmp_path / f"invoice {number}.txt" for number in range(3)]
        for path in paths:
            path.write_text(f"This is {path.stem}.")
        uploaded = await service.upload(paths, "contract/invoices")
        assert [file.state_kind for file in uploaded] == ["indexing"] * 3
        page = await service.library(LibraryQuery(search="invoice", page_size=2, sort_by="file_name", sort_order="asc"))
        assert (page.total_items, page.total_pages, len(page.items)) == (3, 2, 2)
        assert [file.file_name for file in page.items] == ["invoice 0.txt", "invoice 1.txt"]
        assert page.items[0].folder_path == ("contract", "invoices")
        assert page.items[0].added is not None
        second = await service.library(LibraryQuery(search="invoice", page_size=2, page=2, file_types="txt"))
        assert len(second.items) == 1

    async def test_a_conversation_is_answered_and_goes_on(self, service: Service) -> None:
        extra = ChatMetadata(think=True) if service.capabilities.metadata else None
        request = ChatRequest(content="What is the rent of the harbour office?", additional_metadata=extra)
        events = await _all(service.chat(request))
        reply = fold_all(Reply(), events)
        assert reply.state == "complete"
        assert reply.text
        assert reply.conversation_id
        assert any(isinstance(event, MessageStart) for event in events)
        if service.capabilities.streaming:
            assert isinstance(events[0], StreamMeta)
            assert any(isinstance(event, ConversationCreated) for event in events)
            assert any(isinstance(event, Thinking) for event in events)
        more = await _all(service.continue_chat(reply.conversation_id, ChatRequest(content="When is it due?")))
        assert fold_all(Reply(), more).state == "complete"
        assert not any(isinstance(event, ConversationCreated) for event in more)

    async def test_another_model_may_go_on(self, service: Service) -> None:
        first, *others = [model.id for model in await service.models() if model.is_available]
        reply = fold_all(Reply(), await _all(service.chat(ChatRequest(content="What is due?", model=first))))
        other = others[0] if others else first
        request = ChatRequest(content="And to whom?", model=other)
        more = fold_all(Reply(), await _all(service.continue_chat(reply.conversation_id, request)))
        assert more.state == "complete"

    async def test_an_unknown_model_and_conversation_are_refused_before_any_event(self, service: Service) -> None:
        with pytest.raises(ServiceError) as refused:
            await _all(service.chat(ChatRequest(content="x", model="no-such-model")))
        assert refused.value.status in {400, 404, 422}
        if service.capabilities.streaming:
            assert isinstance(refused.value, InvalidModel)
        with pytest.raises(NotFound):
            await _all(service.continue_chat("no-such-conversation", ChatRequest(content="x")))

    async def test_an_agent_runs_and_its_files_are_downloaded(self, service: Service, tmp_path: Path) -> None:
        request = AgentRequest(prompt="Report on the rent of the harbour office", timeout_seconds=120)
        if not service.capabilities.agents:
            with pytest.raises(NotSupported):
                await service.run_agent(request)
            return
        result = await service.run_agent(request)
        assert (result.success, result.error) == (True, None)
        assert result.output
        assert len(result.generated_files) >= 2
        for file in result.generated_files:
            path = await service.download(file.url, tmp_path / file.filename, size=file.size)
            assert path.stat().st_size == file.size
        assert _unfinished(tmp_path) == []

    async def test_a_workflow_is_listed_and_queued(self, service: Service) -> None:
        if not service.capabilities.workflows:
            with pytest.raises(NotSupported):
                await service.workflows(WorkflowQuery())
            return
        page = await service.workflows(WorkflowQuery(page_size=1))
        assert (page.pagination.current_page, page.pagination.page_size, len(page.data)) == (1, 1, 1)
        workflow = page.data[0]
        request = WorkflowRunRequest(run_id=f"contract-{time.time_ns()}", executor_timezone=60)
        run = await service.queue_run(workflow.group_id, request)
        assert (run.run_id, run.status, run.queue_status) == (request.run_id, "queued", "pending")
        assert (run.group_id, run.workflow_id) == (workflow.group_id, workflow.workflow_id)
        with pytest.raises(NotFound):
            await service.queue_run("no-such-group", WorkflowRunRequest())

    async def test_the_budget_is_told(self, service: Service) -> None:
        before = service.budget
        await service.models()
        assert 0 <= service.budget.left < before.limit

    async def test_wrong_credentials_are_refused(self, refused: Service) -> None:
        for call in (refused.models(), refused.search(SearchQuery(keyword="rent"))):
            with pytest.raises(SignInNeeded):
                await call
        with pytest.raises(SignInNeeded):
            await _all(refused.chat(ChatRequest(content="x")))


def _unfinished(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("*.part*")]


async def _all(stream: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in stream]


async def _found(service: Service, words: str) -> SearchResults:
    """The results once the index holds the file; a minute is only there to end a broken test."""
    for _ in range(60):
        if results := await service.search(SearchQuery(keyword=words)):
            return results
        await asyncio.sleep(1)
    raise AssertionError(f"nothing is found for {words!r}")
