"""Stories of what comes late: a preview's error under another file, a setting while another is being typed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from carrel.model import LibraryFile, ServiceError
from carrel.work import previews
from stage import Stage, play


def test_the_error_of_one_preview_is_not_shown_under_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, begun, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def fails_late(_: object, __: LibraryFile) -> previews.Preview:
        begun.set()
        try:
            await gate.wait()
        finally:
            ended.set()
        raise ServiceError("That one is broken.")

    monkeypatch.setattr(previews, "preview", fails_late)
    monkeypatch.setattr(previews, "has_preview", lambda file: file.file_name == "harbour-lease.pdf")

    async def story(stage: Stage) -> None:
        hand = stage.hand
        stage.window.go("library")
        table = hand.find("library.table")
        await hand.until(lambda: "harbour-lease.pdf" in hand.words("library.table"), "the samples are listed")
        names = [table.model().index(n, 0).data() for n in range(table.model().rowCount())]
        first = names.index("harbour-lease.pdf")
        table.setCurrentIndex(table.model().index(first, 0))
        hand.key("library.table", Qt.Key.Key_Return)
        await hand.until(begun.is_set, "the first preview is fetched")
        table.selectRow((first + 1) % len(names))
        await hand.until(lambda: "are not shown here" in hand.words("library.preview"), "the second file is shown")
        gate.set()
        await hand.until(ended.is_set, "the first preview has failed")
        await hand.settle()
        assert "are not shown here" in hand.words("library.preview")
        assert "broken" not in hand.words("library.preview")

    play(tmp_path, story)


def test_a_change_elsewhere_keeps_the_letters_that_are_being_typed(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        stage.window.go("settings", "advanced")
        await hand.until(lambda: hand.sees("settings.workflow_search"), "the page is open")
        field, other = hand.find("settings.workflow_search"), hand.find("settings.workflow_page")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, "loo")
        other.setText("beside")
        stage.desk.change_settings(send_with="ctrl-enter")
        await hand.until(lambda: other.text() != "beside", "what is not being typed is as it is set")
        assert field.text() == "loo"
        QTest.keyClicks(field, "king")
        other.setFocus()
        await hand.until(lambda: stage.desk.session.account.names.workflow_search == "looking", "it is set")
        await hand.until(lambda: field.text() == "looking", "it stays")

    play(tmp_path, story)
