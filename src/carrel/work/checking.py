"""Checks that a file of the library can be found: by a sentence of it, or by its name, and says what came of it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.model import SearchHit, SearchQuery, ServiceError
from carrel.work.catalog import Catalog
from carrel.work.transfers import sentence

if TYPE_CHECKING:
    from carrel.work.session import Session

READABLE = frozenset({"txt", "md", "csv", "html", "json", "sql", "yml", "yaml"})
"""Extensions of files whose words can be read here; of others the name is searched for."""

BEGINNING = 64 * 1024
"""Bytes in which a sentence is looked for."""

PATIENCE = 60.0
"""Seconds until the check gives up; the file may still be found later."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is searched for: a sentence of the file, or the words of its name."""

    text: str
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class _File:
    """What shall be found; `sent_at` (seconds since the epoch) where it was sent from here."""

    id: str
    name: str
    sent_at: float | None = None


async def check(session: Session, row_id: str) -> None:
    """Search until the uploaded file is among the hits; the outcome is its row's note."""
    uploads = session.uploads
    row = uploads.row(row_id)
    if row is None:
        return
    words = await asyncio.to_thread(words_of, Path(row.path))
    await uploads.settle([row_id], note=f"Searching for its {'name' if words.is_name else 'own words'}…")
    await uploads.settle([row_id], note=await _outcome(session, _File(row.file_id, row.name, row.ended_at), words))


async def check_file(session: Session, file_id: str, name: str) -> str:
    """As `check`, for any file of the listing: the outcome as a sentence.

    Its words are read where it was sent from here, or downloaded; else its name is searched for.
    """
    row = next((row for row in session.uploads.rows() if row.file_id == file_id), None)
    copy = row or session.downloads.whole(f"library:{file_id}")
    words = await asyncio.to_thread(words_of, Path(copy.path if copy else name))
    return await _outcome(session, _File(file_id, name, row.ended_at if row else None), words)


async def _outcome(session: Session, file: _File, words: Words) -> str:
    try:
        return await _searched(session, file, words)
    except ServiceError as error:
        return f"The search could not be asked. {sentence(error)}"


async def _searched(session: Session, file: _File, words: Words) -> str:
    begin, wait, when = time.monotonic(), 0.5, "now"
    query = SearchQuery(keyword=words.text, limit=50, group_by_file=True)
    by = " by its name" if words.is_name else ""
    what = "" if words.is_name else f" for “{words.text[:60]}”"
    while True:
        hits = await session.context.service.search(query)
        place, is_sure = _place(hits, file, session.library.catalog)
        if place:
            return f"{'Found' if is_sure else 'A file of this name was found'} {when}{by}, as hit {place}{what}."
        if time.monotonic() - begin > PATIENCE:
            return f"Not found{by}{what} within {PATIENCE:.0f} s. Its indexing may still be under way."
        await asyncio.sleep(wait)
        wait = min(5.0, 1.5 * wait)
        when = _when(file, begin)


def _place(hits: Sequence[SearchHit], file: _File, catalog: Catalog) -> tuple[int, bool]:
    """Where the file stands among the hits (0: nowhere), and whether it is this very one.

    Only where the hits bear no ids of the library its name has to do: another file may have that name too.
    """
    by_id = bool(file.id) and any(hit.id == file.id or catalog.find(hit.id) is not None for hit in hits)
    for place, hit in enumerate(hits, 1):
        if hit.id == file.id if by_id else hit.title == file.name:
            return place, by_id
    return 0, by_id


def _when(file: _File, begin: float) -> str:
    """When a search that missed it at first has found it: only then is its time since the sending known."""
    if file.sent_at is None:
        return f"after {time.monotonic() - begin:.0f} s"
    return f"{max(0.0, time.time() - file.sent_at):.0f} s after it was sent"


def words_of(path: Path) -> Words:
    """A sentence of the file, from its middle; its name where it has none that can be read here."""
    if path.suffix.lstrip(".").lower() in READABLE:
        try:
            with path.open("rb") as file:
                text = file.read(BEGINNING).decode("utf-8", "replace")
        except OSError:
            text = ""
        found = [s.strip() for s in re.split(r"[.!?\n\r]+", re.sub(r"<[^>]*>", " ", text)) if _is_telling(s)]
        if found:
            return Words(found[len(found) // 2][:200])
    return Words(re.sub(r"[-_.]+", " ", path.stem).strip() or path.name, is_name=True)


def _is_telling(part: str) -> bool:
    return 4 <= len(re.findall(r"[^\W\d_]{2,}", part)) <= 40
