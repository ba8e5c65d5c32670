"""Stories of looking through a library whose service lists sources, states and folders of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from carrel.ui.shell import Shell
from faulty import Handler, Peer, faulty_thread, routes
from stage import Stage, play

LIST = "/external/libraries"


def listed(number: int, name: str, **fields: Any) -> dict[str, Any]:
    own = {"state": "success", "provider": "file", "folder_path": ["Deals"], "is_shared": False}
    link = {"download_link": f"external/files/{number}", "created_at": f"2026-11-0{number}T10:00:00"}
    return {"id": str(number), "file_name": name, **own, **link, **fields}


FILES = [
    listed(1, "lease.pdf"),
    listed(2, "quote.docx", provider="google_drive", is_shared=True),
    listed(3, "scan.png", state="ocr_failed", folder_path=["Deals", "North"]),
    listed(4, "notes.txt", state="loading", folder_path=[]),
    listed(5, "plan.pdf", state="quarantined"),
]
ONLY_FOUND = listed(6, "only-the-service-knows.pdf", folder_path=["Deals"])


async def library(peer: Peer) -> None:
    """Counts six files and lists five; the sixth is only found when somebody searches for it."""
    found = [ONLY_FOUND] if "only" in peer.seen.query.get("search", "") else FILES
    page = {"total_items": len(FILES) + 1, "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
    await peer.json({**page, "items": found})


async def content(peer: Peer) -> None:
    await peer.json("The lamp is blue.")


def serving() -> Handler:
    return routes({f"GET {LIST}": library, "GET /external/files/1": content})


async def opened(stage: Stage, server: Any) -> None:
    await stage.desk.add_account(server.account())
    stage.window.go("library")
    await stage.hand.until(lambda: len(names(stage)) == 5, "the files are listed")
    await stage.hand.settle(0.3)


def names(stage: Stage) -> list[str]:
    return [line.split("\t")[0] for line in stage.hand.words("library.table").splitlines() if line]


def test_sources_folders_types_and_states_are_what_the_service_says(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await opened(stage, server)
        sources = {item.title: item.note for item in hand.find("library.sources").items()}
        assert sources["All files"] == "5"
        assert sources["Uploaded"] == "4"
        assert sources["Google Drive"] == "1"
        assert hand.find("library.folders").folders() == ["Deals", "Deals/North"]
        words = {line.split("\t")[0]: line.split("\t")[3] for line in hand.words("library.table").splitlines()}
        assert words["lease.pdf"] == "Ready"
        assert words["notes.txt"] == "Indexing"
        assert words["scan.png"] == "Failed"
        assert words["plan.pdf"] == "quarantined", "a state that nobody documented is shown as it is"
        model = hand.find("library.table").model()
        told = {model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())}
        assert "quote.docx, shared" in told
        assert "lease.pdf" in told
        hand.click("library.type.pdf")
        assert sorted(names(stage)) == ["lease.pdf", "plan.pdf"]
        hand.click("library.type.word")
        assert len(names(stage)) == 3, "types add up"
        assert stage.window.presenter("library").escape()
        hand.find("library.sources").chosen.emit("google_drive")
        assert names(stage) == ["quote.docx"]

    with faulty_thread(serving()) as server:
        play(tmp_path, story, built_in=False)


def test_what_is_on_screen_is_also_asked_of_the_service(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await opened(stage, server)
        hand.type("library.filter", "only")
        await hand.until(lambda: names(stage) == ["only-the-service-knows.pdf"], "what the service found is shown")
        hand.find("library.filter").clear()
        presenter = stage.window.presenter("library")
        presenter._look(provider="file", folder="Deals", kinds=frozenset({"PDF"}), sort_by="name", descending=False)
        asked = lambda: [seen.query for seen in server.asked(LIST) if seen.query.get("provider")]  # noqa: E731
        await hand.until(asked, "the service is asked for it")
        wanted = {"provider": "file", "folder_paths": "Deals", "file_types": "pdf"}
        assert asked()[-1].items() >= (wanted | {"sort_by": "file_name", "sort_order": "asc"}).items()
        assert len(stage.desk.session.library.catalog) == 6, "the two are one list, by id"

    with faulty_thread(serving()) as server:
        play(tmp_path, story, built_in=False)


def test_a_file_is_opened_saved_and_linked_from_its_menu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(Shell, "open_file", lambda _, path: shown.append(path))
    monkeypatch.setattr(Shell, "choose_target", lambda _, title, name, then: then([tmp_path / "mine.pdf"]))

    async def story(stage: Stage) -> None:
        hand = stage.hand
        await opened(stage, server)
        table = hand.find("library.table")
        table.setCurrentIndex(table.model().index(names(stage).index("lease.pdf"), 0))
        session = stage.desk.session
        take(stage, "Copy link")
        assert QGuiApplication.clipboard().text() == session.library.link(session.library.file("1"))
        take(stage, "Save as…")
        await hand.until((tmp_path / "mine.pdf").exists, "it is where the person wanted it")
        take(stage, "Open")
        await hand.until(lambda: shown, "it is opened")
        assert shown[0].read_bytes() == (tmp_path / "mine.pdf").read_bytes()
        tray = hand.find("library.downloads")
        await hand.until(tray.rows, "the downloads are shown")
        tray.setCurrentIndex(tray.model().index(0, 0))
        tray.menu_asked.emit(QPoint(5, 5))
        choose("Show in folder")
        assert shown[-1] == Path(tray.rows()[0].path).parent

    with faulty_thread(serving()) as server:
        play(tmp_path / "home", story, built_in=False)


def take(stage: Stage, entry: str) -> None:
    """Take an entry of the menu of the selected files."""
    stage.hand.find("library.table").customContextMenuRequested.emit(QPoint(10, 10))
    choose(entry)


def choose(entry: str) -> None:
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.setActiveAction(next(action for action in menu.actions() if action.text() == entry))
    QTest.keyClick(menu, Qt.Key.Key_Return)
