"""The library in memory, column by column: light enough for a hundred thousand files, and filtered in milliseconds."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Any, Literal
from unicodedata import normalize

from carrel.model.library import FILE_KINDS
from carrel.store.library import Entry

SortBy = Literal["name", "kind", "folder", "state", "provider", "added"]

MOST_LETTERS = 5
"""Of an extension that is not known here."""

ALIKE = frozenset({"kind", "folder", "state", "provider"})
"""Columns in which many files have one value: where a new one stands among them, its name says."""

_KIND_OF = {extension: kind for kind, extensions in FILE_KINDS.items() for extension in extensions}


@dataclass(frozen=True, slots=True)
class View:
    """What a person wants to see: `text` in name or folder (each word), one source, one folder with those below."""

    text: str = ""
    provider: str = ""
    folder: str = ""
    kinds: frozenset[str] = frozenset()
    sort_by: SortBy = "added"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class Counts:
    """How many files there are by provider, right in each folder (the empty name is the top), and by kind."""

    sources: Mapping[str, int]
    folders: Mapping[str, int]
    kinds: Mapping[str, int]


def kind_of(name: str) -> str:
    """What a person calls a file of this name: PDF, Word …; else its extension in capitals.

    What follows the dot of "No. 7", "St. Petersburg" or "12.03.2024" is no extension.
    """
    stem, _, extension = name.rpartition(".")
    if kind := _KIND_OF.get(extension.lower()):
        return kind
    is_one = stem and len(extension) <= MOST_LETTERS and extension.isalnum() and not extension.isdigit()
    return extension.upper() if is_one else ""


def folded(text: str) -> str:
    """As texts are compared: without case, and the same whether a letter and its mark are one sign or two (a Mac's)."""
    return text.lower() if text.isascii() else normalize("NFC", text).casefold()


class Catalog:
    """Columns of equal length; a file is a number, and keeps it."""

    def __init__(self) -> None:
        """Hold nothing."""
        self.ids: list[str] = []
        self.names: list[str] = []
        self.folders: list[str] = []
        self.providers: list[str] = []
        self.states: list[str] = []
        self.kinds: list[str] = []
        self.shared: list[bool] = []
        self.added: array[float] = array("d")
        self._folded: list[str] = []
        self._folder_folds: dict[str, str] = {}
        self._at: dict[str, int] = {}
        self.words: Mapping[SortBy, Callable[[str], str]] = {}
        """How a person reads the values of a column, where not as they are: the files stand in the order of that."""
        self._is_sorted = False
        self._order: tuple[SortBy, bool] | None = None
        self._sorted: list[int] = []
        self._counters: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())

    def __len__(self) -> int:
        """How many files there are."""
        return len(self._at)

    def find(self, file_id: str) -> int | None:
        """The number of a file."""
        return self._at.get(file_id)

    def entry(self, number: int) -> Entry:
        """The columns of one file."""
        n = number
        return Entry(
            self.ids[n], self.names[n], self.folders[n], self.providers[n], self.states[n], self.shared[n],
            self.added[n],
        )  # fmt: skip

    def put(self, entries: Iterable[Entry]) -> int:
        """Take new and changed files; how many there were."""
        changed = 0
        for entry in entries:
            at = self._at.get(entry.id)
            if at is None:
                self._append(entry)
            elif self.entry(at) != entry:
                self._count(at, -1)
                self._replace(at, entry)
                self._count(at, 1)
            else:
                continue
            changed += 1
        return changed

    def remove(self, file_ids: Iterable[str]) -> None:
        """Forget files; their numbers are not given to others, so that a list on the screen stays right."""
        gone = {at for file_id in file_ids if (at := self._at.pop(file_id, None)) is not None}
        for at in gone:
            self._count(at, -1)
        self._sorted = [n for n in self._sorted if n not in gone]

    def view(self, wanted: View) -> list[int]:
        """The numbers of the files that `wanted` shows, in its order."""
        rows = self._in_order(wanted.sort_by, wanted.descending)
        if wanted.provider:
            providers = self.providers
            rows = [n for n in rows if providers[n] == wanted.provider]
        if wanted.folder:
            rows = self._in_folder(rows, wanted.folder)
        if wanted.kinds:
            kinds = self.kinds
            rows = [n for n in rows if kinds[n] in wanted.kinds]
        for word in folded(wanted.text).split():
            rows = self._with_word(rows, word)
        return list(rows) if rows is self._sorted else rows

    def counts(self) -> Counts:
        """How many files there are of each source, folder and kind: counted as they come and go."""
        return Counts(*(counter.copy() for counter in self._counters))

    def places(self, file_ids: Iterable[str]) -> list[int]:
        """Where those of these files that are known stand among all, the newest first, counted from 0.

        The order of what is shown is left as it is.
        """
        wanted = {at for file_id in file_ids if (at := self._at.get(file_id)) is not None}
        if not wanted:
            return []
        added = self.added
        oldest = min(map(added.__getitem__, wanted))
        newer = [n for n, at in enumerate(added) if at >= oldest and self._at.get(self.ids[n]) == n]
        newer.sort(key=added.__getitem__, reverse=True)
        return [place for place, number in enumerate(newer) if number in wanted]

    def _append(self, entry: Entry) -> None:
        self._at[entry.id] = len(self.ids)
        for column in (self.ids, self.names, self.folders, self.providers, self.states, self.kinds, self._folded):
            column.append("")
        self.shared.append(False)
        self.added.append(0.0)
        self._sorted.append(len(self.ids) - 1)
        self._replace(len(self.ids) - 1, entry)
        self._count(len(self.ids) - 1, 1)

    def _count(self, at: int, step: int) -> None:
        """A file counts (1), or counts no more as it stands (-1)."""
        for counter, column in zip(self._counters, (self.providers, self.folders, self.kinds), strict=True):
            left = counter[column[at]] + step
            if left:
                counter[column[at]] = left
            else:
                del counter[column[at]]

    def _replace(self, at: int, entry: Entry) -> None:
        fold = folded(entry.name)
        self.ids[at] = entry.id
        self.names[at] = entry.name
        self._folded[at] = entry.name if fold == entry.name else fold
        folder = self.folders[at] = intern(entry.folder)
        if folder not in self._folder_folds:
            self._folder_folds[folder] = folded(folder)
        self.providers[at] = intern(entry.provider)
        self.states[at] = intern(entry.state)
        self.kinds[at] = intern(kind_of(entry.name))
        self.shared[at] = entry.is_shared
        self.added[at] = entry.added
        self._is_sorted = False

    def _in_order(self, sort_by: SortBy, descending: bool) -> list[int]:
        """All numbers; a list that is nearly in order already is sorted in one pass."""
        if self._order != (sort_by, descending):
            self._is_sorted = False
        if not self._is_sorted:
            if self._order != (sort_by, descending) or sort_by in ALIKE:
                self._sorted.sort(key=self._folded.__getitem__)  # what is equal stands by name
            self._sorted.sort(key=self._key(sort_by), reverse=descending)
            self._order, self._is_sorted = (sort_by, descending), True
        return self._sorted

    def _key(self, sort_by: SortBy) -> Callable[[int], Any]:
        columns: Mapping[SortBy, Sequence[Any]] = {
            "name": self._folded,
            "kind": self.kinds,
            "folder": self.folders,
            "state": self.states,
            "provider": self.providers,
            "added": self.added,
        }
        column = columns[sort_by]
        if sort_by not in {"folder", "state", "provider"}:
            return column.__getitem__
        read = self.words.get(sort_by, str)
        as_read = {value: folded(read(value)) for value in set(column)}
        return lambda n: as_read[column[n]]

    def _in_folder(self, rows: list[int], folder: str) -> list[int]:
        inside = {f for f in self._folder_folds if f == folder or f.startswith(f"{folder}/")}
        folders = self.folders
        return [n for n in rows if folders[n] in inside]

    def _with_word(self, rows: list[int], word: str) -> list[int]:
        named = {f for f, folded in self._folder_folds.items() if word in folded}
        names, folders = self._folded, self.folders
        if not named:
            return [n for n in rows if word in names[n]]
        return [n for n in rows if word in names[n] or folders[n] in named]
