"""Stories of a person who fills and reads the library, in the real window, on the real built-in service."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from stage import Stage, play


async def listed(stage: Stage) -> None:
    """Go to the library and wait until the samples are there."""
    stage.window.go("library")
    await stage.hand.until(lambda: "harbour-lease.pdf" in stage.hand.words("library.table"), "the samples are listed")


def line_of(stage: Stage, name: str) -> str:
    """The table's line of a file."""
    return next((line for line in stage.hand.words("library.table").splitlines() if line.startswith(name)), "")


def row_of(stage: Stage, name: str) -> int:
    return [line.split("\t")[0] for line in stage.hand.words("library.table").splitlines()].index(name)


def test_a_dropped_folder_shows_progress_indexing_and_ready(tmp_path: Path) -> None:
    exhibits = tmp_path / "exhibits"
    exhibits.mkdir()
    (exhibits / "exhibit-07.md").write_text("# Exhibit 7\n\nThe lamp was lit at nine.")
    (exhibits / "exhibit-08.exe").write_bytes(b"MZ")
    with ZipFile(exhibits / "log.zip", "w") as archive:
        archive.writestr("log.txt", "At nine the lamp was lit, and the quay was dry.")
        archive.writestr("sound.raw", os.urandom(80_000_000))

    async def story(stage: Stage) -> None:
        await listed(stage)
        stage.hand.drop([exhibits])
        tray = "library.uploads"
        await stage.hand.until(lambda: "of 80.0 MB" in stage.hand.words(tray), "the bytes are counted")
        await stage.hand.until(
            lambda: ".exe is not one of the 21 file types" in stage.hand.words(tray), "it is refused"
        )
        await stage.hand.until(lambda: "1 upload" in stage.hand.words("status.work"), "the status bar tells")
        await stage.hand.until(lambda: "\tIndexing\t" in line_of(stage, "exhibit-07.md"), "it is being indexed")
        for name in ("exhibit-07.md", "log.zip"):
            await stage.hand.until(lambda n=name: "\texhibits\tReady\t" in line_of(stage, n), "it is ready")
        await stage.hand.until(lambda: "2 of 2 done" in stage.hand.words("library.summary"), "both are done")
        stage.hand.click("library.clear")
        await stage.hand.until(lambda: "log.zip" not in stage.hand.words(tray), "what is done is cleared")
        assert "exhibit-08.exe" in stage.hand.words(tray)
        stage.hand.find(tray).setCurrentIndex(stage.hand.find(tray).model().index(0, 0))
        stage.hand.key(tray, Qt.Key.Key_Delete)
        await stage.hand.until(lambda: not stage.hand.sees("library.tray"), "the tray goes when it is empty")

    play(tmp_path / "home", story)


def test_a_refresh_keeps_selection_and_a_filter_works_at_once(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await listed(stage)
        table = stage.hand.find("library.table")
        table.selectRow(row_of(stage, "harbour-lease.pdf"))
        chosen = table.selected_ids()
        (tmp_path / "new.txt").write_text("A new file comes to the top.")
        stage.hand.drop([tmp_path / "new.txt"])
        top = lambda: stage.hand.words("library.table").split("\t")[0]  # noqa: E731
        await stage.hand.until(lambda: top() == "new.txt", "the new file stands at the top")
        assert table.selected_ids() == chosen
        assert stage.hand.find("library.ask").text() == "Ask about 1 file"
        stage.hand.type("library.filter", "supplier quote")
        names = {line.split("\t")[0] for line in stage.hand.words("library.table").splitlines()}
        assert names == {"supplier-quote-acme.docx", "supplier-quote-brill.docx"}
        stage.hand.type("library.filter", "no such file")
        assert "Nothing matches" in stage.hand.words("library.empty")
        stage.hand.click("library.empty.reset")
        assert line_of(stage, "harbour-lease.pdf")

    play(tmp_path / "home", story)


def test_files_dropped_on_a_folder_go_into_it(tmp_path: Path) -> None:
    (tmp_path / "annex.txt").write_text("The annex to the quay lease names nine lamps.")

    async def story(stage: Stage) -> None:
        await listed(stage)
        tree = stage.hand.find("library.folders")
        index = tree.model().match(
            tree.model().index(0, 0), Qt.ItemDataRole.DisplayRole, "Property", 1, Qt.MatchFlag.MatchRecursive
        )[0]
        place = tree.visualRect(index).center()
        stage.hand.drop([tmp_path / "annex.txt"], "library.folders", place)
        await stage.hand.until(
            lambda: "\tContracts / Property\tReady\t" in line_of(stage, "annex.txt"), "it is ready in its folder"
        )
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
        names = {line.split("\t")[0] for line in stage.hand.words("library.table").splitlines()}
        assert {"annex.txt", "harbour-lease.pdf", "landlord-correspondence.docx"} <= names
        assert "handbook-2026.pdf" not in names

    play(tmp_path / "home", story)


def test_a_file_is_downloaded_and_taken_into_a_chat(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await listed(stage)
        stage.hand.find("library.table").selectRow(row_of(stage, "memo-quay-works.txt"))
        stage.hand.click("library.download")
        folder = stage.desk.session.downloads.folder
        await stage.hand.until((folder / "memo-quay-works.txt").exists, "the file is there")
        await stage.hand.until(
            lambda: "memo-quay-works.txt" in stage.hand.words("library.downloads"), "its row is there"
        )
        stage.hand.click("library.ask")
        assert stage.window.front == "chat"

    play(tmp_path / "home", story)


def test_a_row_is_cancelled_by_its_own_word(tmp_path: Path) -> None:
    big = tmp_path / "big.txt"
    big.write_text("Many lines about one lamp.\n" * 6_000_000)

    async def story(stage: Stage) -> None:
        await listed(stage)
        stage.hand.drop([big])
        uploads = stage.desk.session.uploads
        await stage.hand.until(lambda: uploads.rows() and uploads.rows()[0].moved, "bytes are moving")
        tray = stage.hand.find("library.uploads")
        await stage.hand.until(tray.rows, "the row is shown")
        place = tray.place_of(tray.rows()[0].id, "cancel")
        QTest.mouseClick(tray.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
        await stage.hand.until(lambda: uploads.rows()[0].state == "cancelled", "it is cancelled")
        await stage.hand.until(lambda: "cancelled" in stage.hand.words("library.uploads"), "the row says so")

    play(tmp_path / "home", story)


def test_details_preview_and_the_check_that_a_file_is_found(tmp_path: Path) -> None:
    note = tmp_path / "lamp-notes.txt"
    note.write_text("The blue quay lamp was serviced on the ninth of March by Odile.")

    async def story(stage: Stage) -> None:
        await listed(stage)
        stage.hand.drop([note])
        uploads = stage.desk.session.uploads
        await stage.hand.until(lambda: "\tReady\t" in line_of(stage, "lamp-notes.txt"), "it is ready")
        table = stage.hand.find("library.table")
        table.setCurrentIndex(table.model().index(row_of(stage, "lamp-notes.txt"), 0))
        stage.hand.key("library.table", Qt.Key.Key_Return)
        await stage.hand.until(lambda: "serviced on the ninth" in stage.hand.words("library.preview.text"), "its text")
        table.selectRow(row_of(stage, "board-minutes-october.md"))
        await stage.hand.until(
            lambda: "Minutes of the board" in stage.hand.words("library.preview.markdown"), "the panel follows"
        )
        stage.hand.click("library.details.close")
        assert not stage.hand.sees("library.details")
        await stage.hand.until(lambda: uploads.rows()[0].state == "done", "the row is done")
        tray = stage.hand.find("library.uploads")
        await stage.hand.until(lambda: "ready" in stage.hand.words("library.uploads"), "the tray says so")
        tray.setCurrentIndex(tray.model().index(0, 0))
        stage.hand.key("library.uploads", Qt.Key.Key_Return)
        await stage.hand.until(lambda: "as hit 1 for" in stage.hand.words("library.uploads"), "it was found")

    play(tmp_path / "home", story)


def test_without_the_service_the_mirror_stays_on_the_screen(tmp_path: Path, log_watch: Any) -> None:
    log_watch.expect("the built-in service ended with code -9")

    async def first(stage: Stage) -> None:
        await listed(stage)

    async def second(stage: Stage) -> None:
        stage.desk._restarts = 1  # it is not started anew in this story
        stage.desk.built_in._process.kill()
        await listed(stage)
        stage.window.go("library")
        await stage.hand.until(lambda: stage.hand.sees("library.note"), "the note says that the list may be old")
        assert "You see what was listed before." in stage.hand.words("library.note")
        stage.hand.type("library.filter", "revenue")
        assert line_of(stage, "revenue-2026-q3.xlsx")

    play(tmp_path / "home", first)
    play(tmp_path / "home", second)
