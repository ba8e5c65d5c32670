"""The log of the built-in service does not grow for ever: a start begins a new one where the former is long."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from carrel.model import Unreachable
from carrel.work import builtin as room
from carrel.work.builtin import BuiltIn


@pytest.fixture
def built_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuiltIn:
    """One whose service says a word and ends."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'import sys; print(\"new words\", file=sys.stderr)'\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(room, "LOG_LIMIT", 100)
    (tmp_path / "service").mkdir()
    return BuiltIn(tmp_path / "service", ())


async def started(built_in: BuiltIn) -> dict[str, str]:
    with pytest.raises(Unreachable):
        await built_in.start()
    return {file.name: file.read_text() for file in built_in.folder.iterdir()}


async def test_a_long_log_is_put_aside(built_in: BuiltIn) -> None:
    (built_in.folder / "service.log").write_text("o" * 101)
    (built_in.folder / "service.log.1").write_text("older")
    assert await started(built_in) == {"service.log": "new words\n", "service.log.1": "o" * 101}


async def test_a_short_one_goes_on(built_in: BuiltIn) -> None:
    (built_in.folder / "service.log").write_text("old words\n")
    assert await started(built_in) == {"service.log": "old words\nnew words\n"}


async def test_a_log_that_cannot_be_put_aside_grows_on(built_in: BuiltIn) -> None:
    (built_in.folder / "service.log").write_text("o" * 101)
    (built_in.folder / "service.log.1").mkdir()
    (built_in.folder / "service.log.1" / "x").mkdir()
    with pytest.raises(Unreachable):
        await built_in.start()
    assert (built_in.folder / "service.log").read_text() == "o" * 101 + "new words\n"
