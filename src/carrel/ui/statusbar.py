"""The line at the bottom: which account and tenant, what is under way, what is left of the request budget."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import label, named, row, tip

if TYPE_CHECKING:
    from carrel.model import Budget
    from carrel.work.session import Session


class _Dot(QWidget):
    """Green while a session is open, red where its service has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.role = "faint"
        self.setFixedSize(8, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(theme.color(self.role))
            painter.setBrush(theme.color(self.role))
            painter.drawEllipse(self.rect().adjusted(1, 1, -1, -1))


class StatusBar(QFrame):
    """Listens to one session at a time."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "statusbar", self.tr("Status"))
        self._dot = _Dot()
        self._account = self._part("status.account")
        self._tenant = self._part("status.tenant")
        self._work = self._part("status.work")
        self._budget = self._part("status.budget")
        self._name = ""
        self._notes: dict[str, str] = {}
        self._session: Session | None = None
        self._limit = 0
        self._minute = QTimer(self, singleShot=True)
        self._minute.timeout.connect(lambda: self._say_left(self._limit))
        self.setLayout(
            row(self._dot, self._account, self._tenant, 1, self._work, self._budget, margins=(12, 0, 12, 0), spacing=8)
        )
        self.layout().insertSpacing(2, 8)
        self.setFixedHeight(theme.px(26))
        theme.follow(self, lambda: self.setFixedHeight(theme.px(26)))
        self.show_session(None)

    def show_session(self, session: Session | None) -> None:
        """Show which account is open, and follow its budget; of the one before nothing more is heard."""
        if self._session is not None:
            self._session.activity.budget_changed.disconnect(self.show_budget, missing_ok=True)
        self._session = session
        self._minute.stop()
        self._dot.role = "accent" if session else "faint"
        self._dot.update()
        self._notes.clear()
        self._show_notes()
        if session is None:
            self._account.setText(self.tr("Not connected"))
            self._tenant.hide()
            self._budget.hide()
            return
        account = session.account
        self._name = account.name or account.base_url.split("://")[-1]
        self._account.setText(self._name)
        tip(self._account, account.base_url)
        self._tenant.setText(self.tr("Tenant: {tenant}").format(tenant=account.tenant_id or self.tr("default")))
        self._tenant.show()
        session.activity.budget_changed.connect(self.show_budget)
        self.show_budget(session.activity.budget)

    def show_ended(self, ended: bool) -> None:
        """Say that the service of the open session has ended, or is there again."""
        if self._dot.role == "faint":
            return
        self._dot.role = "danger" if ended else "accent"
        self._dot.update()
        self._account.setText(self.tr("{account}: ended").format(account=self._name) if ended else self._name)

    def show_budget(self, budget: Budget) -> None:
        """Show what is left of this minute, and all of it once the minute is over.

        While calls wait for places, more is told without being asked for.
        """
        self._limit = budget.limit
        self._say_left(budget.left, budget.waiting)
        self._budget.show()
        if budget.resets_in and not budget.waiting:
            self._minute.start(ceil(1000 * budget.resets_in))
        else:
            self._minute.stop()

    def _say_left(self, left: int, waiting: int = 0) -> None:
        text = self.tr("{left} of {limit} requests left this minute").format(left=left, limit=self._limit)
        if waiting:
            text = self.tr("{text} · {n} waiting").format(text=text, n=waiting)
        self._budget.setText(text)

    def note(self, key: str, text: str) -> None:
        """Say what is under way (uploads, agents); an empty text takes it back."""
        self._notes[key] = text
        self._show_notes()

    def _show_notes(self) -> None:
        shown = " · ".join(t for t in self._notes.values() if t)
        self._work.setText(shown)
        self._work.setVisible(bool(shown))

    @staticmethod
    def _part(name: str) -> QLabel:
        made = label("")
        made.setObjectName(name)
        return made
