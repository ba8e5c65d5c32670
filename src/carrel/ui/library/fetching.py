"""Brings files of the library to this computer: queues them, opens them when they are here, lets them be dragged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Qt, QUrl
from PySide6.QtGui import QDrag

from carrel.ui.library.words import name_words
from carrel.ui.widgets.notes import copy
from carrel.work.downloads import Wanted, local_name

if TYPE_CHECKING:
    from carrel.model.transfers import Transfer
    from carrel.ui.library.presenter import LibraryPresenter

BREATH = 100
"""Files that are looked up at a stretch, before the window has its turn."""


class Fetching(QObject):
    """Acts for the library's presenter."""

    def __init__(self, presenter: LibraryPresenter) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._session, self._shell = presenter.session, presenter.shell
        self._library, self._downloads = presenter.session.library, presenter.session.downloads

    def open(self, file_id: str) -> None:
        """Open the copy that was downloaded, or download one and open it then: asked again meanwhile, that one."""
        key = f"library.openfile.{file_id}"
        if not self._session.tasks.running(key):
            self._presenter.start(key, self._open(file_id))

    def copy_of(self, file_id: str) -> Transfer | None:
        """The download that is whole, and whose file is still there."""
        return self._downloads.whole(_origin(file_id))

    def show_in_folder(self, file_id: str) -> None:
        """Open the folder that holds the copy which was downloaded."""
        if row := self.copy_of(file_id):
            self._shell.show_in_folder(Path(row.path))

    def download(self, file_ids: Sequence[str]) -> None:
        """Queue downloads."""
        self._presenter.pane.tray.bring("downloads")
        self._presenter.start_beside("library.download", self._download(list(file_ids)))

    def save_as(self, file_id: str, name: str) -> None:
        """Let the user say where a file goes."""

        def save(places: list[Path]) -> None:
            self._presenter.start_beside("library.download", self._save(file_id, places[0]))

        self._shell.choose_target(self.tr("Save as"), local_name(name), save)

    def drag(self, file_ids: Sequence[str]) -> None:
        """Drag files out of the window; what is not on this computer yet is downloaded first."""
        here = self._downloads.whole_of(map(_origin, file_ids))
        missing = [i for i in file_ids if _origin(i) not in here]
        if missing:
            self._bring(missing)
            self._shell.toast(self.tr("The files are being downloaded. Drag them once they are here."))
            return
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(here[_origin(i)].path) for i in file_ids])
        drag = QDrag(self._presenter.pane.table)
        drag.setMimeData(mime)
        drag.exec(Qt.DropAction.CopyAction)  # begun by the mouse, never by a coroutine; Qt has no other way

    def copy_link(self, file_id: str) -> None:
        """Put a file's address on the clipboard."""
        file = self._library.file(file_id)
        link = self._library.link(file) if file else ""
        if link:
            copy(link)
            self._shell.toast(self.tr("The link is copied. It works with your credentials only."))
        elif file is not None:
            self._say_no_link([file.file_name])

    def _bring(self, file_ids: Sequence[str]) -> None:
        """Download what nobody has asked for yet, and let go on what has stopped."""
        begun = self._downloads.begun(map(_origin, file_ids))
        self.download([i for i in file_ids if _origin(i) not in begun])
        for row in begun.values():
            self._presenter.start_beside("library.go_on", self._go_on(row))

    async def _go_on(self, row: Transfer) -> None:
        await self._downloads.resume(row.id)
        if row.state in {"failed", "interrupted"}:
            await self._downloads.retry(row.id)

    async def _open(self, file_id: str) -> None:
        row = self.copy_of(file_id)
        if row is None:
            begun = self._downloads.begun([_origin(file_id)]).get(_origin(file_id))
            if begun is None:
                self._presenter.pane.tray.bring("downloads")
                await self._download([file_id])
                begun = self._downloads.begun([_origin(file_id)]).get(_origin(file_id))
            else:
                await self._go_on(begun)
            row = await self._downloads.wait(begun.id) if begun else None
        if row is not None:
            self._shell.open_file(Path(row.path))

    async def _save(self, file_id: str, place: Path) -> None:
        for one in await self._wanted([file_id]):
            await self._downloads.fetch_as(one.url, place, origin=one.origin)

    async def _download(self, file_ids: Sequence[str]) -> None:
        if wanted := await self._wanted(file_ids):
            await self._downloads.fetch_all(wanted)

    async def _wanted(self, file_ids: Sequence[str]) -> list[Wanted]:
        """What the service says of these files; what it gives no link for is told."""
        wanted, without = [], []
        for number, file_id in enumerate(file_ids, 1):
            file = self._library.file(file_id)
            link = self._library.link(file) if file else ""
            if file and link:
                wanted.append(Wanted(link, file.file_name, _origin(file_id)))
            elif file:
                without.append(file.file_name)
            if not number % BREATH:
                await asyncio.sleep(0)
        self._say_no_link(without)
        return wanted

    def _say_no_link(self, names: Sequence[str]) -> None:
        if len(names) == 1:
            self._shell.toast(self.tr("The service gave no link to {name}.").format(name=name_words(names[0])))
        elif names:
            self._shell.toast(self.tr("The service gave no link to {n} of the files.").format(n=len(names)))


def _origin(file_id: str) -> str:
    """What the queue of downloads calls a file of the library."""
    return f"library:{file_id}"
