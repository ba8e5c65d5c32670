"""A write that must not be lost: tried again for as long as the disk refuses it and the session is open."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from carrel.store.db import StoreError
from carrel.work.tasks import Tasks

log = logging.getLogger("carrel.writing")
T = TypeVar("T")

FIRST, LONGEST = 0.5, 30.0
"""Seconds between two tries: from the first, doubling, to the second."""


async def until_written(
    tasks: Tasks, write: Callable[[], Awaitable[T]], refused: Callable[[], None] | None = None
) -> T:
    """Give what `write` gives once the disk has taken it; `refused` is called where it did not at once.

    As the tasks close there is one last try: `StoreError` where that fails too.
    """
    pause, is_first = FIRST, True
    while True:
        is_last = tasks.is_closing
        try:
            return await write()
        except StoreError as error:
            if is_last:
                raise
            log.warning("%s", error)
        if is_first and refused is not None:
            refused()
        is_first = False
        await tasks.pause(pause)
        pause = min(2 * pause, LONGEST)
