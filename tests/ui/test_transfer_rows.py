"""The rows of a queue: what each shows, and that the mouse acts only on the word that it pressed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from carrel.model.transfers import Transfer
from carrel.ui.amounts import day
from carrel.ui.library.transferlist import TransferList
from carrel.ui.library.transferorder import Shift, moves
from carrel.ui.library.transferwords import allowed, explained, reason
from carrel.ui.theme import theme

MB = 10**6
WARNING = "Close to the limit: the service may refuse files over 1 GB."


def row(number: int, state: str, *, direction: str = "up", **values: object) -> Transfer:
    fields = {"size": 1040 * MB, **values}
    return Transfer(f"r{number}", direction, f"file-{number}.pdf", "/f", float(number), 0.0, state=state, **fields)


@pytest.fixture
def rows(window: QWidget) -> TransferList:
    made = TransferList("library.uploads", "Uploads")
    window.layout().insertWidget(0, made, 10)
    window.show()
    return made


def filled(rows: TransferList, number: int) -> int:
    """Pixels of the accent in a row: how much of its bar is filled."""
    box = rows.visualRect(rows.model().index(number, 0))
    image = rows.viewport().grab(box).toImage()
    accent = theme.color("accent").rgb()
    middle = image.height() // 2
    return sum(image.pixel(x, middle) == accent for x in range(image.width()))


def test_a_file_close_to_the_limit_shows_its_bar_and_its_bytes(rows: TransferList) -> None:
    rows.fill([row(1, "moving", moved=520 * MB, note=WARNING), row(2, "moving", moved=520 * MB)])
    assert rows.plain_text() == "file-1.pdf, 520.0 MB of 1.0 GB\nfile-2.pdf, 520.0 MB of 1.0 GB"
    assert filled(rows, 0) == filled(rows, 1) > 20
    assert WARNING in explained(rows.rows()[0])
    assert rows.model().index(0, 0).data(Qt.ItemDataRole.AccessibleDescriptionRole) == WARNING


def test_what_came_of_a_row_stands_in_the_place_of_its_bar(rows: TransferList) -> None:
    rows.fill(
        [
            row(1, "done", note="Found now, as hit 1.", file_id="f"),
            row(2, "refused", error="The file is empty.", note=WARNING),
        ]
    )
    assert sorted(rows.plain_text().splitlines()) == [
        "file-1.pdf, Found now, as hit 1.",
        "file-2.pdf, The file is empty.",
    ]


def test_a_paused_upload_says_that_it_starts_again_and_a_download_does_not(rows: TransferList) -> None:
    half = 500 * MB
    rows.fill([row(1, "paused", moved=half), row(2, "paused"), row(3, "paused", direction="down", moved=half)])
    assert rows.plain_text() == "file-1.pdf, paused, starts again\nfile-2.pdf, paused\nfile-3.pdf, paused"
    assert any("from its beginning" in line for line in explained(rows.rows()[0]))
    assert not any("from its beginning" in line for line in explained(rows.rows()[2]))


def test_the_bar_of_a_paused_upload_is_empty(rows: TransferList) -> None:
    rows.fill([row(1, "paused", moved=500 * MB), row(2, "paused")])
    images = [rows.viewport().grab(rows.visualRect(rows.model().index(n, 0))).toImage() for n in range(2)]
    at = [[image.pixel(x, image.height() // 2) for x in range(200, 400)] for image in images]
    assert at[0] == at[1]


def test_a_copy_tells_the_day_in_the_readers_own_way() -> None:
    when = datetime(2026, 11, 18, 12, tzinfo=UTC)
    copy = row(1, "duplicate", error="It has the same content as “a.txt”.", ended_at=when.timestamp())
    assert reason(copy) == f"It has the same content as “a.txt”. That was uploaded on {day('2026-11-18')}."


def test_a_drag_that_ends_on_a_word_does_nothing(rows: TransferList) -> None:
    acted: list[tuple[str, list[str]]] = []
    rows.acted.connect(lambda key, ids: acted.append((key, ids)))
    rows.fill([row(n, "refused", error="The file is empty.") for n in (1, 2, 3)])
    view, left = rows.viewport(), Qt.MouseButton.LeftButton
    place = rows.place_of("r3", "dismiss")
    for begin in (QPoint(40, 10), rows.place_of("r1", "dismiss")):
        QTest.mousePress(view, left, pos=begin)
        QTest.mouseMove(view, place)
        QTest.mouseRelease(view, left, pos=place)
    assert acted == []
    QTest.mouseClick(view, left, pos=place)
    assert acted == [("dismiss", ["r3"])]


def test_a_row_that_moved_under_the_mouse_is_not_acted_on(rows: TransferList) -> None:
    acted: list[str] = []
    rows.acted.connect(lambda key, _: acted.append(key))
    rows.fill([row(1, "waiting"), row(2, "waiting")])
    place = rows.place_of("r1", "cancel")
    QTest.mousePress(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    rows.fill([row(2, "waiting")])
    QTest.mouseRelease(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert acted == []


def test_rows_that_wait_can_be_shifted_between_their_neighbours_only(rows: TransferList) -> None:
    moved: list[object] = []
    rows.moved.connect(moved.append)
    rows.fill([row(1, "moving"), *(row(n, "waiting") for n in (2, 3, 4, 5))])
    for ids, to in ((["r1"], "later"), (["r2"], "earlier"), (["r5", "r4"], "last"), (["r2"], "first")):
        rows.shift(ids, to)
    assert moved == []
    for ids, to in ((["r3"], "earlier"), (["r2"], "later"), (["r4"], "later"), (["r3", "r4"], "earlier")):
        rows.shift(ids, to)
    assert moved == [[("r3", "r2")], [("r2", "r4")], [("r4", None)], [("r3", "r2"), ("r4", "r2")]]


@pytest.mark.parametrize(
    ("chosen", "to", "after"),
    [
        ("bd", "first", "bdac"), ("ca", "last", "bdac"), ("bc", "earlier", "bcad"), ("ab", "later", "cabd"),
        ("bd", "earlier", "badc"), ("ac", "later", "badc"), ("ab", "earlier", "abcd"), ("abcd", "last", "abcd"),
    ],
)  # fmt: skip
def test_several_rows_keep_their_order(chosen: str, to: Shift, after: str) -> None:
    order = list("abcd")
    for one, before in moves(order.copy(), chosen, to):
        order.remove(one)
        order.insert(len(order) if before is None else order.index(before), one)
    assert "".join(order) == after


def test_the_keyboard_shifts_all_that_is_selected(rows: TransferList) -> None:
    moved: list[object] = []
    rows.moved.connect(moved.append)
    rows.fill([row(n, "waiting") for n in (1, 2, 3)])
    for number in (1, 2):
        rows.selectionModel().select(rows.model().index(number, 0), rows.selectionModel().SelectionFlag.Select)
    QTest.keyClick(rows, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert moved == [[("r2", "r1"), ("r3", "r1")]]


@pytest.mark.parametrize(("state", "key"), [("waiting", "pause"), ("indexing", "dismiss")])
def test_what_a_row_allows(state: str, key: str) -> None:
    assert key in allowed(row(1, state))
