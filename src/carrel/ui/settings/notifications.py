"""The settings of notifications: a switch for each kind, and whether this desktop shows any."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from carrel.ui.widgets.controls import Switch, column, label


class NotificationSwitches(QWidget):
    """`changed` tells a setting and its new value."""

    changed = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        words = {
            "notify_replies": self.tr("Replies"),
            "notify_agents": self.tr("Agent runs"),
            "notify_uploads": self.tr("Uploads"),
        }
        self.switches = {name: Switch(word, f"settings.{name}") for name, word in words.items()}
        for name, switch in self.switches.items():
            switch.toggled.connect(lambda on, n=name: self.changed.emit(n, on))
        when = self.tr(
            "When one of these ends and you do not see it, the desktop says so; while you work in Carrel, a word "
            "at the bottom of the window does."
        )
        what = self.tr("It tells titles and counts; of a chat that is not kept, nothing but that it has a reply.")
        self._found = label("", "small", wrap=True)
        self._found.setObjectName("settings.notifications_found")
        rows = (label(when, "small", wrap=True), *self.switches.values(), label(what, "small", wrap=True), self._found)
        self.setLayout(column(*rows, spacing=8))

    def show_settings(self, values: Mapping[str, bool]) -> None:
        """Show how they are set, without telling anyone."""
        for name, switch in self.switches.items():
            switch.blockSignals(True)
            switch.setChecked(values[name])
            switch.blockSignals(False)

    def show_found(self, found: bool) -> None:
        """Say whether the desktop shows notifications."""
        words = self.tr("This desktop shows notifications.")
        none = self.tr("This desktop has no notification service: nothing is told while you work elsewhere.")
        self._found.setText(words if found else none)
