"""The branches of a chat: which messages are on the path to the one in front, and which turns have other versions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from carrel.store.db import Database

LAST = 1 << 62
"""A turn after every turn."""


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
    versions: int = 1


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
    """The messages on the path in front; of each reply the newest version."""
    newest: Outline | None = None
    for number, first, end in read_branches(db, chat_id).path():
        rows = db.read(
            """SELECT id, branch, turn, version, role, length(text) AS length, state, pair FROM messages
            WHERE chat_id = ? AND branch = ? AND turn >= ? AND turn < ? ORDER BY turn, role DESC, version""",
            (chat_id, number, first, end),
        )
        for row in rows:
            told = Outline(**dict(row), versions=row["version"])
            if newest is not None and (newest.turn, newest.role) != (told.turn, told.role):
                yield newest
            newest = told
    if newest is not None:
        yield newest
