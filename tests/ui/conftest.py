"""For every test of a widget: one application, dressed in the light theme, and nothing left on the screen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.composer import Composer
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


@pytest.fixture
def window() -> Iterator[QWidget]:
    made = QWidget()
    made.setLayout(QVBoxLayout())
    made.resize(760, 500)
    made.layout().addStretch(1)
    yield made
    made.close()


@pytest.fixture
def composer(window: QWidget) -> Composer:
    made = Composer()
    window.layout().addWidget(made)
    window.show()
    window.activateWindow()
    made.field.setFocus()
    return made
