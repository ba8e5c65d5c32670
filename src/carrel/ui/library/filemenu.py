"""The menus of the library: what can be done with files beyond looking at them, with columns, with the pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from carrel.ui.library.words import name_words
from carrel.work.checking import check, check_file

if TYPE_CHECKING:
    from carrel.model.transfers import Transfer
    from carrel.ui.library.presenter import LibraryPresenter


class FileMenu(QObject):
    """Acts for the library's presenter, on the files that are selected in its table."""

    def __init__(self, presenter: LibraryPresenter) -> None:
        super().__init__(presenter)
        self._presenter = presenter
        self._session, self._shell = presenter.session, presenter.shell
        self._fetching = presenter.fetching

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
            menu.addAction(self.tr("Open"), lambda: self._fetching.open(first.id))
        menu.addAction(self.tr("Ask in a chat"), lambda: act("ask"))
        run = self.tr("Run an agent on it") if count == 1 else self.tr("Run an agent on them")
        menu.addAction(run, lambda: act("run"))
        menu.addAction(self.tr("Use in a workflow"), lambda: act("workflow"))
        menu.addSeparator()
        menu.addAction(self.tr("Download"), lambda: act("download"))
        if count == 1:
            menu.addAction(self.tr("Save as…"), lambda: self._fetching.save_as(first.id, first.name))
            if self._fetching.copy_of(first.id):
                menu.addAction(self.tr("Show in folder"), lambda: self._fetching.show_in_folder(first.id))
            menu.addAction(self.tr("Copy link"), lambda: self._fetching.copy_link(first.id))
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

    def check(self, row: Transfer) -> None:
        """Search for a sentence of an uploaded file, and say on its row after how long it was found."""
        self._presenter.start(f"library.check.{row.id}", check(self._session, row.id))

    def check_file(self, file_id: str, name: str) -> None:
        """Search for a sentence of a listed file, or by its name, and say what came of it."""
        self._presenter.start(f"library.check.{file_id}", self._check(file_id, name))

    async def _check(self, file_id: str, name: str) -> None:
        self._shell.toast(self.tr("Searching for {name}…").format(name=name_words(name)))
        found = await check_file(self._session, file_id, name)
        self._shell.toast(f"{name_words(name)}: {found}")

    def _made(self) -> QMenu:
        menu = QMenu(self._presenter.pane)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu
