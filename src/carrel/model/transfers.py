"""A file on its way to or from the service, as a frozen row of the queue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Direction = Literal["up", "down"]

TransferState = Literal[
    "waiting",  # in line
    "moving",  # its bytes are on the way
    "paused",  # by the user
    "indexing",  # uploads only: the service has it, and does not say yet that it is ready
    "done",
    "failed",  # can be tried again
    "refused",  # uploads only: looked at here, and never sent; trying again would change nothing
    "cancelled",  # by the user
    "duplicate",  # uploads only: the same content was uploaded before; goes only when asked
    "interrupted",  # it had begun when Carrel, or the connection, ended; goes on only when asked
]

UNDER_WAY = frozenset({"waiting", "moving", "paused"})
"""States in which bytes are still to move without being asked again."""

FINISHED = frozenset({"done", "cancelled"})
"""States that "Clear finished" takes away; a failed row stays until the user dismisses it."""

TRY_AGAIN = frozenset({"failed", "interrupted", "cancelled", "duplicate"})
"""States from which a person may start the transfer once more."""

FOR_MESSAGE = "chat:"
"""The origin of uploads that are attached to a message begins with this."""

FOR_UNKEPT = f"{FOR_MESSAGE}unkept:"
"""With this where the chat is not kept: nothing of such an upload is written down."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One row. Sizes are bytes, times seconds since the epoch; `size` is None where nobody knows it.

    `path` is the file on this machine. `folder` is the library's (slash-separated), `file_id` the library's id once it
    is known, `url` where a download comes from. `origin` says who asked, such as "agent:<run id>" or
    "library:<file id>". `error` is a sentence, `note` a lesser one (such as a warning). `ended_at` of a
    duplicate is when its content was uploaded. Rows stand in the order of `position`.
    A download `replaces` the file at its path where a person has agreed to that.
    """

    id: str
    direction: Direction
    name: str
    path: str
    position: float
    created_at: float
    state: TransferState = "waiting"
    folder: str = ""
    url: str = ""
    size: int | None = None
    moved: int = 0
    file_id: str = ""
    origin: str = ""
    error: str = ""
    note: str = ""
    ended_at: float | None = None
    replaces: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether the row may be written to the disk."""
        return not self.origin.startswith(FOR_UNKEPT)

    @property
    def is_handed_over(self) -> bool:
        """Whether all of an upload has left, and only the service's answer is missing."""
        return self.direction == "up" and self.state == "moving" and 0 < (self.size or 0) <= self.moved


@dataclass(frozen=True, slots=True)
class Batch:
    """How uploads that were asked for together have ended; those that a person cancelled do not count.

    `copies` were not sent, for the service has them. `for_messages`: all were attached to messages.
    """

    ready: int
    failed: int
    copies: int
    for_messages: bool

    @classmethod
    def of(cls, rows: Sequence[Transfer]) -> Batch:
        """Count rows that are no longer under way."""
        count = Counter(row.state for row in rows)
        failed = count["failed"] + count["refused"] + count["interrupted"]
        attached = all(row.origin.startswith(FOR_MESSAGE) for row in rows)
        copies = sum(row.state == "duplicate" and (bool(row.file_id) or row.ended_at is not None) for row in rows)
        return cls(count["done"], failed, copies, attached)

    def __bool__(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.ready or self.failed or self.copies)
