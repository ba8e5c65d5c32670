"""Every fault is a row of the scorecard: what it did to the loop, and that nothing of it is left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import asdict, dataclass
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
        threads = sum(thread.name.startswith("carrel-") for thread in threading.enumerate())
        timers = [handle for handle in getattr(asyncio.get_running_loop(), "_scheduled", ()) if not handle.cancelled()]
        return cls(len(asyncio.all_tasks()), _descriptors(), threads, len(timers))


@dataclass(frozen=True)
class Row:
    """One line of the table; `still` is the loop's longest stop in seconds."""

    group: str
    fault: str
    still: float
    node: str


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
    more = await _more_than(before)
    rows = request.config.stash.setdefault(ROWS, [])
    rows.append(Row(request.module.GROUP, request.node.originalname, heart.still, request.node.nodeid))
    assert not more, f"left behind: {more}"
    assert heart.still < MOST_STILL


async def _more_than(before: Left) -> dict[str, int]:
    """What is there beyond what was before, once that is nothing or five seconds have passed."""
    for _ in range(50):
        now = asdict(Left.now())
        more = {kind: now[kind] - was for kind, was in asdict(before).items() if now[kind] > was}
        if not more:
            break
        gc.collect()
        await asyncio.sleep(0.1)
    return more


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    rows = config.stash.get(ROWS, [])
    if not rows:
        return
    failed = {report.nodeid for report in _failures(terminalreporter)}
    faults: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        faults.setdefault((row.group, row.fault), []).append(row)
    terminalreporter.section("faults: the loop's longest stop, cases, verdict")
    for (group, fault), cases in faults.items():
        verdict = "FAILED" if failed & {case.node for case in cases} else "ok"
        still = max(case.still for case in cases) * 1000
        words = fault.removeprefix("test_").replace("_", " ")
        terminalreporter.write_line(f"{group:9} {still:6.1f} ms {len(cases):3}  {verdict:7} {words}")


def _failures(reporter: Any) -> Iterator[Any]:
    for kind in ("failed", "error"):
        yield from reporter.stats.get(kind, [])
