"""The table of tags, the field of code, and amounts in words."""

from __future__ import annotations

import json
import time
from datetime import datetime

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest

from carrel.ui import amounts
from carrel.ui.widgets.codeview import CodeView, pretty
from carrel.ui.widgets.table import Cell, TagTable
from stage import application


def lines(count: int, status: str = "200") -> list:
    return [(str(n), (Cell(f"GET /{n}"), Cell(status, "ok"))) for n in range(count)]


@pytest.fixture
def table() -> TagTable:
    application()
    made = TagTable("t", "Requests", ["Request", "Status"], stretch=0)
    made.resize(500, 300)
    made.show()
    return made


def test_a_refresh_keeps_selection_and_scroll_and_tells_nothing(table: TagTable) -> None:
    told: list[str] = []
    table.chosen.connect(told.append)
    table.fill(lines(100))
    table.selectRow(60)
    table.verticalScrollBar().setValue(1500)
    table.fill(lines(100, "404"))
    assert (table.current_key(), table.verticalScrollBar().value(), told) == ("60", 1500, ["60"])
    table.fill(lines(90))
    assert (table.current_key(), told) == ("60", ["60"])
    table.fill(lines(10))
    assert (table.current_key(), told) == ("", ["60"])


def test_a_new_row_on_top_keeps_what_is_selected(table: TagTable) -> None:
    table.fill(lines(5))
    table.selectRow(2)
    table.put_first(("new", (Cell("POST /x"), Cell("201", "ok"))), 5)
    assert [key for key, _ in table.lines()] == ["new", "0", "1", "2", "3"]
    assert table.current_key() == "2"


def test_the_keyboard_walks_through_the_rows(table: TagTable) -> None:
    told: list[str] = []
    table.chosen.connect(told.append)
    table.fill(lines(3))
    table.setFocus()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert told == ["0", "1"]


def test_a_narrow_table_leaves_lesser_columns_out(table: TagTable) -> None:
    table.hide_below(400, (1,))
    table.resize(300, 300)
    application().processEvents()
    assert table.isColumnHidden(1)
    table.resize(600, 300)
    application().processEvents()
    assert not table.isColumnHidden(1)


def test_code_takes_the_height_of_its_lines_up_to_so_many() -> None:
    application()
    view = CodeView("c", "Code", lines=10)
    view.resize(400, 100)
    view.show()
    view.show_code("a\nb\nc\nd")
    application().processEvents()
    four = view.height()
    assert view.verticalScrollBar().maximum() == 0
    view.show_code("\n".join("line" for _ in range(50)))
    application().processEvents()
    assert four < view.height() < 4 * four
    assert view.verticalScrollBar().maximum() > 0


def test_a_line_without_end_is_broken_where_it_is_shown() -> None:
    application()
    view = CodeView("c", "Code")
    view.show_code("x" * 200_000)
    assert view.blockCount() > 40
    assert len(view.toPlainText().replace("\n", "")) == 200_000


def test_json_is_indented_and_other_text_is_left() -> None:
    assert json.loads(pretty('{"a":[1,"ü"]}')) == {"a": [1, "ü"]}
    assert "ü" in pretty('{"a":"ü"}')
    assert pretty('{"a":') == '{"a":'
    assert pretty("[" * 5000) == "[" * 5000


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.084, "84 ms"), (1, "1 s"), (12.4, "12.4 s"), (48.2, "48 s"), (128, "2 min 08 s"), (3720, "1 h 02 min")],
)
def test_a_length_of_time_in_words(seconds: float, words: str) -> None:
    QLocale.setDefault(QLocale(QLocale.Language.English))
    assert amounts.took(seconds) == words


def test_other_amounts_in_words() -> None:
    QLocale.setDefault(QLocale(QLocale.Language.English))
    assert amounts.file_size(184_000) == "184 kB"
    assert amounts.file_size(1_200_000) == "1.2 MB"
    assert amounts.file_size(None) == ""
    assert amounts.clock(252) == "4:12"
    assert amounts.day("2026-11-18T09:00:00Z") == "18 Nov 2026"
    assert amounts.day("soon") == "soon"
    now = datetime(2026, 11, 21, 12).astimezone().timestamp()  # noon where the reader is
    assert amounts.moment(now - 5, now) == "just now"
    assert amounts.moment(now - 7200, now) == "10:00"
    assert amounts.moment(now - 3 * 86400, now).startswith("18 Nov")
    assert amounts.moment(time.time()) == "just now"
