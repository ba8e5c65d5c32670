"""Whoever follows the theme follows it for as long as it lives, and no longer."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget

from carrel.ui.settings.pane import SettingsPane
from carrel.ui.statusbar import StatusBar
from carrel.ui.theme import theme
from carrel.ui.welcome.pane import WelcomePane


def test_a_follower_is_told_until_it_is_gone(app: QApplication) -> None:
    widget, told = QWidget(), []
    theme.follow(widget, lambda: told.append(theme.base))
    theme.choose("light", 1)
    assert told == [14]
    widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.choose("light", 2)
    assert told == [14]


def test_a_pane_that_was_dropped_does_not_hear_of_the_theme(app: QApplication) -> None:
    for kind in (StatusBar, WelcomePane, SettingsPane):
        pane = kind()
        pane.show()
        pane.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.choose("dark", 3)  # an exception in a slot would fail this test
    assert theme.dark
