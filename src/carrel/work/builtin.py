"""The built-in service as a process: started, watched, and ended with the window."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from psygnal import Signal

from carrel.model import Account, Unreachable

log = logging.getLogger("carrel.builtin")

PATIENCE = 30.0
"""Seconds until it must have answered; a busy machine may need some."""

LEAVE = 5.0
"""Seconds that it has to end by itself."""

LOG_LIMIT = 2_000_000
"""Bytes of its log after which a start begins a new one; the former is kept beside it."""


class BuiltIn:
    """The process. `ended` tells, on the loop's thread, that it ended without being asked to."""

    ended = Signal(int)

    def __init__(self, folder: Path, options: tuple[str, ...] = ("--samples",)) -> None:
        """`folder` is where the service keeps everything; nothing is started yet."""
        self.folder = folder
        self._options = options
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process else None

    async def start(self) -> Account:
        """Start it and give the account that it made; `Unreachable` says why it did not start."""
        await self.stop()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            process = self._process = self._spawn()  # not in a thread: a cancel would leave it running
        except OSError as error:
            why = f"{error.filename or self.folder}: {error.strerror or error}"
            raise _not_started(f"The built-in service could not be started. {why}.") from error
        try:
            async with asyncio.timeout(PATIENCE):
                line = await asyncio.to_thread(_first_line, process)
            account = _account(line)
        except (TimeoutError, ValueError, LookupError, TypeError):
            self._process = None
            process.kill()
            await asyncio.to_thread(_end, process)
            raise _not_started(f"The built-in service did not start; {self.folder / 'service.log'} says why.") from None
        self._watch(process)
        return account

    async def stop(self) -> None:
        """End it: its standard input closes, and it has a few seconds."""
        process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(_end, process)

    def _spawn(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "carrel_service", "--data", str(self.folder), *self._options]
        _turn_over(self.folder / "service.log")
        with (self.folder / "service.log").open("a", encoding="utf-8") as out:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=out,
                text=True,
                encoding="utf-8",
                start_new_session=sys.platform != "win32",  # Ctrl+C in a terminal is for the window to handle
            )

    def _watch(self, process: subprocess.Popen[str]) -> None:
        loop = asyncio.get_running_loop()

        def wait() -> None:
            code = process.wait()
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._gone, process, code)

        threading.Thread(target=wait, name="carrel-built-in", daemon=True).start()

    def _gone(self, process: subprocess.Popen[str], code: int) -> None:
        if self._process is process:
            self._process = None
            _end(process)
            log.warning("the built-in service ended with code %s", code)
            self.ended.emit(code)


def _turn_over(log_file: Path) -> None:
    """Put a log that has grown long aside. Where that is refused, it grows on: better than no service."""
    with contextlib.suppress(OSError):
        if log_file.stat().st_size > LOG_LIMIT:
            log_file.replace(log_file.with_name(f"{log_file.name}.1"))


def _account(line: str) -> Account:
    """The account that the service's first line tells."""
    ready = json.loads(line)
    return Account(name="Built-in service", **{k: ready[k] for k in ("base_url", "client_id", "api_key", "secret")})


def _not_started(message: str) -> Unreachable:
    remedy = "Look at the disk and at the rights of its folder, then try again."
    return Unreachable(message, title="The built-in service did not start", remedy=remedy, sent="no")


def _first_line(process: subprocess.Popen[str]) -> str:
    return _pipe(process.stdout).readline()


def _end(process: subprocess.Popen[str]) -> None:
    _pipe(process.stdin).close()
    try:
        process.wait(LEAVE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _pipe(process.stdout).close()


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None  # all three were asked for
    return pipe
