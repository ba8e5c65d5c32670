"""The tree of folders under a drag: what is folded away or out of view comes to whoever holds files over it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from carrel.ui.library.foldertree import FolderTree


@pytest.fixture
def tree(qtbot: QtBot) -> FolderTree:
    made = FolderTree()
    qtbot.addWidget(made)
    made.resize(220, 160)
    made.show()
    made.fill(f"Folder {n:03}/Below" for n in range(100))
    return made


def is_open(tree: FolderTree, folder: str) -> bool:
    return tree.isExpanded(tree._items[folder].index())


def test_a_folder_unfolds_under_files_that_are_held_over_it(qtbot: QtBot, tree: FolderTree) -> None:
    assert not is_open(tree, "Folder 000")
    tree.mark("Folder 000")
    qtbot.waitUntil(lambda: is_open(tree, "Folder 000"), timeout=60_000)
    assert not is_open(tree, "Folder 001")
    assert tree.marked == "Folder 000"


def test_what_is_beyond_the_edge_comes_into_sight(qtbot: QtBot, tree: FolderTree) -> None:
    last = tree.indexAt(tree.viewport().rect().bottomLeft()).data()
    beyond = tree._items[f"Folder {int(last.split()[1]) + 1:03}"].index()
    tree.mark(last)
    qtbot.waitUntil(lambda: tree.viewport().rect().contains(tree.visualRect(beyond).center()), timeout=60_000)


def test_nothing_moves_once_they_are_gone(qtbot: QtBot, tree: FolderTree) -> None:
    tree.mark("Folder 000")
    tree.mark("")
    assert not tree._dwell.isActive()


def shown(tree: FolderTree) -> list[str]:
    """The names at the top of the tree, in their order."""
    return [tree.model().index(n, 0).data() for n in range(tree.model().rowCount())]


def inserts(tree: FolderTree) -> list[int]:
    """Counts, from now on, how many folders go in at a time."""
    seen: list[int] = []
    tree.model().rowsInserted.connect(lambda _, first, last: seen.append(last - first + 1))
    return seen


def test_thousands_of_neighbours_go_in_at_once(qtbot: QtBot) -> None:
    made = FolderTree()
    qtbot.addWidget(made)
    seen = inserts(made)
    made.fill(f"Folder {n:04}" for n in range(4000))
    assert seen == [4000]
    assert shown(made) == [f"Folder {n:04}" for n in range(4000)]


def test_new_folders_stand_among_the_others_by_name(qtbot: QtBot) -> None:
    made = FolderTree()
    qtbot.addWidget(made)
    old = ["beta", "Delta", "zeta/one"]
    made.fill(old)
    seen = inserts(made)
    made.fill([*old, "Alpha", "alpine", "Gamma", "eta", "zeta/Two", "zeta/a/b", "zeta/a-c"])
    assert shown(made) == ["Alpha", "alpine", "beta", "Delta", "eta", "Gamma", "zeta"]
    below = made._items["zeta"]
    assert [below.child(n).text() for n in range(below.rowCount())] == ["a", "a-c", "one", "Two"]
    assert sorted(seen) == [1, 1, 2, 2, 2]
    made.fill(old)
    assert made.folders() == sorted([*old, "zeta"])
