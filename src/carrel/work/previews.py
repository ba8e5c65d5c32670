"""What a file of the library looks like without leaving the window: a copy in the cache, and what can be read of it."""

from __future__ import annotations

import asyncio
import csv
import io
import shutil
from codecs import getincrementaldecoder
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from carrel.api import safe_name
from carrel.model import LibraryFile, NotFound
from carrel.work.addresses import present
from carrel.work.context import Context
from carrel.work.previewbook import BookRefused, Table, read_book
from carrel.work.previewsheets import MOST_CELLS, MOST_LINES
from carrel.work.relinking import asked_anew

KEPT = 40
"""Files whose copies stay in the cache."""

MOST_COPY = 64 * 10**6
"""Bytes of a file that is fetched only to be looked at."""

MOST_TEXT = 200_000
"""Bytes of a text that are shown."""

_TEXTS = frozenset({"txt", "json", "sql", "yml", "yaml", "html"})
_IMAGES = frozenset({"png", "jpg", "jpeg", "gif", "webp"})


@dataclass(frozen=True, slots=True)
class Preview:
    """What can be shown; `path` is the copy, `is_cut` whether there is more of it than `text` holds.

    Of kind "none" the text says why there is nothing to see; it is empty for a type that is never shown.
    """

    kind: Literal["text", "markdown", "table", "image", "none"]
    path: Path | None = None
    text: str = ""
    tables: tuple[Table, ...] = ()
    is_cut: bool = False


class _TooLarge(Exception):
    """The copy would be larger than a look is worth."""


def has_preview(file: LibraryFile) -> bool:
    """Whether the file is of a type that can be shown here."""
    return file.extension in _TEXTS | _IMAGES | {"md", "csv", "xlsx"}


async def preview(context: Context, file: LibraryFile) -> Preview:
    """Fetch the file where it is not in the cache, and read its beginning; raises `ServiceError`.

    A cache that cannot be used, and a copy that is gone or cannot be read, are told in the preview.
    """
    if not has_preview(file) or not file.download_link:
        return Preview("none")
    try:
        path = await _copy(context, file)
        if file.extension == "xlsx":
            return Preview("table", path, tables=await read_book(path))
        return await asyncio.to_thread(_read, path, file.extension)
    except _TooLarge:
        most = f"{MOST_COPY // 10**6} MB"
        return Preview(
            "none", text=f"The file is larger than {most}, so it is not fetched for a look. Open it instead."
        )
    except BookRefused as refused:
        return Preview("none", text=str(refused))
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        return Preview("none", text=f"The copy for a look cannot be kept or read: {why}. Open the file instead.")


async def _copy(context: Context, file: LibraryFile) -> Path:
    cache = context.paths.cache / "previews"
    path = cache / safe_name(file.id, "file") / safe_name(file.file_name)
    if not await asyncio.to_thread(path.exists):
        await asyncio.to_thread(_make_room, cache)
        try:
            path = await _fetched(context, file, path)
        except NotFound:  # its link has expired
            now = await asked_anew(file, context)
            if now is None:
                raise
            path = await _fetched(context, now, path)
    return path


async def _fetched(context: Context, file: LibraryFile, path: Path) -> Path:
    """Download, but no more than a look is worth: raises `_TooLarge`, and leaves nothing."""
    loop = asyncio.get_running_loop()
    is_over = False

    def told(moved: int, whole: int | None) -> None:
        nonlocal is_over
        if not is_over and max(moved, whole or 0) > MOST_COPY:
            is_over = True
            clock.reschedule(loop.time())

    try:
        async with asyncio.timeout(None) as clock:
            return await context.service.download(present(file.download_link, context), path, told)
    except TimeoutError:
        await asyncio.to_thread(shutil.rmtree, path.parent, ignore_errors=True)
        raise _TooLarge from None


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
    text = _decoded(beginning[:MOST_TEXT], is_cut=is_cut)
    if extension == "csv":
        return _table(path, text, is_cut=is_cut)
    return Preview("markdown" if extension == "md" else "text", path, text, is_cut=is_cut)


def _decoded(content: bytes, *, is_cut: bool) -> str:
    """UTF-8; UTF-16 where a mark at the beginning says so (Excel's "Unicode text"); else as Excel writes its CSV."""
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return content.decode("utf-16", "replace")
    try:
        return getincrementaldecoder("utf-8-sig")().decode(content, final=not is_cut)  # a cut may go through a letter
    except UnicodeDecodeError:
        text = content.decode("utf-8-sig", "replace")
    wrong = text.count("\ufffd")
    is_damaged = sum(not char.isascii() for char in text) > 2 * wrong  # most of its letters are right all the same
    return text if is_damaged else content.decode("cp1252", "replace")


def _table(path: Path, text: str, *, is_cut: bool) -> Preview:
    if is_cut:  # the last line may be half a line
        text = text[: text.rfind("\n") + 1] or text
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:4096], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        lines = list(islice(csv.reader(io.StringIO(text, newline=""), dialect), MOST_LINES + 1))
    except csv.Error:
        return Preview("text", path, text, is_cut=is_cut)
    more = is_cut or len(lines) > MOST_LINES or any(len(line) > MOST_CELLS for line in lines)
    shown = tuple(tuple(line[:MOST_CELLS]) for line in lines[:MOST_LINES])
    return Preview("table", path, tables=(Table("", shown, more),))
