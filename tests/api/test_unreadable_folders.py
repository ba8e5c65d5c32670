"""A folder that may be written and not read, as some drop boxes are: a download still comes to its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from carrel.api.files import put


@pytest.mark.skipif(os.name == "nt", reason="folders are not synced there")
def test_a_file_that_has_its_place_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / "a.txt.part"
    part.write_text("words")
    real = os.open

    def unreadable(path: os.PathLike[str], *rest: int) -> int:
        if Path(path) == tmp_path:
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(os, "open", unreadable)
    assert put(part, tmp_path / "a.txt") == tmp_path / "a.txt"
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("a.txt", "words")]
