"""Joins the details panel to the session: which file it shows, and its preview once that was fetched."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from carrel.model import LibraryFile, ServiceError
from carrel.ui.library.preview import read_picture
from carrel.work.previews import has_preview, preview

if TYPE_CHECKING:
    from carrel.ui.library.filemenu import FileMenu
    from carrel.ui.library.presenter import LibraryPresenter


class DetailsPresenter(QObject):
    """Shows one file; the panel follows the selection while it is open."""

    def __init__(self, presenter: LibraryPresenter, menu: FileMenu) -> None:
        super().__init__(presenter)
        self._presenter, self._menu = presenter, menu
        self._library = presenter.session.library
        self._panel = presenter.pane.details
        self._panel.acted.connect(self._act)
        self._panel.closed.connect(lambda: presenter.session.tasks.cancel("library.preview"))

    def toggle(self, file_id: str) -> None:
        """Show a file, or put the panel away where it shows that file already."""
        if self._panel.file_id == file_id:
            self._panel.put_away()
        else:
            self.show(file_id)

    def follow(self, file_id: str) -> None:
        """Show a file where the panel is open."""
        if self._panel.file_id not in {"", file_id}:
            self.show(file_id)

    def show(self, file_id: str) -> None:
        """Show a file."""
        file = self._library.file(file_id)
        if file is None:
            return
        self._panel.show_file(file)
        if has_preview(file):
            self._panel.preview.say(self.tr("Fetching the preview…"))
            self._presenter.start("library.preview", self._preview(file))
        else:
            self._panel.preview.say(self.tr("Files of this type are not shown here. Open the file to see it."))

    def close(self) -> bool:
        """Put the panel away; False where it was not open."""
        if not self._panel.file_id:
            return False
        self._panel.put_away()
        return True

    async def _preview(self, file: LibraryFile) -> None:
        try:
            found = await preview(self._presenter.session.context, file)
        except ServiceError as error:
            self._panel.preview.say(f"{error.title}. {error.message}")
            return
        picture = await asyncio.to_thread(read_picture, found.path) if found.kind == "image" else None
        if self._panel.file_id == file.id:
            self._panel.preview.show_preview(found, picture)

    def _act(self, key: str) -> None:
        file = self._library.file(self._panel.file_id)
        if file is None:
            return
        match key:
            case "open":
                self._menu.open(file.id)
            case "save":
                self._menu.save_as(file.id, file.file_name)
            case "link":
                self._menu.copy_link(file.id)
