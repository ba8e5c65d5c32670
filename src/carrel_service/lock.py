"""Keeps a data folder to one service: two would index the same queue."""

import sys
from pathlib import Path
from typing import BinaryIO


class Taken(OSError):
    """Another service holds the folder."""

    def __str__(self) -> str:
        return "another built-in service is running on this folder"


def take(data: Path) -> BinaryIO:
    """Lock the folder for as long as the file that is returned stays open. Raises Taken.

    The system lets go of it when the process ends, however it ends.
    """
    data.mkdir(parents=True, exist_ok=True)
    held = (data / "service.lock").open("ab")
    try:
        _lock(held)
    except OSError as error:
        held.close()
        raise Taken from error
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
