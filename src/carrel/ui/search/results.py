"""The results as cards, painted by one delegate: title, folder, score, the passage with the query's words marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView

from carrel.ui.search.card import CARD, CardDelegate
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named


@dataclass(frozen=True, slots=True)
class Card:
    """One result. `place` is its folder or kind, `share` its score as a part of the best one (0 to 1)."""

    title: str
    place: str
    passage: str
    query: str
    score: str
    share: float


class _Model(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.cards: tuple[Card, ...] = ()
        self.ticked: set[int] = set()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return len(self.cards)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        card = self.cards[index.row()]
        if role == CARD:
            return card
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if index.row() in self.ticked else Qt.CheckState.Unchecked
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return ", ".join(t for t in (card.title, card.place, card.score, card.passage[:300]) if t)
        return None


class ResultList(QListView):
    """The cards. Space or a click on the box ticks, Enter or a click on a card shows the whole passage."""

    ticks_changed = Signal()
    ask_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "search.results", self.tr("Results"))
        self._model = _Model()
        self.setModel(self._model)
        self._delegate = CardDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setSpacing(0)
        self.setLayoutMode(QListView.LayoutMode.Batched)  # what can be seen first, the rest when there is time
        self.setBatchSize(20)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("look", "cards")
        theme.changed.connect(self._relay)

    def fill(self, cards: Sequence[Card]) -> None:
        """Show these, none of them ticked, from the top."""
        self._model.beginResetModel()
        self._model.cards, self._model.ticked = tuple(cards), set()
        self._delegate.forget()
        self._model.endResetModel()
        self.scrollToTop()
        if cards:
            self.setCurrentIndex(self._model.index(0))
        self.ticks_changed.emit()

    def change(self, cards: Sequence[Card]) -> None:
        """Show the same cards with other words; ticks, selection and scroll stay."""
        self._model.cards = tuple(cards)
        last = self._model.index(max(0, len(cards) - 1))
        self._model.dataChanged.emit(self._model.index(0), last)

    def ticked(self) -> list[int]:
        """The numbers of the ticked cards, from 0, in order."""
        return sorted(self._model.ticked)

    def tick(self, number: int, on: bool | None = None) -> None:
        """Tick a card or take its tick away; without `on` the other way round."""
        held = self._model.ticked
        wanted = number not in held if on is None else on
        (held.add if wanted else held.discard)(number)
        self._told(number)

    def tick_all(self, on: bool) -> None:
        """Tick all cards or none."""
        self._model.ticked = set(range(len(self._model.cards))) if on else set()
        self.viewport().update()
        self.ticks_changed.emit()

    def count(self) -> int:
        """How many cards there are."""
        return len(self._model.cards)

    def plain_text(self) -> str:
        """All that the cards say."""
        return "\n".join(f"{c.title}\n{c.place}\n{c.score}\n{c.passage}" for c in self._model.cards)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        match event.key():
            case Qt.Key.Key_Space if current.isValid():
                self.tick(current.row())
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.ask_asked.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if current.isValid():
                self._unfold(current)
            case _:
                super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or not index.isValid():
            return
        if self._box(index).contains(event.position().toPoint()):
            self.tick(index.row())
        else:
            self._unfold(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._relay()

    def sizeHintForColumn(self, column: int) -> int:
        return 100

    def _box(self, index: QModelIndex) -> QRect:
        """Where a click ticks: the box and what is around it."""
        card = self.visualRect(index)
        return QRect(card.topLeft(), QSize(theme.px(54), theme.px(44)))

    def _unfold(self, index: QModelIndex) -> None:
        self._delegate.unfold(index.row())
        self.scheduleDelayedItemsLayout()

    def _told(self, number: int) -> None:
        index = self._model.index(number)
        self._model.dataChanged.emit(index, index, [Qt.ItemDataRole.CheckStateRole])
        self.ticks_changed.emit()

    def _relay(self) -> None:
        self._delegate.forget_sizes()
        self.scheduleDelayedItemsLayout()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._relay()
