"""Whatever is opened in it, Carrel is one window: no part of a pane is one for a moment, and takes the focus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from carrel.ui.window import PLACES
from stage import Stage, application, play


class Windows(QObject):
    """Notes the name of every widget that is shown as a window."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802  # Qt's own name
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.names.append(watched.objectName())
        return False


@pytest.fixture
def windows() -> Iterator[Windows]:
    made = Windows()
    application().installEventFilter(made)
    yield made
    application().removeEventFilter(made)


def test_every_pane_opens_within_the_window(tmp_path: Path, windows: Windows) -> None:
    async def story(stage: Stage) -> None:
        for place in PLACES:
            stage.window.go(place.key)
            await stage.hand.settle()

    play(tmp_path, story)
    assert windows.names == ["window"]
