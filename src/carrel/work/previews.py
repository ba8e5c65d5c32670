"""What a file of the library looks like without leaving the window: a copy in the cache, and what can be read of it."""

from __future__ import annotations

import asyncio
import csv
import shutil
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from carrel.api import safe_name
from carrel.model import LibraryFile
from carrel.work.addresses import present
from carrel.work.context import Context

KEPT = 40
"""Files whose copies stay in the cache."""

MOST_TEXT = 200_000
"""Bytes of a text that are shown."""

MOST_LINES, MOST_CELLS = 200, 24
"""Lines, and cells of a line, of a table that are shown."""

_TEXTS = frozenset({"txt", "json", "sql", "yml", "yaml", "html"})
_IMAGES = frozenset({"png", "jpg", "jpeg", "gif", "webp"})


@dataclass(frozen=True, slots=True)
class Preview:
    """What can be shown; `path` is the copy, `is_cut` whether there is more of it than `text` or `lines` hold."""

    kind: Literal["text", "markdown", "table", "image", "none"]
    path: Path | None = None
    text: str = ""
    lines: tuple[tuple[str, ...], ...] = ()
    is_cut: bool = False


def has_preview(file: LibraryFile) -> bool:
    """Whether the file is of a type that can be shown here."""
    return file.extension in _TEXTS | _IMAGES | {"md", "csv"}


async def preview(context: Context, file: LibraryFile) -> Preview:
    """Fetch the file where it is not in the cache, and read its beginning; raises `ServiceError`."""
    if not has_preview(file) or not file.download_link:
        return Preview("none")
    path = await _copy(context, file)
    return await asyncio.to_thread(_read, path, file.extension)


async def _copy(context: Context, file: LibraryFile) -> Path:
    cache = context.paths.cache / "previews"
    path = cache / safe_name(file.id, "file") / safe_name(file.file_name)
    if not await asyncio.to_thread(path.exists):
        await asyncio.to_thread(_make_room, cache)
        path = await context.service.download(present(file.download_link, context), path)
    return path


def _make_room(cache: Path) -> None:
    """Remove the copies that were made first."""
    held = sorted(cache.iterdir(), key=lambda p: p.stat().st_mtime) if cache.exists() else []
    for old in held[: max(0, len(held) + 1 - KEPT)]:
        shutil.rmtree(old, ignore_errors=True)


def _read(path: Path, extension: str) -> Preview:
    if extension in _IMAGES:
        return Preview("image", path)
    with path.open("rb") as file:
        beginning = file.read(MOST_TEXT + 1)
    is_cut = len(beginning) > MOST_TEXT
    text = beginning[:MOST_TEXT].decode("utf-8-sig", "replace")
    if extension == "csv":
        return _table(path, text, is_cut=is_cut)
    return Preview("markdown" if extension == "md" else "text", path, text, is_cut=is_cut)


def _table(path: Path, text: str, *, is_cut: bool) -> Preview:
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:4096], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        lines = tuple(tuple(line[:MOST_CELLS]) for line in islice(csv.reader(text.splitlines(), dialect), MOST_LINES))
    except csv.Error:
        return Preview("text", path, text, is_cut=is_cut)
    return Preview("table", path, lines=lines, is_cut=is_cut or len(lines) == MOST_LINES)
