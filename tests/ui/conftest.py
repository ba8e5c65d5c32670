"""For every test of a widget: one application, dressed in the light theme, and nothing left on the screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from carrel.ui.theme import theme
from stage import application


@pytest.fixture(autouse=True)
def app() -> Iterator[QApplication]:
    made = application()
    theme.choose("light", 0)
    yield made
    for widget in made.topLevelWidgets():
        widget.hide()
        widget.deleteLater()
    made.sendPostedEvents(None, QEvent.Type.DeferredDelete)
