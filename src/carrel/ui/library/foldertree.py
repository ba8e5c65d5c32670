"""The tree of folders in the list column: one is chosen, and files that are dragged over it may go into any."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QStyleOptionViewItem, QTreeView

from carrel.ui.icons import icon, paint_icon
from carrel.ui.library.words import folder_words, name_words
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named, tip

PATH = Qt.ItemDataRole.UserRole

MANY = 60
"""Folders; a tree with more begins folded."""

DWELL = 600
"""Milliseconds that files are held over a folder until it unfolds, and what is beyond the edge comes into sight."""


class FolderTree(QTreeView):
    """`chosen` tells a folder (slash-separated; empty: none)."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "library.folders", self.tr("Folders"))
        self.setProperty("look", "folders")
        self.setHeaderHidden(True)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setIndentation(theme.px(18))
        self.setIconSize(QSize(theme.px(14), theme.px(14)))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._model = QStandardItemModel(self)
        self.setModel(self._model)
        self._items: dict[str, QStandardItem] = {}
        self._quiet = self._takes_back = False
        self._chosen = self._marked = ""
        self._dwell = QTimer(self, interval=DWELL)
        self._dwell.timeout.connect(self._reach_on)
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
        below: dict[str, list[str]] = defaultdict(list)
        for path in sorted(wanted - set(self._items)):
            below[path.rpartition("/")[0]].append(path)
        for above in sorted(below, key=lambda p: (bool(p), p.count("/"))):  # a folder before those in it
            self._add(above, below[above])
        if is_first and len(wanted) <= MANY:
            self.expandAll()
        self.select(self._chosen)
        self._quiet = False

    def select(self, folder: str) -> None:
        """Select a folder without telling anyone; an empty one selects none."""
        quiet, self._quiet = self._quiet, True
        self._chosen = folder
        item = self._items.get(folder)
        if item is None:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            self.setCurrentIndex(item.index())
        self._quiet = quiet

    def mark(self, folder: str) -> None:
        """Light up the folder that a drop would go into; an empty one lights none. What is chosen stays so."""
        if folder != self._marked:
            self._marked = folder
            self.viewport().update()
            self._dwell.start() if folder else self._dwell.stop()

    @property
    def marked(self) -> str:
        """The folder that is lit up."""
        return self._marked

    def folders(self) -> list[str]:
        """What is shown."""
        return sorted(self._items)

    def folder_below(self, place: QPoint) -> str:
        """The folder at a place of the screen; empty beside them."""
        view = self.viewport()
        inside = view.mapFromGlobal(place)
        return self._folder_at(inside) if view.isVisible() and view.rect().contains(inside) else ""

    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex) -> None:
        """An arrow where there is something below."""
        if self._model.hasChildren(index):
            side = theme.px(10)
            left, top = rect.right() - side - 2, rect.top() + (rect.height() - side) / 2
            paint_icon(painter, "down" if self.isExpanded(index) else "right", QRectF(left, top, side, side), "muted")

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        is_marked = bool(self._marked) and index.data(PATH) == self._marked
        if is_marked:
            painter.fillRect(option.rect, theme.color("accent_soft"))
        super().drawRow(painter, option, index)
        if is_marked:
            painter.setPen(QPen(theme.color("accent"), 1, Qt.PenStyle.DashLine))
            painter.drawRect(option.rect.adjusted(1, 0, -2, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        folder = self._folder_at(event.position().toPoint())
        self._takes_back = bool(folder) and folder == self._chosen
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The folder is unfolded, and chosen whatever it was before."""
        self._takes_back = False
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            self.setCurrentIndex(index)
        super().mouseDoubleClickEvent(event)

    def _reach_on(self) -> None:
        """Files that are dragged can go nowhere else: what is folded away or out of view comes to them."""
        if self._marked not in self._items:
            self._dwell.stop()
            return
        index = self._items[self._marked].index()
        self.expand(index)
        for beside in (self.indexAbove(index), self.indexBelow(index)):
            if beside.isValid():
                self.scrollTo(beside)

    def _folder_at(self, place: QPoint) -> str:
        return self.indexAt(place).data(PATH) or ""

    def _add(self, above: str, paths: Sequence[str]) -> None:
        """Put folders into one, by name; neighbours go in at once, for there may be thousands."""
        parent = self._items[above] if above else self._model.invisibleRootItem()
        names = [_rank(parent.child(n)) for n in range(parent.rowCount())]
        made = sorted(map(self._make, paths), key=_rank)
        groups = [(place, list(some)) for place, some in groupby(made, lambda item: bisect_left(names, _rank(item)))]
        for place, together in reversed(groups):  # from the end: the places before stay true
            parent.insertRows(place, together)

    def _make(self, path: str) -> QStandardItem:
        item = self._items[path] = QStandardItem(icon("folder"), name_words(path.rpartition("/")[2]))
        item.setData(path, PATH)
        tip(item, folder_words(path))
        return item

    def _drop(self, path: str) -> None:
        item = self._items.pop(path)
        (item.parent() or self._model.invisibleRootItem()).removeRow(item.row())

    def _current(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self._choose(index.data(PATH))

    def _clicked(self, index: QModelIndex) -> None:
        """A click on the chosen folder takes the choice back."""
        if self._takes_back and index.data(PATH) == self._chosen:
            self.select("")
            self._choose("")

    def _choose(self, folder: str) -> None:
        self._chosen = folder
        self.chosen.emit(folder)


def _rank(item: QStandardItem) -> str:
    return item.text().casefold()


def _with_parents(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
