"""Keeps a data folder to one service: two would index the same queue."""

import sys
import time
from pathlib import Path
from typing import BinaryIO

PATIENCE = 10.0
"""Seconds that a folder may still be held: the service of a program that was killed ends a moment after it."""

_BETWEEN = 0.1
"""Seconds between two tries."""


class Taken(OSError):
    """Another service holds the folder."""

    def __str__(self) -> str:
        return "another built-in service is running on this folder"


def take(data: Path, patience: float = PATIENCE) -> BinaryIO:
    """Lock the folder for as long as the file that is returned stays open. Raises Taken after `patience` seconds.

    The system lets go of it when the process ends, however it ends.
    """
    data.mkdir(parents=True, exist_ok=True)
    held = (data / "service.lock").open("ab")
    end = time.monotonic() + patience
    while True:
        try:
            _lock(held)
        except OSError as error:
            if time.monotonic() >= end:
                held.close()
                raise Taken from error
            time.sleep(_BETWEEN)
        else:
            return held


if sys.platform == "win32":
    import msvcrt

    def _lock(held: BinaryIO) -> None:
        held.seek(0)
        msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(held: BinaryIO) -> None:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
