"""The less common options: how a reply should sound, as named styles, which agent, whether the chat is kept."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from carrel.model.chat import Preferences
from carrel.ui.theme import theme
from carrel.ui.widgets.choice import Choice
from carrel.ui.widgets.composer.popup import Popup
from carrel.ui.widgets.controls import Switch, button, column, label, named, row

FIELDS = ("language", "output_style", "tones", "character")
"""The keys of `preferences` in the document; what they take is not shown there, so each is free text."""


class Options(Popup):
    """`changed` tells the preferences (or None) and the agent's id. Styles are told by their names."""

    changed = Signal(object, str)
    style_saved = Signal(str, object)
    style_deleted = Signal(str)
    kept_changed = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "chat.options.popup", self.tr("Options"))
        self._styles: Mapping[str, Preferences] = {}
        self._build()
        self._connect()

    def preferences(self) -> Preferences | None:
        """What the fields say; None where they say nothing."""
        said = {name: field.text().strip() for name, field in self.fields.items()}
        said = {name: text for name, text in said.items() if text}
        return Preferences(**said) if said else None

    def show_values(self, preferences: Preferences | None, agent_id: str) -> None:
        """Show what a draft holds."""
        for name, field in self.fields.items():
            value = getattr(preferences, name) if preferences else None
            field.setText(value if isinstance(value, str) else ", ".join(value or ()))
        self.agent.setText(agent_id)
        self._point()

    def show_styles(self, styles: Mapping[str, Preferences]) -> None:
        """Offer these styles."""
        self._styles = styles
        self.style.blockSignals(True)
        self.style.clear()
        self.style.addItem(self.tr("No style"), "")
        for name in styles:
            self.style.addItem(name, name)
        self.style.blockSignals(False)
        self._point()

    def show_kept(self, kept: bool, can_change: bool) -> None:
        """Whether the chat is kept, and whether that can still be said (before its first message)."""
        self.unkept.blockSignals(True)
        self.unkept.setChecked(not kept)
        self.unkept.blockSignals(False)
        self.unkept.setEnabled(can_change)

    def open_above(self, anchor: QWidget) -> None:
        """As wide as the size of the text at this moment wants it."""
        self.setFixedWidth(min(theme.px(340), anchor.screen().availableGeometry().width()))
        super().open_above(anchor)

    def _build(self) -> None:
        words = {
            "language": (self.tr("Language"), self.tr("such as German")),
            "output_style": (self.tr("Output style"), self.tr("such as bullet points")),
            "tones": (self.tr("Tones"), self.tr("such as friendly, brief")),
            "character": (self.tr("Character"), self.tr("such as a careful lawyer")),
        }
        self.style = Choice("chat.style", self.tr("Style"))
        self.name = _line("chat.style.name", self.tr("Name of the style"), self.tr("Name, to save what stands below"))
        self.save = button(self.tr("Save as"), "chat.style.save")
        self.delete = button(self.tr("Delete"), "chat.style.delete", kind="quiet")
        self.fields = {key: _line(f"chat.{key}", *words[key]) for key in FIELDS}
        self.agent = _line("chat.agent_id", self.tr("Agent id"), self.tr("the id of one agent of the service"))
        self.sound = QWidget()
        self.unkept = Switch(self.tr("Do not keep this chat"), "chat.unkept")
        self.unkept.setToolTip(self.tr("Before the first message only. It is gone when Carrel closes."))
        chosen = row(self.style, self.delete)
        chosen.setStretch(0, 1)
        body = column(_pair(self.tr("Style"), chosen), row(self.name, self.save), spacing=8)
        for key, field in self.fields.items():
            body.addLayout(_pair(words[key][0], field))
        body.addLayout(_pair(self.tr("Agent id"), self.agent))
        self.sound.setLayout(body)
        self.setLayout(column(self.sound, self.unkept, spacing=8, margins=(14, 12, 14, 12)))

    def _connect(self) -> None:
        for field in (*self.fields.values(), self.agent):
            field.textEdited.connect(self._tell)
        self.style.currentIndexChanged.connect(self._take_style)
        self.save.clicked.connect(self._save)
        self.name.returnPressed.connect(self._save)
        self.name.textChanged.connect(lambda _: self._allow())
        self.delete.clicked.connect(lambda: self.style_deleted.emit(self.style.currentData()))
        self.unkept.toggled.connect(lambda on: self.kept_changed.emit(not on))

    def _tell(self) -> None:
        self._point()
        self.changed.emit(self.preferences(), self.agent.text().strip())

    def _take_style(self) -> None:
        self.show_values(self._styles.get(self.style.currentData()), self.agent.text().strip())
        self.changed.emit(self.preferences(), self.agent.text().strip())

    def _save(self) -> None:
        name, held = self.name.text().strip(), self.preferences()
        if name and held is not None:
            self.name.clear()
            self.style_saved.emit(name, held)

    def _point(self) -> None:
        """Show the name of the style that the fields say."""
        held = self.preferences()
        name = next((n for n, style in self._styles.items() if style == held), "")
        self.style.blockSignals(True)
        self.style.setCurrentIndex(max(0, self.style.findData(name)))
        self.style.blockSignals(False)
        self._allow()

    def _allow(self) -> None:
        self.delete.setEnabled(bool(self.style.currentData()))
        self.save.setEnabled(bool(self.name.text().strip()) and self.preferences() is not None)


def _line(object_name: str, accessible: str, placeholder: str) -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText(placeholder)
    named(made, object_name, accessible)
    return made


def _pair(words: str, control: object) -> object:
    return column(label(words, "field"), control, spacing=3)
