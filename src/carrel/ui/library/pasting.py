"""Pasting into the library: files as they are, a picture as PNG, a text as a text file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QImage, QKeyEvent, QKeySequence, QShortcut

from carrel.work.uploadspasted import upload_pasted

if TYPE_CHECKING:
    from carrel.ui.library.presenter import LibraryPresenter


class Pasting(QObject):
    """Takes what the clipboard holds into the folder that is shown, wherever in the pane the focus is.

    A field takes text for itself; files that are pasted into the filter are uploaded all the same.
    """

    def __init__(self, presenter: LibraryPresenter) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        pane = presenter.pane
        QShortcut(QKeySequence.StandardKey.Paste, pane).activated.connect(self.paste)
        pane.filter.installEventFilter(self)

    def paste(self) -> None:
        """Upload it; of several forms that the clipboard has of one thing, the richest."""
        held = QGuiApplication.clipboard().mimeData()
        if paths := _paths():
            self._presenter.add(paths)
        elif held.hasImage():
            self.add_picture(QGuiApplication.clipboard().image(), self._presenter.folder)
        elif text := held.text():
            name = self.tr("Pasted text {when}.txt")
            self._write(name, lambda file: file.write_text(text, "utf-8"), self._presenter.folder)
        else:
            self._presenter.shell.toast(self.tr("There is nothing on the clipboard that could be uploaded."))

    def add_picture(self, picture: QImage, folder: str) -> None:
        """Upload a picture as a PNG."""
        self._write(self.tr("Pasted image {when}.png"), lambda file: picture.save(str(file), "PNG"), folder)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep files out of the filter's text."""
        is_key = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if is_key and event.matches(QKeySequence.StandardKey.Paste) and _paths():
            self.paste()
            return True
        return False

    def _write(self, name: str, write: Callable[[Path], object], folder: str) -> None:
        now = datetime.now()  # noqa: DTZ005  # the person's own clock, in a file name
        self._presenter.pane.tray.bring("uploads")
        work = self._upload(name.format(when=f"{now:%Y-%m-%d %H.%M.%S}"), write, folder)
        self._presenter.start_beside("library.paste", work)

    async def _upload(self, name: str, write: Callable[[Path], object], folder: str) -> None:
        session, cache = self._presenter.session, self._presenter.shell.desk.paths.cache
        try:
            await upload_pasted(session.uploads, cache, name, write, folder)
        except OSError as error:
            words = self.tr("What was pasted could not be written to a file: {why}")
            self._presenter.shell.toast(words.format(why=error))


def _paths() -> list[Path]:
    """The files and folders of this computer that the clipboard holds."""
    held = QGuiApplication.clipboard().mimeData()
    return [Path(url.toLocalFile()) for url in held.urls() if url.isLocalFile()]
