"""The guided tour: the main job in the real window, with a picture and a check at each step."""

from __future__ import annotations

import json
import logging
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from carrel.hand import Hand, NotSeen
from carrel.tour_steps import Tour
from carrel.ui.theme import theme
from carrel.ui.window import PLACES, Window
from carrel.work.desk import Desk

log = logging.getLogger("carrel.tour")


@dataclass(frozen=True)
class Step:
    """One step of the report: `saw` is what was found, `ms` how long it took."""

    name: str
    ok: bool
    saw: str
    picture: str
    ms: int


async def walk(desk: Desk, window: Window, folder: Path) -> bool:
    """Take the tour, leave pictures and report.json in `folder`; whether every step went well."""
    folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240  # nothing else runs yet
    window.resize(1280, 800)
    theme.choose("light")
    steps: list[Step] = []
    with tempfile.TemporaryDirectory(prefix="carrel-tour-") as files:
        tour = Tour(desk, window, Hand(window), Path(files))
        for name, work in tour.steps():
            step = await _take(name, work, tour.hand, folder / f"{len(steps) + 1:02d}-{name}.png")
            steps.append(step)
            print(f"{'ok  ' if step.ok else 'FAIL'} {step.name}: {step.saw}", flush=True)
            if not step.ok and name == "start":
                break
    if all(step.ok for step in steps):
        await _panes(window, tour.hand, folder)
    ok = all(step.ok for step in steps)
    report = {"ok": ok, "steps": [asdict(step) for step in steps]}
    (folder / "report.json").write_text(json.dumps(report, indent=2, ensure_ascii=False), "utf-8")
    return ok


async def _take(name: str, work: Callable[[], Awaitable[str]], hand: Hand, picture: Path) -> Step:
    began = time.monotonic()
    try:
        saw, ok = await work(), True
    except NotSeen as why:
        saw, ok = str(why), False
    except Exception as error:  # a step that breaks is a finding, and the others are still taken
        log.exception("tour step %s", name)
        saw, ok = f"{type(error).__name__}: {error}", False
    took = round(1000 * (time.monotonic() - began))
    await hand.settle()
    return Step(name, ok, saw, hand.picture(picture).name, took)


async def _panes(window: Window, hand: Hand, folder: Path) -> None:
    """Every pane in both themes."""
    for choice in ("light", "dark"):
        theme.choose(choice)
        for place in PLACES:
            window.go(place.key)
            await hand.settle(0.4)
            hand.picture(folder / f"pane-{place.key}-{choice}.png")
    theme.choose("light")
