"""The list column's list: items of two lines with a tag, under section titles, painted by one delegate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from carrel.ui.icons import paint_icon
from carrel.ui.theme import theme


@dataclass(frozen=True, slots=True)
class Item:
    """One entry. An entry without `key` is a section title. `icon` stands at the right end, as the tag does."""

    key: str
    title: str
    snippet: str = ""
    tag: str = ""
    tone: str = "none"
    note: str = ""
    icon: str = ""
    strong: bool = True


ITEM = Qt.ItemDataRole.UserRole


class _Model(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return len(self.items)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.items[index.row()]
        if role == ITEM:
            return item
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return ", ".join(t for t in (item.title, item.tag, item.note, item.snippet) if t)
        return None

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        return super().flags(index) if self.items[index.row()].key else Qt.ItemFlag.NoItemFlags

    def fill(self, items: Sequence[Item]) -> None:
        """Take the new items; rows that only changed their words are told as changed, so that nothing jumps."""
        new = list(items)
        if [i.key for i in new] == [i.key for i in self.items]:
            changed = [n for n, (a, b) in enumerate(zip(self.items, new, strict=True)) if a != b]
            self.items = new
            for n in changed:
                self.dataChanged.emit(self.index(n), self.index(n))
            return
        self.beginResetModel()
        self.items = new
        self.endResetModel()


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        item: Item = index.data(ITEM)
        if not item.key:
            return QSize(100, theme.px(32))
        return QSize(100, theme.px(51 if item.snippet else 36))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        item: Item = index.data(ITEM)
        painter.save()
        if item.key:
            self._entry(painter, option, item)
        else:
            painter.setFont(theme.font(11, bold=True))
            painter.setPen(theme.color("muted"))
            box = option.rect.adjusted(14, theme.px(12), -14, 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignTop, item.title.upper())
        painter.restore()

    def _entry(self, painter: QPainter, option: QStyleOptionViewItem, item: Item) -> None:
        box: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, theme.color("accent_soft"))
            painter.fillRect(QRect(box.topLeft(), QSize(3, box.height())), theme.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, theme.color("sunken"))
        inner = box.adjusted(17, theme.px(8), -14, -theme.px(6))
        right = self._right_end(painter, inner, item)
        bold = theme.font(13, bold=item.strong)
        self._line(painter, bold, "text", QRect(inner.topLeft(), QSize(right - inner.left(), theme.px(19))), item.title)
        if item.snippet:
            below = QRect(inner.left(), inner.top() + theme.px(19), inner.width(), theme.px(17))
            self._line(painter, theme.font(11.5), "muted", below, item.snippet)

    def _right_end(self, painter: QPainter, inner: QRect, item: Item) -> int:
        """Paint what stands at the right of the first line; give the x where the title must end."""
        right = inner.right()
        if item.icon:
            side = theme.px(15)
            paint_icon(painter, item.icon, QRectF(right - side, inner.top() + 2, side, side), "muted")
            right -= side + 6
        if item.note:
            font = theme.font(11.5)
            width = QFontMetrics(font).horizontalAdvance(item.note)
            self._line(painter, font, "muted", QRect(right - width, inner.top(), width + 2, theme.px(19)), item.note)
            right -= width + 8
        if item.tag:
            right = self._tag(painter, QPoint(right, inner.top()), item) - 6
        return right

    def _tag(self, painter: QPainter, end: QPoint, item: Item) -> int:
        font = theme.font(11.5)
        width = QFontMetrics(font).horizontalAdvance(item.tag) + 14
        box = QRect(end.x() - width, end.y(), width, theme.px(19))
        ground, ink = {"ok": ("accent_soft", "accent"), "none": ("sunken", "muted")}.get(
            item.tone, (f"{item.tone}_soft", item.tone)
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(ground))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(font)
        painter.setPen(theme.color(ink))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, item.tag)
        return box.left()

    @staticmethod
    def _line(painter: QPainter, font: object, role: str, box: QRect, text: str) -> None:
        painter.setFont(font)
        painter.setPen(theme.color(role))
        shown = QFontMetrics(font).elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


class ItemList(QListView):
    """The list. `chosen` tells the key that a person picked; a refresh keeps selection and scroll."""

    chosen = Signal(str)
    menu_asked = Signal(str, QPoint)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setAccessibleName(accessible)
        self._model = _Model()
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)
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
            self.setCurrentIndex(self._model.index(found))
        self._quiet = quiet

    def _current(self, index: QModelIndex) -> None:
        if not self._quiet and index.isValid():
            self.chosen.emit(self._model.items[index.row()].key)

    def _menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if index.isValid() and (key := self._model.items[index.row()].key):
            self.menu_asked.emit(key, self.viewport().mapToGlobal(place))

    def _relayout(self) -> None:
        self.scheduleDelayedItemsLayout()
