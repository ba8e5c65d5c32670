"""Tool tips: what a service says is read there as it is, whatever markup stands in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent, QStandardItem, Qt, QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from carrel.model.transfers import Transfer
from carrel.store.library import Entry
from carrel.ui.library.filemodel import FileModel
from carrel.ui.library.foldertree import FolderTree
from carrel.ui.library.transferlist import TransferList
from carrel.ui.widgets.controls import UNBROKEN, as_tip, chip, tip, tool
from carrel.work.catalog import Catalog, View

ODD = "x<img src=/tmp/red.png> & <b>y</b> &amp;"


class Told(QTextDocument):
    """What Qt makes of a tip: its words, and whatever it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.setHtml(text)
        self.setTextWidth(400)
        self.size()

    def loadResource(self, kind: int, name: object) -> object:  # noqa: N802  # Qt names it
        self.loaded.append(str(name))
        return None


def is_plain(text: str, words: str = ODD) -> bool:
    told = Told(text)
    return Qt.mightBeRichText(text) and told.toPlainText() == words and not told.loaded


def test_a_picture_in_a_bare_tip_would_be_loaded() -> None:
    """The measure measures: this is what a tip without care does."""
    assert Told(ODD).loaded


@pytest.mark.parametrize("words", [ODD, "plain", "a & b", "&amp;", "<span>", "x < y > z", '"quoted"'])
def test_words_are_read_as_they_are(words: str) -> None:
    assert is_plain(as_tip(words), words)


def test_nothing_has_no_tip() -> None:
    assert as_tip("") == ""
    widget = QLabel()
    tip(widget, ODD)
    tip(widget, "")
    assert widget.toolTip() == ""


def test_lines_stay_lines() -> None:
    assert Told(as_tip("one\ntwo")).toPlainText() == "one\ntwo"


def test_what_has_no_space_is_broken_and_keeps_its_letters() -> None:
    name = "a&b<" * 100
    told = Told(as_tip(name)).toPlainText()
    assert told.replace("\u200b", "") == name
    assert max(map(len, told.split("\u200b"))) <= UNBROKEN + 4
    QToolTip.showText(QPoint(10, 10), as_tip(name))
    shown = next(w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel"))
    QToolTip.hideText()
    assert shown.width() < shown.fontMetrics().averageCharWidth() * UNBROKEN * 3


@pytest.mark.parametrize(
    "make",
    [lambda: tool("close", "some.tool", ODD), lambda: chip("", "some.chip", tip=ODD)],
    ids=["tool", "chip"],
)
def test_controls_show_them_as_they_are(make: Callable[[], QWidget]) -> None:
    assert is_plain(make().toolTip())


def test_an_item_takes_a_tip_too() -> None:
    item = QStandardItem()
    tip(item, ODD)
    assert is_plain(item.toolTip())


def test_the_tree_of_folders_tells_a_name_as_it_is(qtbot: QtBot) -> None:
    tree = FolderTree()
    qtbot.addWidget(tree)
    name = "x<img src=red.png>&amp;"
    tree.fill([name])
    assert is_plain(tree._items[name].toolTip(), name)


def test_the_files_of_the_library_tell_their_names_as_they_are() -> None:
    catalog = Catalog()
    catalog.put([Entry("1", ODD, "", "file", "success", False, -1)])
    model = FileModel(catalog, None)
    model.show_rows(catalog.view(View()))
    assert is_plain(model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))


def test_a_transfer_tells_its_name_and_its_reason_as_they_are(window: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _, text, *further: shown.append(text))
    made = TransferList("library.uploads", "Uploads")
    window.layout().insertWidget(0, made, 10)
    window.show()
    made.fill([Transfer("r1", "up", ODD, "/f", 1.0, 0.0, state="refused", error="<b>No</b>", size=10)])
    place = made.visualRect(made.model().index(0, 0)).center()
    QApplication.sendEvent(made.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, QPoint(9, 9)))
    assert is_plain(shown[0], f"{ODD}\n<b>No</b>")
