"""Stories of a person who looks at what went over the wire, in the real window, on the real built-in service."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit

from carrel.model import Exchange, NotFound, WorkflowRunRequest
from carrel.work.activity import KEPT
from stage import Stage, play
from stories import search


def rows(stage: Stage) -> list[str]:
    return stage.hand.words("activity.list").splitlines()


def everything(stage: Stage) -> str:
    """All that the pane shows, in labels, rows and code."""
    pane = stage.window.presenter("activity").pane
    return "\n".join(
        [stage.hand.words("activity"), *rows(stage), *(c.toPlainText() for c in pane.findChildren(QPlainTextEdit))]
    )


async def made_some(stage: Stage) -> None:
    """Have a search, a list of workflows, and a refusal on record, and the pane in front."""
    stage.window.go("search")
    await search(stage, 'notice "by post"')
    with suppress(NotFound):
        await stage.desk.session.context.service.queue_run("no-such", WorkflowRunRequest())
    stage.window.go("activity")
    await stage.hand.until(lambda: len(rows(stage)) >= 2, "the requests are listed")


def test_a_request_is_shown_in_full_without_its_secrets(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await made_some(stage)
        table = hand.find("activity.list")
        number = next(n for n, row in enumerate(rows(stage)) if "POST /external/search" in row)
        table.selectRow(number)
        await hand.settle()
        assert "X-API-Key: hidden" in hand.words("activity.headers")
        assert '"keyword": "notice \\"by post\\""' in hand.words("activity.request")
        assert '\n  "results": [' in hand.words("activity.response"), "it is indented"
        hand.click("activity.curl")
        copied = QGuiApplication.clipboard().text()
        assert "$CARREL_API_KEY" in copied
        assert "/external/search" in copied
        for secret in stage.desk.session.account.secrets():
            assert secret not in everything(stage) + copied

    play(tmp_path, story)


def test_requests_are_filtered_and_cleared(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await made_some(stage)
        hand.click("activity.kind.failed")
        assert ["no-such" in row and "404" in row for row in rows(stage)] == [True]
        hand.click("activity.kind.slow")
        assert "fits the filter" in hand.words("activity.empty")
        hand.click("activity.kind.all")
        hand.type("activity.filter", "SEARCH 200")
        await hand.until(lambda: ["external/search" in row for row in rows(stage)] == [True], "only the search is left")
        hand.type("activity.filter", "")
        await hand.until(lambda: len(rows(stage)) > 1, "all are back")
        hand.click("activity.clear")
        assert "Nothing has been asked yet" in hand.words("activity.empty")
        assert stage.desk.session.activity.exchanges == ()

    play(tmp_path, story)


def test_new_requests_come_on_top_and_move_nothing(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await made_some(stage)
        table = hand.find("activity.list")
        table.selectRow(0)
        chosen = rows(stage)[0]
        stage.desk.session.activity.note(made(1, status=500, error="The service failed"))
        await hand.until(lambda: "GET /made/1" in rows(stage)[0], "the new one is on top")
        assert rows(stage)[table.currentIndex().row()] == chosen
        for number in range(KEPT + 50):
            stage.desk.session.activity.note(made(number))
        await hand.until(lambda: f"GET /made/{KEPT + 49}" in rows(stage)[0], "the latest is on top")
        assert len(rows(stage)) == KEPT

    play(tmp_path, story)


def made(number: int, status: int = 200, error: str = "") -> Exchange:
    return Exchange("GET", f"/made/{number}", time.time(), 0.1, status, (status,), error=error, response="{}")
