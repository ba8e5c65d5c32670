"""What can be done with files of the library beyond looking at them: menus, downloads, links, columns, a check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QPoint, Qt, QUrl
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QMenu

from carrel.model.transfers import Transfer
from carrel.ui.widgets.notes import copy
from carrel.work.checking import check, check_file

if TYPE_CHECKING:
    from carrel.ui.library.presenter import LibraryPresenter


class FileMenu(QObject):
    """Acts for the library's presenter, on the files that are selected in its table."""

    def __init__(self, presenter: LibraryPresenter) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._session, self._shell = presenter.session, presenter.shell
        self._library = presenter.session.library

    def files(self, at: QPoint) -> None:
        """The menu of the selected files."""
        count = len(self._presenter.documents())
        if not count:
            return
        menu = self._made()
        act = self._presenter.act
        first = self._presenter.documents()[0]
        if count == 1:
            menu.addAction(self.tr("Details"), lambda: self._presenter.details.show(first.id))
            menu.addAction(self.tr("Open"), lambda: self.open(first.id))
        menu.addAction(self.tr("Ask in a chat"), lambda: act("ask"))
        run = self.tr("Run an agent on it") if count == 1 else self.tr("Run an agent on them")
        menu.addAction(run, lambda: act("run"))
        menu.addAction(self.tr("Use in a workflow"), lambda: act("workflow"))
        menu.addSeparator()
        menu.addAction(self.tr("Download"), lambda: act("download"))
        if count == 1:
            menu.addAction(self.tr("Save as…"), lambda: self.save_as(first.id, first.name))
            if self.has_copy(first.id):
                menu.addAction(self.tr("Show in folder"), lambda: self.show_in_folder(first.id))
            menu.addAction(self.tr("Copy link"), lambda: self.copy_link(first.id))
            menu.addAction(self.tr("Check that it can be found"), lambda: self.check_file(first.id, first.name))
        menu.popup(at)

    def more(self, at: QPoint) -> None:
        """The menu of the pane."""
        menu = self._made()
        act = self._presenter.act
        menu.addAction(self.tr("Upload files…"), lambda: act("upload"))
        menu.addAction(self.tr("Upload a folder…"), lambda: act("upload_folder"))
        menu.addAction(self.tr("Upload what is on the clipboard"), lambda: act("paste"))
        menu.addSeparator()
        menu.addAction(self.tr("Refresh"), lambda: act("refresh"))
        run = menu.addAction(self.tr("Run an agent on the selected files"), lambda: act("run"))
        fill = menu.addAction(self.tr("Use the selected files in a workflow"), lambda: act("workflow"))
        for one in (run, fill):
            one.setEnabled(bool(self._presenter.documents()))
        menu.addSeparator()
        self._presenter.looks.offer(menu)
        menu.popup(at)

    def columns(self, at: QPoint) -> None:
        """The menu of the table's titles."""
        menu = self._made()
        self._presenter.looks.offer(menu)
        menu.popup(at)

    def open(self, file_id: str) -> None:
        """Open the copy that was downloaded, or download one and open it then: asked again meanwhile, that one."""
        key = f"library.openfile.{file_id}"
        if not self._session.tasks.running(key):
            self._presenter.start(key, self._open(file_id))

    def has_copy(self, file_id: str) -> bool:
        """Whether the file was downloaded, and the copy is still there."""
        return self._session.downloads.whole(f"library:{file_id}") is not None

    def show_in_folder(self, file_id: str) -> None:
        """Open the folder that holds the copy which was downloaded."""
        row = self._session.downloads.whole(f"library:{file_id}")
        if row is not None:
            self._shell.show_in_folder(Path(row.path))

    def download(self, file_ids: Sequence[str]) -> None:
        """Queue downloads."""
        self._presenter.pane.tray.bring("downloads")
        self._presenter.start_beside("library.download", self._download(list(file_ids)))

    def drag(self) -> None:
        """Drag the selected files out of the window; what is not on this computer yet is downloaded first."""
        ids = [document.id for document in self._presenter.documents()]
        held = {i: self._session.downloads.whole(f"library:{i}") for i in ids}
        missing = [i for i, row in held.items() if row is None]
        if missing:
            self.download(missing)
            self._shell.toast(self.tr("The files are being downloaded. Drag them once they are here."))
            return
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(row.path) for row in held.values() if row is not None])
        drag = QDrag(self._presenter.pane.table)
        drag.setMimeData(mime)
        drag.exec(Qt.DropAction.CopyAction)  # begun by the mouse, never by a coroutine; Qt has no other way

    def check(self, row: Transfer) -> None:
        """Search for a sentence of an uploaded file, and say on its row after how long it was found."""
        self._presenter.start(f"library.check.{row.id}", check(self._session, row.id))

    def check_file(self, file_id: str, name: str) -> None:
        """Search for a sentence of a listed file, or by its name, and say what came of it."""
        self._presenter.start(f"library.check.{file_id}", self._check(file_id, name))

    async def _check(self, file_id: str, name: str) -> None:
        self._shell.toast(self.tr("Searching for {name}…").format(name=name))
        found = await check_file(self._session, file_id, name)
        self._shell.toast(f"{name}: {found}")

    async def _download(self, file_ids: Sequence[str], place: Path | None = None) -> str:
        """Queue downloads; the row of the last one, empty where there was none."""
        row_id = ""
        for file_id in file_ids:
            file = self._library.file(file_id)
            link = self._library.link(file) if file else ""
            origin = f"library:{file_id}"
            if not file or not link:
                self._shell.toast(self.tr("The service gave no link to download {name}.").format(name=file_id))
            elif place is not None:
                row_id = await self._session.downloads.fetch_as(link, place, origin=origin)
            else:
                row_id = await self._session.downloads.fetch(link, file.file_name, origin=origin)
        return row_id

    async def _open(self, file_id: str) -> None:
        row = self._session.downloads.whole(f"library:{file_id}")
        if row is None:
            row = await self._session.downloads.wait(await self._download([file_id]))
        if row is not None:
            self._shell.open_file(Path(row.path))

    def save_as(self, file_id: str, name: str) -> None:
        """Let the user say where a file goes."""

        def save(places: list[Path]) -> None:
            self._presenter.start_beside("library.download", self._download([file_id], places[0]))

        self._shell.choose_target(self.tr("Save as"), name, save)

    def copy_link(self, file_id: str) -> None:
        """Put a file's address on the clipboard."""
        file = self._library.file(file_id)
        if file is not None:
            copy(self._library.link(file))
            self._shell.toast(self.tr("The link is copied. It works with your credentials only."))

    def _made(self) -> QMenu:
        menu = QMenu(self._presenter.pane)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu
