"""The window as its presenters see it: go somewhere, say something, ask for a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

if TYPE_CHECKING:
    from carrel.ui.notices import Notices
    from carrel.work.desk import Desk


class Shell(QObject):
    """Signals are for the window; methods are for presenters."""

    going = Signal(str, object)
    toasting = Signal(str, str, object)
    dropping = Signal(object, str)
    front_changed = Signal()
    """Another pane, or another item in it, is in front."""
    noting = Signal(str, str)
    """What is under way, by key, for the status bar; an empty text takes it back."""

    desk: Desk
    notices: Notices
    """Set by the window, before any presenter is made."""

    def __init__(self, window: QWidget) -> None:
        """`window` is the parent of dialogs."""
        super().__init__(window)
        self._window = window

    def go(self, pane: str, intent: object = None) -> None:
        """Bring a pane to the front (chat, library, search, agents, workflows, activity, settings)."""
        self.going.emit(pane, intent)

    def toast(self, text: str, action: str = "", then: Callable[[], None] | None = None) -> None:
        """Say something short; `action` is a word to press, `then` what it does."""
        self.toasting.emit(text, action, then)

    def leave(self, then: Callable[[], object]) -> None:
        """Do what ends the open session; every way to another account passes here."""
        from carrel.ui.leaving import ask_to_leave

        ask_to_leave(self._window, self.desk.session, then)

    def upload(self, paths: Sequence[Path], folder: str = "") -> None:
        """Hand files to the library, as if they had been dropped there."""
        self.dropping.emit(list(paths), folder)

    def choose_files(self, title: str, then: Callable[[list[Path]], None], kinds: str = "") -> None:
        """Let the user pick files; `then` gets them, and is not called on Cancel."""
        dialog = QFileDialog(self._window, title, self.last_folder, kinds)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self._open(dialog, then)

    def choose_folder(self, title: str, then: Callable[[list[Path]], None]) -> None:
        """Let the user pick a folder."""
        dialog = QFileDialog(self._window, title, self.last_folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._open(dialog, then)

    def choose_target(self, title: str, name: str, then: Callable[[list[Path]], None]) -> None:
        """Let the user say where to save a file called `name`."""
        dialog = QFileDialog(self._window, title, str(Path(self.last_folder) / name))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        ending = Path(name).suffix.removeprefix(".")
        if ending.isalnum():
            kind = self.tr("{kind} files").format(kind=ending.upper())
            dialog.setNameFilters([f"{kind} (*.{ending})", self.tr("All files (*)")])
            dialog.setDefaultSuffix(ending)
        self._open(dialog, then)

    def open_file(self, path: Path) -> None:
        """Open a file with the system's own program for it."""
        if not path.exists():
            self.toast(self.tr("{name} is no longer there.").format(name=path.name))
        elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self.toast(
                self.tr("No program opens {name}. It is in {folder}.").format(name=path.name, folder=path.parent)
            )

    def show_in_folder(self, path: Path) -> None:
        """Open the folder that holds a file."""
        self.open_file(path.parent)

    def open_link(self, url: str) -> None:
        """Open a web or mail address outside; any other kind of link stays where it is."""
        link = QUrl(url, QUrl.ParsingMode.StrictMode)
        if link.isValid() and link.scheme() in {"http", "https", "mailto"}:
            QDesktopServices.openUrl(link)
        else:
            self.toast(self.tr("This link is not opened: {url}").format(url=url[:200]))

    last_folder = str(Path.home())

    def _open(self, dialog: QFileDialog, then: Callable[[list[Path]], None]) -> None:
        def chosen(files: list[str]) -> None:
            if files:
                Shell.last_folder = str(Path(files[0]).parent)
                then([Path(f) for f in files])

        dialog.filesSelected.connect(chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
