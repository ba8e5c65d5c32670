"""Stories of what the library says while the service still lists, indexes, or has ended, and of what is left out."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from test_library import row_of
from test_library_browsing import LIST, listed, names, take

from carrel.ui.library.filemodel import COLUMNS
from carrel.ui.shell import Shell
from faulty import Handler, Peer, faulty_thread, routes
from stage import Stage, play
from stories import indexed

PAGE = 100


class Library:
    """A service's files; pages from `closed` on are given only once `gate` is open."""

    def __init__(self, files: list[dict[str, Any]], providers: dict[str, int] | None = None, closed: int = 99) -> None:
        self.files, self.providers, self.closed = files, providers or {}, closed
        self.gate = threading.Event()

    async def answer(self, peer: Peer) -> None:
        number = int(peer.seen.query.get("page", 1))
        if number >= self.closed:
            await asyncio.to_thread(self.gate.wait, 60)
        part = self.files[(number - 1) * PAGE : number * PAGE]
        pages = max(1, -(-len(self.files) // PAGE))
        told = {"total_items": len(self.files), "providers": self.providers, "total_pages": pages}
        await peer.json({**told, "page": number, "page_size": PAGE, "items": part})

    def serving(self) -> Handler:
        return routes({f"GET {LIST}": self.answer, "GET /external/files/1": self.content})

    @staticmethod
    async def content(peer: Peer) -> None:
        await peer.answer(("The lamp is blue, and the quay is long. " * 9).encode(), content_type="text/plain")


async def opened(stage: Stage, server: Any, rows: int) -> None:
    await stage.desk.add_account(server.account())
    stage.window.go("library")
    await stage.hand.until(lambda: len(names(stage)) == rows, "the files are listed")


def test_sources_are_counted_by_the_service_and_the_listing_says_how_far_it_is(tmp_path: Path) -> None:
    files = [listed(1, f"file-{n:03}.txt", id=str(n)) for n in range(230)]
    files += [listed(1, f"far-{n:02}.txt", id=f"far-{n}", provider="google_drive") for n in range(20)]
    library = Library(files, {"file": 230, "google_drive": 20}, closed=3)

    async def story(stage: Stage) -> None:
        await opened(stage, server, 100)
        hand = stage.hand
        await hand.until(lambda: hand.words("library.progress") == "Listing: 200 of 250", "it says how far it is")
        assert hand.sees("library.progress")
        counts = {item.title: item.note for item in hand.find("library.sources").items()}
        assert counts["All files"] == "250"
        assert counts["Uploaded"] == "230"
        assert counts["Google Drive"] == "20", "a source is shown before any of its files is listed"
        library.gate.set()
        await hand.until(lambda: not hand.sees("library.progress"), "all is listed")
        assert len(stage.desk.session.library.catalog) == 250

    with faulty_thread(library.serving()) as server:
        play(tmp_path, story, built_in=False)


def test_open_details_follow_what_the_service_says(tmp_path: Path) -> None:
    library = Library([listed(1, "notes.txt", state="loading")])

    async def story(stage: Stage) -> None:
        await opened(stage, server, 1)
        hand, table = stage.hand, stage.hand.find("library.table")
        table.setCurrentIndex(table.model().index(0, 0))
        hand.key("library.table", Qt.Key.Key_Return)
        await hand.until(lambda: "lamp is blue" in hand.words("library.preview.text"), "the preview is there")
        assert "Indexing" in hand.words("library.details").splitlines()
        assert "external/files/1" in hand.words("library.details"), "all that the service says of a file is shown"
        library.files = [listed(1, "notes.txt")]
        await hand.until(lambda: "Ready" in hand.words("library.details").splitlines(), "the panel says so too")
        assert "Indexing" not in hand.words("library.details").splitlines()
        assert len(server.asked("/external/files/1")) == 1, "the preview is not fetched again"
        text = hand.find("library.preview.text")
        assert text.lineWrapMode() == QPlainTextEdit.LineWrapMode.WidgetWidth
        assert text.horizontalScrollBar().maximum() == 0, "prose is wrapped in the narrow panel"

    with faulty_thread(library.serving()) as server:
        play(tmp_path, story, built_in=False)


def test_files_are_pasted_wherever_the_focus_is(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(f"The lamp of {name}.")

    def copied(name: str) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(tmp_path / name))])
        mime.setText(str(tmp_path / name))
        QGuiApplication.clipboard().setMimeData(mime)

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        stage.window.go("library")
        hand, uploads = stage.hand, stage.desk.session.uploads
        uploads.hold("for the test")
        await hand.until(lambda: hand.sees("library.empty"), "the library is empty")
        control = Qt.KeyboardModifier.ControlModifier
        copied("one.txt")
        hand.find("library.upload").setFocus()
        hand.key("library.upload", Qt.Key.Key_V, control)
        await hand.until(lambda: [r.name for r in uploads.rows()] == ["one.txt"], "it is taken")
        copied("two.txt")
        hand.find("library.filter").setFocus()
        hand.key("library.filter", Qt.Key.Key_V, control)
        await hand.until(lambda: [r.name for r in uploads.rows()] == ["one.txt", "two.txt"], "so is this")
        assert hand.find("library.filter").text() == ""
        QGuiApplication.clipboard().setText("lamp")
        hand.key("library.filter", Qt.Key.Key_V, control)
        assert hand.find("library.filter").text() == "lamp", "text is a filter"
        stage.window.go("chat")
        assert len(uploads.rows()) == 2

    with faulty_thread(Library([]).serving()) as server:
        play(tmp_path / "home", story, built_in=False)


def test_the_copy_of_a_file_is_shown_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(Shell, "open_file", lambda _, path: shown.append(path))

    def offered(stage: Stage) -> list[str]:
        stage.hand.find("library.table").customContextMenuRequested.emit(QPoint(10, 10))
        menu = QApplication.activePopupWidget()
        words = [action.text() for action in menu.actions()]
        menu.close()
        return words

    async def story(stage: Stage) -> None:
        await opened(stage, server, 1)
        hand, table = stage.hand, stage.hand.find("library.table")
        table.setCurrentIndex(table.model().index(0, 0))
        assert "Show in folder" not in offered(stage)
        assert "Run an agent on it" in offered(stage)
        hand.key("library.table", Qt.Key.Key_Return)
        assert not hand.sees("library.details.folder")
        take(stage, "Download")
        await hand.until(lambda: hand.sees("library.details.folder"), "the panel offers the way to the copy")
        hand.click("library.details.folder")
        folder = stage.desk.session.downloads.folder
        assert shown == [folder]
        take(stage, "Show in folder")
        assert shown == [folder, folder]

    with faulty_thread(Library([listed(1, "notes.txt")]).serving()) as server:
        play(tmp_path / "home", story, built_in=False)


def test_an_empty_folder_is_answered(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "hiding").mkdir()
    (tmp_path / "hiding" / ".secret").write_text("x")
    (tmp_path / "linking").mkdir()
    (tmp_path / "linking" / "out").symlink_to(tmp_path / "bare")

    async def story(stage: Stage) -> None:
        stage.window.go("library")
        hand = stage.hand
        told = {
            "bare": "There is nothing to upload in bare.",
            "hiding": "There is nothing to upload in hiding. Left out: 1 hidden.",
            "linking": "There is nothing to upload in linking. Left out: 1 link that leaves the folder.",
        }
        for name, words in told.items():
            hand.drop([tmp_path / name])
            await hand.until(lambda w=words: w in hand.words("toast").splitlines(), f"{name} is answered")
        hand.drop([tmp_path / "bare", tmp_path / "hiding"])
        await hand.until(lambda: "in these folders" in hand.words("toast"), "several are answered together")

    play(tmp_path / "home", story)


def test_the_status_bar_says_that_the_built_in_service_has_ended(tmp_path: Path, log_watch: Any) -> None:
    log_watch.expect("the built-in service ended with code -9")

    async def story(stage: Stage) -> None:
        hand = stage.hand
        stage.desk._restarts = 1  # it is not started anew in this story
        stage.desk.built_in._process.kill()
        await hand.until(lambda: hand.words("status.account") == "Built-in service: ended", "the status bar says so")
        hand.click("banner.restart-built-in")
        await hand.until(lambda: hand.words("status.account") == "Built-in service", "it is there again")

    play(tmp_path, story)


def test_types_are_named_as_people_do_and_stand_in_one_order(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("library")
        hand = stage.hand
        await hand.until(lambda: "schema.sql" in hand.words("library.table"), "the samples are listed")
        await hand.until(lambda: not stage.desk.session.library.is_walking, "all is listed")
        lines = {line.split("\t")[0]: line.split("\t")[1] for line in hand.words("library.table").splitlines()}
        assert lines["schema.sql"] == "SQL"
        assert lines["gdpr-register.csv"] == "CSV"
        sidebar = stage.window.presenter("library").pane.sidebar
        chips = list(sidebar._chips)
        assert chips[:3] == ["PDF", "Word", "Excel"]
        (tmp_path / "config.json").write_text('{"lamp": "blue"}')
        (tmp_path / "more.csv").write_text("lamp,colour\nquay,blue\n" * 9)
        hand.find("library.type.pdf").setFocus()
        hand.drop([tmp_path / "config.json", tmp_path / "more.csv"])
        await hand.until(lambda: "JSON" in sidebar._chips, "a new type is there")
        assert [kind for kind in sidebar._chips if kind in chips] == chips, "counts do not move the others"
        hand.click("library.type.sql")
        assert {line.split("\t")[1] for line in hand.words("library.table").splitlines()} == {"SQL"}

    play(tmp_path / "home", story)


def test_a_narrow_table_shows_what_it_is_sorted_by(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go("library")
        hand = stage.hand
        await hand.until(lambda: "harbour-lease.pdf" in hand.words("library.table"), "the samples are listed")
        stage.window.resize(900, 600)
        table = hand.find("library.table")
        await hand.until(lambda: "provider" not in table.columns.shown(), "columns have given way")
        assert "added" in table.columns.shown()
        assert "folder" in table.columns.shown(), "the folder is narrower, and still there"
        header = table.horizontalHeader()
        assert header.sectionSize(COLUMNS.index("name")) >= 200
        header.sectionClicked.emit(COLUMNS.index("provider"))
        assert "provider" in table.columns.shown(), "now this is the reason for the order"
        assert row_of(stage, "harbour-lease.pdf") >= 0

    play(tmp_path, story)
