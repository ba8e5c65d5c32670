"""Tables in the text of documents: found, read as numbers, narrowed to what was asked."""

import pytest

from answer_documents import REVENUE
from carrel_service.figures import narrowed, number, relevance, tables


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("462000", 462000),
        ("£1,250.50", 1250.5),
        ("(300)", -300),
        ("12 %", 12),
        ("1.250,50 €", 1250.5),
        ("-4", -4),
        ("n/a", None),
        ("North", None),
        ("", None),
    ],
)
def test_cells_are_read_as_the_numbers_they_show(cell: str, value: float | None) -> None:
    assert number(cell) == value


@pytest.mark.parametrize("separator", ["\t", ",", ";", " | "])
def test_a_table_is_found_whatever_separates_its_cells(separator: str) -> None:
    text = "Some words before.\n" + REVENUE.replace(",", separator) + "And words after.\n"
    (table,) = tables(text)
    assert table.header == ("Region", "Q1", "Q2", "Q3")
    assert table.numbers(3) == [462000, 320000, 228000]


def test_prose_with_commas_is_no_table() -> None:
    assert tables("One, two, and three.\nFour, five, and six.\nSeven, eight, and nine.\n") == []


def test_years_are_not_figures() -> None:
    (table,) = tables("Region,Year,Sales\nNorth,2024,10\nSouth,2025,20\n")
    assert table.numeric_columns == [2]


def test_a_table_comes_down_to_the_rows_that_were_asked_for() -> None:
    (table,) = tables(REVENUE)
    assert narrowed(table, "What did the South sell?").rows == (("South", "331000", "325400", "320000"),)
    assert len(narrowed(table, "What was sold?").rows) == 3


def test_relevance_is_the_share_of_the_words_it_holds() -> None:
    (table,) = tables(REVENUE)
    assert relevance(table, "Q3 in the North") == 1
    assert relevance(table, "violin strings") == 0
    assert relevance(table, "revenue in the North", "revenue.csv".replace(".", " ")) == 1


def test_markdown_keeps_the_cells_apart() -> None:
    (table,) = tables("Name\tValue\na|b\t1\nc\t2\n")
    assert "| a\\|b | 1 |" in table.markdown()


@pytest.mark.parametrize("line", ['{{"name":"photo","img":"{0}","x":1}}', '["{0}","x"]', "{0};x;y", "{0}|x"])
def test_a_line_of_data_is_no_row_and_the_table_beside_it_is_found(line: str) -> None:
    text = f"{line.format('A' * 200_000)}\n\n{REVENUE}"
    assert [table.header for table in tables(text)] == [("Region", "Q1", "Q2", "Q3")]
