"""Joins the library pane to the session: what is listed, filtered, selected, dropped, and handed to other panes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from carrel.ui.library.detailspresenter import DetailsPresenter
from carrel.ui.library.filemenu import FileMenu
from carrel.ui.library.looks import Looks
from carrel.ui.library.pane import LibraryPane
from carrel.ui.library.pasting import Pasting
from carrel.ui.library.transfers import QueuePresenter
from carrel.ui.library.words import folder_words
from carrel.ui.presenter import AskAbout, Document, Presenter, RunOn, ShowUploads, Upload, UseInWorkflow
from carrel.work.catalog import View

if TYPE_CHECKING:
    from carrel.ui.shell import Shell
    from carrel.work.looking import LeftOut
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
        self.pane = LibraryPane(session.library.catalog)
        self.looks = Looks(self.pane.table, shell.desk)
        self._menu = FileMenu(self)
        self._pasting = Pasting(self)
        self.details = DetailsPresenter(self, self._menu)
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
            self.add(intent.paths, intent.folder)
        elif isinstance(intent, ShowUploads):
            self.pane.tray.bring("uploads")

    def shows(self, intent: object) -> bool:
        return isinstance(intent, ShowUploads)

    def drop_words(self, paths: Sequence[Path]) -> str:
        if not self._view.folder:
            return ""
        return self.tr("Drop to upload into {folder}").format(folder=folder_words(self._view.folder))

    def dropped(self, paths: Sequence[Path]) -> None:
        self.add(paths)

    def documents(self) -> tuple[Document, ...]:
        """The selected files, as other panes take them."""
        catalog = self._library.catalog
        found = ((i, catalog.find(i)) for i in self.pane.table.selected_ids())
        return tuple(Document(i, catalog.names[n]) for i, n in found if n is not None)

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
                self._menu.download([d.id for d in self.documents()])
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
        pane.sidebar.dropped.connect(self.add)
        table.sort_asked.connect(self._sort)
        table.selected.connect(self._selected)
        table.dragged.connect(self._menu.drag)
        table.pasted.connect(self._pasting.paste)
        table.opened.connect(self.details.toggle)
        table.menu_asked.connect(self._menu.files)
        table.columns_asked.connect(self._menu.columns)
        self.hear(self._library.changed, self._soon)
        self.hear(self._library.told, self._soon)
        self.hear(self.session.uploads.looked, self._say_left_out)

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
        self._show_files()
        self._ask_timer.start()

    def _source(self, provider: str) -> None:
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
        self._counts = counts = self._library.catalog.counts()
        self.pane.sidebar.show_folders(counts.folders)
        self._show_files()
        self._show_error()
        self._come_back_soon()

    def _show_files(self) -> None:
        """Show what the view leaves of it."""
        pane, view = self.pane, self._view
        pane.table.show_sort(view.sort_by, view.descending)
        rows = self._library.catalog.view(view)
        pane.table.show_rows(rows)
        pane.show_selection(len(pane.table.selected_ids()))
        pane.sidebar.show_sources(self._counts.sources, view.provider)
        pane.sidebar.folders.select(view.folder)
        pane.sidebar.show_kinds(_most_first(self._counts.kinds), view.kinds)
        self._show_state(bool(rows))

    def _show_state(self, any_rows: bool) -> None:
        pane, library = self.pane, self._library
        if any_rows:
            pane.show_files()
        elif len(library.catalog):
            pane.show_empty(
                self.tr("Nothing matches"),
                self.tr("No file has these words, or lies in this source, folder and type."),
                (("reset", self.tr("Show all files")),),
            )
        elif library.is_new:
            pane.show_loading()
        elif not library.is_listed:
            self._invite(
                self.tr("This account cannot list its files"),
                self.tr("The earlier interface takes files, and finds them by search, but does not list them."),
            )
        elif library.error is not None:
            pane.show_empty(library.error.title, library.error.message, (("again", self.tr("Try again")),))
        else:
            self._invite(
                self.tr("Your library is empty"),
                self.tr("Drop files or folders here. What is ready can be searched, and asked about in a chat."),
            )

    def _invite(self, title: str, text: str) -> None:
        actions = (("upload", self.tr("Upload files…")), ("upload_folder", self.tr("Upload a folder…")))
        self.pane.show_empty(title, text, actions)

    def _show_error(self) -> None:
        """What is listed stays on the screen; the note says that it may be old."""
        error = self._library.error
        if error is None or not len(self._library.catalog):
            self.pane.note.hide()
            return
        kept = self.tr("You see what was listed before.")
        self.pane.note.say("warn", error.title, f"{error.message} {kept}", (("again", self.tr("Try again")),))

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

    def add(self, paths: Sequence[Path], folder: str | None = None) -> None:
        """Upload files and folders, into the folder that is shown unless another is given."""
        self.pane.tray.bring("uploads")
        where = self._view.folder if folder is None else folder
        name = f"library.add.{paths[0].name}" if paths else "library.add"
        self.start(name, self.session.uploads.add(list(paths), where))

    def _say_left_out(self, left_out: LeftOut) -> None:
        parts = []
        if left_out.hidden:
            parts.append(self.tr("{n} hidden").format(n=left_out.hidden))
        if left_out.links:
            parts.append(self.tr("{n} links that leave the folder").format(n=left_out.links))
        if parts:
            self.shell.toast(self.tr("Left out: {what}.").format(what=", ".join(parts)))


def _most_first(counts: dict[str, int]) -> list[str]:
    return sorted(counts, key=lambda kind: (-counts[kind], kind))
