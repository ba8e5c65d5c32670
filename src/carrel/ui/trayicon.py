"""Notifications on Windows and macOS: an icon in the tray says them, and is there only as long as it has to."""

from __future__ import annotations

from psygnal import Signal
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from carrel.ui.icons import app_icon


class TrayIcon:
    """Shows one notification at a time. `clicked` gives its key and, as no token is needed here, nothing more."""

    clicked = Signal(str, str)
    looked = Signal(bool)

    def __init__(self) -> None:
        """The icon is made with the first notification."""
        self._icon: QSystemTrayIcon | None = None
        self._key = ""

    def look(self) -> None:
        """Find out whether there is a tray that shows notifications."""
        self.looked.emit(_is_there())

    def show(self, key: str, title: str, text: str, press: str) -> None:
        """Show a notification; a press on it or on the icon is a click, so there is no button for `press`."""
        if not _is_there():
            return
        self._icon = self._icon or self._made()
        self._key = key
        self._icon.show()
        self._icon.showMessage(title, text, app_icon())

    def _made(self) -> QSystemTrayIcon:
        made = QSystemTrayIcon(app_icon())
        made.setToolTip("Carrel")
        made.messageClicked.connect(self._press)
        made.activated.connect(self._press)
        QApplication.instance().applicationStateChanged.connect(self._looked_at)
        return made

    def _press(self) -> None:
        self.clicked.emit(self._key, "")

    def _looked_at(self, state: Qt.ApplicationState) -> None:
        """The person is back: nothing is left to be said out there."""
        if state == Qt.ApplicationState.ApplicationActive and self._icon is not None:
            self._icon.hide()


def _is_there() -> bool:
    return QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()
