"""The transcript: what it shows, what it tells of that, and what is copied out of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu

from carrel.model.differences import Spans
from carrel.ui.widgets.notes import copy
from carrel.ui.widgets.transcript.clipping import copy_part, text_of
from carrel.ui.widgets.transcript.entry import Entry, Stub
from carrel.ui.widgets.transcript.pointing import Pointing
from carrel.ui.widgets.transcript.rows import Load

LOOK = 200_000
"""Characters up to which what is copied is given its look too: more would take minutes to make."""


class Transcript(Pointing):
    """Shows entries. `acted` tells the message and the key of an action, or `thinking`; `quoted` words; `copied` the
    clips that were put on the clipboard as Markdown.
    """

    acted = Signal(str, str)
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
        self._stand(None)
        self._controls.clear()
        self._rows.width = self._width
        self._rows.fill(stubs, load)
        self._arrange()

    def put(self, entry: Entry) -> None:
        """Show a new message at the end, or another state of one that is there."""
        self._rows.put(entry)
        self._arrange()

    def is_thinking_read(self, entry_id: str) -> bool:
        """Whether someone who does not follow the end has open thinking of this message before them."""
        number = self._rows.number(entry_id)
        if self._follows or number not in self._visible():
            return False
        return self._rows.view(number).thinking_end + self._top_of(number) > 0

    def settle(self, entry_id: str) -> None:
        """From now on this message is as `load` gives it."""
        self._rows.settle(entry_id)

    def below(self, entry_id: str, key: str) -> QPoint | None:
        """Where on the screen what a button of a message opens has its corner; None where it is not in sight."""
        made = self._controls.button_of(entry_id, key)
        return None if made is None else made.mapToGlobal(made.rect().bottomLeft())

    def entry(self, entry_id: str) -> Entry | None:
        """What is shown of a message."""
        number = self._rows.number(entry_id)
        return None if number is None else self._rows.entry(number)

    def entries(self) -> list[Entry]:
        """All that is shown, in order; loads what is not near the view."""
        return [self._rows.entry(number) for number in range(len(self._rows))]

    def plain_text(self) -> str:
        """The words of all messages, for a screen reader and for whoever looks whether something is there."""
        return "\n\n".join(_plain(entry) for entry in self.entries())

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

    def selected_in(self, entry_id: str) -> str:
        """The selected words where all of them stand in this message; empty where any stand in another."""
        number = self._rows.number(entry_id)
        return self.selected_text() if number is not None and self._selection.lies_in(number) else ""

    def copy_selection(self) -> None:
        """Put what is selected on the clipboard; whoever hears `copied` may add its look."""
        clips = self._selection.clips()
        if clips:
            text = text_of(clips)
            copy(text)
            if len(text) <= LOOK:
                self.copied.emit(clips)

    # What can be done

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_all()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_keys = event.reason() == QContextMenuEvent.Reason.Keyboard
        link = self.stopped_at if by_keys else self._link_at(event.pos())
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copying = menu.addAction(self.tr("Copy"), self.copy_selection)
        quoting = menu.addAction(self.tr("Quote in the next message"), lambda: self.quoted.emit(self.selected_text()))
        for action in (copying, quoting):
            action.setEnabled(self._selection.span() is not None)
        if link:
            menu.addAction(self.tr("Copy link address"), lambda: copy(link))
        if (entry := self._entry_at(event.pos())) is not None:
            self._offer(menu, entry)
        menu.addAction(self.tr("Select all"), self._select_all)
        menu.popup(event.globalPos())

    def _offer(self, menu: QMenu, entry: Entry) -> None:
        """What a message has beside its words."""
        if entry.thinking:
            menu.addAction(self.tr("Copy the thinking"), lambda: self.acted.emit(entry.id, "thinking_copy"))
        if entry.note:
            words = self.tr("Copy the error") if entry.note_tone == "danger" else self.tr("Copy the note")
            menu.addAction(words, lambda: copy(entry.note))

    def _select_all(self) -> None:
        self._selection.all()
        self.viewport().update()

    def _control(self, entry_id: str, key: str) -> None:
        slot, _, number = key.partition(":")
        view = self._rows.laid_out(entry_id)
        if key == "thinking" and view is not None:
            self._turn_thinking(entry_id)
        elif key == "note_copy" and view is not None:
            copy(view.entry.note)
        elif slot not in {"code", "table"}:
            self.acted.emit(entry_id, key)
        elif view is not None and (part := view.part(int(number))):
            copy_part(part)

    def _turn_thinking(self, entry_id: str) -> None:
        """Whoever folds or unfolds it reads on from its title, which stays where it was pressed."""
        number = self._rows.number(entry_id)
        assert number is not None, "its title was pressed"
        view, top = self._rows.view(number), self._top_of(number)
        y = top + view.title_top() + view.pinned(-top)
        self._follows = False
        self.acted.emit(entry_id, "thinking")
        bar = self.verticalScrollBar()
        bar.setValue(round(bar.value() + self._top_of(number) + self._rows.view(number).title_top() - y))
        self._follows = bar.value() >= bar.maximum() - 2
        self._arrange()


def _plain(entry: Entry) -> str:
    files = "\n".join(file.words for file in entry.files)
    return f"{entry.who}\n{entry.thinking_title}\n{entry.text}\n{files}\n{entry.note}".strip()
