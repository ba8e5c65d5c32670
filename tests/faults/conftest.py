"""Every fault is a row of the scorecard: what it did to the loop, and that nothing of it is left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

BEAT = 0.01
MOST_STILL = 1.0
"""Seconds. A loop should never stand still for 0.1; machines are noisy, so a test fails at one."""

ROWS = pytest.StashKey[list["Row"]]()


@dataclass(frozen=True)
class Left:
    """What a test may leave behind."""

    tasks: int
    descriptors: int
    threads: int
    timers: int

    @classmethod
    def now(cls) -> Left:
        gc.collect()
        threads = sum(thread.name.startswith("carrel-") for thread in threading.enumerate())
        timers = [handle for handle in getattr(asyncio.get_running_loop(), "_scheduled", ()) if not handle.cancelled()]
        return cls(len(asyncio.all_tasks()), _descriptors(), threads, len(timers))


@dataclass(frozen=True)
class Row:
    """One line of the table; `still` is the loop's longest stop in seconds."""

    group: str
    fault: str
    still: float


def _descriptors() -> int:
    folder = Path("/proc/self/fd")
    return len(os.listdir(folder)) if folder.exists() else 0


class _Heart:
    """Beats every 10 ms on the loop and remembers its longest stop."""

    def __init__(self) -> None:
        self.still = 0.0
        self._last = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None

    def beat(self) -> None:
        now = time.monotonic()
        self.still = max(self.still, now - self._last - BEAT)
        self._last = now
        self._timer = asyncio.get_running_loop().call_later(BEAT, self.beat)

    def stop(self) -> None:
        assert self._timer is not None
        self._timer.cancel()


@pytest_asyncio.fixture(autouse=True)
async def row(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    before = Left.now()
    heart = _Heart()
    heart.beat()
    yield
    heart.stop()
    left = await _returned(before)
    fault = request.node.name.removeprefix("test_").replace("_", " ")
    rows = request.config.stash.setdefault(ROWS, [])
    rows.append(Row(request.module.GROUP, fault, heart.still))
    assert left == before, "something was left behind"
    assert heart.still < MOST_STILL


async def _returned(before: Left) -> Left:
    """What is there once it is as before, or after five seconds."""
    for _ in range(250):
        if (left := Left.now()) == before:
            break
        await asyncio.sleep(0.02)
    return left


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    rows = config.stash.get(ROWS, [])
    if not rows:
        return
    failed = {report.location[2].removeprefix("test_").replace("_", " ") for report in _failures(terminalreporter)}
    terminalreporter.section("faults")
    for row in rows:
        verdict = "FAILED" if row.fault in failed else "ok"
        terminalreporter.write_line(f"{row.group:9} {verdict:7} longest stop {row.still * 1000:6.1f} ms  {row.fault}")


def _failures(reporter: Any) -> Iterator[Any]:
    for kind in ("failed", "error"):
        yield from reporter.stats.get(kind, [])
