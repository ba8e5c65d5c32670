"""Checks that an uploaded file can be found: searches for a sentence of it, and says after how long it was there."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

from carrel.model import SearchQuery, ServiceError
from carrel.model.transfers import Transfer
from carrel.work.context import Context
from carrel.work.transfers import sentence
from carrel.work.uploads import Uploads

READABLE = frozenset({"txt", "md", "csv", "html", "json", "sql", "yml", "yaml"})
"""Extensions of files whose words can be read here; of others the name is searched for."""

BEGINNING = 64 * 1024
"""Bytes in which a sentence is looked for."""

PATIENCE = 60.0
"""Seconds until the check gives up; the file may still be found later."""


async def check(context: Context, uploads: Uploads, row_id: str) -> None:
    """Search until the file is among the hits; the outcome is the row's note."""
    row = uploads.row(row_id)
    if row is None:
        return
    words = await asyncio.to_thread(words_of, Path(row.path))
    await uploads.settle([row_id], note="Searching for its own words…")
    try:
        note = await _searched(context, row, words)
    except ServiceError as error:
        note = f"The search could not be asked. {sentence(error)}"
    await uploads.settle([row_id], note=note)


async def _searched(context: Context, row: Transfer, words: str) -> str:
    begin, wait = time.monotonic(), 0.5
    query = SearchQuery(keyword=words, limit=50, group_by_file=True)
    while True:
        hits = await context.service.search(query)
        place = next((n for n, hit in enumerate(hits, 1) if row.file_id == hit.id or row.name == hit.title), None)
        if place is not None:
            since = max(0.0, time.time() - (row.ended_at or time.time()))
            return f"Found {since:.0f} s after it was sent, as hit {place} for “{words[:60]}”."
        if time.monotonic() - begin > PATIENCE:
            return f"Not found for “{words[:60]}” within {PATIENCE:.0f} s. Its indexing may still be under way."
        await asyncio.sleep(wait)
        wait = min(5.0, 1.5 * wait)


def words_of(path: Path) -> str:
    """A sentence of the file, from its middle; its name where it has none that can be read here."""
    if path.suffix.lstrip(".").lower() in READABLE:
        try:
            with path.open("rb") as file:
                text = file.read(BEGINNING).decode("utf-8", "replace")
        except OSError:
            text = ""
        found = [s.strip() for s in re.split(r"[.!?\n\r]+", re.sub(r"<[^>]*>", " ", text)) if _is_telling(s)]
        if found:
            return found[len(found) // 2][:200]
    return re.sub(r"[-_.]+", " ", path.stem)


def _is_telling(part: str) -> bool:
    return 4 <= len(re.findall(r"[^\W\d_]{2,}", part)) <= 40
