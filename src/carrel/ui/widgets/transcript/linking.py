"""Links by the keyboard: Tab goes from one in sight to the next, Enter opens it, and where it leads is said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QToolTip

from carrel.ui.widgets.controls import as_tip
from carrel.ui.widgets.notes import announce
from carrel.ui.widgets.transcript.document import Link
from carrel.ui.widgets.transcript.jumping import Jumping
from carrel.ui.widgets.transcript.parts import TextPart

SHOWN = 300
"""Characters of an address that are shown."""


class Stop(NamedTuple):
    """A link where the keyboard can stop."""

    entry_id: str
    part: int
    link: Link


class Linking(Jumping):
    """A canvas whose links take the focus one after another, before its buttons. `linked` tells an address."""

    linked = Signal(str)

    def __init__(self, object_name: str, accessible: str) -> None:
        super().__init__(object_name, accessible)
        self._stop: Stop | None = None

    @property
    def stopped_at(self) -> str:
        """The address of the link that has the focus; empty where none has."""
        return self._stop.link.address if self._stop else ""

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Qt asks here for the buttons on the messages too: those are left as they are."""
        if not self.hasFocus():
            return super().focusNextPrevChild(forward)
        held = list(self._stops())
        start = held.index(self._stop) if self._stop in held else -1 if forward else 0
        number = start + (1 if forward else -1)
        self._stand(held[number] if 0 <= number < len(held) else None)
        return self._stop is not None or super().focusNextPrevChild(forward)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.BacktabFocusReason and (held := list(self._stops())):
            self._stand(held[-1])

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}:
            self._stand(None)

    def _open_link(self) -> bool:
        """Open the link that has the focus; False where none has."""
        if self._stop is not None:
            self.linked.emit(self._stop.link.address)
        return self._stop is not None

    def _stops(self) -> Iterator[Stop]:
        """The links in sight, from top to bottom."""
        for number in self._visible():
            top = self._top_of(number)
            for part, link in self._rows.view(number).links(-top, self.viewport().height() - top):
                yield Stop(self._rows.ids[number], part, link)

    def _stand(self, stop: Stop | None) -> None:
        if (part := self._part_of(self._stop)) is not None:
            part.link = None
            QToolTip.hideText()
        self._stop = stop
        if stop is not None and (part := self._part_of(stop)) is not None:
            part.link = stop.link
            words = part.selected_text(stop.link.start, stop.link.stop)
            announce(self, self.tr("Link: {words}, {address}").format(words=words, address=stop.link.address[:SHOWN]))
            QToolTip.showText(self._below(stop), as_tip(stop.link.address[:SHOWN]), self.viewport(), QRect(), 60_000)
        self.viewport().update()

    def _part_of(self, stop: Stop | None) -> TextPart | None:
        view = self._rows.laid_out(stop.entry_id) if stop is not None else None
        return view.part(stop.part) if view is not None and stop is not None else None

    def _below(self, stop: Stop) -> QPoint:
        """Where on the screen the address of a link does not hide it."""
        number = self._rows.number(stop.entry_id)
        assert number is not None, "it was found in sight"
        box = self._rows.view(number).box(stop.part, stop.link.start).translated(self._left, self._top_of(number))
        return self.viewport().mapToGlobal(box.bottomLeft().toPoint())
