"""The result cards: ticks by keyboard and mouse, whole passages, nothing lost through a refresh."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from carrel.model import SearchQuery
from carrel.ui.search.options import DEFAULTS, SearchOptions
from carrel.ui.search.results import Card, ResultList
from carrel.ui.theme import theme
from stage import application

CARDS = [
    Card(f"file-{n}.pdf", "Contracts", "notice " * 200, "notice", f"{1 - n / 10:.2f}", 1 - n / 10) for n in range(5)
]


@pytest.fixture
def results() -> Iterator[ResultList]:
    application()
    made = ResultList()
    made.resize(700, 500)
    made.show()
    made.fill(CARDS)
    yield made
    made.close()


def test_space_ticks_where_the_cursor_is(results: ResultList) -> None:
    QTest.keyClick(results, Qt.Key.Key_Space)
    QTest.keyClick(results, Qt.Key.Key_Down)
    QTest.keyClick(results, Qt.Key.Key_Space)
    assert results.ticked() == [0, 1]
    QTest.keyClick(results, Qt.Key.Key_Space)
    assert results.ticked() == [0]


def test_a_click_on_the_box_ticks_and_one_beside_it_unfolds(results: ResultList) -> None:
    application().processEvents()
    card = results.visualRect(results.model().index(1))
    QTest.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=card.topLeft() + QPoint(36, 20))
    assert results.ticked() == [1]
    height = card.height()
    QTest.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=card.center())
    application().processEvents()
    assert results.visualRect(results.model().index(1)).height() > height
    assert results.ticked() == [1]


def test_ticks_stay_when_only_words_change_and_go_with_new_results(results: ResultList) -> None:
    results.tick_all(True)
    results.change([Card(c.title, "Elsewhere", c.passage, c.query, c.score, c.share) for c in CARDS])
    assert results.ticked() == [0, 1, 2, 3, 4]
    assert "Elsewhere" in results.plain_text()
    results.fill(CARDS[:2])
    assert results.ticked() == []


def test_cards_are_laid_out_anew_for_another_width_and_text_size(results: ResultList) -> None:
    application().processEvents()
    height = results.visualRect(results.model().index(0)).height()
    results.resize(360, 500)
    application().processEvents()
    narrow = results.visualRect(results.model().index(0)).height()
    assert narrow > height
    theme.choose("light", 6)
    application().processEvents()
    assert results.visualRect(results.model().index(0)).height() > narrow
    theme.choose("light", 0)


def test_a_card_can_be_read_aloud(results: ResultList) -> None:
    text = results.model().data(results.model().index(0), Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith("file-0.pdf, Contracts, 1.00, notice")


def test_options_begin_with_the_documents_defaults() -> None:
    application()
    options = SearchOptions()
    assert options.values() == {}
    assert SearchQuery(keyword="x", **options.values()) == SearchQuery(keyword="x")


def test_the_two_weights_move_together_and_are_told_once_at_rest() -> None:
    application()
    options = SearchOptions()
    told: list[None] = []
    options.changed.connect(lambda: told.append(None))
    for value in range(69, 20, -1):
        options._balance.setValue(value)
    assert options.values() == {"bm25_weight": 0.21, "vector_weight": 0.79}
    QTest.qWait(500)
    assert len(told) == 1


def test_options_show_a_former_query_and_go_back_to_the_defaults() -> None:
    application()
    options = SearchOptions()
    query = SearchQuery(keyword="x", types=("workflow",), limit=50, group_by_file=True, relative_threshold=0.3)
    options.show_query(query)
    assert SearchQuery(keyword="x", **options.values()) == query
    options._reset.click()
    assert options.values() == {}
    assert DEFAULTS.limit == 20


def test_one_kind_stays_chosen() -> None:
    application()
    options = SearchOptions()
    for kind in options._kinds.values():
        kind.click()
    assert options.values() == {"types": ("conversation",)}
