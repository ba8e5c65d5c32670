"""Asks before an account is left where agents still run: their results would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

if TYPE_CHECKING:
    from carrel.work.session import Session

_tr = QCoreApplication.translate


def ask_to_leave(window: QWidget, session: Session | None, then: Callable[[], object]) -> None:
    """Do `then`, which ends `session`: at once where no agent runs there, else when a person says so."""
    running = sum(line.state == "running" for line in session.agents.lines()) if session else 0
    if not running:
        then()
        return
    title = _tr("leaving", "An agent is still running")
    if running > 1:
        title = _tr("leaving", "{n} agents are still running").format(n=running)
    box = QMessageBox(window)
    box.setObjectName("leaving")
    box.setIcon(QMessageBox.Icon.Question)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(title)
    box.setInformativeText(
        _tr(
            "leaving",
            "Carrel waits for results only while this account is open. If you leave it now, the service may go on, "
            "but what comes of it is lost here. What was asked is kept, and can be run again.",
        )
    )
    leave = box.addButton(_tr("leaving", "Leave"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(_tr("leaving", "Stay"), QMessageBox.ButtonRole.RejectRole))
    box.buttonClicked.connect(lambda pressed: pressed is leave and then())
    box.finished.connect(box.deleteLater)
    box.open()
