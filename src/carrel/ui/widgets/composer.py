"""The composer: text that grows, attachments, the model, switches, Send and Stop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPlainTextEdit, QWidget

from carrel.model.draft import Attachment, Draft
from carrel.model.models import Model
from carrel.ui.icons import icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, chip, column, named, restyle, row, tool

SWITCHES = {
    "think": ("Think", "think"),
    "web_search": ("Web", "web"),
    "agentic_mode": ("Steps", "agents"),
    "redact_pii": ("Redact", "shield"),
}
"""The draft's field, the word on its chip, its icon."""


class TextField(QPlainTextEdit):
    """Text that grows with what is typed. Enter sends, or Ctrl+Enter, as chosen; pasted files are told."""

    entered = Signal()
    files_pasted = Signal(list)
    up_pressed = Signal()
    focused = Signal(bool)
    MOST = 10

    def __init__(self) -> None:
        super().__init__()
        named(self, "chat.composer", self.tr("Message"))
        self.setPlaceholderText(self.tr("Ask about your documents, or drop files here"))
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.send_with = "enter"
        self._composing = False
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.refit())
        self.refit()

    def refit(self) -> None:
        """Take the height of the text, up to ten lines."""
        line = self.fontMetrics().lineSpacing()
        lines = max(1, min(self.MOST, int(self.document().size().height())))
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if lines == self.MOST else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.setFixedHeight(line * max(2, lines) + 10)

    def inputMethodEvent(self, event: QEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and not self._composing and self._sends(event):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Up and not self.toPlainText():
            self.up_pressed.emit()
        elif is_enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.insertPlainText("\n")
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = [Path(u.toLocalFile()) for u in source.urls() if u.isLocalFile()] if source.hasUrls() else []
        if files:
            self.files_pasted.emit(files)
        else:
            self.insertPlainText(source.text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)

    def _sends(self, event: QKeyEvent) -> bool:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held == Qt.KeyboardModifier.ControlModifier:
            return True
        return self.send_with == "enter" and held == Qt.KeyboardModifier.NoModifier


class Composer(QFrame):
    """Holds a draft. `sent` gives it, `edited` tells that it changed (after a pause in the typing)."""

    sent = Signal(Draft)
    stopped = Signal()
    edited = Signal(Draft)
    attach_asked = Signal()
    files_pasted = Signal(list)
    up_pressed = Signal()
    PAUSE = 400

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("composer")
        self._draft = Draft()
        self._models: Sequence[Model] = ()
        self._filling = False
        self.field = TextField()
        self._chips = QHBoxLayout()
        self._chips.setSpacing(6)
        self._build()
        self._connect()
        self.show_draft(Draft())

    def draft(self) -> Draft:
        """What would be sent now."""
        switches = {name: self._switch_value(name) for name in SWITCHES}
        return self._draft.model_copy(update={"text": self.field.toPlainText(), **switches})

    def show_draft(self, draft: Draft) -> None:
        """Hold another draft."""
        self._filling = True
        self._draft = draft
        if self.field.toPlainText() != draft.text:
            self.field.setPlainText(draft.text)
            self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        for name, made in self.switches.items():
            value = getattr(draft, name)
            made.setChecked(value if value is not None else name == "web_search")
        self._show_chips()
        self._show_model()
        self._filling = False
        self._show_state()

    def attach(self, attachments: Sequence[Attachment]) -> None:
        """Add files to the draft; one that is there already stays once."""
        held = {a.id for a in self._draft.attachments}
        fresh = tuple(a for a in attachments if a.id not in held)
        self._change(attachments=self._draft.attachments + fresh)

    def quote(self, text: str) -> None:
        """Quote a passage with the next message."""
        self._change(quoted_text=text)
        self.field.setFocus()

    def show_models(self, models: Sequence[Model]) -> None:
        """Offer these models."""
        self._models = models
        self._show_model()

    def show_switches(self, names: Sequence[str]) -> None:
        """Show only the switches that do something on this account."""
        for name, made in self.switches.items():
            made.setVisible(name in names)
        self._offered = set(names)

    def show_streaming(self, streaming: bool) -> None:
        """Offer Stop while a reply is under way, Send else."""
        self._streaming = streaming
        self._show_state()

    def _build(self) -> None:
        self.switches = {n: chip(w, f"chat.{n}", icon_name=i, checkable=True) for n, (w, i) in SWITCHES.items()}
        self._offered = set(SWITCHES)
        self._streaming = False
        self.clip = tool("attach", "chat.attach", self.tr("Attach files"))
        self.model = chip("", "chat.model", tip=self.tr("Which model answers"))
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setIcon(icon("down"))
        self.model.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.model.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.model.setIconSize(QSize(theme.px(12), theme.px(12)))
        self.send = button(self.tr("Send"), "chat.send", kind="primary", icon_name="send")
        self.stop = button(self.tr("Stop"), "chat.stop", kind="primary", icon_name="stop")
        self.stop.setToolTip(self.tr("Stop receiving; the service may go on"))
        self._chip_row = QWidget()
        self._chip_row.setLayout(self._chips)
        self._chips.setContentsMargins(0, 0, 0, 4)
        tools = row(self.clip, self.model, *self.switches.values(), 1, self.send, self.stop, spacing=6)
        self.setLayout(column(self._chip_row, self.field, tools, spacing=4, margins=(12, 10, 12, 10)))

    def _connect(self) -> None:
        self._pause = QTimer(self, singleShot=True, interval=self.PAUSE)
        self._pause.timeout.connect(lambda: self.edited.emit(self.draft()))
        self.field.textChanged.connect(self._typed)
        self.field.entered.connect(self._send)
        self.field.files_pasted.connect(self.files_pasted)
        self.field.up_pressed.connect(self.up_pressed)
        self.field.focused.connect(self._focused)
        self.send.clicked.connect(self._send)
        self.stop.clicked.connect(self.stopped)
        self.clip.clicked.connect(self.attach_asked)
        self.model.clicked.connect(self._pick_model)
        for made in self.switches.values():
            made.toggled.connect(self._typed)
        theme.changed.connect(self.field.refit)

    def _switch_value(self, name: str) -> bool | None:
        """What the switch says; None where it is not offered, or stands where the service has it by itself."""
        if name not in self._offered:
            return None
        checked = self.switches[name].isChecked()
        if name == "web_search":
            return None if checked else False
        return True if checked else None

    def _typed(self) -> None:
        if not self._filling:
            self._show_state()
            self._pause.start()

    def _change(self, **values: object) -> None:
        self._draft = self.draft().model_copy(update=values)
        self._show_chips()
        self._show_model()
        self._typed()

    def _send(self) -> None:
        draft = self.draft()
        if draft.is_empty or self._streaming:
            return
        self._pause.stop()
        self.show_draft(draft.next_turn())
        self.sent.emit(draft)

    def _show_state(self) -> None:
        self.stop.setVisible(self._streaming)
        self.send.setVisible(not self._streaming)
        self.send.setEnabled(bool(self.field.toPlainText().strip()))

    def _show_chips(self) -> None:
        while taken := self._chips.takeAt(0):
            if taken.widget():
                taken.widget().deleteLater()
        for number, held in enumerate(self._draft.attachments):
            self._add_chip(f"chat.attachment.{number}", "file", held.name, lambda n=number: self._detach(n))
        if self._draft.quoted_text:
            words = " ".join(self._draft.quoted_text.split())
            self._add_chip("chat.quote", "quote", f"“{words}”", lambda: self._change(quoted_text=""))
        self._chips.addStretch(1)
        self._chip_row.setVisible(bool(self._draft.attachments or self._draft.quoted_text))

    def _add_chip(self, name: str, icon_name: str, words: str, remove: object) -> None:
        shown = words if len(words) <= 32 else words[:31] + "…"
        made = chip(f"{shown}  ✕", name, icon_name=icon_name, tip=self.tr("Remove"))
        made.setAccessibleName(self.tr("Remove {name}").format(name=words))
        made.clicked.connect(remove)
        self._chips.addWidget(made)

    def _detach(self, number: int) -> None:
        kept = [a for n, a in enumerate(self._draft.attachments) if n != number]
        self._change(attachments=tuple(kept))

    def _show_model(self) -> None:
        chosen = self._draft.model
        label = next((m.label for m in self._models if m.id == chosen), chosen) if chosen else None
        self.model.setText(label or self.tr("Service default"))

    def _pick_model(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setObjectName("chat.models")
        group = QActionGroup(menu)
        self._offer(menu, group, None, self.tr("Service default"), True)
        for name in dict.fromkeys(m.group_name for m in self._models):
            menu.addSeparator()
            if name:
                menu.addAction(name).setEnabled(False)
            for model in (m for m in self._models if m.group_name == name):
                words = model.label if model.is_available else self.tr("{m} (not available)").format(m=model.label)
                self._offer(menu, group, model.id, words, model.is_available)
        menu.popup(self.model.mapToGlobal(self.model.rect().bottomLeft()))

    def _offer(self, menu: QMenu, group: QActionGroup, model_id: str | None, words: str, available: bool) -> None:
        action = QAction(words.replace("&", "&&"), menu)
        action.setCheckable(True)
        action.setChecked(self._draft.model == model_id)
        action.setEnabled(available)
        action.triggered.connect(lambda: self._change(model=model_id))
        group.addAction(action)
        menu.addAction(action)

    def _focused(self, focused: bool) -> None:
        self.setProperty("focused", focused)
        restyle(self)
