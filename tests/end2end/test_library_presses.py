"""Stories of presses in the library that follow one another at once: each does what it says."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from test_library import listed, row_of

from carrel.model import LibraryPage
from stage import Stage, play


def test_try_again_on_two_rows_sends_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for file in files:
        file.write_text(f"This is {file.name}.")
    answers = asyncio.Event()

    async def search(name: str) -> LibraryPage:
        await answers.wait()
        return LibraryPage()

    async def story(stage: Stage) -> None:
        await listed(stage)
        uploads, tray = stage.desk.session.uploads, stage.hand.find("library.uploads")
        uploads.hold("for this test")
        await uploads.add(files)
        await uploads.settle([row.id for row in uploads.rows()], state="interrupted")
        uploads.go_on()
        monkeypatch.setattr(stage.desk.session.library, "search", search)
        await stage.hand.until(
            lambda: [row.state for row in tray.rows()] == ["interrupted"] * 2 and tray.isVisible(), "they are shown"
        )
        for row in tray.rows():
            place = QPoint(tray.place_of(row.id, "retry"))
            QTest.mouseClick(tray.viewport(), Qt.MouseButton.LeftButton, pos=place)
            await asyncio.sleep(0)
        answers.set()
        await stage.hand.until(lambda: {row.state for row in uploads.rows()} == {"done"}, "both are sent")

    play(tmp_path / "home", story)


def test_a_download_goes_on_while_another_is_asked_for(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await listed(stage)
        table, downloads = stage.hand.find("library.table"), stage.desk.session.downloads
        downloads.hold("for this test")
        table.selectAll()
        names = len(table.selected_ids())
        assert names > 1
        stage.hand.click("library.download")
        table.selectRow(row_of(stage, "memo-quay-works.txt"))
        stage.hand.click("library.download")
        await stage.hand.until(lambda: len(downloads.rows()) == names + 1, "all of them are queued")

    play(tmp_path / "home", story)


def test_two_drops_whose_first_names_agree_are_both_taken(tmp_path: Path) -> None:
    dropped = []
    for folder in ("north", "south"):
        (tmp_path / folder).mkdir()
        dropped.append(tmp_path / folder / "notes.txt")
        dropped[-1].write_text(f"Lamps of the {folder} quay.")

    async def story(stage: Stage) -> None:
        await listed(stage)
        uploads = stage.desk.session.uploads
        for file in dropped:
            stage.hand.drop([file])
        await stage.hand.until(lambda: {Path(row.path) for row in uploads.rows()} == set(dropped), "both are queued")

    play(tmp_path / "home", story)


def test_open_pressed_twice_fetches_and_opens_once(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await listed(stage)
        table, downloads = stage.hand.find("library.table"), stage.desk.session.downloads
        opened: list[Path] = []
        stage.window.shell.open_file = opened.append
        table.selectRow(row_of(stage, "memo-quay-works.txt"))
        [file_id] = table.selected_ids()
        menu = stage.window.presenter("library").fetching
        menu.open(file_id)
        await stage.hand.until(downloads.rows, "it is being fetched")
        menu.open(file_id)
        tasks = stage.desk.session.tasks
        await stage.hand.until(lambda: opened and not tasks.running(f"library.openfile.{file_id}"), "it is opened")
        menu.open(file_id)
        await stage.hand.until(lambda: len(opened) == 2, "it is opened again")
        assert [row.state for row in downloads.rows()] == ["done"]

    play(tmp_path, story)
