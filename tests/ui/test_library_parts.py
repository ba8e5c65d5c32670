"""The parts of the library pane: each shows all it has, at any size, and reads names as they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from carrel.model import LibraryFile
from carrel.model.draft import Attachment, Draft
from carrel.model.transfers import Transfer
from carrel.store.library import Entry
from carrel.ui.library.detailfields import Words
from carrel.ui.library.details import Details
from carrel.ui.library.filetable import FileTable
from carrel.ui.library.preview import PreviewView
from carrel.ui.library.sidebar import Sidebar
from carrel.ui.library.tray import Tray
from carrel.ui.library.words import name_words
from carrel.ui.widgets.composer.held import MOST, Held
from carrel.work.catalog import Catalog, View
from carrel.work.previews import Preview

LONG_NAME = "Verwaltungsgemeinschaftsvorsitzender_Protokoll_der_Sitzung"
PARAGRAPHS = ("A paragraph of some words.\n\n" * 4000)[:80_000]
ROWS = "| a | b | c | d |\n|---|---|---|---|\n" + "| one | two | three | four |\n" * 500


@pytest.fixture
def place(window: QWidget) -> Iterator[QWidget]:
    window.layout().setContentsMargins(0, 0, 0, 0)
    window.layout().takeAt(0)
    return window


def put(place: QWidget, made: QWidget, width: int, height: int) -> None:
    place.layout().addWidget(made)
    place.resize(width, height)
    place.show()
    QApplication.processEvents()


def table(place: QWidget, *names: str) -> FileTable:
    catalog = Catalog()
    catalog.put([Entry(str(n), name, "", "file", "success", False, -n) for n, name in enumerate(names)])
    made = FileTable(catalog)
    put(place, made, 900, 300)
    made.show_rows(catalog.view(View()))
    return made


def test_copying_takes_the_names_of_all_selected_files(place: QWidget) -> None:
    made = table(place, "one.pdf", "two.pdf", "three.pdf")
    made.selectRow(0)
    made.selectionModel().select(
        made.model().index(2, 0),
        made.selectionModel().SelectionFlag.Select | made.selectionModel().SelectionFlag.Rows,
    )
    QTest.keyClick(made, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "one.pdf\nthree.pdf"


def test_a_border_pressed_twice_makes_its_column_as_wide_as_what_is_in_it(place: QWidget) -> None:
    made = table(place, "a.pdf")
    catalog = made.model().catalog
    catalog.put([Entry("9", "b.pdf", "Contracts of the harbour / and all its quays", "file", "success", False, 9.0)])
    made.show_rows(catalog.view(View()))
    header, section = made.horizontalHeader(), 2
    told: list[object] = []
    made.columns.arranged.connect(lambda: told.append(made.columns.widths["folder"]))
    before = header.sectionSize(section)
    edge = QPoint(header.sectionViewportPosition(section) + before - 1, header.height() // 2)
    for click in (QTest.mouseClick, QTest.mouseDClick, QTest.mouseRelease):
        click(header.viewport(), Qt.MouseButton.LeftButton, pos=edge)
    wide = header.sectionSize(section)
    text = made.fontMetrics().horizontalAdvance(made.model().text(0, "folder"))
    assert wide > max(before, text)
    assert told == [made.columns.widths["folder"]]


@pytest.mark.parametrize("name", ["invoice\u202efdp.exe.txt", "invoice\u2066fdp.exe.txt\n"])
def test_a_name_reads_in_the_order_of_its_letters(place: QWidget, name: str) -> None:
    made = table(place, name)
    assert made.model().text(0, "name") == name_words(name) == "invoicefdp.exe.txt"
    assert name_words("Übersicht 1.pdf") == "Übersicht 1.pdf"


@pytest.mark.parametrize("sources", [2, 6, 12])
@pytest.mark.parametrize("height", [480, 700])
def test_the_parts_of_the_list_column_never_lie_on_each_other(place: QWidget, sources: int, height: int) -> None:
    made = Sidebar()
    put(place, made, 220, height)
    made.show_sources({f"source_{n}": 1 for n in range(sources)}, "*")
    made.show_folders([f"Folder {n}" for n in range(30)])
    made.show_kinds([f"KIND{n}" for n in range(20)], frozenset())
    for _ in range(5):  # a change of height goes up from one layout to the next
        QApplication.processEvents()
    parts = [part.geometry() for part in made.findChildren(QWidget, options=DIRECT) if part.isVisible()]
    boxes = sorted((box for box in parts if box.height()), key=lambda box: box.top())
    assert all(a.bottom() < b.top() for a, b in pairwise(boxes))
    assert boxes[-1].bottom() <= made.height()
    assert boxes[-1].height() >= 60, "some of the types are in sight"
    assert made.folders.height() >= 60
    last = made.sources.model().index(sources + 1, 0)
    made.sources.scrollTo(last)
    assert made.sources.viewport().rect().contains(made.sources.visualRect(last).center())


DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


@pytest.mark.parametrize("size", [QSize(250, 420), QSize(320, 640)])
def test_no_field_of_the_details_is_cut(place: QWidget, size: QSize) -> None:
    made = Details()
    more = {f"field {n}": f"value {n}" for n in range(5)} | {"summary": "A long summary of the file. " * 20}
    made.show_file(
        LibraryFile(id="1", file_name="a.pdf", folder_path=("Board", LONG_NAME, "", "2026"), download_link="/x", **more)
    )
    put(place, made, size.width(), size.height())
    fields = made.findChild(QWidget, "library.details.fields")
    shown = [one for one in fields.findChildren(QLabel) if one.isVisible()]
    assert fields.findChild(Words).toPlainText() == f"Board / {LONG_NAME} / 2026"
    for one in shown:
        assert one.height() >= one.heightForWidth(one.width()) or not one.hasHeightForWidth(), one.text()
    bar = fields.verticalScrollBar()
    assert bar.maximum() + fields.viewport().height() >= fields.widget().height()
    assert fields.geometry().bottom() < made.preview.mapTo(made, QPoint(0, 0)).y()
    assert made.preview.height() > 60
    words = fields.findChild(Words)
    assert words.height() >= words.document().size().height()


def shown(place: QWidget, found: Preview, picture: QImage | None = None) -> PreviewView:
    made = PreviewView()
    put(place, made, 300, 400)
    made.show_preview(found, picture)
    QApplication.processEvents()
    return made


def words(made: QWidget) -> str:
    return " ".join(one.text() for one in made.findChildren(QLabel) if one.isVisible())


@pytest.mark.parametrize("kind", ["text", "markdown"])
def test_a_text_that_is_cut_says_so_and_an_empty_one_too(place: QWidget, kind: str) -> None:
    made = shown(place, Preview(kind, Path("a.txt"), "some text", is_cut=True))
    assert "The beginning. Open the file to see all of it." in words(made)
    made.show_preview(Preview(kind, Path("a.txt"), "some text"), None)
    assert "The beginning" not in words(made)
    made.show_preview(Preview(kind, Path("a.txt"), "\n"), None)
    assert words(made) == "There is nothing in it."


@pytest.mark.parametrize("text", [PARAGRAPHS, ROWS])
def test_a_long_markdown_text_is_formatted_on_a_wish(place: QWidget, text: str) -> None:
    made = shown(place, Preview("markdown", Path("a.md"), text, is_cut=True))
    markdown, offer = made.findChild(QWidget, "library.preview.markdown"), made.findChild(QPushButton)
    assert markdown.is_plain
    assert markdown.toPlainText().startswith(text[:20])
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)
    assert not markdown.is_plain
    assert not offer.isVisible()
    assert "The beginning" in words(made), "it is cut all the same"
    made.show_preview(Preview("markdown", Path("b.md"), text + "."), None)
    assert markdown.is_plain, "a wish is for one text"


def test_what_no_wish_can_format_offers_nothing(place: QWidget) -> None:
    made = shown(place, Preview("markdown", Path("a.md"), ROWS * 9))
    assert not made.findChild(QPushButton).isVisible()
    assert "too long to be formatted" in words(made)


def test_a_link_of_a_markdown_text_is_told(place: QWidget) -> None:
    made = shown(place, Preview("markdown", Path("a.md"), "[here](https://example.org)"))
    told: list[str] = []
    made.linked.connect(told.append)
    view = made.findChild(QWidget, "library.preview.markdown")
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert told == ["https://example.org"]


def test_a_picture_fits_its_room_again_and_again(place: QWidget) -> None:
    picture = QImage(1000, 2000, QImage.Format.Format_RGB32)
    picture.fill(0)
    made = shown(place, Preview("image", Path("a.png")), picture)
    label = made.findChild(QLabel, "library.preview.picture")
    for width, height in ((300, 400), (150, 200), (400, 600)):
        place.resize(width, height)
        QApplication.processEvents()
        assert label.pixmap().height() == label.height() <= height
        assert label.pixmap().width() <= label.width() <= width


def test_a_thousand_files_that_go_along_are_a_few_chips(place: QWidget) -> None:
    made = Held()
    put(place, made, 600, 300)
    files = [Attachment(id=str(n), name=f"{n}.pdf") for n in range(1000)]
    made.show_draft(Draft(text="", attachments=files))
    assert sum(one.objectName().startswith("chat.attachment.") for one in made.findChildren(QWidget)) == MOST
    assert "and 970 more" in words(made)
    made.show_draft(Draft(text="", attachments=files[:MOST]))
    assert "more" not in words(made)


def test_all_transfers_can_be_cancelled_where_there_are_several(place: QWidget) -> None:
    made = Tray()
    put(place, made, 700, 200)
    asked: list[tuple[str, str]] = []
    made.asked.connect(lambda key, what: asked.append((key, what)))
    rows = [Transfer(str(n), "up", f"{n}.pdf", "/f", n, 0.0, state="paused") for n in range(2)]
    cancel = made.findChild(QPushButton, "library.cancel_all")
    made.show_queue("uploads", rows[:1], "", "")
    assert not cancel.isVisibleTo(made)
    made.show_queue("uploads", rows, "", "")
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert asked == [("uploads", "cancel")]
