"""The rows of a queue as a list that stays light with thousands of them: painted, never a widget a row."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QListView, QToolTip

from carrel.model.transfers import Transfer
from carrel.ui.library.transferorder import Move, Shift, moves
from carrel.ui.library.transferrow import TRANSFER, TransferCell
from carrel.ui.library.transferwords import amount, explained, reason, title
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import as_tip, named

_RANK = {
    "moving": 0,
    "failed": 1,
    "interrupted": 1,
    "refused": 1,
    "duplicate": 1,
    "paused": 2,
    "waiting": 3,
    "indexing": 4,
}
"""What moves stands first, then what needs the user, then what waits; what is over stands last."""


class _Model(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Transfer] = []

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return len(self.rows)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == TRANSFER:
            return row
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return ", ".join(part for part in (title(row), reason(row) or amount(row)) if part)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.note
        return None

    def fill(self, rows: Sequence[Transfer]) -> bool:
        """Take these; False where only values changed, so that nothing jumps."""
        new = list(rows)
        same = len(new) == len(self.rows) and all(a.id == b.id for a, b in zip(self.rows, new, strict=True))
        if not same:
            self.beginResetModel()
            self.rows = new
            self.endResetModel()
            return True
        changed = [n for n, (a, b) in enumerate(zip(self.rows, new, strict=True)) if a is not b]
        self.rows = new
        for n in changed:
            self.dataChanged.emit(self.index(n), self.index(n))
        return False


class TransferList(QListView):
    """`acted` tells an action and the rows that it is for, `menu_asked` where a menu should open.

    `moved` tells which rows that wait shall go before which others, one after the other.
    """

    acted = Signal(str, object)
    menu_asked = Signal(QPoint)
    moved = Signal(object)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        named(self, object_name, accessible)
        self._model = _Model()
        self._cell = TransferCell(self)
        self._pressed = ("", "")
        self.setModel(self._model)
        self.setItemDelegate(self._cell)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(lambda at: self.menu_asked.emit(self.viewport().mapToGlobal(at)))
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    def fill(self, rows: Sequence[Transfer]) -> None:
        """Show these, what moves first; selection and scroll stay."""
        chosen, current, top = self.selected_ids(), self.current_id(), self.verticalScrollBar().value()
        if self._model.fill(sorted(rows, key=lambda row: _RANK.get(row.state, 5))):
            self._select(set(chosen), current)
            self.verticalScrollBar().setValue(top)

    def rows(self) -> list[Transfer]:
        """What is shown, from top to bottom."""
        return list(self._model.rows)

    def selected_ids(self) -> list[str]:
        """The selected rows."""
        return [self._model.rows[i.row()].id for i in self.selectionModel().selectedIndexes()]

    def current_id(self) -> str:
        """The row that the keyboard is on."""
        index = self.currentIndex()
        return self._model.rows[index.row()].id if index.isValid() else ""

    def plain_text(self) -> str:
        """What the list shows, a line a row."""
        return "\n".join(self._model.data(self._model.index(n)) for n in range(len(self._model.rows)))

    def place_of(self, row_id: str, action: str) -> QPoint:
        """Where an action of a row can be pressed, in the viewport."""
        number = next(n for n, row in enumerate(self._model.rows) if row.id == row_id)
        index = self._model.index(number)
        self.scrollTo(index)
        return self._cell.action_rects(self.visualRect(index), self._model.rows[number])[action].center()

    def moves(self, row_ids: Sequence[str], to: Shift) -> list[Move]:
        """What brings rows there among those that wait; nothing where they are there."""
        return moves([row.id for row in self._model.rows if row.state == "waiting"], set(row_ids), to)

    def shift(self, row_ids: Sequence[str], to: Shift) -> None:
        """Let rows go before those that wait beside them, or after them."""
        if found := self.moves(row_ids, to):
            self.moved.emit(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ids = self.selected_ids()
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace} and ids:
            self.acted.emit("stop", ids)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and ids:
            self.acted.emit("main", ids)
        elif event.key() == Qt.Key.Key_Space and ids:
            self.acted.emit("toggle", ids)
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.shift(ids or [self.current_id()], "earlier" if event.key() == Qt.Key.Key_Up else "later")
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row, key = self._hit(event.position().toPoint())
        if (row, key) != self._cell.hover:
            self._cell.hover = (row, key)
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if key else Qt.CursorShape.ArrowCursor)
            self.viewport().update()
        super().mouseMoveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self._hit(event.position().toPoint())
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Act where the same word of the same row was pressed: a drag over rows ends on any word."""
        pressed, self._pressed = self._pressed, ("", "")
        super().mouseReleaseEvent(event)
        row, key = self._hit(event.position().toPoint())
        if key and (row, key) == pressed and event.button() == Qt.MouseButton.LeftButton:
            self.acted.emit(key, [row])

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            row = self._model.rows[index.row()] if index.isValid() else None
            words = explained(row) if row else []
            QToolTip.showText(event.globalPos(), as_tip("\n".join(words)), self)
            return True
        return super().viewportEvent(event)

    def _hit(self, place: QPoint) -> tuple[str, str]:
        index = self.indexAt(place)
        if not index.isValid():
            return "", ""
        row = self._model.rows[index.row()]
        rects = self._cell.action_rects(self.visualRect(index), row)
        return row.id, next((key for key, box in rects.items() if box.adjusted(-6, 0, 6, 0).contains(place)), "")

    def _select(self, chosen: set[str], current: str) -> None:
        flags = self.selectionModel().SelectionFlag
        for number, row in enumerate(self._model.rows):
            if row.id in chosen:
                self.selectionModel().select(self._model.index(number), flags.Select)
            if row.id == current:
                self.selectionModel().setCurrentIndex(self._model.index(number), flags.NoUpdate)
