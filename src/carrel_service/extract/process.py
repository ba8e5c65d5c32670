"""Runs the reading process: one file in, its texts out, and an end to it when a file takes too long."""

import contextlib
import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from .text import Failed, Text

TIME_LIMIT = 120.0
"""Seconds that one file may take."""


class ReadingProcess:
    """Started at the first file, kept for the next; after a crash or a time-out there is a new one."""

    def __init__(self, scratch: Path, time_limit: float = TIME_LIMIT) -> None:
        """`scratch` is a folder of its own for members being unpacked; it is emptied at each start."""
        self._scratch = scratch
        self._time_limit = time_limit
        self._process: subprocess.Popen[str] | None = None
        self._reading = threading.RLock()
        self._ended_for = ""

    @property
    def running(self) -> bool:
        """Whether there is a process to end."""
        return self._process is not None

    def read(self, path: Path, file_name: str) -> list[Text]:
        """The texts of a file, one a member for a zip.

        Raises Failed with the reason when there are none, and OSError where the process cannot be started.
        """
        process = self._process or self._start()
        self._ended_for = ""
        clock = threading.Timer(self._time_limit, self._time_out)
        clock.start()
        try:
            with self._reading:
                return self._ask(process, path, file_name)
        except (OSError, ValueError) as error:  # the pipe broke, or what came through it was cut off
            self.kill()
            raise Failed(self._ended_for or "reading it ended the reading process") from error
        finally:
            clock.cancel()

    def kill(self) -> None:
        """End the process at once, from any thread; a read that is going on raises Failed."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        with self._reading:  # whoever reads has met the end of the pipe and leaves
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # what was still to be written goes nowhere
                    if pipe:
                        pipe.close()

    def _ask(self, process: "subprocess.Popen[str]", path: Path, file_name: str) -> list[Text]:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"path": str(path), "name": file_name}) + "\n")
        process.stdin.flush()
        texts: list[Text] = []
        while True:
            answer: dict[str, Any] = json.loads(process.stdout.readline())
            if "failed" in answer:
                raise Failed(answer["failed"])
            if "end" in answer:
                return texts
            texts.append(Text(answer["text"], answer["member"]))

    def _start(self) -> "subprocess.Popen[str]":
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir(parents=True)
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.worker", str(self._time_limit), str(self._scratch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what broken files make native libraries say helps nobody
            text=True,
            encoding="utf-8",
        )
        return self._process

    def _time_out(self) -> None:
        self._ended_for = f"reading it took longer than {self._time_limit:.0f} seconds"
        self.kill()
