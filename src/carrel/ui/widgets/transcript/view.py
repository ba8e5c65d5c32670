"""The transcript: messages in a scroll area, with jumping, marks, selection over messages, links and keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QMenu

from carrel.model.differences import Spans
from carrel.ui.widgets.notes import copy
from carrel.ui.widgets.transcript.clipping import copy_part, text_of
from carrel.ui.widgets.transcript.entry import Entry, Stub
from carrel.ui.widgets.transcript.jumping import Jumping
from carrel.ui.widgets.transcript.parts import TextPart
from carrel.ui.widgets.transcript.rows import Load
from carrel.ui.widgets.transcript.selection import Place


class Transcript(Jumping):
    """Shows entries. `acted` tells the message and the key of an action, or `thinking`; `linked` an address; `copied`
    the clips that were put on the clipboard as Markdown.
    """

    acted = Signal(str, str)
    linked = Signal(str)
    quoted = Signal(str)
    copied = Signal(list)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__(object_name, accessible)
        self._controls.acted.connect(self._control)

    # What it shows

    def fill(self, stubs: Sequence[Stub], load: Load) -> None:
        """Show these messages from their end; `load` gives one by its id when it comes near the view."""
        self._follows = True
        self._selection.clear()
        self._controls.clear()
        self._rows.width = self._width
        self._rows.fill(stubs, load)
        self._arrange()

    def put(self, entry: Entry) -> None:
        """Show a new message at the end, or another state of one that is there."""
        self._rows.put(entry)
        self._arrange()

    def settle(self, entry_id: str) -> None:
        """From now on this message is as `load` gives it."""
        self._rows.settle(entry_id)

    def entry(self, entry_id: str) -> Entry | None:
        """What is shown of a message."""
        number = self._rows.number(entry_id)
        return None if number is None else self._rows.entry(number)

    def entries(self) -> list[Entry]:
        """All that is shown, in order; loads what is not near the view."""
        return [self._rows.entry(number) for number in range(len(self._rows))]

    def plain_text(self) -> str:
        """The words of all messages, for a screen reader and for whoever looks whether something is there."""
        return "\n\n".join(f"{e.who}\n{e.thinking_title}\n{e.text}\n{e.note}".strip() for e in self.entries())

    def texts(self, entry_id: str) -> list[str]:
        """The plain text of each part of what a message says."""
        number = self._rows.number(entry_id)
        return [] if number is None else [part.document.toPlainText() for part in self._rows.view(number).words()]

    def differ(self, entry_id: str, spans: Sequence[Spans]) -> None:
        """Mark what another message lacks, part by part as `texts` gives them; none takes the marks away."""
        number = self._rows.number(entry_id)
        for place, part in enumerate(self._rows.view(number).words() if number is not None else ()):
            part.differ(spans[place] if place < len(spans) else ())
        self.viewport().update()

    def selected_text(self) -> str:
        """The selected words, over messages."""
        return self._selection.text()

    def copy_selection(self) -> None:
        """Put what is selected on the clipboard; whoever hears `copied` may add its look."""
        clips = self._selection.clips()
        if clips:
            copy(text_of(clips))
            self.copied.emit(clips)

    # Mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._selection.begin(self._place_at(event.position().toPoint()), extend=extend)
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._selection.cursor = self._place_at(point)
            self._scroll_toward(point)
            self.viewport().update()
            return
        link = self._link_at(point)
        self.viewport().setToolTip(link[:300].replace("&", "&amp;").replace("<", "&lt;"))
        shape = Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._selection.span() is None:
            link = self._link_at(event.position().toPoint())
            if link:
                self.linked.emit(link)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        sideways = turned.x() or (turned.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0)
        if not sideways:
            super().wheelEvent(event)
            return
        part = self._part_at(event.position().toPoint())
        if part is not None and part.scroll(-sideways / 2):
            self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().toPoint())
        if place is not None:
            self._selection.word(place)
            self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_all()
        elif event.key() == Qt.Key.Key_Home:
            self.verticalScrollBar().setValue(0)
        elif event.key() == Qt.Key.Key_End:
            self.to_end()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = self.selected_text()
        copying = menu.addAction(self.tr("Copy"), self.copy_selection)
        quoting = menu.addAction(self.tr("Quote in the next message"), lambda: self.quoted.emit(text))
        for action in (copying, quoting):
            action.setEnabled(bool(text))
        if (entry := self._entry_at(event.pos())) is not None and entry.thinking:
            menu.addAction(self.tr("Copy the thinking"), lambda: self.acted.emit(entry.id, "thinking_copy"))
        menu.addAction(self.tr("Select all"), self._select_all)
        menu.popup(event.globalPos())

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

    def _part_at(self, point: QPoint) -> TextPart | None:
        if not len(self._rows):
            return None
        number, inside = self._inside(point)
        return self._rows.view(number).part_at(inside)

    def _select_all(self) -> None:
        self._selection.all()
        self.viewport().update()

    def _scroll_toward(self, point: QPoint) -> None:
        bar = self.verticalScrollBar()
        if point.y() < 0:
            bar.setValue(bar.value() + point.y() // 2)
        elif point.y() > self.viewport().height():
            bar.setValue(bar.value() + (point.y() - self.viewport().height()) // 2)

    def _control(self, entry_id: str, key: str) -> None:
        slot, _, number = key.partition(":")
        view = self._rows.laid_out(entry_id)
        if slot not in {"code", "table"}:
            self.acted.emit(entry_id, key)
        elif view is not None and (part := view.part(int(number))):
            copy_part(part)
