"""Files that are dragged over the window: what of it lights up, what a drop would do, and the drop itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from carrel.ui.dropveil import DropVeil

if TYPE_CHECKING:
    from carrel.ui.presenter import Presenter


class Dropping(QObject):
    """Asks the pane in front; `upload` takes what that has no use of its own for, and an empty folder."""

    def __init__(
        self,
        window: QWidget,
        veil: DropVeil,
        front: Callable[[], Presenter | None],
        upload: Callable[[list[Path], str], None],
    ) -> None:
        super().__init__(window)
        self._window, self._veil, self._front, self._upload = window, veil, front, upload

    def move(self, event: QDragMoveEvent) -> None:
        """They came in, or moved on; what is dragged out of this window has nothing to do here."""
        paths, presenter = _local_paths(event), self._front()
        if not paths or presenter is None or event.source() is not None:
            event.ignore()
            return
        lit = presenter.dragged(self._window.mapToGlobal(event.position().toPoint()))
        self._veil.say(presenter.drop_words(paths) or self.tr("Drop to upload to the library"), lit)
        event.acceptProposedAction()

    def leave(self) -> None:
        """They are gone."""
        self._veil.hide()
        if presenter := self._front():
            presenter.dragged(None)

    def drop(self, event: QDropEvent) -> None:
        """They were let go."""
        paths, presenter = _local_paths(event), self._front()
        if not paths or presenter is None:
            self.leave()
            return
        event.acceptProposedAction()
        presenter.dragged(self._window.mapToGlobal(event.position().toPoint()))
        if presenter.drop_words(paths):
            presenter.dropped(paths)
        else:
            self._upload(paths, "")
        self.leave()


def _local_paths(event: QDropEvent) -> list[Path]:
    mime = event.mimeData()
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()] if mime.hasUrls() else []
