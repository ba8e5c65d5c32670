"""The panes that nobody has opened yet are imported while the window rests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from carrel.ui.preloading import Preloading


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Two modules that nobody has imported, each of which notes the other ones that were there before it."""
    names = ("carrel_first_pane", "carrel_second_pane")
    for name in names:
        (tmp_path / f"{name}.py").write_text(f"import sys\nbefore = [n for n in {names} if n in sys.modules]\n")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    return names


def test_modules_are_imported_one_a_turn_in_their_order(qtbot: QtBot, modules: tuple[str, ...]) -> None:
    preloading = Preloading(modules)
    assert not set(modules) & set(sys.modules)
    preloading.start()
    with qtbot.waitSignal(preloading.timeout):
        pass
    assert modules[0] in sys.modules
    assert modules[1] not in sys.modules
    qtbot.waitUntil(lambda: not preloading.isActive())
    assert sys.modules[modules[1]].before == [*modules]


def test_who_starts_it_again_has_nothing_imported_twice(qtbot: QtBot, modules: tuple[str, ...]) -> None:
    preloading = Preloading(modules)
    preloading.start()
    qtbot.waitUntil(lambda: not preloading.isActive())
    first = sys.modules[modules[0]]
    preloading.start()
    qtbot.waitUntil(lambda: not preloading.isActive())
    assert sys.modules[modules[0]] is first
