"""One clock for a call: it ends a wait in which nothing moves, and tells when it has been quiet."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from carrel.api.listening import tell

T = TypeVar("T")


class Watch:
    """Bounds each wait of one call to `idle` seconds without life, and all of them to `whole`, with a single timer.

    A timer for each socket read, as httpx makes them, piles up on the Qt loop, which keeps a cancelled timer until it
    would have fired. `beat()` is life that does not end a wait, such as a chunk that left.
    """

    def __init__(
        self,
        idle: float,
        *,
        whole: float | None = None,
        quiet: float | None = None,
        on_quiet: Callable[[float], None] | None = None,
    ) -> None:
        """Make the clock; it runs within its block. `on_quiet` is told of silences longer than `quiet` seconds."""
        self.idle = idle
        """Seconds without life that a wait may last; may change while one lasts."""
        self._quiet = quiet if on_quiet is not None else None
        self._on_quiet = on_quiet
        self._step = min(1.0, idle / 5, (quiet or idle) / 5)
        self._scope: asyncio.Timeout | None = None
        self._whole = whole
        self._since = self._began = 0.0
        self._told = False
        self._timer: asyncio.TimerHandle | None = None

    def __enter__(self) -> Watch:
        """Start the clock."""
        self._began = asyncio.get_running_loop().time()
        self._tick()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        if self._timer is not None:
            self._timer.cancel()

    def beat(self) -> None:
        """Something moved."""
        self._since = asyncio.get_running_loop().time()
        if self._told:
            self._told = False
            tell(self._on_quiet, 0.0)

    async def over(self, waited: Awaitable[T]) -> T:
        """The result of `waited`; `TimeoutError` once nothing has moved for `idle` seconds."""
        if not self._told:
            self.beat()
        async with asyncio.timeout(None) as scope:
            self._scope = scope
            try:
                result = await waited
            finally:
                self._scope = None
        self.beat()
        return result

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._step, self._tick)
        if self._scope is None:
            return
        still = loop.time() - self._since
        if still >= self.idle or (self._whole is not None and loop.time() - self._began >= self._whole):
            self._scope.reschedule(loop.time())
            self._scope = None  # once: what is waited for may need a moment to end
        elif self._quiet is not None and still >= self._quiet:
            self._told = True
            tell(self._on_quiet, still)


@contextmanager
def every(seconds: float, do: Callable[[], None]) -> Iterator[None]:
    """Call `do` again and again within the block, and once at its end."""
    loop = asyncio.get_running_loop()
    timer: asyncio.TimerHandle | None = None

    def turn() -> None:
        nonlocal timer
        timer = loop.call_later(seconds, turn)
        do()

    turn()
    try:
        yield
    finally:
        assert timer is not None
        timer.cancel()
        do()
