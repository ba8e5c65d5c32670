"""Tables of a workbook for the preview: another process reads it, within limits of time and memory."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LIMIT = 20.0
"""Seconds for a workbook. An ordinary one takes half a second, most of it for the process to start."""

LOCKED = b"\xd0\xcf\x11\xe0"
"""How a container of the older kind begins: as an .xlsx it holds an encrypted workbook."""

WORDS = {
    "large": "The workbook is too large to be shown here. Open the file to see it.",
    "broken": "The workbook cannot be read: it is broken, or no workbook. Open the file to see what is wrong.",
    "locked": "The workbook is protected by a password. Open the file to see it.",
    "slow": "The workbook takes too long to read. Open the file to see it.",
}


@dataclass(frozen=True, slots=True)
class Table:
    """The beginning of a sheet, or of a file with one table and no name; `is_cut` where there is more of it."""

    name: str
    lines: tuple[tuple[str, ...], ...]
    is_cut: bool = False


class BookRefused(Exception):
    """The workbook is not shown; the text says why, and what can be done."""


async def read_book(path: Path, limit: float = LIMIT) -> tuple[Table, ...]:
    """The first sheets of an .xlsx file, each from its beginning; `limit` is in seconds. Raises `BookRefused`."""
    if await asyncio.to_thread(_begins_with, path, LOCKED):
        raise BookRefused(WORDS["locked"])
    reading = _Reading(path)
    try:
        async with asyncio.timeout(limit):
            told = await asyncio.to_thread(reading.run)
    except TimeoutError:
        raise BookRefused(WORDS["slow"]) from None
    finally:
        reading.end()
    if not told:  # the system ended the process, or it could not even say that it had no memory left
        raise BookRefused(WORDS["large"])
    answer = json.loads(told)
    if "refused" in answer:
        raise BookRefused(WORDS[answer["refused"]])
    return tuple(Table(name, tuple(map(tuple, lines)), is_cut) for name, lines, is_cut in answer["tables"])


class _Reading:
    """The process; it is ended from another thread than the one that waits for it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process: subprocess.Popen[bytes] | None = None
        self._has_ended = False

    def run(self) -> bytes:
        """Start it, and give all that it says."""
        command = [sys.executable, "-m", "carrel.work.previewsheets", str(self._path)]
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # else each core reserves memory, against the limit
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        ) as self._process:
            if self._has_ended:
                self._process.kill()
            return self._process.communicate()[0]

    def end(self) -> None:
        """End it, where it still runs."""
        self._has_ended = True
        if self._process is not None and self._process.poll() is None:
            self._process.kill()


def _begins_with(path: Path, sign: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(sign)) == sign
