"""Stories of what is dragged over the window: pictures out of a browser, which are no files, and files over a field."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from carrel.hand import _entered_at
from carrel.model import LibraryQuery
from stage import Stage, play

ADDRESS = "https://example.com/heron.png"


def picture(*, address: bool = False) -> QMimeData:
    """A picture as a program hands it over, and with its address as a browser does."""
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    mime = QMimeData()
    mime.setImageData(image)
    if address:
        mime.setUrls([QUrl(ADDRESS)])
    return mime


def file(path: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    return mime


def drag(stage: Stage, mime: QMimeData, name: str, *, let_go: bool = True) -> str:
    """Drag it over the middle of a widget; what the veil says there, empty where there is none."""
    widget = stage.hand.find(name)
    surface = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    at = surface.mapTo(stage.window, QPoint(surface.width() // 2, surface.height() // 2))
    how = (Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    system = stage.window.windowHandle()
    QApplication.sendEvent(system, QDragEnterEvent(_entered_at(at), *how))
    QApplication.sendEvent(system, QDragMoveEvent(_entered_at(at), *how))
    said = stage.hand.words("dropveil") if stage.hand.sees("dropveil") else ""
    if let_go:
        QApplication.sendEvent(system, QDropEvent(QPointF(at), *how))
        assert not stage.hand.sees("dropveil")
    return said


async def uploaded(stage: Stage) -> tuple[str, ...]:
    """The folder of the picture that the service got."""
    service = stage.desk.session.context.service
    while True:
        page = await service.library(LibraryQuery(page_size=100))
        found = [f for f in page.items if f.file_name.startswith("Pasted image")]
        if found:
            return found[0].folder_path
        await stage.hand.settle()


@pytest.mark.parametrize("place", ["chat.composer", "chat.pane"])
@pytest.mark.parametrize("address", [False, True])
def test_a_picture_that_is_dropped_on_the_chat_is_attached(tmp_path: Path, place: str, address: bool) -> None:
    async def story(stage: Stage) -> None:
        assert drag(stage, picture(address=address), place) == "Drop to upload and attach to this message"
        box = stage.hand.find("composer")
        await stage.hand.until(lambda: len(box.draft().attachments) == 1, "the picture is attached")
        assert box.draft().attachments[0].name.endswith(".png")
        assert box.draft().text == ""

    play(tmp_path, story)


def test_files_over_the_message_show_the_veil_and_are_attached_while_words_are_taken_by_it(tmp_path: Path) -> None:
    note = tmp_path / "quay.txt"
    note.write_text("The quay lamp costs 412 euro.")

    async def story(stage: Stage) -> None:
        assert drag(stage, file(note), "chat.composer") == "Drop to upload and attach to this message"
        box = stage.hand.find("composer")
        await stage.hand.until(lambda: len(box.draft().attachments) == 1, "the file is attached")
        words = QMimeData()
        words.setText("the lamp on the quay")
        assert drag(stage, words, "chat.composer") == ""
        assert box.draft().text == "the lamp on the quay"

    play(tmp_path / "home", story)


@pytest.mark.parametrize(("pane", "place"), [("library", "library.table"), ("search", "search.results")])
def test_a_picture_that_is_dropped_elsewhere_is_uploaded(tmp_path: Path, pane: str, place: str) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go(pane)
        assert drag(stage, picture(), place) == "Drop to upload to the library"
        assert stage.window.front == "library"
        assert await uploaded(stage) == ()

    play(tmp_path, story)


def test_a_picture_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        mime = QMimeData()
        mime.setImageData(QImage())
        drag(stage, mime, "chat.pane")
        assert "could not be read" in stage.hand.words("toast")
        assert not stage.hand.find("composer").draft().attachments

    play(tmp_path, story)
