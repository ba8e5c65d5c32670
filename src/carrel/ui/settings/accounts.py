"""The accounts in the settings: the kept ones with what can be done with each, and the way to the built-in service."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from carrel.ui.widgets.controls import Tag, button, column, frame, label, row


@dataclass(frozen=True, slots=True)
class Kept:
    """A row: `words` say more of the account; the built-in service is no account that could be removed."""

    id: str
    name: str
    words: str
    is_open: bool
    is_built_in: bool = False


class AccountList(QWidget):
    """`chosen` tells what is wanted of which account: open, again (sign in again) or remove."""

    chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(12)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self.built_in = button("", "settings.built_in")
        self.setLayout(column(self._rows, row(self.built_in, 1), spacing=12))

    def fill(self, accounts: Sequence[Kept]) -> None:
        """List these."""
        while taken := self._rows.takeAt(0):
            taken.widget().deleteLater()
        if not accounts:
            self._rows.addWidget(label(self.tr("No account is kept yet."), "muted"))
        for account in accounts:
            self._rows.addWidget(self._row(account))

    def show_built_in(self, is_open: bool, runs: bool) -> None:
        """Offer the built-in service where it is not open, and where it has ended."""
        words = self.tr("Start the built-in service again") if is_open else self.tr("Open the built-in service")
        self.built_in.setText(words)
        self.built_in.setAccessibleName(words)
        self.built_in.setVisible(not (is_open and runs))

    def _row(self, account: Kept) -> QWidget:
        parts: list[QWidget] = [Tag(self.tr("Open"), "ok")] if account.is_open else []
        if not account.is_open:
            parts.append(self._button(account, "open", self.tr("Open")))
        if not account.is_built_in:
            parts.append(self._button(account, "again", self.tr("Sign in again"), "quiet"))
            parts.append(self._button(account, "remove", self.tr("Remove"), "quiet"))
        words = column(label(account.name, "bold"), label(account.words, "small"), spacing=2)
        return frame("card", "true", row(words, 1, *parts, margins=(14, 8, 8, 8)))

    def _button(self, account: Kept, verb: str, words: str, kind: str = "") -> QWidget:
        made = button(words, f"settings.{verb}.{account.id}", kind=kind, accessible=f"{words}: {account.name}")
        made.clicked.connect(lambda: self.chosen.emit(verb, account.id))
        return made
