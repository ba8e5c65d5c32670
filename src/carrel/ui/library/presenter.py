"""Joins the library pane to the session: what is listed, filtered, selected, and handed to other panes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from carrel.ui.library.arriving import Arriving
from carrel.ui.library.detailspresenter import DetailsPresenter
from carrel.ui.library.fetching import Fetching
from carrel.ui.library.filemenu import FileMenu
from carrel.ui.library.looks import Looks
from carrel.ui.library.pane import LibraryPane
from carrel.ui.library.pasting import Pasting
from carrel.ui.library.showing import Showing
from carrel.ui.library.transfers import QueuePresenter
from carrel.ui.library.words import name_words, source_words, state_words
from carrel.ui.presenter import AskAbout, Document, Presenter, RunOn, ShowUploads, Upload, UploadPicture, UseInWorkflow
from carrel.work.catalog import View

if TYPE_CHECKING:
    from carrel.ui.shell import Shell
    from carrel.work.session import Session

ASK_AFTER = 350
"""Milliseconds without a keystroke until the service itself is asked for what the filter shows."""

SHOW_EVERY = 0.15
"""Seconds between two showings: while thousands of files arrive, the catalog changes faster than an eye sees."""

REFRESH_EVERY = 30_000
"""Milliseconds between two looks at the newest page while the pane is in front."""

REFRESH_SOON = 1_000
"""The same while one of the newest files is being indexed; each look that finds it so waits half as long again."""


class LibraryPresenter(Presenter, QObject):
    """The view is a value; what the table shows is made of it and the catalog."""

    def __init__(self, session: Session, shell: Shell) -> None:
        QObject.__init__(self)
        Presenter.__init__(self, session, shell)
        self._library = session.library
        self._view = View()
        session.library.catalog.words = {"provider": source_words, "state": lambda state: state_words(state)[0]}
        self.pane = LibraryPane(session.library.catalog)
        self.looks = Looks(self.pane.table, shell.desk)
        self.fetching = Fetching(self)
        self._menu = FileMenu(self)
        self._showing = Showing(self.pane, session.library)
        self._arriving = Arriving(self)
        self._pasting = Pasting(self)
        self.details = DetailsPresenter(self, self.fetching)
        self._ask_timer = QTimer(self.pane, singleShot=True, interval=ASK_AFTER)
        self._show_timer = QTimer(self.pane, singleShot=True)
        self._shown_at = 0.0
        self._fresh_timer = QTimer(self.pane, singleShot=True)
        self._fresh_in = REFRESH_SOON
        self._connect()
        self._queues = [
            QueuePresenter("uploads", session.uploads, self.pane.tray, self, self._menu.check),
            QueuePresenter("downloads", session.downloads, self.pane.tray, self, self._menu.check),
        ]
        sort_by, descending = self.looks.sort()
        self._view = replace(self._view, sort_by=sort_by, descending=descending)
        self._show()
        self.start("library.open", self._library.open())

    def shown(self) -> None:
        self._fresh_in = REFRESH_SOON
        self._freshen()

    def new(self) -> None:
        self.shell.choose_files(self.tr("Upload files"), self.add)

    def find(self) -> None:
        self.pane.filter.setFocus()
        self.pane.filter.selectAll()

    def escape(self) -> bool:
        if self.details.close():
            return True
        if self._view.text:
            self.pane.filter.clear()
        elif self._view.kinds or self._view.folder:
            self._look(folder="", kinds=frozenset())
        elif self._view.provider:
            self._look(provider="")
        else:
            return False
        return True

    def accept(self, intent: object) -> None:
        if isinstance(intent, Upload):
            self._arriving.add(intent.paths, intent.folder)
        elif isinstance(intent, UploadPicture):
            self._pasting.add_picture(intent.picture, "")
        elif isinstance(intent, ShowUploads):
            self.pane.tray.bring("uploads")

    def shows(self, intent: object) -> bool:
        return isinstance(intent, ShowUploads)

    def dragged(self, at: QPoint | None) -> QWidget:
        return self._arriving.dragged(at)

    def drop_words(self, paths: Sequence[Path]) -> str:
        return self._arriving.words()

    def dropped(self, paths: Sequence[Path]) -> None:
        self._arriving.drop(paths)

    def dropped_picture(self, picture: QImage) -> bool:
        self._pasting.add_picture(picture, self._arriving.folder)
        return True

    def add(self, paths: Sequence[Path]) -> None:
        """Upload files and folders into the folder that is shown."""
        self._arriving.add(paths)

    def documents(self) -> tuple[Document, ...]:
        """The selected files, as other panes take them."""
        catalog = self._library.catalog
        found = ((i, catalog.find(i)) for i in self.pane.table.selected_ids())
        return tuple(Document(i, name_words(catalog.names[n])) for i, n in found if n is not None)

    def act(self, key: str) -> None:
        """Do what a button, a menu or a key asks for."""
        match key:
            case "upload":
                self.new()
            case "paste":
                self._pasting.paste()
            case "upload_folder":
                self.shell.choose_folder(self.tr("Upload a folder"), self.add)
            case "ask":
                self.shell.go("chat", AskAbout(documents=self.documents()))
            case "run":
                self.shell.go("agents", RunOn(self.documents()))
            case "workflow":
                self.shell.go("workflows", UseInWorkflow(self.documents()))
            case "download":
                self.fetching.download([d.id for d in self.documents()])
            case "refresh" | "again":
                self.start("library.open", self._library.open())
            case "reset":
                self.pane.filter.clear()
                self._look(provider="", folder="", kinds=frozenset())

    def _connect(self) -> None:
        pane, table = self.pane, self.pane.table
        self._ask_timer.timeout.connect(lambda: self.start("library.look", self._library.look(self._view)))
        self._show_timer.timeout.connect(self._show)
        self._fresh_timer.timeout.connect(self._freshen)
        pane.acted.connect(self.act)
        pane.filtered.connect(lambda text: self._look(text=text))
        pane.more_asked.connect(self._menu.more)
        pane.sidebar.source_chosen.connect(self._source)
        pane.sidebar.folder_chosen.connect(lambda folder: self._look(folder=folder))
        pane.sidebar.kinds_chosen.connect(lambda kinds: self._look(kinds=kinds))
        table.sort_asked.connect(self._sort)
        table.selected.connect(self._selected)
        table.dragged.connect(lambda: self.fetching.drag([d.id for d in self.documents()]))
        table.opened.connect(self.details.toggle)
        table.menu_asked.connect(self._menu.files)
        table.columns_asked.connect(self._menu.columns)
        self.hear(self._library.changed, self._soon)
        self.hear(self._library.told, self._soon)
        self.hear(self.session.downloads.changed, self.details.downloaded)

    def _selected(self) -> None:
        ids = self.pane.table.selected_ids()
        self.pane.show_selection(len(ids))
        if len(ids) == 1:
            self.details.follow(ids[0])

    def _look(self, **values: object) -> None:
        """Show another view at once, and ask the service for it once the person pauses."""
        view = replace(self._view, **values)
        if view == self._view:
            return
        self._view = view
        self._showing.show_files(view)
        self._ask_timer.start()

    def _source(self, provider: str) -> None:
        """A source narrows the folder that is shown; "All files" leads out of it."""
        self._look(provider=provider, folder=self._view.folder if provider else "")

    def _sort(self, column: str) -> None:
        same = column == self._view.sort_by
        descending = not self._view.descending if same else column == "added"
        self._look(sort_by=column, descending=descending)
        self.looks.keep(sort=[column, descending])

    def _soon(self) -> None:
        if not self._show_timer.isActive():
            wait = self._shown_at + SHOW_EVERY - time.monotonic()
            self._show_timer.start(max(0, round(wait * 1000)))

    def _show(self) -> None:
        """Show what the catalog holds now."""
        self._shown_at = time.monotonic() if len(self._library.catalog) else 0.0
        self._showing.show(self._view)
        self.details.refresh()
        self._come_back_soon()

    def _freshen(self) -> None:
        """Look at the newest page now, and again after a while, as long as the pane is in front."""
        if not self.pane.isVisible():
            return
        if not {"library.open", "up:follow"} & set(self.session.tasks.keys()):
            self.start("library.refresh", self._library.refresh())
        self._fresh_timer.start(REFRESH_EVERY)
        self._come_back_soon()

    def _come_back_soon(self) -> None:
        """Follow what is being indexed more closely."""
        if not self._library.is_indexing:
            self._fresh_in = REFRESH_SOON
        elif self._fresh_timer.remainingTime() > self._fresh_in:
            self._fresh_timer.start(self._fresh_in)
            self._fresh_in = min(REFRESH_EVERY, self._fresh_in * 3 // 2)

    @property
    def folder(self) -> str:
        """The folder that is shown, slash-separated; empty for all of them."""
        return self._view.folder
