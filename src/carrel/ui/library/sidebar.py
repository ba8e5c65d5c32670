"""The list column: sources with their counts, the tree of folders, and chips of types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QToolButton, QWidget

from carrel.ui.library.foldertree import FolderTree
from carrel.ui.library.words import source_words
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import chip, column, frame, head, label, named
from carrel.ui.widgets.flow import FlowLayout
from carrel.ui.widgets.itemlist import Item, ItemList

ROOM_OF_FOLDERS, LEAST_SOURCES, MOST_TYPES = 150, 3, 96
"""Pixels at 13 px text that titles and folders keep, sources that stay in sight, pixels of types in a low window."""

EVERYTHING = "*"
"""The key of "All files" in the list of sources."""


class Sidebar(QFrame):
    """`source_chosen` tells a provider (empty: all files), `folder_chosen` a folder, `kinds_chosen` the types."""

    source_chosen = Signal(str)
    folder_chosen = Signal(str)
    kinds_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("column", "list")
        self._chips: dict[str, QToolButton] = {}
        self._count = 1
        self.sources = ItemList("library.sources", self.tr("Sources"))
        self._progress = label("", "small")
        named(self._progress, "library.progress")
        self._progress.setContentsMargins(17, 2, 12, 0)
        self._progress.hide()
        self.folders = FolderTree()
        self._flow = FlowLayout()
        self._types = QWidget()
        self._types.setLayout(self._flow)
        self._types.setProperty("clear", "true")
        self._types_view = QScrollArea(widgetResizable=True)
        self._types_view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._types_view.setWidget(self._types)
        self._folder_title = self._section(self.tr("Folders"))
        self._type_title = self._section(self.tr("Type"))
        tree = frame("clear", "true", column(self.folders, margins=(0, 0, 6, 0)))
        types = frame("clear", "true", column(self._types_view, margins=(12, 2, 6, 12)))
        self.setLayout(
            column(
                head(label(self.tr("Library"), "heading")), self.sources, self._progress, self._folder_title, tree,
                self._type_title, types, spacing=0,
            )
        )  # fmt: skip
        self.layout().setStretchFactor(tree, 1)
        self.sources.chosen.connect(self._source)
        self.sources.taken.connect(self._source)  # while a folder is shown, a click on the source leads out of it
        self.folders.chosen.connect(self.folder_chosen)
        self.refit()
        theme.changed.connect(self.refit)

    def show_sources(self, counts: Mapping[str, int], chosen: str) -> None:
        """Show each source with how many files it has; `chosen` is a provider, `EVERYTHING`, or empty for none."""
        number = self.locale().toString
        total = Item(
            EVERYTHING, self.tr("All files"), note=number(sum(counts.values())) if counts else "", strong=False
        )
        rest = [
            Item(p, source_words(p), note=number(counts[p]), strong=False) for p in sorted(counts, key=_uploads_first)
        ]
        self.sources.fill([Item("", self.tr("Sources")), total, *rest])
        self.sources.select(chosen)
        self._count = 1 + len(rest)
        self._share()

    def show_progress(self, words: str) -> None:
        """Say how much of it is listed; empty where all is."""
        self._progress.setText(words)
        self._progress.setVisible(bool(words))

    def show_folders(self, folders: Iterable[str]) -> None:
        """Show the tree."""
        self.folders.fill(f for f in folders if f)
        self._folder_title.setVisible(bool(self.folders.folders()))

    def show_kinds(self, kinds: Iterable[str], chosen: frozenset[str]) -> None:
        """Show a chip for each type that there is; one that was there before stays, and keeps the focus."""
        wanted = [kind for kind in kinds if kind]
        if list(self._chips) != wanted:
            while self._flow.takeAt(0):
                pass
            held, self._chips = self._chips, {}
            for kind in wanted:
                self._chips[kind] = held.pop(kind, None) or self._chip(kind)
                self._flow.addWidget(self._chips[kind])
                self._chips[kind].show()  # else it has no size until later
            for gone in held.values():
                gone.hide()
                gone.deleteLater()
        for kind, made in self._chips.items():
            made.setChecked(kind in chosen)
        self._type_title.setVisible(bool(wanted))
        self._share()

    def refit(self) -> None:
        """Take the sizes of the text in force."""
        self.setFixedWidth(theme.px(220))
        self._share()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """Divide the height: sources and types scroll where they would leave the folders no room."""
        room = max(0, self.height() - theme.px(48 + ROOM_OF_FOLDERS))
        sources = theme.px(32 + 36 * self._count) + 2
        types = self._flow.heightForWidth(theme.px(220) - 18 - 8) if self._chips else 0
        least = theme.px(32 + 36 * LEAST_SOURCES) + 2
        self.sources.setFixedHeight(min(sources, max(least, room - min(types, theme.px(MOST_TYPES)))))
        self._types_view.setFixedHeight(min(types, max(theme.px(MOST_TYPES), room - sources)))

    def _chip(self, kind: str) -> QToolButton:
        made = chip(kind, f"library.type.{kind.lower()}", checkable=True)
        made.setAccessibleName(self.tr("Only {kind}").format(kind=kind))
        made.clicked.connect(
            lambda: self.kinds_chosen.emit(frozenset(k for k, c in self._chips.items() if c.isChecked()))
        )
        return made

    def _source(self, key: str) -> None:
        if key:
            self.source_chosen.emit("" if key == EVERYTHING else key)

    @staticmethod
    def _section(words: str) -> QFrame:
        return frame("clear", "true", column(label(words, "section"), margins=(14, 10, 14, 6)))


def _uploads_first(provider: str) -> tuple[bool, str]:
    return provider != "file", provider
