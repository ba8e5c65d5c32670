"""A message as the transcript shows it: words only, so that the transcript knows nothing of chats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple


class FileChip(NamedTuple):
    """A file that a reply made: its name with how it stands, and what a press does."""

    words: str
    icon: str
    tip: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One message. `actions` are (key, words, icon) of the buttons below a reply that has ended."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    who: str = ""
    when: str = ""
    attachments: tuple[str, ...] = ()
    quoted: str = ""
    thinking: str = ""
    thinking_title: str = ""
    thinking_open: bool = False
    tag: str = ""
    tone: str = "none"
    note: str = ""
    note_tone: str = "muted"
    actions: tuple[tuple[str, str, str], ...] = ()
    questions: tuple[str, ...] = ()
    """To go on with: each is a button below the actions, told as `question:` and its number."""
    files: tuple[FileChip, ...] = ()
    """That it made: each is a button below its words, told as `file:` and its number."""
    versions: tuple[int, int] = (1, 1)
    """Which version is shown, of how many."""


@dataclass(frozen=True, slots=True)
class Stub:
    """A message that is not loaded: enough to guess its height. `length` is in characters."""

    id: str
    role: Literal["user", "assistant"]
    length: int
