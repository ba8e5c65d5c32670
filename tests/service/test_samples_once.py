"""The samples come into a new library once, also where the first start is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel_service import samples
from carrel_service.db import Database
from carrel_service.library import Library
from carrel_service.schema import MIGRATIONS


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "service.sqlite", MIGRATIONS)
    yield made
    made.close()


def names(db: Database) -> list[str]:
    with db.read() as connection:
        return [row["file_name"] for row in connection.execute("SELECT file_name FROM files")]


class PowerCut(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("at", ["document", "keep_fact"])
def test_a_first_start_that_is_cut_off_adds_none_and_the_next_one_all(
    tmp_path: Path, db: Database, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    library = Library(db, tmp_path)
    real, left = getattr(library, at), iter(range(3 if at == "document" else 0))

    def cut(*given: object) -> object:
        if next(left, None) is None:
            raise PowerCut
        return real(*given)

    monkeypatch.setattr(library, at, cut)
    with pytest.raises(PowerCut):
        samples.add_once(library)
    assert names(db) == []

    again = Library(db, tmp_path)
    assert list((tmp_path / "incoming").iterdir()) == []
    assert list((tmp_path / "files").iterdir()) == []
    samples.add_once(again)
    added = names(db)
    assert len(added) == len(set(added)) > 3
    samples.add_once(again)
    assert names(db) == added
