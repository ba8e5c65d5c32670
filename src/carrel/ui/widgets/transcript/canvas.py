"""The ground of the transcript: which messages are near the view, where they stand, and how they are painted."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from carrel.model.occurrences import Pattern
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, named
from carrel.ui.widgets.transcript.controls import Controls
from carrel.ui.widgets.transcript.message import NEAR
from carrel.ui.widgets.transcript.rows import Rows
from carrel.ui.widgets.transcript.selection import Selection
from carrel.ui.widgets.transcript.voices import Ground, Speech

COLUMN = 740
"""Pixels of the column of words, at 13 px text."""

BY_KEYS = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}

BEYOND = 200
"""Pixels below the view that are laid out too, so that a wheel step meets no new text."""


class Canvas(QAbstractScrollArea):
    """Lays out rows near the view, follows the end or stays where it is, paints."""

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__()
        named(self, object_name, accessible)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._ground = Ground(self._speech, self._order)
        self._ground.setAccessibleName(accessible)
        self.setViewport(self._ground)
        self.viewport().setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rows = Rows()
        self._selection = Selection(self._rows)
        self._marked: Pattern | None = None
        self._controls = Controls(self.viewport())
        self._follows = True
        self._arranging = self._is_ringed = False
        self._newest = button(self.tr("Newest"), f"{object_name}.newest", icon_name="down")
        self._newest.setParent(self)
        self._newest.clicked.connect(self.to_end)
        self._newest.hide()
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        theme.changed.connect(self._restart)

    def to_end(self) -> None:
        """Go to the newest words and follow them from now on."""
        self._follows = True
        self._arrange()

    @property
    def follows(self) -> bool:
        """Whether the view is at its end and follows what comes."""
        return self._follows

    @property
    def _width(self) -> float:
        return float(max(160, min(theme.px(COLUMN), self._room - 2 * theme.px(24))))

    @property
    def _left(self) -> float:
        return (self._room - self._width) / 2

    @property
    def _room(self) -> int:
        """The width without the scroll bar, whether it is there or not: no word moves when it comes."""
        return self.width() - self.bar_width()

    def bar_width(self) -> int:
        """Pixels that are kept free at the right for the scroll bar."""
        return self.verticalScrollBar().sizeHint().width()

    @property
    def _pad(self) -> int:
        return theme.px(16)

    def _restart(self) -> None:
        self._controls.clear()
        self._rows.width = self._width
        self._rows.restart()
        self._arrange()

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
        bar = self.verticalScrollBar()
        self._newest.setVisible(not self._follows and bar.value() < bar.maximum())
        self._newest.adjustSize()
        self._newest.move((self.width() - self._newest.width()) // 2, self.height() - self._newest.height() - 8)
        self.viewport().update()

    def _lay_out_end(self) -> None:
        room = float(self.viewport().height())
        number = len(self._rows) - 1
        while number >= 0 and room > -BEYOND:
            self._rows.view(number)
            room -= self._rows.height(number)
            number -= 1
        self._set_range()
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _lay_out_from_top(self) -> None:
        bar = self.verticalScrollBar()
        top = bar.value() - self._pad
        if not len(self._rows):
            self._set_range()
            return
        first = self._rows.at(top)
        inside = top - self._rows.top(first)
        before = self._rows.height(first)
        self._rows.view(first)
        grown = self._rows.height(first) - before
        number, y = first, self._rows.top(first)
        while number < len(self._rows) and y < top + self.viewport().height() + BEYOND:
            self._rows.view(number)
            y += self._rows.height(number)
            number += 1
        self._set_range()
        if grown and inside > 0:  # only what is above the view grew: what is seen stays
            bar.setValue(int(bar.value() + grown))

    def _set_range(self) -> None:
        bar = self.verticalScrollBar()
        room = self.viewport().height()
        bar.setPageStep(room)
        bar.setSingleStep(theme.px(40))
        bar.setRange(0, max(0, int(self._rows.total) + 2 * self._pad - room))

    def _visible(self) -> range:
        if not len(self._rows):
            return range(0)
        top = self.verticalScrollBar().value() - self._pad
        return range(self._rows.at(top), self._rows.at(top + self.viewport().height()) + 1)

    def _top_of(self, number: int) -> float:
        return self._rows.top(number) + self._pad - self.verticalScrollBar().value()

    def _place_controls(self) -> None:
        sight = self.viewport().rect()
        near = sight.adjusted(0, -NEAR, 0, NEAR)
        wanted = []
        for number in self._visible():
            view, top = self._rows.view(number), self._top_of(number)
            for slot, box in view.slots(sight.top() - top, sight.bottom() - top):
                place = box.translated(self._left, top).toRect()
                if near.intersects(place):
                    wanted.append((view.entry, slot, place))
        self._controls.place(wanted)
        self._ground.moved()

    def _order(self) -> list[tuple[str, list[QWidget]]]:
        """The messages in sight from top to bottom, each with its buttons."""
        ids = [self._rows.ids[number] for number in self._visible()]
        return [(entry_id, self._controls.of(entry_id)) for entry_id in ids]

    def _speech(self, entry_id: str) -> Speech:
        """What a screen reader says of a message; nothing of one that is gone."""
        number = self._rows.number(entry_id)
        if number is None:
            return Speech()
        view = self._rows.view(number)
        who = (view.entry.who or self.tr("You"), view.entry.when, view.entry.tag)
        box = QRectF(self._left, self._top_of(number), self._width, view.height).toRect()
        return Speech(", ".join(t for t in who if t), view.spoken, box)

    def _scrolled(self, value: int) -> None:
        if not self._arranging:
            self._follows = value >= self.verticalScrollBar().maximum() - 2
            self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.fillRect(event.rect(), theme.color("surface"))
            for number in self._visible():
                view = self._rows.view(number)
                top = self._top_of(number)
                painter.save()
                painter.translate(self._left, top)
                clip = QRectF(0, max(0.0, -top), self._width, self.viewport().height())
                view.paint(painter, clip, self._selection.within(number, view), self._marked)
                painter.restore()
            if self._is_ringed:
                painter.setPen(theme.color("accent"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever came by the keyboard sees where; the mouse has shown it already."""
        super().focusInEvent(event)
        self._is_ringed = event.reason() in BY_KEYS
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._is_ringed = False
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rows.width = self._width
        self._arrange()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()
