"""Stories of a person who runs agents, in the real window, on the real built-in service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

from carrel.ui.presenter import Document, RunOn
from faulty import Peer, faulty_thread, routes
from running_agents import CRAWL, PROMPT, SLOW, begin, tags
from stage import Stage, play
from stories import indexed, take


class Opened(QObject):
    """What the desktop would have opened."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.paths.append(url.toLocalFile())


@pytest.fixture
def opened() -> Opened:
    """Stands in for the desktop's own programs."""
    made = Opened()
    QDesktopServices.setUrlHandler("file", made, "open")
    yield made
    QDesktopServices.unsetUrlHandler("file")


def test_a_run_makes_markdown_and_files_that_are_saved_and_opened(tmp_path: Path, opened: Opened) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("agents")
        hand = stage.hand
        hand.type("agents.prompt", PROMPT)
        hand.click("agents.file.add")
        await take(stage, "supplier-quote-acme.docx", "supplier-quote-brill.docx")
        hand.click("agents.redact")
        hand.find("agents.extra").setPlainText('{"audience": "board"}')
        hand.click("agents.run")
        await hand.until(lambda: tags(stage) == ["Done"], "the run is done")
        await hand.until(lambda: hand.sees("agents.output"), "the output is shown")
        assert "#" in hand.find("agents.output").markdown()
        [sent] = [
            json.loads(e.request) for e in stage.desk.session.activity.exchanges if e.path.endswith("/agents/run")
        ]
        assert len(sent["document_ids"]) == 2
        assert sent["additional_metadata"] == {"audience": "board", "redact_pii": True}
        assert "supplier-quote-acme.docx" in [
            c.text() for c in hand.find("agents.view").findChildren(QObject) if hasattr(c, "text") and callable(c.text)
        ]
        hand.click("agents.download_all")
        saved = lambda: [p for p in (tmp_path / "downloads").glob("*") if p.suffix != ".json" and ".part" not in p.name]  # noqa: E731
        await hand.until(lambda: hand.sees("agents.generated.2.open"), "the files are saved")
        assert len(saved()) >= 2
        assert all(p.stat().st_size for p in saved())
        hand.click("agents.generated.1.open")
        hand.click("agents.generated.1.folder")
        assert [Path(p) for p in opened.paths] == [
            next(p for p in saved() if str(p) == opened.paths[0]),
            tmp_path / "downloads",
        ]

    play(tmp_path, story)


def test_a_run_that_reaches_its_limit_keeps_the_prompt_and_offers_more_time(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        hand = stage.hand
        stage.window.go("agents")
        hand.type("agents.prompt", PROMPT)
        hand.find("agents.limit").setValue(1)
        hand.click("agents.run")
        await hand.until(lambda: tags(stage) == ["Timed out"], "the run has timed out")
        assert "reached its limit" in hand.words("agents.note")
        assert PROMPT in hand.words("agents.asked")
        hand.click("agents.note.longer")
        await hand.until(lambda: len(tags(stage)) == 2, "it runs again")
        run = stage.desk.session.agents.run_of(stage.hand.find("agents.list").items()[0].key)
        assert (run.request.prompt, run.request.timeout_seconds) == (PROMPT, 1800)
        hand.click("agents.cancel")
        await hand.until(lambda: tags(stage) == ["Cancelled", "Timed out"], "it is cancelled")

    play(tmp_path, story, options=CRAWL)


def test_several_run_at_once_and_go_on_while_the_pane_is_away(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await begin(stage, "Summarise the board minutes")
        await begin(stage, "Summarise the handbook")
        assert "2 agents running" in stage.hand.words("status.work")
        assert stage.hand.find("agents.list").items()[0].snippet == "Running · stops at 10:00"
        stage.window.go("activity")
        await stage.hand.until(lambda: tags(stage) == ["Done", "Done"], "both are done")
        assert "running" not in stage.hand.words("status.work")

    play(tmp_path, story, options=SLOW)


def test_cancelling_says_that_the_service_may_go_on(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await begin(stage)
        await stage.hand.until(lambda: stage.hand.words("agents.clock") != "", "the clock runs")
        stage.hand.click("agents.cancel")
        await stage.hand.until(lambda: tags(stage) == ["Cancelled"], "it is cancelled")
        assert "The service may go on" in stage.hand.words("agents.note")

    play(tmp_path, story, options=CRAWL)


def test_a_run_is_interrupted_after_a_restart_and_can_be_edited_and_run(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        await indexed(stage)
        await begin(stage)

    async def second(stage: Stage) -> None:
        stage.window.go("agents")
        [item] = stage.hand.find("agents.list").items()
        assert item.tag == "Interrupted"
        stage.hand.find("agents.list").chosen.emit(item.key)
        assert "not sent again by itself" in stage.hand.words("agents.note")
        stage.hand.click("agents.edit")
        assert stage.hand.find("agents.prompt").toPlainText() == PROMPT
        stage.hand.type("agents.prompt", "Summarise the lease")
        stage.hand.click("agents.run")
        await stage.hand.until(lambda: tags(stage) == ["Done", "Interrupted"], "the edited run is done")

    play(tmp_path, first, options=CRAWL)
    play(tmp_path, second)


def test_a_form_that_cannot_be_sent_says_why_at_its_fields(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        stage.window.go("agents")
        hand.find("agents.extra").setPlainText("[1, 2]")
        hand.find("agents.zone").setText("Nowhere/City")
        hand.click("agents.run")
        words = hand.words("agents.form_note")
        for part in ("JSON object", "Write what the agent shall do", "time zone"):
            assert part in words
        assert [hand.find(n).property("wrong") for n in ("agents.prompt", "agents.zone", "agents.extra")] == [True] * 3
        assert tags(stage) == []
        assert not [e for e in stage.desk.session.activity.exchanges if e.path.endswith("/agents/run")]

    play(tmp_path, story)


def test_documents_from_another_pane_are_in_the_form(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go("agents", RunOn((Document("f1", "harbour-lease.pdf"),)))
        await stage.hand.until(lambda: stage.hand.sees("agents.file.f1"), "the file is in the form")
        assert "harbour-lease.pdf" in stage.hand.find("agents.file.f1").text()
        stage.hand.click("agents.file.f1")
        await stage.hand.settle()
        assert stage.window.presenter("agents").pane.form.filled().documents == {}

    play(tmp_path, story)


def test_a_service_that_goes_away_under_a_run_is_said_on_the_run(tmp_path: Path) -> None:
    async def gone(peer: Peer) -> None:
        await peer.body()
        peer.reset()

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        await begin(stage)
        await stage.hand.until(lambda: tags(stage) == ["Failed"], "the run has failed")
        assert stage.hand.sees("agents.note.again")
        assert PROMPT in stage.hand.words("agents.asked")
        assert len(server.asked("/external/agents/run")) == 1

    with faulty_thread(routes({"POST /external/agents/run": gone})) as server:
        play(tmp_path, story, built_in=False)
