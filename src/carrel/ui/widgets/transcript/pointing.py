"""What the mouse and the keys do in the transcript: select, follow links, scroll, also sideways."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QTextCursor, QWheelEvent

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import tip
from carrel.ui.widgets.transcript.entry import Entry
from carrel.ui.widgets.transcript.linking import SHOWN, Linking
from carrel.ui.widgets.transcript.parts import TextPart
from carrel.ui.widgets.transcript.selection import Place

LEFT = Qt.MouseButton.LeftButton
WORD, PARAGRAPH = QTextCursor.SelectionType.WordUnderCursor, QTextCursor.SelectionType.BlockUnderCursor


class Pointing(Linking):
    """A canvas that can be acted on. One click sets the place, two select a word, three a paragraph."""

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__(object_name, accessible)
        self._pulled: tuple[TextPart, float, float] | None = None
        self._clicked = (QPoint(), 0, 0)
        """Where, when, and how often in a row."""
        self._mouse = QPoint()
        self._pulling = QTimer(self, interval=30)
        self._pulling.timeout.connect(self._stretch)

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != LEFT:
            return
        point = self._mouse = event.position().toPoint()
        self._stand(None)
        if self._take_bar(point):
            return
        if self._count(event) == 3 and (place := self._place_at(point)) is not None:
            self._selection.around(place, PARAGRAPH)
        else:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._selection.begin(self._place_at(point), extend=extend)
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() != LEFT:
            return
        point = self._mouse = event.position().toPoint()
        self._clicked = (point, event.timestamp(), 2)
        if not self._take_bar(point) and (place := self._place_at(point)) is not None:
            self._selection.around(place, WORD)
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if self._pulled is not None:
            self._pull_bar(point)
        elif event.buttons() & LEFT:
            self._drag(point)
        else:
            self._hover(point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != LEFT:
            return
        self._pulling.stop()
        if self._pulled is not None:
            self._pulled[0].is_held = False
            self._pulled = None
            self.viewport().update()
        elif self._selection.span() is None:
            link = self._link_at(event.position().toPoint())
            if link:
                self.linked.emit(link)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        sideways = turned.x() if abs(turned.x()) > abs(turned.y()) else turned.y() if shift else 0
        found = self._part_at(event.position().toPoint()) if sideways else None
        if found is None or not found[0].most_scrolled:
            super().wheelEvent(event)
        elif found[0].scroll(-sideways / 2):
            self.viewport().update()

    def _count(self, event: QMouseEvent) -> int:
        """How many clicks in a row a press is; Qt itself counts to two."""
        where, when, count = self._clicked
        point, hints = event.position().toPoint(), QGuiApplication.styleHints()
        is_near = (point - where).manhattanLength() < hints.startDragDistance()
        is_next = count == 2 and is_near and event.timestamp() - when <= hints.mouseDoubleClickInterval()
        self._clicked = (point, event.timestamp(), 3 if is_next else 1)
        return self._clicked[2]

    def _drag(self, point: QPoint) -> None:
        """Stretch the selection; after a word or a paragraph was clicked, only once the hand has really moved."""
        if self._clicked[2] > 1 and (point - self._clicked[0]).manhattanLength() < theme.px(10):
            return
        self._mouse = point
        self._stretch()
        is_outside = not 0 <= point.y() <= self.viewport().height()
        if is_outside and not self._pulling.isActive():
            self._pulling.start()
        elif not is_outside:
            self._pulling.stop()

    def _stretch(self) -> None:
        """Take the selection to where the mouse is, and go on scrolling while it is held outside."""
        bar, beyond = self.verticalScrollBar(), self._mouse.y() - self.viewport().height()
        step = self._mouse.y() if self._mouse.y() < 0 else max(0, beyond)
        if step:
            bar.setValue(bar.value() + max(-200, min(200, int(step / 2) or (1 if step > 0 else -1))))
        self._selection.cursor = self._place_at(self._mouse)
        self.viewport().update()

    def _hover(self, point: QPoint) -> None:
        link = self._link_at(point)
        tip(self.viewport(), link[:SHOWN])
        found = self._part_at(point)
        on_bar = found is not None and found[0].is_on_bar(found[1])
        shapes = Qt.CursorShape
        self.viewport().setCursor(
            shapes.ArrowCursor if on_bar else shapes.PointingHandCursor if link else shapes.IBeamCursor
        )

    def _take_bar(self, point: QPoint) -> bool:
        """Take hold of the bar below wide code or a wide table; pressed beside it, it comes to the mouse first."""
        found = self._part_at(point)
        if found is None or not found[0].is_on_bar(found[1]):
            return False
        part, inside = found
        if not part.thumb().left() <= inside.x() <= part.thumb().right():
            part.pull(inside.x() - part.thumb().center().x())
        part.is_held = True
        self._pulled = (part, float(point.x()), part.scrolled)
        self.viewport().update()
        return True

    def _pull_bar(self, point: QPoint) -> None:
        assert self._pulled is not None, "it was taken hold of"
        part, x, part.scrolled = self._pulled
        part.pull(point.x() - x)
        self.viewport().update()

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in {Qt.Key.Key_Left, Qt.Key.Key_Right} and not event.modifiers():
            self._scroll_sideways(theme.px(60) * (1 if key == Qt.Key.Key_Right else -1))
        elif key == Qt.Key.Key_Home:
            self.verticalScrollBar().setValue(0)
        elif key == Qt.Key.Key_End:
            self.to_end()
        elif key not in {Qt.Key.Key_Return, Qt.Key.Key_Enter} or not self._open_link():
            super().keyPressEvent(event)

    def _scroll_sideways(self, pixels: float) -> None:
        """The wide part under the mouse, else the first in sight."""
        found = self._part_at(self.viewport().mapFromGlobal(self.cursor().pos())) if self.underMouse() else None
        part = found[0] if found is not None and found[0].most_scrolled else next(self._wide_parts(), None)
        if part is not None and part.scroll(pixels):
            self.viewport().update()

    def _wide_parts(self) -> Iterator[TextPart]:
        for number in self._visible():
            top = self._top_of(number)
            for part in self._rows.view(number).parts_in(-top, self.viewport().height() - top):
                if part.most_scrolled:
                    yield part

    # What is at a point

    def _inside(self, point: QPoint) -> tuple[int, QPointF]:
        """The number of the row under a point, and the point as the row sees it."""
        number = self._rows.at(point.y() + self.verticalScrollBar().value() - self._pad)
        return number, QPointF(point.x() - self._left, point.y() - self._top_of(number))

    def _entry_at(self, point: QPoint) -> Entry | None:
        return self._rows.entry(self._inside(point)[0]) if len(self._rows) else None

    def _place_at(self, point: QPoint) -> Place | None:
        if not len(self._rows):
            return None
        number, inside = self._inside(point)
        return number, self._rows.view(number).spot_at(inside)

    def _link_at(self, point: QPoint) -> str:
        if not len(self._rows):
            return ""
        number, inside = self._inside(point)
        return self._rows.view(number).link_at(inside)

    def _part_at(self, point: QPoint) -> tuple[TextPart, QPointF] | None:
        """The part under a point, and the point from the part's corner."""
        if not len(self._rows):
            return None
        number, inside = self._inside(point)
        return self._rows.view(number).part_at(inside)
