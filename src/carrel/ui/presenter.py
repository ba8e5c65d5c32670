"""What every presenter is: it joins one pane to the session, and answers what the window asks of the pane."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from psygnal import SignalInstance

    from carrel.ui.shell import Shell
    from carrel.work.session import Session


@dataclass(frozen=True, slots=True)
class Document:
    """A library file, as one pane hands it to another."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class AskAbout:
    """Take these into a new chat: whole documents, a passage, or both. `note` says what could not come along."""

    documents: tuple[Document, ...] = ()
    quoted: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class RunOn:
    """Start an agent run on these documents."""

    documents: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class UseInWorkflow:
    """Put the links of these documents into the form of a workflow."""

    documents: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowRun:
    """Show an agent run."""

    run_id: str


@dataclass(frozen=True, slots=True)
class ShowChat:
    """Show a chat."""

    chat_id: str


@dataclass(frozen=True, slots=True)
class ShowUploads:
    """Show the queue of uploads."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Upload these files and folders into a folder of the library (slash-separated; empty: its top)."""

    paths: tuple[Path, ...]
    folder: str = ""


@dataclass(frozen=True, slots=True)
class UploadPicture:
    """Upload a picture that is no file yet to the library."""

    picture: QImage


class Presenter:
    """Joins `pane`, a widget, to `session`. A subclass sets `pane` and answers what its pane can."""

    pane: QWidget

    def __init__(self, session: Session, shell: Shell) -> None:
        """Keep both; subclasses build the pane, connect, and ask for what it shows."""
        self.session = session
        self.shell = shell
        self._heard: list[tuple[SignalInstance, Callable[..., Any]]] = []

    def hear(self, signal: SignalInstance, slot: Callable[..., Any]) -> None:
        """Connect a signal of work until the presenter closes."""
        signal.connect(slot)
        self._heard.append((signal, slot))

    def start(self, key: str, work: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine as the session's task `key`; a new one under that key ends the former."""
        self.session.tasks.start(key, work)

    def start_beside(self, key: str, work: Coroutine[Any, Any, Any]) -> None:
        """As `start`, for what is meant anew at each press: what was started so before goes on."""
        self.session.tasks.start_beside(key, work)

    def close(self) -> None:
        """Stop listening; the pane is about to go."""
        for signal, slot in self._heard:
            signal.disconnect(slot, missing_ok=True)
        self._heard.clear()

    def shown(self) -> None:
        """The pane came to the front."""

    def left(self) -> None:
        """Another pane came to the front."""

    def shows(self, intent: object) -> bool:
        """Whether what `accept` would show is what the pane shows now."""
        return False

    def new(self) -> None:
        """Ctrl+N."""

    def find(self) -> None:
        """Ctrl+F."""

    def escape(self) -> bool:
        """Esc; True where it did something."""
        return False

    def accept(self, intent: object) -> None:
        """Something that another pane sends here, such as `AskAbout`."""

    def dragged(self, at: QPoint | None) -> QWidget | None:
        """Files or a picture are dragged over this place of the screen (None: they are gone); what lights up, None for
        all.
        """

    def drop_words(self, paths: Sequence[Path]) -> str:
        """What dropping these here would do (none: a picture that is no file); empty where the library takes them."""
        return ""

    def dropped(self, paths: Sequence[Path]) -> None:
        """Files or folders were dropped on the pane."""

    def dropped_picture(self, picture: QImage) -> bool:
        """A picture that is no file was dropped on the pane, as out of a browser; False: the library takes it."""
        return False
