"""The branches of a chat and the versions of its replies: which messages are in front, and which turns have others."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import TypeAdapter

from carrel.model.draft import Attachment
from carrel.store.db import Database

LAST = 1 << 62
"""A turn after every turn."""

_ATTACHED = TypeAdapter(tuple[Attachment, ...])


@dataclass(frozen=True, slots=True)
class Outline:
    """One message without its words; `versions` is how many replies its turn has (1 for a person's message)."""

    id: str
    branch: int
    turn: int
    version: int
    role: Literal["user", "assistant"]
    length: int
    state: str
    pair: str
    in_front: bool = False
    versions: int = 1


@dataclass(frozen=True, slots=True)
class Told:
    """What one message says, and what was attached to a person's."""

    id: str
    role: Literal["user", "assistant"]
    text: str
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a new branch begins: at this turn of the branch `parent`."""

    parent: int
    turn: int


@dataclass(frozen=True, slots=True)
class Branch:
    """A conversation of its own from `from_turn` on; before that it is as its parent."""

    number: int
    parent: int | None
    from_turn: int
    conversation_id: str


class Branches:
    """All branches of one chat, and the one in front."""

    def __init__(self, branches: dict[int, Branch], front: int) -> None:
        """Take them by number."""
        self._branches, self.front = branches, front

    def path(self, number: int | None = None) -> list[tuple[int, int, int]]:
        """(branch, first turn, turn after the last) for each stretch of the way to a branch, the oldest first."""
        stretches = []
        current, end = self.front if number is None else number, LAST
        while (branch := self._branches.get(current)) is not None:
            stretches.append((current, branch.from_turn, end))
            if branch.parent is None:
                break
            current, end = branch.parent, branch.from_turn
        return stretches[::-1]

    def owner(self, turn: int) -> int:
        """The branch that a turn on the path in front belongs to."""
        return next((number for number, first, end in self.path() if first <= turn < end), self.front)

    def versions(self, turn: int) -> list[int]:
        """The branches that have a message of their own at a turn of the path in front, the oldest first."""
        owner = self._branches.get(self.owner(turn))
        if owner is None:
            return []
        origin = owner.parent if owner.from_turn == turn and owner.parent is not None else owner.number
        others = (b.number for b in self._branches.values() if b.parent == origin and b.from_turn == turn)
        return [origin, *sorted(others)]

    def origin(self, turn: int) -> int:
        """The branch that an edit of this turn hangs on."""
        return (self.versions(turn) or [self.front])[0]


def read_branches(db: Database, chat_id: str) -> Branches:
    """The branches of a chat."""
    rows = db.read("SELECT number, parent, from_turn, conversation_id FROM branches WHERE chat_id = ?", (chat_id,))
    front = db.row("SELECT branch FROM chats WHERE id = ?", (chat_id,))
    return Branches({row["number"]: Branch(*row) for row in rows}, front["branch"] if front else 0)


def read_outline(db: Database, chat_id: str) -> Iterator[Outline]:
    """The messages on the path in front; of each reply the version in front, which is the newest unless a person turned
    back to another.
    """
    shown: Outline | None = None
    for number, first, end in read_branches(db, chat_id).path():
        rows = db.read(
            """SELECT id, branch, turn, version, role, length(text) AS length, state, pair, in_front FROM messages
            WHERE chat_id = ? AND branch = ? AND turn >= ? AND turn < ? ORDER BY turn, role DESC, version""",
            (chat_id, number, first, end),
        )
        for row in rows:
            told = Outline(**dict(row), versions=row["version"])
            if shown is None or (shown.turn, shown.role) != (told.turn, told.role):
                if shown is not None:
                    yield shown
                shown = told
            else:
                shown = replace(shown, versions=told.versions) if shown.in_front else told
    if shown is not None:
        yield shown


def read_told(db: Database, chat_id: str, before: int) -> list[Told]:
    """What the messages of `read_outline` say that stand before a turn."""
    shown: dict[tuple[int, str], sqlite3.Row] = {}
    for number, first, end in read_branches(db, chat_id).path():
        rows = db.read(
            """SELECT turn, role, id, text, json_extract(request, '$.attachments') AS attached FROM messages
            WHERE chat_id = ? AND branch = ? AND turn >= ? AND turn < ? ORDER BY turn, role DESC, in_front, version""",
            (chat_id, number, first, min(end, before)),
        )
        shown |= {(row["turn"], row["role"]): row for row in rows}  # of the versions the last one counts
    return [Told(row["id"], row["role"], row["text"], _attachments(row)) for row in shown.values()]


def _attachments(row: sqlite3.Row) -> tuple[Attachment, ...]:
    is_asked = row["role"] == "user" and row["attached"]
    return _ATTACHED.validate_json(row["attached"]) if is_asked else ()


def show_version(db: sqlite3.Connection, message_id: str) -> None:
    """Bring one version of a reply to the front; not where two stand side by side that nobody has decided between."""
    turn = db.execute(
        """SELECT chat_id, branch, turn FROM messages AS m WHERE id = ? AND role = 'assistant' AND NOT EXISTS (SELECT 1
        FROM messages WHERE chat_id = m.chat_id AND branch = m.branch AND turn = m.turn AND pair = 'open')""",
        (message_id,),
    ).fetchone()
    if turn is not None:
        show_newest(db, *turn)
        db.execute("UPDATE messages SET in_front = 1 WHERE id = ?", (message_id,))


def show_newest(db: sqlite3.Connection, chat_id: str, branch: int, turn: int) -> None:
    """Of the replies of a turn the newest is in front again."""
    of_turn = "UPDATE messages SET in_front = 0 WHERE chat_id = ? AND branch = ? AND turn = ?"
    db.execute(of_turn, (chat_id, branch, turn))
