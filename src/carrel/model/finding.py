"""What a search of chats and runs finds: the places, with the words marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Where = Literal["text", "thinking"]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text, and the found words in it as (start, length)."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    @property
    def line(self) -> str:
        """The line of the first found word, without what stands for words left out."""
        at = self.marks[0][0] if self.marks else 0
        start = self.text.rfind("\n", 0, at) + 1
        stop = self.text.find("\n", at)
        return self.text[start : stop if stop >= 0 else None].strip("…")


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message with the words. `where` says in which of its texts; `at` is in seconds since the epoch."""

    chat_id: str
    message_id: str
    title: str
    role: str
    at: float
    where: Where
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class RunHit:
    """An agent run with the words."""

    run_id: str
    title: str
    at: float
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class ChatHit:
    """A chat with the words in its title."""

    chat_id: str
    title: str
    at: float


@dataclass(frozen=True, slots=True)
class Found:
    """What a search of everything found, the latest first. `counts` says how many messages of each chat have them."""

    chats: tuple[ChatHit, ...] = ()
    messages: tuple[MessageHit, ...] = ()
    runs: tuple[RunHit, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.chats or self.messages or self.runs)


@dataclass(frozen=True, slots=True)
class Spot:
    """A message of an open chat that has the words, `count` times in that one of its texts."""

    message_id: str
    where: Where
    count: int
