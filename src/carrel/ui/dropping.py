"""Files and pictures dragged over the window: what of it lights up, what a drop would do, and the drop itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QWidget

from carrel.ui.dropveil import DropVeil
from carrel.ui.presenter import Presenter, UploadPicture

if TYPE_CHECKING:
    from carrel.ui.shell import Shell


class Dropping(QObject):
    """Asks the pane in front; what that has no use of its own for goes to the library."""

    def __init__(
        self,
        window: QWidget,
        veil: DropVeil,
        front: Callable[[], Presenter | None],
        shell: Shell,
    ) -> None:
        super().__init__(window)
        self._window, self._veil, self._front, self._shell = window, veil, front, shell

    def move(self, event: QDragMoveEvent) -> None:
        """They came in, or moved on; what is dragged out of this window has nothing to do here."""
        mime, presenter = event.mimeData(), self._front()
        paths = _local_paths(mime)
        if not (paths or mime.hasImage()) or presenter is None or event.source() is not None:
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
        mime, presenter = event.mimeData(), self._front()
        paths = _local_paths(mime)
        if not (paths or mime.hasImage()) or presenter is None:
            self.leave()
            return
        event.acceptProposedAction()
        presenter.dragged(self._window.mapToGlobal(event.position().toPoint()))
        if not paths:
            self._take_picture(presenter, mime.imageData())
        elif presenter.drop_words(paths):
            presenter.dropped(paths)
        else:
            self._shell.upload(paths)
        self.leave()

    def _take_picture(self, presenter: Presenter, picture: object) -> None:
        if not isinstance(picture, QImage) or picture.isNull():
            self._shell.toast(self.tr("The picture that was dropped could not be read."))
        elif not presenter.dropped_picture(picture):
            self._shell.go("library", UploadPicture(picture))


def _local_paths(mime: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()] if mime.hasUrls() else []
