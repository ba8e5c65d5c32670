"""The list column's list: items of two lines with a tag, under section titles, painted by one delegate."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QListView

from carrel.ui.theme import theme
from carrel.ui.widgets.itempaint import ITEM, Item, ItemDelegate

__all__ = ["Item", "ItemList"]

PAGE = 300
"""Rows that are laid out at first; more follow when the list is scrolled to their end."""

BEAT = 90
"""Milliseconds between two positions of the mark on what is under way."""

TURN = 30
"""Degrees from one to the next."""


class _Model(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.shown = 0

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return self.shown

    def canFetchMore(self, parent: QModelIndex) -> bool:
        return self.shown < len(self.items)

    def fetchMore(self, parent: QModelIndex) -> None:
        self.reach(self.shown + PAGE)

    def reach(self, count: int) -> None:
        """Have at least so many rows laid out."""
        count = min(count, len(self.items))
        if count > self.shown:
            self.beginInsertRows(QModelIndex(), self.shown, count - 1)
            self.shown = count
            self.endInsertRows()

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.items[index.row()]
        if role == ITEM:
            return item
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return ", ".join(t for t in (item.title, item.busy, item.tag, item.note, item.snippet) if t)
        return None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        return super().flags(index) if self.items[index.row()].key else Qt.ItemFlag.NoItemFlags

    def fill(self, items: Sequence[Item]) -> None:
        """Take the new items; rows that only changed their words are told as changed, so that nothing jumps."""
        new = list(items)
        if [i.key for i in new] == [i.key for i in self.items]:
            changed = [n for n, (a, b) in enumerate(zip(self.items, new, strict=True)) if a != b]
            self.items = new
            for n in (n for n in changed if n < self.shown):
                self.dataChanged.emit(self.index(n), self.index(n))
            return
        self.beginResetModel()
        self.items = new
        self.shown = min(len(new), max(PAGE, self.shown))
        self.endResetModel()


class ItemList(QListView):
    """The list. `chosen` tells the key that a person picked; a refresh keeps selection and scroll.

    `taken` tells Enter or a click on an entry, selected before or not. The mark on what is under way turns only while
    it can be seen, and stands still where `moves` is False.
    """

    chosen = Signal(str)
    taken = Signal(str)
    rename_asked = Signal(str)
    delete_asked = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setAccessibleName(accessible)
        self._model = _Model()
        self.setModel(self._model)
        self._delegate = ItemDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.moves = True
        self._beat = QTimer(self, interval=BEAT)
        self._beat.timeout.connect(self._turn)
        self.clicked.connect(self._clicked)
        self.selectionModel().currentChanged.connect(self._current)
        self._quiet = False
        theme.changed.connect(self._relayout)

    def fill(self, items: Sequence[Item]) -> None:
        """Show these."""
        key, top = self.current_key(), self.verticalScrollBar().value()
        self._quiet = True
        self._model.fill(items)
        self.select(key)
        self.verticalScrollBar().setValue(top)
        self._quiet = False
        self._mind_motion()

    def items(self) -> list[Item]:
        """What is shown."""
        return list(self._model.items)

    def current_key(self) -> str:
        """The key of the selected entry, or an empty text."""
        index = self.currentIndex()
        return self._model.items[index.row()].key if index.isValid() else ""

    def select(self, key: str) -> None:
        """Select an entry without telling anyone; an unknown key selects nothing."""
        quiet, self._quiet = self._quiet, True
        found = next((n for n, i in enumerate(self._model.items) if key and i.key == key), None)
        if found is None:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            self._model.reach(found + 1)
            self.setCurrentIndex(self._model.index(found))
        self._quiet = quiet

    def reach(self, number: int) -> None:
        """Have the entry of that number laid out."""
        self._model.reach(number + 1)

    @property
    def is_turning(self) -> bool:
        """Whether a mark moves at this moment."""
        return self._beat.isActive()

    def set_motion(self, moves: bool) -> None:
        """Whether the mark on what is under way may turn."""
        self.moves = moves
        self._mind_motion()

    def _current(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.chosen.emit(self._model.items[index.row()].key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A right press asks for the menu of an entry and leaves what is open."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = self.current_key()
        signals = {Qt.Key.Key_F2: self.rename_asked, Qt.Key.Key_Delete: self.delete_asked}
        signals |= dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self.taken)
        if key and event.key() in signals:
            signals[event.key()].emit(key)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        place = self.visualRect(self.currentIndex()).center() if by_key else event.pos()
        index = self.currentIndex() if by_key else self.indexAt(place)
        if index.isValid() and (key := self._model.items[index.row()].key):
            self.menu_asked.emit(key, self.viewport().mapToGlobal(place))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._mind_motion()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._beat.stop()

    def _mind_motion(self) -> None:
        if self.moves and self.isVisible() and any(i.busy for i in self._model.items):
            self._beat.start()
        else:
            self._beat.stop()

    def _turn(self) -> None:
        self._delegate.angle = (self._delegate.angle + TURN) % 360
        for n, item in enumerate(self._model.items[: self._model.shown]):
            if item.busy:
                self.viewport().update(self.visualRect(self._model.index(n)))

    def _clicked(self, index: QModelIndex) -> None:
        self.taken.emit(self._model.items[index.row()].key)

    def _relayout(self) -> None:
        self.scheduleDelayedItemsLayout()
