"""Stories of files that come by paste, leave by drag, wait in another order, or go where nothing is listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QDrag, QGuiApplication, QImage

from carrel.ui.library import fetching
from faulty import Peer, faulty_thread, routes
from keychains import Keeps
from running import built_in_service
from sessions import account_of
from stage import Stage, play
from stories import indexed


async def opened(stage: Stage) -> None:
    stage.window.go("library")
    await stage.hand.until(lambda: "harbour-lease.pdf" in stage.hand.words("library.table"), "the samples are listed")


def names(stage: Stage) -> list[str]:
    return [line.split("\t")[0] for line in stage.hand.words("library.table").splitlines()]


def paste(stage: Stage, mime: QMimeData) -> None:
    QGuiApplication.clipboard().setMimeData(mime)
    stage.hand.find("library.table").setFocus()
    stage.hand.key("library.table", Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def test_files_a_picture_and_a_text_are_pasted(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# The lamp\n\nIt was lit at nine.")

    async def story(stage: Stage) -> None:
        await opened(stage)
        stage.window.presenter("library")._look(folder="Board")
        files, picture, text = QMimeData(), QMimeData(), QMimeData()
        files.setUrls([QUrl.fromLocalFile(str(note)), QUrl("https://example.com/elsewhere.pdf")])
        image = QImage(40, 30, QImage.Format.Format_RGB32)
        image.fill(QColor("teal"))
        picture.setImageData(image)
        text.setText("Nine lamps stand on the north quay.")
        for mime in (files, picture, text):
            paste(stage, mime)
        uploads, library = stage.desk.session.uploads, stage.desk.session.library
        await stage.hand.until(lambda: [r.state for r in uploads.rows()] == ["done"] * 3, "all three are ready")
        rows = {Path(row.name).suffix: row for row in uploads.rows()}
        assert rows[".md"].name == "note.md"
        assert rows[".png"].name.startswith("Pasted image ")
        assert rows[".txt"].name.startswith("Pasted text ")
        assert {row.folder for row in rows.values()} == {"Board"}
        place = await stage.desk.session.context.service.download(
            library.link(library.file(rows[".txt"].file_id)), tmp_path / "back.txt"
        )
        assert place.read_text("utf-8") == "Nine lamps stand on the north quay."
        assert note.exists()
        left = stage.desk.paths.cache / "pasted"
        await stage.hand.until(lambda: not any(left.rglob("*.*")), "what lay in the cache is gone")
        paste(stage, QMimeData())
        assert "nothing on the clipboard" in stage.hand.words("toast")

    play(tmp_path / "home", story)


def test_files_are_fetched_then_dragged_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dragged: list[list[Path]] = []

    class Caught(QDrag):
        """A drag that ends at once: the platform of tests has no desktop to drop on."""

        def exec(self, action: Qt.DropAction) -> Qt.DropAction:
            dragged.append([Path(url.toLocalFile()) for url in self.mimeData().urls()])
            return action

    monkeypatch.setattr(fetching, "QDrag", Caught)

    async def story(stage: Stage) -> None:
        await indexed(stage)
        await opened(stage)
        table = stage.hand.find("library.table")
        for name in ("memo-quay-works.txt", "schema.sql"):
            index = table.model().index(names(stage).index(name), 0)
            flags = table.selectionModel().SelectionFlag
            table.selectionModel().select(index, flags.Select | flags.Rows)
        table.startDrag(Qt.DropAction.CopyAction)
        assert dragged == [], "what is not here yet cannot be dragged"
        assert "being downloaded" in stage.hand.words("toast")
        downloads = stage.desk.session.downloads
        await stage.hand.until(lambda: [r.state for r in downloads.rows()] == ["done"] * 2, "both are here")
        table.startDrag(Qt.DropAction.CopyAction)
        assert sorted(path.name for path in dragged[0]) == ["memo-quay-works.txt", "schema.sql"]
        assert all(path.stat().st_size for path in dragged[0])
        assert len(downloads.rows()) == 2, "nothing is fetched twice"

    play(tmp_path, story)


def test_an_account_that_cannot_list_its_files_says_so_and_takes_files(tmp_path: Path) -> None:
    (tmp_path / "lamp.txt").write_text("The lamp is blue.")

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(account_of(service, "earlier"))
        stage.window.go("library")
        await stage.hand.until(lambda: stage.hand.sees("library.empty"), "the pane says something")
        assert "This account cannot list its files" in stage.hand.words("library.empty")
        assert stage.hand.sees("library.empty.upload")
        stage.hand.drop([tmp_path / "lamp.txt"])
        uploads = stage.desk.session.uploads
        await stage.hand.until(lambda: [r.state for r in uploads.rows()] == ["done"], "the file is taken")
        assert "cannot list" in stage.hand.words("library.empty")

    with built_in_service(tmp_path / "data") as service:
        play(tmp_path / "home", story, built_in=False)


def test_what_waits_is_reordered_by_keyboard(tmp_path: Path) -> None:
    async def refuse(peer: Peer) -> None:
        await peer.body()
        await peer.json({"error": "internal_error", "message": "later"}, 500)

    async def none(peer: Peer) -> None:
        await peer.json({"total_items": 0, "providers": {}, "page": 1, "page_size": 100, "total_pages": 1, "items": []})

    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(name)

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        stage.window.go("library")
        uploads, tray = stage.desk.session.uploads, stage.hand.find("library.uploads")
        uploads.hold("for the test")
        stage.hand.drop([tmp_path / name for name in ("a.txt", "b.txt", "c.txt")])
        await stage.hand.until(lambda: len(tray.rows()) == 3, "the rows are shown")
        tray.setCurrentIndex(tray.model().index(2, 0))
        stage.hand.key("library.uploads", Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        await stage.hand.until(lambda: [r.name for r in tray.rows()] == ["a.txt", "c.txt", "b.txt"], "c goes before b")
        stage.hand.key("library.uploads", Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        await stage.hand.until(lambda: [r.name for r in tray.rows()] == ["c.txt", "a.txt", "b.txt"], "and before a")
        assert [r.name for r in uploads.rows()] == ["c.txt", "a.txt", "b.txt"]

    async def after_a_restart(stage: Stage) -> None:
        await stage.desk.open_account(stage.desk.settings.accounts[0].id)
        assert [r.name for r in stage.desk.session.uploads.rows()] == ["c.txt", "a.txt", "b.txt"]
        tray_rows = lambda: stage.hand.find("library.uploads").rows()  # noqa: E731
        stage.window.go("library")
        await stage.hand.until(lambda: [r.state for r in tray_rows()] == ["interrupted"] * 3, "all three have failed")
        assert "later" in stage.hand.words("library.uploads")
        stage.hand.click("library.retry_all")
        uploads = server.asked("/external/upload")
        before = len(uploads)
        await stage.hand.until(lambda: len(server.asked("/external/upload")) > before, "all are tried again")

    with faulty_thread(routes({"POST /external/upload": refuse, "GET /external/libraries": none})) as server:
        keys = Keeps()
        play(tmp_path / "home", story, built_in=False, keychain=keys)
        play(tmp_path / "home", after_a_restart, built_in=False, keychain=keys)
