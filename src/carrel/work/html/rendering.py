"""HTML of Markdown with a time limit: made in a process that is ended when a text takes too long."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from contextlib import suppress
from types import TracebackType
from typing import IO

from carrel.work.html.markup import plain_html

log = logging.getLogger("carrel.html")

LIMIT = 5.0
"""Seconds for one text. An ordinary one of 200 KB takes half a second."""

PATIENCE = 30.0
"""Seconds for the process to start; a busy machine may need some."""


class Rendering:
    """An async context. A text that takes too long, or ends the process, comes back as it is, escaped."""

    def __init__(self, limit: float = LIMIT) -> None:
        """`limit` is in seconds; nothing is started yet."""
        self._limit = limit
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Rendering:
        """Begin; the process starts with the first text."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        await self._end()

    async def html(self, text: str, *, colours: bool = True) -> str:
        """The text as HTML; `colours` dresses code by its language."""
        if not text.strip():
            return ""
        clean = text.encode("utf-8", "replace").decode()
        line = json.dumps({"text": clean, "colours": colours}).encode() + b"\n"
        async with self._turn:
            answer = await self._ask(line)
        if answer is None:
            log.info("a text of %s characters is exported as it is", len(text))
            return plain_html(clean)
        return answer

    async def _ask(self, line: bytes) -> str | None:
        try:
            process = self._process or await self._start()
            async with asyncio.timeout(self._limit):
                told = await asyncio.to_thread(_exchange, process, line)
        except (TimeoutError, OSError):
            told = b""
        except asyncio.CancelledError:
            await self._end()
            raise
        if not told:
            await self._end()
            return None
        return str(json.loads(told))

    async def _start(self) -> subprocess.Popen[bytes]:
        spawning = asyncio.get_running_loop().run_in_executor(None, _spawn)
        try:
            process = self._process = await asyncio.shield(spawning)
        except asyncio.CancelledError:
            self._process = await spawning  # so that it can be ended
            raise
        async with asyncio.timeout(PATIENCE):
            await asyncio.to_thread(_pipe(process.stdout).readline)
        return process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, _close, process))


def _spawn() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "carrel.work.html.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=sys.platform != "win32",  # Ctrl+C in a terminal is for the window to handle
    )


def _exchange(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    _pipe(process.stdin).write(line)
    _pipe(process.stdin).flush()
    return _pipe(process.stdout).readline()


def _close(process: subprocess.Popen[bytes]) -> None:
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(BrokenPipeError):  # what was not written goes with the process
            _pipe(pipe).close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # both were asked for
    return pipe
