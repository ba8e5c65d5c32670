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
