"""Joins the details panel to the session: which file it shows, and its preview once that was fetched."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from carrel.model import LibraryFile, ServiceError

if TYPE_CHECKING:
    from carrel.ui.library.details import Details
    from carrel.ui.library.fetching import Fetching
    from carrel.ui.library.presenter import LibraryPresenter


class DetailsPresenter(QObject):
    """Shows one file; the panel follows the selection while it is open."""

    def __init__(self, presenter: LibraryPresenter, fetching: Fetching) -> None:
        super().__init__(presenter)
        self._presenter, self._fetching = presenter, fetching
        self._library = presenter.session.library
        self._made: Details | None = None
        self._file: LibraryFile | None = None
        self._told_then: object = None

    @property
    def _panel(self) -> Details:
        """The panel; it is made when it is first shown, so that the first rows need not wait for it."""
        if self._made is None:
            from carrel.ui.library.details import Details

            self._made = Details()
            self._made.acted.connect(self._act)
            self._made.closed.connect(self._closed)
            self._made.preview.linked.connect(self._presenter.shell.open_link)
            self._presenter.pane.add_details(self._made)
        return self._made

    @property
    def _shown_id(self) -> str:
        return self._made.file_id if self._made is not None else ""

    def toggle(self, file_id: str) -> None:
        """Show a file, or put the panel away where it shows that file already."""
        if self._shown_id == file_id:
            self._panel.put_away()
        else:
            self.show(file_id)

    def follow(self, file_id: str) -> None:
        """Show a file where the panel is open."""
        if self._shown_id not in {"", file_id}:
            self.show(file_id)

    def show(self, file_id: str) -> None:
        """Show a file."""
        file = self._library.file(file_id)
        if file is None:
            return
        from carrel.work.previews import has_preview

        self._say(file)
        if has_preview(file):
            self._panel.preview.say(self.tr("Fetching the preview…"))
            self._presenter.start("library.preview", self._preview(file))
        else:
            self._presenter.session.tasks.cancel("library.preview")
            self._panel.preview.say(self.tr("Files of this type are not shown here. Open the file to see it."))

    def refresh(self) -> None:
        """Show what the service has said since of the file that is shown; its preview stays as it is."""
        if self._file is None or not self._shown_id or self._told(self._file.id) in {None, self._told_then}:
            return
        former, file = self._file, self._library.file(self._file.id)
        if file is None:
            return
        if file.download_link and not former.download_link:  # only now is there something to preview
            self.show(file.id)
        else:
            self._say(file)

    def downloaded(self, row_id: str) -> None:
        """A download has moved: offer its folder once the file is whole."""
        row = self._presenter.session.downloads.row(row_id)
        if self._made is not None and row is not None and row.origin == f"library:{self._shown_id}":
            self._made.show_copy(self._fetching.copy_of(self._shown_id) is not None)

    def close(self) -> bool:
        """Put the panel away; False where it was not open."""
        if not self._shown_id:
            return False
        self._panel.put_away()
        return True

    def _say(self, file: LibraryFile) -> None:
        self._file, self._told_then = file, self._told(file.id)
        self._panel.show_file(file)
        self._panel.show_copy(self._fetching.copy_of(file.id) is not None)

    def _told(self, file_id: str) -> object:
        """What the listing says of a file in short; None where it is there no more."""
        number = self._library.catalog.find(file_id)
        return None if number is None else self._library.catalog.entry(number)

    def _closed(self) -> None:
        self._presenter.session.tasks.cancel("library.preview")
        self._presenter.pane.table.setFocus()

    async def _preview(self, file: LibraryFile) -> None:
        from carrel.work.previews import preview

        try:
            found = await preview(self._presenter.session.context, file)
        except ServiceError as error:
            if self._panel.file_id == file.id:
                self._panel.preview.say(f"{error.title}. {error.message}")
            return
        picture = None
        if found.kind == "image":
            from carrel.ui.library.preview import read_picture

            picture = await asyncio.to_thread(read_picture, found.path)
        if self._panel.file_id == file.id:
            self._panel.preview.show_preview(found, picture)

    def _act(self, key: str) -> None:
        file = self._library.file(self._panel.file_id)
        if file is None:
            return
        match key:
            case "open":
                self._fetching.open(file.id)
            case "save":
                self._fetching.save_as(file.id, file.file_name)
            case "folder":
                self._fetching.show_in_folder(file.id)
            case "link":
                self._fetching.copy_link(file.id)
