"""The composer itself: holds a draft, and puts its text, what goes along, its buttons and its lists together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QImage, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu

from carrel.model.chat import Preferences
from carrel.model.draft import Attachment, Draft
from carrel.model.models import Model
from carrel.ui.theme import theme
from carrel.ui.widgets.composer.comparing import Comparing
from carrel.ui.widgets.composer.completions import Completions
from carrel.ui.widgets.composer.field import TextField
from carrel.ui.widgets.composer.held import Held
from carrel.ui.widgets.composer.modelpicker import ModelPicker
from carrel.ui.widgets.composer.options import Options
from carrel.ui.widgets.composer.tools import Tools
from carrel.ui.widgets.composer.waiting import WaitingRows
from carrel.ui.widgets.controls import column, restyle

FLAGS = ("think", "web_search", "agentic_mode", "redact_pii")
"""The draft's fields that a switch stands for; comparing is more than a switch."""


class Composer(QFrame):
    """Holds a draft. `sent` gives it, and whoever cannot take it shows it again; `edited` tells that it changed, after
    a pause in the typing; `edits_changed` that it has become another wording of an earlier message, or no longer is.
    """

    sent = Signal(Draft)
    stopped = Signal()
    edited = Signal(Draft)
    edits_changed = Signal()
    attach_asked = Signal()
    library_asked = Signal()
    files_pasted = Signal(list)
    image_pasted = Signal(QImage)
    long_pasted = Signal(str)
    up_pressed = Signal()
    PAUSE = 400

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("composer")
        self._draft = Draft()
        self._edits = ""
        self._models: Sequence[Model] = ()
        self._offered: set[str] = set()
        self._filling = self._streaming = self._unsure = self._locked = False
        self._build()
        self._connect()
        self.show_switches(FLAGS)
        self.show_draft(Draft())

    def draft(self) -> Draft:
        """What would be sent now."""
        values = {name: self._switch_value(name) for name in FLAGS}
        return self._draft.model_copy(update={"text": self.field.toPlainText(), **values})

    def show_draft(self, draft: Draft) -> None:
        """Hold another draft."""
        self._filling = True
        self._pause.stop()
        self._draft = draft
        if self.field.toPlainText() != draft.text:
            self.field.setPlainText(draft.text)
            self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        for name in FLAGS:
            value = getattr(draft, name)
            is_on = value if value is not None else name == "web_search"
            self.switches[name].setChecked(is_on or (self._locked and name == "redact_pii"))
        self.options.show_values(draft.preferences, draft.agent_id)
        self._show_parts()
        self._filling = False
        self._show_state()
        if draft.edits != self._edits:
            self._edits = draft.edits
            self.edits_changed.emit()

    def attach(self, attachments: Sequence[Attachment]) -> None:
        """Add files to the draft; one that is there already stays once."""
        self._take(self.draft().with_files(attachments))

    def quote(self, text: str) -> None:
        """Quote a passage with the next message, after those that are quoted already."""
        self._take(self.draft().with_quotes(text))
        self.field.setFocus()

    def put_text(self, text: str) -> None:
        """Put text where the cursor is, in place of the word that a list completed."""
        self.field.take_word()
        self.field.insertPlainText(text)
        self.field.setFocus()

    def show_models(self, models: Sequence[Model]) -> None:
        """Offer these models."""
        self._models = models
        self._show_parts()

    def show_switches(self, names: Sequence[str]) -> None:
        """Show only the switches that do something on this account."""
        self._offered = set(names)
        self.tools.show_switches(names)

    def show_styles(self, styles: Mapping[str, Preferences]) -> None:
        """Offer these styles."""
        self.options.show_styles(styles)

    def use_model(self, model: str | None) -> None:
        """Let this model answer from now on; None for the service's default."""
        self._change(model=model, comparison=None)

    def show_streaming(self, streaming: bool) -> None:
        """Offer Stop while a reply is under way, Send else."""
        self._streaming = streaming
        self._show_state()

    def show_chat(self, *, continuing: bool, kept: bool, taken: bool = False) -> None:
        """Whether the chat has begun, is written down, and (`taken`) may go on with all that it began with."""
        self._unsure = continuing and not taken
        self.options.show_kept(kept, not continuing)
        self.tools.say_tips(unsure=self._unsure, locked=self._locked)

    def lock_redaction(self, locked: bool) -> None:
        """Where redaction is the account's rule, nobody can switch it off here."""
        self._locked = locked
        made = self.switches["redact_pii"]
        made.setEnabled(not locked)
        made.setChecked(locked or bool(self._draft.redact_pii))
        self.tools.say_tips(unsure=self._unsure, locked=locked)

    def _build(self) -> None:
        self.waiting = WaitingRows()
        self.held = Held()
        self.field = TextField()
        self.tools = Tools()
        self.switches, self.clip, self.model = self.tools.switches, self.tools.clip, self.tools.model
        self.send, self.stop = self.tools.send, self.tools.stop
        self.setLayout(column(self.waiting, self.held, self.field, self.tools, spacing=4, margins=(12, 10, 12, 10)))
        self.completions = Completions(self.field, self)
        self.models = ModelPicker(self)
        self.options = Options(self)
        self.comparing = Comparing(self)
        self._pause = QTimer(self, singleShot=True, interval=self.PAUSE)

    def _connect(self) -> None:
        self._pause.timeout.connect(self._tell)
        self.field.textChanged.connect(self._typed)
        self.field.entered.connect(self._send)
        self.field.files_pasted.connect(self.files_pasted)
        self.field.image_pasted.connect(self.image_pasted)
        self.field.long_pasted.connect(self.long_pasted)
        self.field.up_pressed.connect(self._go_up)
        self.field.focused.connect(self._focused)
        self.held.detached.connect(self._detach)
        self.held.unquoted.connect(self._unquote)
        self.models.chosen.connect(self._take_model)
        self.comparing.chosen.connect(lambda comparison: self._change(comparison=comparison))
        self.options.changed.connect(lambda said, agent: self._change(preferences=said, agent_id=agent))
        self._connect_tools()
        theme.changed.connect(self.field.refit)

    def _connect_tools(self) -> None:
        tools = self.tools
        tools.send.clicked.connect(self._send)
        tools.stop.clicked.connect(self.field.setFocus)
        tools.queue.clicked.connect(self._send)
        tools.stop.clicked.connect(self.stopped)
        tools.clip.clicked.connect(self._offer_files)
        tools.model.clicked.connect(self._offer_models)
        tools.options.clicked.connect(self._offer_options)
        self.switches["compare"].clicked.connect(self._offer_comparison)
        for made in self.switches.values():
            made.toggled.connect(self._typed)

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

    def _tell(self) -> None:
        self.edited.emit(self.draft())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = 8 if self.width() < theme.px(340) else 12  # in the smallest window each pixel is a letter
        self.layout().setContentsMargins(side, 10, side, 10)

    def hideEvent(self, event: QHideEvent) -> None:
        """The window closes, or another pane comes: what was typed in the last moment is told as well."""
        if self._pause.isActive():
            self._pause.stop()
            self._tell()
        super().hideEvent(event)

    def _take_model(self, key: str) -> None:
        self._change(model=key or None, comparison=None)
        self.field.setFocus()

    def _change(self, **values: object) -> None:
        self._take(self.draft().model_copy(update=values))

    def _take(self, draft: Draft) -> None:
        self._draft = draft
        self._show_parts()
        self._typed()

    def _send(self) -> None:
        draft = self.draft()
        if not draft.is_empty:
            self.field.setFocus()  # before the button that was pressed goes grey and hands the focus on
            self.show_draft(draft.next_turn())
            self.sent.emit(draft)

    def _show_state(self) -> None:
        self.tools.show_state(streaming=self._streaming, has_text=not self.field.is_blank())

    def _show_parts(self) -> None:
        draft = self._draft
        self.held.show_draft(draft)
        self._show_model()
        self.switches["compare"].setChecked(draft.comparison is not None)
        self.tools.options.setChecked(bool(draft.preferences or draft.agent_id))

    def _show_model(self) -> None:
        """Name who answers; one that the service does not offer any more is marked."""
        model = next((m for m in self._models if m.id == self._draft.model), None)
        name = (model.label if model else self._draft.model) or self.tr("Service default")
        is_gone = bool(self._draft.model and self._models) and not (model and model.is_available)
        if self._draft.comparison:
            self.tools.show_model(self.tr("2 models"))
        else:
            gone = self.tr("{name} is not available now: choose another model.").format(name=name)
            self.tools.show_model(name, tip=gone if is_gone else "")

    def _detach(self, number: int) -> None:
        self.field.setFocus()  # the chip that was pressed goes
        kept = [a for n, a in enumerate(self._draft.attachments) if n != number]
        self._change(attachments=tuple(kept))

    def _unquote(self, number: int) -> None:
        self.field.setFocus()
        kept = [text for n, text in enumerate(self._draft.quotes) if n != number]
        self._change(quotes=tuple(kept))

    def _offer_files(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("chat.attach.menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("From this computer…"), self.attach_asked.emit)
        menu.addAction(self.tr("From the library…"), self.library_asked.emit)
        clip = self.tools.clip
        menu.popup(clip.mapToGlobal(QPoint(0, -menu.sizeHint().height() - theme.px(4))))

    def _offer_models(self) -> None:
        self.models.open_with(self._models, self._draft.model or "", self.tools.model)

    def _offer_comparison(self) -> None:
        chip = self.switches["compare"]
        chip.setChecked(self._draft.comparison is not None)
        self.comparing.open_with(self._models, self._draft.comparison, self._draft.model or "", chip)

    def _offer_options(self) -> None:
        self.tools.options.setChecked(bool(self._draft.preferences or self._draft.agent_id))
        self.options.open_above(self.tools.options)
        self.options.style.setFocus()

    def _go_up(self) -> None:
        if not (self._draft.attachments or self._draft.quotes):
            self.up_pressed.emit()

    def _focused(self, focused: bool) -> None:
        self.setProperty("focused", focused)
        restyle(self)
