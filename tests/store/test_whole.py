"""A file is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from carrel.store.whole import part_of, put_whole, write_whole


def full(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_it_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    place = tmp_path / "a.b.json"
    place.write_text("before")
    write_whole(place, "after €\n\ud83d")
    assert place.read_bytes() == "after €\n?".encode()
    assert [f.name for f in tmp_path.iterdir()] == ["a.b.json"]


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a.json"
    place.write_text("before")
    monkeypatch.setattr("carrel.store.whole.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(place, "after")
    assert place.read_text() == "before"
    assert [f.name for f in tmp_path.iterdir()] == ["a.json"]


def test_a_part_of_another_maker_is_on_the_disk_before_it_has_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a.pdf"
    part_of(place).write_text("made elsewhere")
    monkeypatch.setattr("carrel.store.whole.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        put_whole(part_of(place), place)
    assert not place.exists()
    monkeypatch.undo()
    put_whole(part_of(place), place)
    assert place.read_text() == "made elsewhere"
