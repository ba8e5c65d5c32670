"""Files on their way into the library: dragged over it, dropped, chosen, and what is said of those left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QWidget

from carrel.ui.library.words import folder_words

if TYPE_CHECKING:
    from carrel.ui.library.presenter import LibraryPresenter
    from carrel.work.looking import LeftOut


class Arriving(QObject):
    """Takes them into the folder that is shown, or into the one that they are let go on."""

    def __init__(self, presenter: LibraryPresenter) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._uploads = presenter.session.uploads
        self._under_mouse = ""
        self._left_out = ""
        presenter.hear(self._uploads.looked, self._say_left_out)

    def dragged(self, at: QPoint | None) -> QWidget:
        """They are over this place of the screen, or gone; the part of the pane that lights up."""
        pane = self._presenter.pane
        folders = pane.sidebar.folders
        self._under_mouse = folders.folder_below(at) if at is not None else ""
        folders.mark(self._under_mouse)
        return pane.work

    @property
    def folder(self) -> str:
        """Where they would go if they were let go now."""
        return self._under_mouse or self._presenter.folder

    def words(self) -> str:
        """What letting go would do; empty where they go to the top of the library."""
        words = self.tr("Drop to upload into {folder}")
        return words.format(folder=folder_words(self.folder)) if self.folder else ""

    def drop(self, paths: Sequence[Path]) -> None:
        """They were let go."""
        self.add(paths, self._under_mouse or None)

    def add(self, paths: Sequence[Path], folder: str | None = None) -> None:
        """Upload files and folders, into the folder that is shown unless another is given."""
        self._presenter.pane.tray.bring("uploads")
        where = self._presenter.folder if folder is None else folder
        self._presenter.start_beside("library.add", self._add(list(paths), where))

    async def _add(self, paths: list[Path], folder: str) -> None:
        if await self._uploads.add(paths, folder) or not paths:
            return
        if len(paths) == 1:
            nothing = self.tr("There is nothing to upload in {name}.").format(name=paths[0].name)
        else:
            nothing = self.tr("There is nothing to upload in these folders.")
        self._presenter.shell.toast(f"{nothing} {self._left_out}".strip())

    def _say_left_out(self, left_out: LeftOut) -> None:
        parts = []
        if left_out.hidden:
            parts.append(self.tr("{n} hidden").format(n=left_out.hidden))
        if left_out.links == 1:
            parts.append(self.tr("1 link that leaves the folder"))
        elif left_out.links:
            parts.append(self.tr("{n} links that leave the folder").format(n=left_out.links))
        if left_out.repeats == 1:
            parts.append(self.tr("1 folder that is sent anyway"))
        elif left_out.repeats:
            parts.append(self.tr("{n} folders that are sent anyway").format(n=left_out.repeats))
        self._left_out = self.tr("Left out: {what}.").format(what=", ".join(parts)) if parts else ""
        if parts:
            self._presenter.shell.toast(self._left_out)
