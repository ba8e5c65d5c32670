"""Which files share a request, and how its bytes and answers are told apart."""

from __future__ import annotations

from carrel.model import LibraryFile
from carrel.model.transfers import Transfer
from carrel.work.batches import divided, matched, next_batch


def row(name: str, size: int = 100, folder: str = "A", state: str = "waiting") -> Transfer:
    return Transfer(name, "up", name, f"/tmp/{name}", 0.0, 0.0, state=state, size=size, folder=folder)


def names(rows: list[Transfer]) -> list[str]:
    return [r.name for r in rows]


def test_small_files_of_one_folder_travel_together_and_large_ones_alone() -> None:
    rows = [row("a"), row("big", 5_000_000), row("other", folder="B"), row("b"), row("gone", state="done"), row("c")]
    assert names(next_batch(rows)) == ["a", "b", "c"]
    assert names(next_batch(rows[1:])) == ["big"]
    assert names(next_batch(rows, {"b"})) == ["a", "c"]
    assert names(next_batch(rows, {"a"})) == ["a"]
    assert next_batch([row("x", state="paused")]) == []


def test_a_batch_ends_at_twenty_files_and_at_sixteen_megabytes() -> None:
    assert len(next_batch([row(str(n)) for n in range(50)])) == 20
    assert len(next_batch([row(str(n), 3_900_000) for n in range(50)])) == 4


def test_bytes_are_given_to_one_file_after_another() -> None:
    rows = [row("a", 10), row("b", 20), row("c", 30)]
    assert dict(divided(rows, 15)) == {"a": 10, "b": 5, "c": 0}
    assert dict(divided(rows, 60)) == {"a": 10, "b": 20, "c": 30}


def test_answers_belong_to_names_whatever_their_order() -> None:
    rows = [row("a"), row("b")]
    items = [LibraryFile(id="2", file_name="b"), LibraryFile(id="1", file_name="a")]
    assert {k: v.id for k, v in matched(rows, items).items()} == {"a": "1", "b": "2"}
    renamed = [LibraryFile(id="1", file_name="x"), LibraryFile(id="2", file_name="y")]
    assert {k: v.id for k, v in matched(rows, renamed).items()} == {"a": "1", "b": "2"}
    assert matched(rows, items[:1]).keys() == {"b"}
