"""Shows what the library holds under a person's view of it: rows, sources, folders, types, or why there is nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from carrel.model.library import FILE_KINDS
from carrel.ui.library.pane import LibraryPane
from carrel.ui.library.sidebar import EVERYTHING

if TYPE_CHECKING:
    from carrel.work.catalog import View
    from carrel.work.library import Library


class Showing(QObject):
    """Fills the pane; what a person does there is its presenter's."""

    def __init__(self, pane: LibraryPane, library: Library) -> None:
        super().__init__(pane)
        self._pane, self._library = pane, library
        self._counts = library.counts()
        self._closed = ""
        """The title of a note that a person has closed: it does not come back until a request has succeeded."""
        pane.note.closed.connect(self._put_away)

    def show(self, view: View) -> None:
        """Show what the catalog holds now."""
        self._counts = self._library.counts()
        self._pane.sidebar.show_folders(self._counts.folders)
        self.show_files(view)
        self._show_progress()
        self._show_error()

    def show_files(self, view: View) -> None:
        """Show what the view leaves of it."""
        pane = self._pane
        pane.table.show_sort(view.sort_by, view.descending)
        rows = self._library.catalog.view(view)
        pane.table.show_rows(rows)
        pane.show_selection(len(pane.table.selected_ids()))
        pane.sidebar.show_sources(self._counts.sources, view.provider or ("" if view.folder else EVERYTHING))
        pane.sidebar.folders.select(view.folder)
        pane.sidebar.show_kinds(_in_order(self._counts.kinds), view.kinds)
        self._show_state(bool(rows))

    def _show_state(self, any_rows: bool) -> None:
        pane, library = self._pane, self._library
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
        self._pane.show_empty(title, text, actions)

    def _show_progress(self) -> None:
        """While the service is still telling what there is, say how much of it is here."""
        known, total = len(self._library.catalog), self._library.total
        if not self._library.is_walking or known >= total:
            self._pane.sidebar.show_progress("")
            return
        number = self._pane.locale().toString
        self._pane.sidebar.show_progress(self.tr("Listing: {n} of {all}").format(n=number(known), all=number(total)))

    def _put_away(self) -> None:
        self._closed = self._library.error.title if self._library.error else ""

    def _show_error(self) -> None:
        """What is listed stays on the screen; the note says that it may be old."""
        error = self._library.error
        if error is None:
            self._closed = ""
        if error is None or error.title == self._closed or not len(self._library.catalog):
            self._pane.note.hide()
            return
        kept = self.tr("You see what was listed before.")
        self._pane.note.say("warn", error.title, f"{error.message} {kept}", (("again", self.tr("Try again")),))


def _in_order(kinds: Iterable[str]) -> list[str]:
    """Known types as the service's document names them, then others; the order does not follow the counts."""
    known = list(FILE_KINDS)
    return sorted(kinds, key=lambda kind: (known.index(kind) if kind in known else len(known), kind))
