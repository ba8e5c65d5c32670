"""The transcript's scroll area: which messages are near the view, following the stream, selection over messages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, named
from carrel.ui.widgets.notes import copy
from carrel.ui.widgets.transcript.controls import Controls
from carrel.ui.widgets.transcript.entry import Entry
from carrel.ui.widgets.transcript.heights import Heights
from carrel.ui.widgets.transcript.message import MessageView, Spot

KEPT = 60
"""Messages that stay laid out; the rest keep only their height."""

COLUMN = 740
"""Pixels of the column of words, at 13 px text."""

Place = tuple[int, Spot]
"""The number of a message, and a place in it."""


class Transcript(QAbstractScrollArea):
    """Shows entries. `acted` tells the message and the key of an action, or `thinking`; `linked` an address."""

    acted = Signal(str, str)
    linked = Signal(str)
    quoted = Signal(str)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        named(self, object_name, accessible)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._entries: list[Entry] = []
        self._numbers: dict[str, int] = {}
        self._heights = Heights()
        self._views: OrderedDict[str, MessageView] = OrderedDict()
        self._controls = Controls(self.viewport())
        self._controls.acted.connect(self._control)
        self._follows = True
        self._arranging = False
        self._anchor: Place | None = None
        self._cursor: Place | None = None
        self._newest = button(self.tr("Newest"), f"{object_name}.newest", icon_name="down")
        self._newest.setParent(self)
        self._newest.clicked.connect(self.to_end)
        self._newest.hide()
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        theme.changed.connect(self._restart)

    # What it shows

    def fill(self, entries: Sequence[Entry]) -> None:
        """Show these from their end."""
        self._entries = list(entries)
        self._follows = True
        self._anchor = self._cursor = None
        self._restart()

    def put(self, entry: Entry) -> None:
        """Show a new message at the end, or another state of one that is there."""
        number = self._numbers.get(entry.id)
        if number is None:
            self._numbers[entry.id] = len(self._entries)
            self._entries.append(entry)
            self._heights.append(self._estimate(entry))
        else:
            self._entries[number] = entry
            if view := self._views.get(entry.id):
                view.show(entry)
                self._heights.set(number, view.lay_out(self._width))
        self._arrange()

    def entries(self) -> list[Entry]:
        """What is shown, in order."""
        return list(self._entries)

    def plain_text(self) -> str:
        """All words, for a screen reader and for whoever looks whether something is there."""
        return "\n\n".join(f"{e.who}\n{e.thinking_title}\n{e.text}\n{e.note}".strip() for e in self._entries)

    def to_end(self) -> None:
        """Go to the newest words and follow them from now on."""
        self._follows = True
        self._arrange()

    @property
    def follows(self) -> bool:
        """Whether the view is at its end and follows what comes."""
        return self._follows

    def selected_text(self) -> str:
        """The selected words, over messages."""
        span = self._span()
        if span is None:
            return ""
        (first, start), (last, stop) = span
        pieces = []
        for number in range(first, last + 1):
            view = self._view(number)
            begin = start if number == first else (0, 0)
            end = stop if number == last else view.end
            pieces.append(view.text_between(begin, end))
        return "\n\n".join(pieces)

    # Layout

    @property
    def _width(self) -> float:
        return float(max(160, min(theme.px(COLUMN), self.viewport().width() - 2 * theme.px(24))))

    @property
    def _left(self) -> float:
        return (self.viewport().width() - self._width) / 2

    def _restart(self) -> None:
        self._views.clear()
        self._controls.clear()
        self._numbers = {e.id: n for n, e in enumerate(self._entries)}
        self._heights = Heights(self._estimate(e) for e in self._entries)
        self._arrange()

    def _estimate(self, entry: Entry) -> float:
        letters = max(20.0, self._width / (theme.base * 0.53))
        lines = 1 + len(entry.text) / letters + entry.text.count("\n") * 0.7
        return theme.px(50 + 22 * lines + (60 if entry.role == "assistant" else 0))

    def _view(self, number: int) -> MessageView:
        entry = self._entries[number]
        view = self._views.get(entry.id)
        if view is None:
            view = self._views[entry.id] = MessageView(entry)
            while len(self._views) > KEPT:
                self._views.popitem(last=False)
        else:
            self._views.move_to_end(entry.id)
        self._heights.set(number, view.lay_out(self._width))
        return view

    def _arrange(self) -> None:
        """Lay out what is in sight, keep the view where it is (or at the end), place the buttons."""
        if self._arranging:
            return
        self._arranging = True
        try:
            if self._follows:
                self._lay_out_end()
            else:
                self._lay_out_from_top()
            self._place_controls()
        finally:
            self._arranging = False
        self._newest.setVisible(not self._follows)
        self._newest.adjustSize()
        self._newest.move((self.width() - self._newest.width()) // 2, self.height() - self._newest.height() - 8)
        self.viewport().update()

    def _lay_out_end(self) -> None:
        room = self.viewport().height()
        number = len(self._entries) - 1
        while number >= 0 and room > -theme.px(200):
            self._view(number)
            room -= int(self._heights[number])
            number -= 1
        self._set_range()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _lay_out_from_top(self) -> None:
        bar = self.verticalScrollBar()
        top = bar.value() - self._pad
        if not self._entries:
            self._set_range()
            return
        first = self._heights.at(top)
        inside = top - self._heights.top(first)
        before = self._heights[first]
        self._view(first)
        grown = self._heights[first] - before
        y = self._heights.top(first)
        number = first
        while number < len(self._entries) and y < top + self.viewport().height() + theme.px(200):
            self._view(number)
            y += self._heights[number]
            number += 1
        self._set_range()
        if grown and inside > 0:  # what is seen of it should stay; only what is above grew
            bar.setValue(int(bar.value() + grown))

    @property
    def _pad(self) -> int:
        return theme.px(16)

    def _set_range(self) -> None:
        bar = self.verticalScrollBar()
        room = self.viewport().height()
        bar.setPageStep(room)
        bar.setSingleStep(theme.px(40))
        bar.setRange(0, max(0, int(self._heights.total) + 2 * self._pad - room))

    def _visible(self) -> range:
        if not self._entries:
            return range(0)
        top = self.verticalScrollBar().value() - self._pad
        first = self._heights.at(top)
        last = self._heights.at(top + self.viewport().height())
        return range(first, last + 1)

    def _top_of(self, number: int) -> float:
        return self._heights.top(number) + self._pad - self.verticalScrollBar().value()

    def _place_controls(self) -> None:
        wanted = []
        for number in self._visible():
            view = self._view(number)
            for slot, box in view.slots.items():
                if slot != "note":
                    wanted.append((view.entry, slot, box.translated(self._left, self._top_of(number)).toRect()))
        sight = self.viewport().rect().adjusted(0, -40, 0, 40)
        self._controls.place(w for w in wanted if sight.intersects(w[2]))

    def _scrolled(self, value: int) -> None:
        if not self._arranging:
            self._follows = value >= self.verticalScrollBar().maximum() - 2
            self._arrange()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.color("surface"))
        span = self._span()
        for number in self._visible():
            view = self._view(number)
            top = self._top_of(number)
            painter.save()
            painter.translate(self._left, top)
            clip = QRectF(0, max(0.0, -top), self._width, self.viewport().height() + max(0.0, -top))
            view.paint(painter, clip, _of_message(span, number, view))
            painter.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    # Selection, links, keys

    def _place_at(self, point: QPoint) -> Place | None:
        if not self._entries:
            return None
        number = self._heights.at(point.y() + self.verticalScrollBar().value() - self._pad)
        inside = QPointF(point.x() - self._left, point.y() - self._top_of(number))
        return number, self._view(number).spot_at(inside)

    def _link_at(self, point: QPoint) -> str:
        if not self._entries:
            return ""
        number = self._heights.at(point.y() + self.verticalScrollBar().value() - self._pad)
        return self._view(number).link_at(QPointF(point.x() - self._left, point.y() - self._top_of(number)))

    def _span(self) -> tuple[Place, Place] | None:
        if self._anchor is None or self._cursor is None or self._anchor == self._cursor:
            return None
        return min(self._anchor, self._cursor), max(self._anchor, self._cursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        place = self._place_at(event.position().toPoint())
        if not (event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor):
            self._anchor = place
        self._cursor = place
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._cursor = self._place_at(point)
            self._scroll_toward(point)
            self.viewport().update()
            return
        link = self._link_at(point)
        self.viewport().setToolTip(link[:300].replace("<", "&lt;"))
        shape = Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._span() is None:
            link = self._link_at(event.position().toPoint())
            if link:
                self.linked.emit(link)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().toPoint())
        if place is None:
            return
        number, (part, position) = place
        parts = self._view(number).parts
        if part < len(parts):
            begin, end = parts[part].word_at(position)
            self._anchor, self._cursor = (number, (part, begin)), (number, (part, end))
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.matches(QKeySequence.StandardKey.Copy):
            copy(self.selected_text())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_all()
        elif event.key() == Qt.Key.Key_Home:
            bar.setValue(0)
        elif event.key() == Qt.Key.Key_End:
            self.to_end()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = self.selected_text()
        copying = menu.addAction(self.tr("Copy"), lambda: copy(text))
        quoting = menu.addAction(self.tr("Quote in the next message"), lambda: self.quoted.emit(text))
        for action in (copying, quoting):
            action.setEnabled(bool(text))
        menu.addAction(self.tr("Select all"), self._select_all)
        menu.popup(event.globalPos())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._restart()

    def _select_all(self) -> None:
        if self._entries:
            last = len(self._entries) - 1
            self._anchor, self._cursor = (0, (0, 0)), (last, self._view(last).end)
            self.viewport().update()

    def _scroll_toward(self, point: QPoint) -> None:
        bar = self.verticalScrollBar()
        if point.y() < 0:
            bar.setValue(bar.value() + point.y() // 2)
        elif point.y() > self.viewport().height():
            bar.setValue(bar.value() + (point.y() - self.viewport().height()) // 2)

    def _control(self, entry_id: str, key: str) -> None:
        if key.startswith("code:"):
            view = self._views.get(entry_id)
            if view is not None:
                copy(view.parts[int(key.partition(":")[2])].source)
            return
        self.acted.emit(entry_id, key)


def _of_message(span: tuple[Place, Place] | None, number: int, view: MessageView) -> tuple[Spot, Spot] | None:
    """What of a selection lies in one message."""
    if span is None or not span[0][0] <= number <= span[1][0]:
        return None
    begin = span[0][1] if number == span[0][0] else (0, 0)
    end = span[1][1] if number == span[1][0] else view.end
    return begin, end
