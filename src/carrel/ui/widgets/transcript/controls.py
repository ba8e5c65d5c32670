"""The real buttons on painted messages: made for what is near the view, reused, and reachable by keyboard."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from carrel.ui.icons import before_words, icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import label, literal, named, row, tip
from carrel.ui.widgets.transcript.entry import Entry


class Controls(QWidget):
    """Keeps one widget for each (message, slot) in sight. It is itself never seen: it is their owner."""

    acted = Signal(str, str)

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self.hide()
        self._viewport = viewport
        self._shown: dict[tuple[str, str], QWidget] = {}
        self._spare: dict[str, list[QToolButton]] = {"code": [], "table": []}
        self._widths: dict[tuple[str, str], int] = {}

    def place(self, wanted: Iterable[tuple[Entry, str, QRect]]) -> None:
        """Show a control at each of these places and no other."""
        seen: set[tuple[str, str]] = set()
        for entry, slot, box in wanted:
            key = (entry.id, slot)
            seen.add(key)
            widget = self._shown.get(key)
            if widget is None or not self._fits(widget, entry, slot):
                self._drop(key)
                widget = self._shown[key] = self._make(entry, slot)
            if slot == "thinking":
                self._title(widget, entry)
            elif slot.startswith("file:"):
                self._tell_file(widget, entry, slot)
            if slot == "actions":
                _fit_words(widget, box.width())
            width = box.width() if slot in {"actions", "versions"} else min(self._wide(key), box.width())
            left = box.right() - width if slot.startswith(("code", "table")) else box.left()
            widget.setGeometry(left, box.top(), width, box.height())
            widget.show()
        for key in [k for k in self._shown if k not in seen]:
            self._drop(key)

    def of(self, entry_id: str) -> list[QWidget]:
        """The buttons of one message that are shown, from top to bottom."""
        held = [widget for (owner, _), widget in self._shown.items() if owner == entry_id]
        return sorted(held, key=lambda widget: (widget.y(), widget.x()))

    def button_of(self, entry_id: str, key: str) -> QWidget | None:
        """The button that tells this key of a message, where it can be seen."""
        held = (made for widget in self.of(entry_id) for made in (widget, *widget.findChildren(QToolButton)))
        return next((made for made in held if made.property("key") == key), None)

    def clear(self) -> None:
        """Take all away."""
        for key in list(self._shown):
            self._drop(key)
        for spare in self._spare.values():
            while spare:
                spare.pop().deleteLater()

    def _wide(self, key: tuple[str, str]) -> int:
        """The pixels that a control would take; asked of it once, since it is placed at each frame."""
        if key not in self._widths:
            self._shown[key].ensurePolished()
            self._widths[key] = self._shown[key].sizeHint().width()
        return self._widths[key]

    def _drop(self, key: tuple[str, str]) -> None:
        widget = self._shown.pop(key, None)
        self._widths.pop(key, None)
        if widget is None:
            return
        widget.hide()
        spare = self._spare.get(key[1].partition(":")[0])
        if spare is not None and isinstance(widget, QToolButton):
            spare.append(widget)
        else:
            widget.deleteLater()

    @staticmethod
    def _fits(widget: QWidget, entry: Entry, slot: str) -> bool:
        return slot not in {"actions", "versions"} or widget.property("shows") == repr((entry.actions, entry.versions))

    def _make(self, entry: Entry, slot: str) -> QWidget:
        if slot == "thinking":
            made: QWidget = self._button(entry.id, "thinking", entry.thinking_title, "right")
        elif slot in {"actions", "versions"}:
            made = self._bar(entry)
        elif slot == "edit":
            made = self._button(entry.id, "edit", "", "edit")
            made.setAccessibleName(self.tr("Edit and send again"))
            made.setToolTip(self.tr("Edit and send again: a new version beside this one"))
        elif slot == "thinking_copy":
            made = self._button(entry.id, slot, "", "copy")
            made.setAccessibleName(self.tr("Copy the thinking"))
            made.setToolTip(self.tr("Copy the thinking"))
        elif slot.startswith("question:"):
            made = self._question(entry, slot)
        elif slot.startswith("file:"):
            made = self._button(entry.id, slot, entry.files[int(slot.partition(":")[2])].words, "file")
            made.setProperty("kind", "chip")
        else:
            made = self._copying(entry, slot)
        made.setParent(self._viewport)
        return made

    def _copying(self, entry: Entry, slot: str) -> QToolButton:
        """The button of a code block or a table: many come and go while a reply streams, so they are used again."""
        kind = slot.partition(":")[0]
        if self._spare[kind]:
            made = self._spare[kind].pop()
            self._about(made, entry.id, slot)
            return made
        made = self._button(entry.id, slot, self.tr("Copy") if kind == "code" else "", "copy")
        what = self.tr("Copy this code") if kind == "code" else self.tr("Copy as a table")
        made.setAccessibleName(what)
        tip(made, what)
        return made

    def _question(self, entry: Entry, slot: str) -> QToolButton:
        words = entry.questions[int(slot.partition(":")[2])]
        made = self._button(entry.id, slot, words, "chat")
        made.setText(literal(words))
        made.setProperty("kind", "chip")
        made.setToolTip(self.tr("Take this question into the message"))
        return made

    def _tell_file(self, widget: QWidget, entry: Entry, slot: str) -> None:
        """Say how a file stands; the button stays, so that no press on it is lost while it is fetched."""
        assert isinstance(widget, QToolButton)
        file = entry.files[int(slot.partition(":")[2])]
        if widget.property("shows") != repr(file):
            widget.setProperty("shows", repr(file))
            widget.setText(literal(file.words))
            widget.setIcon(icon(file.icon))
            tip(widget, file.tip)
            widget.setAccessibleName(f"{file.words}, {file.tip}")
            self._widths.pop((entry.id, slot), None)

    def _bar(self, entry: Entry) -> QFrame:
        made = QFrame()
        made.setProperty("shows", repr((entry.actions, entry.versions)))
        buttons = [self._button(entry.id, *action) for action in entry.actions]
        for made_button in buttons:
            if made_button.property("key") == "again_with":
                made_button.setProperty("tip", self.tr("Ask again with another model"))
                tip(made_button, made_button.property("tip"))
        made.setLayout(row(*self._versions(entry), *buttons, 1, spacing=2))
        made.setProperty("full", made.sizeHint().width())
        return made

    def _versions(self, entry: Entry) -> list[QWidget]:
        """‹ 2 of 3 ›, where there is more than one."""
        shown, count = entry.versions
        if count < 2:
            return []
        older = self._button(entry.id, "older", "", "left")
        newer = self._button(entry.id, "newer", "", "right")
        older.setAccessibleName(self.tr("Older version"))
        newer.setAccessibleName(self.tr("Newer version"))
        older.setEnabled(shown > 1)
        newer.setEnabled(shown < count)
        return [older, label(self.tr("{n} of {m}").format(n=shown, m=count), "small"), newer]

    def _button(self, entry_id: str, key: str, words: str, icon_name: str) -> QToolButton:
        made = QToolButton()
        named(made, f"transcript.{key.partition(':')[0]}", words)
        made.setProperty("kind", "quiet" if words else "icon")
        made.setProperty("look", "small" if words else None)
        made.setText(words)
        made.setIcon(icon(icon_name))
        made.setIconSize(before_words(14) if words else QSize(theme.px(14), theme.px(14)))
        beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
        made.setToolButtonStyle(beside if words else alone)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._about(made, entry_id, key)
        made.clicked.connect(lambda: self.acted.emit(made.property("entry"), made.property("key")))
        return made

    @staticmethod
    def _about(made: QToolButton, entry_id: str, key: str) -> None:
        """Say which message a button is of, and what it does there."""
        made.setProperty("entry", entry_id)
        made.setProperty("key", key)

    def _title(self, widget: QWidget, entry: Entry) -> None:
        assert isinstance(widget, QToolButton)
        if widget.text() != entry.thinking_title:
            widget.setText(entry.thinking_title)
            self._widths.pop((entry.id, "thinking"), None)
            widget.setAccessibleName(entry.thinking_title)
        if widget.property("open") != entry.thinking_open:
            widget.setProperty("open", entry.thinking_open)
            widget.setIcon(icon("down" if entry.thinking_open else "right"))


def _fit_words(bar: QWidget, width: int) -> None:
    """Leave the words of the buttons away where there is no room for all of them."""
    fits = bar.property("full") <= width
    if bar.property("fits") == fits:
        return
    bar.setProperty("fits", fits)
    beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
    for made in bar.findChildren(QToolButton):
        if made.text():
            made.setToolButtonStyle(beside if fits else alone)
            tip(made, made.property("tip") or ("" if fits else made.text()))
