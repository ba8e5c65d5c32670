"""Agents: run, cancel, and keep how each run ended; a run belongs to its account, whatever pane is in front."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace

from psygnal import Signal

from carrel.model import AgentRequest, AgentResult, GeneratedFile, ServiceError, TimedOut
from carrel.model.failure import Failure
from carrel.model.transfers import Transfer
from carrel.store.runs import AgentLine, AgentRun, AgentRuns, AgentState
from carrel.work.context import Context
from carrel.work.downloads import Downloads
from carrel.work.writing import until_written

__all__ = ["AgentLine", "AgentRun", "AgentState", "Agents"]

TITLE = 60
"""Characters of a title made from the prompt."""

LONGEST = 1800
"""Seconds: the longest limit that the service takes (document: timeout_seconds)."""


class Agents:
    """All runs of one account. `changed` names a run that began or ended; `ended` gives one that has ended."""

    changed = Signal(str)
    ended = Signal(AgentRun)

    def __init__(self, context: Context, downloads: Downloads) -> None:
        """Send through the context's service; generated files go through `downloads`."""
        self._context, self._downloads = context, downloads
        self._store = AgentRuns(context.db, context.account_id)
        self._unwritten: dict[str, AgentRun] = {}
        """Runs that have ended, while the disk does not take how."""

    @property
    def is_supported(self) -> bool:
        """Whether this account's interface can run agents."""
        return self._context.service.capabilities.agents

    @property
    def always_redacts(self) -> bool:
        """Whether the account's lock makes redaction the rule, whatever a run asks."""
        return self._context.always_redacts

    def lines(self) -> list[AgentLine]:
        """The runs for a list, latest first."""
        return [self._as_it_is(line) for line in self._store.lines()]

    def run_of(self, run_id: str) -> AgentRun | None:
        """One run with all that is known of it."""
        return self._unwritten.get(run_id) or self._store.run(run_id)

    async def recover(self) -> None:
        """Mark what a former session left running as interrupted; it is never sent again by itself."""
        await self._store.recover()

    async def run(self, request: AgentRequest, documents: Mapping[str, str]) -> str:
        """Write the run down, then send it; gives its id. `documents` are the names of the files, by id."""
        if self.always_redacts:
            extra = {**(request.additional_metadata or {}), "redact_pii": True}
            request = request.model_copy(update={"additional_metadata": extra})
        run = AgentRun(uuid.uuid4().hex, title_of(request.prompt), request, time.time(), dict(documents))
        await self._context.tasks.to_the_end(self._begin(run))
        return run.id

    async def _begin(self, run: AgentRun) -> None:
        await self._store.add(run)
        self._context.tasks.start(_key(run.id), self._work(run))
        self.changed.emit(run.id)

    async def cancel(self, run_id: str) -> None:
        """Stop waiting for a run; the service may go on with it."""
        await self._end(run_id, "cancelled")
        self._context.tasks.cancel(_key(run_id))

    def transfers(self, run_id: str) -> dict[str, Transfer]:
        """The downloads of a run's files, by URL; of several of one file the latest."""
        return {row.url: row for row in self._downloads.rows(_key(run_id))}

    async def fetch(self, run_id: str, file: GeneratedFile) -> str:
        """Save one generated file, or go on where it stopped; gives the download's id."""
        held = self.transfers(run_id).get(file.url)
        if held is not None and held.state in {"failed", "interrupted", "cancelled"}:
            await self._downloads.retry(held.id)
            return held.id
        return await self._downloads.fetch(file.url, file.filename, size=file.size, origin=_key(run_id))

    async def fetch_all(self, run_id: str) -> None:
        """Save the files of a run that are neither saved nor on their way."""
        run, held = self.run_of(run_id), self.transfers(run_id)
        for file in run.result.generated_files if run and run.result else ():
            row = held.get(file.url)
            if row is None or row.state in {"failed", "interrupted", "cancelled"}:
                await self.fetch(run_id, file)

    async def stop_fetch(self, transfer_id: str) -> None:
        """Cancel a download."""
        await self._downloads.cancel(transfer_id)

    async def _work(self, run: AgentRun) -> None:
        try:
            result = await self._context.service.run_agent(run.request)
        except asyncio.CancelledError:
            await self._end(run.id, "interrupted")  # counts only where it was not cancelled by hand
            raise
        except TimedOut as error:
            await self._end(run.id, "timed-out", error=Failure.of(error))
        except ServiceError as error:
            await self._end(run.id, "failed", error=Failure.of(error))
        except Exception:
            await self._end(run.id, "interrupted")  # a bug of ours, told by the owner of the task: no run stays open
            raise
        else:
            await self._end(run.id, "done" if result.success else "failed", result)
            if self._context.settings().save_agent_files:
                await self.fetch_all(run.id)

    async def _end(
        self, run_id: str, state: AgentState, result: AgentResult | None = None, error: Failure | None = None
    ) -> None:
        """Write how a run ended: the first end counts. While the disk refuses it, it is shown out of memory."""
        run, at = self.run_of(run_id), time.time()
        if run is None or run.state != "running":
            return
        ended = replace(run, state=state, ended_at=at, result=result, error=error)
        self._unwritten[run_id] = ended

        def told() -> None:
            self.changed.emit(run_id)

        async def write() -> None:
            await self._store.end(run_id, state, at, result, error)

        async def written() -> None:
            try:
                await until_written(self._context.tasks, write, refused=told)
                del self._unwritten[run_id]  # what could not be written stays to be shown
            finally:
                told()
                self.ended.emit(ended)

        await self._context.tasks.to_the_end(written())

    def _as_it_is(self, line: AgentLine) -> AgentLine:
        run = self._unwritten.get(line.id)
        if run is None:
            return line
        files = len(run.result.generated_files) if run.result else 0
        return replace(line, state=run.state, ended_at=run.ended_at, files=files)


def title_of(prompt: str) -> str:
    """The first words of a prompt."""
    words = " ".join(prompt.split())
    return words if len(words) <= TITLE else words[: TITLE - 1].rsplit(" ", 1)[0] + "…"


def _key(run_id: str) -> str:
    return f"agent:{run_id}"
