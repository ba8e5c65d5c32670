"""The steps of the tour: what a person does, and what must be seen then."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtCore import Qt

from carrel.hand import Hand, NotSeen
from carrel.model.transfers import Transfer
from carrel.store.runs import AgentRun
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript import Entry
from carrel.ui.window import Window
from carrel.work.desk import Desk

FILES = {
    "ferry-timetable.md": "# Winter ferry\n\nThe last ferry to Larkmoor leaves at 21:40, on Sundays at 18:00.\n",
    "ferry-fares.csv": "route,single_eur,return_eur\nLarkmoor,4.20,7.80\nPort Ellery,3.10,5.90\n",
    "ferry-notice.txt": "Bicycles travel free of charge on the ferry, except in August.\n",
}
"""What the tour uploads: nothing that the samples say already."""

QUESTION = "What do we have to do to renew the Harbour Street lease, and by when?"
FOLLOW_UP = "How must the notice be delivered?"
PROMPT = "Compare the two supplier quotes: prices by volume, freight, and notice to end the renewal."


class Tour:
    """One walk through the main job."""

    def __init__(self, desk: Desk, window: Window, hand: Hand, files: Path) -> None:
        """`files` is a folder for what is uploaded and downloaded."""
        self.desk, self.window, self.hand, self.files = desk, window, hand, files
        self.source = ""
        """The document that the questions are about."""

    def steps(self) -> list[tuple[str, Callable[[], Awaitable[str]]]]:
        """The steps in order, with their names."""
        return [
            ("start", self.start),
            ("library", self.library),
            ("upload", self.upload),
            ("search", self.search),
            ("hit-to-chat", self.hit_to_chat),
            ("question", self.question),
            ("follow-up", self.follow_up),
            ("stop", self.stop),
            ("agent", self.agent),
            ("download", self.download),
            ("workflow", self.workflow),
            ("activity", self.activity),
            ("theme", self.theme),
        ]

    async def start(self) -> str:
        """The window opens on the built-in service."""
        await self.hand.until(lambda: self.window.front == "chat", "the window shows a session")
        await self.hand.until(lambda: "requests left" in self.hand.words("status.budget"), "the budget is told")
        return f"{self.hand.words('status.account')}, {self.hand.words('status.budget')}"

    async def library(self) -> str:
        """The samples are listed and ready."""
        self.hand.click("rail.library")
        await self.hand.until(lambda: "harbour-lease.pdf" in self._table(), "the samples are listed")
        await self.hand.until(lambda: "Indexing" not in self._table(), "the samples are ready")
        return f"{len(self._table().splitlines())} files, none of them still indexing"

    async def upload(self) -> str:
        """Three files are dropped and become ready."""
        paths = [self.files / name for name in FILES]
        for path in paths:
            path.write_text(FILES[path.name], "utf-8")
        self.hand.drop(paths)
        for name in FILES:
            await self.hand.until(lambda n=name: "Ready" in self._line(n), f"{name} is ready")
        return ", ".join(f"{name}: Ready" for name in FILES)

    async def search(self) -> str:
        """A query finds passages out of the samples and out of what was just uploaded."""
        self.hand.click("rail.search")
        self._query("when does the last ferry leave")
        results = self.hand.find("search.results")
        await self.hand.until(lambda: "ferry-timetable.md" in results.plain_text(), "the upload is found")
        self._query("renewal notice served by post")
        await self.hand.until(lambda: "harbour-lease.pdf" in results.plain_text(), "the lease is found")
        return self.hand.words("search.status")

    async def hit_to_chat(self) -> str:
        """The best hit goes into a new chat."""
        self.hand.find("search.results").setFocus()
        self.hand.key("search.results", Qt.Key.Key_Space)
        self.hand.click("search.about")
        await self.hand.until(lambda: self.window.front == "chat", "the chat is in front")
        draft = self.window.presenter("chat").ui.composer.draft()
        if not (draft.attachments or draft.quoted_text):
            raise NotSeen("nothing came along into the chat")
        self.source = draft.attachments[0].name if draft.attachments else "harbour-lease.pdf"
        return f"attached: {self.source}" if draft.attachments else "the passage is quoted"

    async def question(self) -> str:
        """A question is answered, with thinking, out of the documents."""
        if not self.hand.find("chat.think").isChecked():
            self.hand.click("chat.think")
        await self._ask(QUESTION)
        return self._answered(thought=True)

    async def follow_up(self) -> str:
        """A second message goes on in the same conversation."""
        await self._ask(FOLLOW_UP)
        streams = [e.path for e in self.desk.session.activity.exchanges if e.stream]
        if not streams[-1].startswith("/external/conversations/"):
            raise NotSeen("the second message did not continue the conversation")
        return self._answered()

    async def stop(self) -> str:
        """A reply is stopped, and what came of it stays."""
        self.hand.click("chat.new")
        self.hand.type("chat.composer", "What do the policies and the handbook say, point by point?")
        self.hand.click("chat.send")
        await self.hand.until(lambda: len(self._last().text) > 20, "some words came")
        self.hand.click("chat.stop")
        await self.hand.until(lambda: self.hand.sees("chat.send"), "the reply has ended")
        if self._last().tag != "Stopped":
            raise NotSeen(f"the reply is not marked as stopped: {self._last().tag or 'no mark'}")
        return f"kept: {len(self._last().text)} characters"

    async def agent(self) -> str:
        """An agent run ends with Markdown and at least two files."""
        self.hand.click("rail.agents")
        self.hand.click("agents.new")
        self.hand.type("agents.prompt", PROMPT)
        self.hand.click("agents.run")
        runs = self.hand.find("agents.list")
        await self.hand.until(lambda: runs.items() and runs.items()[0].tag == "Done", "the run is done", 120)
        files = self._agent_run().result.generated_files
        if len(files) < 2:
            raise NotSeen(f"{len(files)} generated files")
        return ", ".join(f"{f.filename} ({f.size} bytes)" for f in files)

    async def download(self) -> str:
        """Its files are downloaded whole."""
        run = self._agent_run()
        self.hand.click("agents.download_all")
        downloads, origin = self.desk.session.downloads, f"agent:{run.id}"
        wanted = len(run.result.generated_files)
        await self.hand.until(
            lambda: [r.state for r in downloads.rows(origin)] == ["done"] * wanted, "all files are saved"
        )
        wrong = [row.name for row in downloads.rows(origin) if not _is_whole(row)]
        if wrong:
            raise NotSeen(f"not whole on the disk: {', '.join(wrong)}")
        return ", ".join(Path(row.path).name for row in downloads.rows(origin))

    async def workflow(self) -> str:
        """A workflow is queued, listed with its states, and leaves a document in the library."""
        self.hand.click("rail.workflows")
        listed = self.hand.find("workflows.list")
        await self.hand.until(lambda: len(listed.items()) > 2, "the workflows are listed")
        digest = next(i for i in listed.items() if "digest" in i.title.lower())
        listed.select(digest.key)
        listed.chosen.emit(digest.key)
        await self.hand.until(lambda: digest.title in self.hand.words("workflows.title"), "the form is shown")
        self.hand.click("workflows.queue")
        runs = self.desk.session.workflows.runs
        await self.hand.until(lambda: runs(digest.key) and runs(digest.key)[0].answer, "the run is queued")
        run = runs(digest.key)[0]
        queued = f"{run.answer.status} / {run.answer.queue_status}"
        await self.hand.until(lambda: runs(digest.key)[0].answer.status == "completed", "the run has ended")
        self.hand.click("rail.library")
        await self.hand.until(lambda: "Workflow results" in self._table(), "its document is in the library")
        self.hand.click("rail.workflows")
        return f"{run.run_id}: {queued}, then completed, with a document in the library"

    async def activity(self) -> str:
        """Every request is listed, and none failed."""
        self.hand.click("rail.activity")
        await self.hand.settle()
        exchanges = self.desk.session.activity.exchanges
        refused = [e.path for e in exchanges if e.status is None or e.status >= 400]
        if refused:
            raise NotSeen(f"refused: {', '.join(refused)}")
        return f"{len(exchanges)} requests, {self.hand.words('status.budget')}"

    async def theme(self) -> str:
        """The whole window turns dark."""
        self.hand.click("rail.chat")
        theme.choose("dark")
        await self.hand.settle(0.3)
        ground = self.window.grab().toImage().pixelColor(4, 400)
        if ground.lightness() > 60:
            raise NotSeen(f"the rail is still light ({ground.name()})")
        return f"the rail is {ground.name()}"

    # What is seen

    def _table(self) -> str:
        return self.hand.words("library.table")

    def _line(self, name: str) -> str:
        return next((line for line in self._table().splitlines() if line.startswith(name)), "")

    def _last(self) -> Entry:
        entries = self.hand.find("chat.transcript").entries()
        if not entries or entries[-1].role != "assistant":
            raise NotSeen("there is no reply")
        return entries[-1]

    def _agent_run(self) -> AgentRun:
        agents = self.desk.session.agents
        run = agents.run_of(agents.lines()[0].id)
        if run is None or run.result is None:
            raise NotSeen("the run has no result")
        return run

    def _query(self, words: str) -> None:
        self.hand.type("search.query", words)
        self.hand.key("search.query", Qt.Key.Key_Return)

    async def _ask(self, words: str) -> None:
        self.hand.type("chat.composer", words)
        self.hand.click("chat.send")
        await self.hand.until(lambda: self.hand.sees("chat.stop"), "the reply is under way")
        await self.hand.until(lambda: self.hand.sees("chat.send"), "the reply has ended")

    def _answered(self, *, thought: bool = False) -> str:
        entry, source = self._last(), self.source
        if entry.note or entry.tag:
            raise NotSeen(f"the reply did not end well: {entry.tag} {entry.note}")
        if source not in entry.text:
            raise NotSeen(f"the reply does not name {source}")
        if thought and "Thought for" not in entry.thinking_title:
            raise NotSeen("no thinking is shown")
        return f"{len(entry.text)} characters, out of {source}"


def _is_whole(row: Transfer) -> bool:
    """Whether a download lies on the disk with the size that the service told."""
    path = Path(row.path)
    return path.is_file() and row.size in {None, path.stat().st_size}
