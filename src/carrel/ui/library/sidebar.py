"""The list column: sources with their counts, the tree of folders, and chips of types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QToolButton, QTreeView, QWidget

from carrel.ui.icons import icon, paint_icon
from carrel.ui.library.words import source_words
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import chip, column, frame, head, label, named
from carrel.ui.widgets.flow import FlowLayout
from carrel.ui.widgets.itemlist import Item, ItemList

PATH = Qt.ItemDataRole.UserRole

MANY = 60
"""Folders; a tree with more begins folded."""

EVERYTHING = "*"
"""The key of "All files" in the list of sources."""


class FolderTree(QTreeView):
    """`chosen` tells a folder (slash-separated; empty: none), `dropped` files that were let go on one."""

    chosen = Signal(str)
    dropped = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "library.folders", self.tr("Folders"))
        self.setProperty("look", "folders")
        self.setHeaderHidden(True)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setAcceptDrops(True)
        self.setUniformRowHeights(True)
        self.setIndentation(theme.px(18))
        self.setIconSize(QSize(theme.px(14), theme.px(14)))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self._items: dict[str, QStandardItem] = {}
        self._quiet = False
        self._chosen = ""
        self.selectionModel().currentChanged.connect(self._current)
        self.clicked.connect(self._clicked)

    def fill(self, folders: Iterable[str]) -> None:
        """Show these folders and those above them; what is unfolded and chosen stays so."""
        wanted = {path for folder in folders for path in _with_parents(folder)}
        if wanted == set(self._items):
            return
        is_first = not self._items
        self._quiet = True
        for path in sorted(set(self._items) - wanted, reverse=True):
            self._drop(path)
        for path in sorted(wanted - set(self._items), key=lambda p: (p.count("/"), p.casefold())):
            self._add(path)
        if is_first and len(wanted) <= MANY:
            self.expandAll()
        self.select(self._chosen)
        self._quiet = False

    def select(self, folder: str) -> None:
        """Mark a folder without telling anyone; an empty one marks none."""
        quiet, self._quiet = self._quiet, True
        self._chosen = folder
        item = self._items.get(folder)
        if item is None:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            self.setCurrentIndex(item.index())
        self._quiet = quiet

    def folders(self) -> list[str]:
        """What is shown."""
        return sorted(self._items)

    def folder_at(self, place: QPoint) -> str:
        """The folder at a place of the view; empty beside them."""
        return self.indexAt(place).data(PATH) or ""

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex) -> None:
        """An arrow where there is something below."""
        if self._model.hasChildren(index):
            side = theme.px(10)
            left, top = rect.right() - side - 2, rect.top() + (rect.height() - side) / 2
            paint_icon(painter, "down" if self.isExpanded(index) else "right", QRectF(left, top, side, side), "muted")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        folder = self.folder_at(event.position().toPoint())
        self._mark(folder)
        event.setAccepted(bool(folder))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.select(self._chosen)

    def dropEvent(self, event: QDropEvent) -> None:
        folder = self.folder_at(event.position().toPoint())
        self.select(self._chosen)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths, folder)

    def _mark(self, folder: str) -> None:
        chosen = self._chosen
        self.select(folder)
        self._chosen = chosen

    def _add(self, path: str) -> None:
        above, _, name = path.rpartition("/")
        item = QStandardItem(icon("folder"), name)
        item.setData(path, PATH)
        item.setToolTip(path)
        parent = self._items[above] if above else self._model.invisibleRootItem()
        names = [parent.child(n).text().casefold() for n in range(parent.rowCount())]
        parent.insertRow(sum(other < name.casefold() for other in names), item)
        self._items[path] = item

    def _drop(self, path: str) -> None:
        item = self._items.pop(path)
        (item.parent() or self._model.invisibleRootItem()).removeRow(item.row())

    def _current(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self._choose(index.data(PATH))

    def _clicked(self, index: QModelIndex) -> None:
        """A second click on the chosen folder takes the choice back."""
        folder = index.data(PATH)
        if self._clicked_last == folder == self._chosen:
            self.select("")
            self._clicked_last = ""
            self.chosen.emit("")
        else:
            self._clicked_last = folder
            if folder != self._chosen:
                self._choose(folder)

    _clicked_last = ""

    def _choose(self, folder: str) -> None:
        self._chosen = folder
        self.chosen.emit(folder)


class Sidebar(QFrame):
    """`source_chosen` tells a provider (empty: all files), `folder_chosen` a folder, `kinds_chosen` the types."""

    source_chosen = Signal(str)
    folder_chosen = Signal(str)
    kinds_chosen = Signal(object)
    dropped = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("column", "list")
        self._chips: dict[str, QToolButton] = {}
        self.sources = ItemList("library.sources", self.tr("Sources"))
        self.sources.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.folders = FolderTree()
        self._flow = FlowLayout()
        self._types = QWidget()
        self._types.setLayout(self._flow)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._types.setSizePolicy(policy)
        self._folder_title = self._section(self.tr("Folders"))
        self._type_title = self._section(self.tr("Type"))
        tree = frame("clear", "true", column(self.folders, margins=(0, 0, 6, 0)))
        types = frame("clear", "true", column(self._types, margins=(12, 2, 12, 12)))
        self.setLayout(
            column(
                head(label(self.tr("Library"), "heading")), self.sources, self._folder_title, tree, self._type_title,
                types, spacing=0,
            )
        )  # fmt: skip
        self.layout().setStretchFactor(tree, 1)
        self.sources.chosen.connect(lambda key: self.source_chosen.emit("" if key == EVERYTHING else key))
        self.folders.chosen.connect(self.folder_chosen)
        self.folders.dropped.connect(self.dropped)
        self.refit()
        theme.changed.connect(self.refit)

    def show_sources(self, counts: Mapping[str, int], chosen: str) -> None:
        """Show each source with how many files it has."""
        number = self.locale().toString
        total = Item(
            EVERYTHING, self.tr("All files"), note=number(sum(counts.values())) if counts else "", strong=False
        )
        rest = [
            Item(p, source_words(p), note=number(counts[p]), strong=False) for p in sorted(counts, key=_uploads_first)
        ]
        self.sources.fill([Item("", self.tr("Sources")), total, *rest])
        self.sources.select(chosen or EVERYTHING)
        self.sources.setFixedHeight(theme.px(32 + 36 * (1 + len(rest))) + 2)

    def show_folders(self, folders: Iterable[str]) -> None:
        """Show the tree."""
        self.folders.fill(f for f in folders if f)
        self._folder_title.setVisible(bool(self.folders.folders()))

    def show_kinds(self, kinds: Iterable[str], chosen: frozenset[str]) -> None:
        """Show a chip for each type that there is."""
        wanted = [kind for kind in kinds if kind]
        if list(self._chips) != wanted:
            while taken := self._flow.takeAt(0):
                taken.widget().hide()
                taken.widget().deleteLater()
            self._chips = {kind: self._chip(kind) for kind in wanted}
        for kind, made in self._chips.items():
            made.setChecked(kind in chosen)
        self._type_title.setVisible(bool(wanted))
        self._types.updateGeometry()

    def refit(self) -> None:
        """Take the sizes of the text in force."""
        self.setFixedWidth(theme.px(220))

    def _chip(self, kind: str) -> QToolButton:
        made = chip(kind, f"library.type.{kind.lower()}", checkable=True)
        made.setAccessibleName(self.tr("Only {kind}").format(kind=kind))
        made.clicked.connect(
            lambda: self.kinds_chosen.emit(frozenset(k for k, c in self._chips.items() if c.isChecked()))
        )
        self._flow.addWidget(made)
        return made

    @staticmethod
    def _section(words: str) -> QFrame:
        return frame("clear", "true", column(label(words, "section"), margins=(14, 10, 14, 6)))


def _with_parents(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]


def _uploads_first(provider: str) -> tuple[bool, str]:
    return provider != "file", provider
