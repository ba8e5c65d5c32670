"""What a keystroke costs in the real window: 10,000 messages open, 100,000 files to mention.

Run: python tests/bench/composing.py. Each figure stands beside a bare Qt text field in the same run.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from carrel.model import Reply
from carrel.model.draft import Draft
from carrel.store.chats import Chat, Message
from carrel.store.library import Entry
from carrel.store.shelves import Shelves
from stage import Stage, play

MESSAGES, FILES = 10_000, 100_000
WORDS = "what do we have to do to renew the harbour street lease, and by when "
ANSWER = "The notice must be served in writing, between six and twelve months before the lease expires. " * 3


async def fill(stage: Stage) -> str:
    """A chat of 10,000 messages, and a mirror of 100,000 files; the chat's id."""
    context = stage.desk.session.context
    chat = Chat("long", "", "A long chat", "", 1.0, 1.0)
    turns = []
    for turn in range(1, MESSAGES // 2 + 1):
        asked = Draft(text=f"Question {turn}: {WORDS}")
        turns.append(Message(f"q{turn}", chat.id, turn, 1, "user", 1.0, asked))
        turns.append(
            Message(f"a{turn}", chat.id, turn, 1, "assistant", 1.0, asked, Reply(text=ANSWER, state="complete"))
        )
    await Shelves(context.db, context.account_id).add_turn(chat, turns)
    names = (f"report-{n % 977}-{n}.pdf" for n in range(FILES))
    stage.desk.session.library.catalog.put(
        Entry(f"f{n}", name, "Deals/North", "file", "success", False, float(n)) for n, name in enumerate(names)
    )
    return chat.id


async def stalls(found: list[float]) -> None:
    """Note how much later than asked the loop came back."""
    while True:
        start = time.perf_counter()
        await asyncio.sleep(0.002)
        found.append(time.perf_counter() - start - 0.002)


async def typed(field: QWidget, text: str) -> list[float]:
    """Seconds that each key took, painting included."""
    times = []
    for letter in text:
        start = time.perf_counter()
        QTest.keyClicks(field, letter)
        field.repaint()
        times.append(time.perf_counter() - start)
        await asyncio.sleep(0.02)
    return times


def told(name: str, times: list[float], bare: list[float]) -> None:
    """Print a row of figures, in milliseconds."""
    ordered = sorted(times)
    ratio = statistics.median(times) / statistics.median(bare)
    print(
        f"{name}: {len(times)} keys, median {1e3 * statistics.median(times):.2f} ms, "
        f"99th {1e3 * ordered[int(len(times) * 0.99)]:.2f} ms, worst {1e3 * ordered[-1]:.2f} ms, "
        f"{ratio:.1f} times a bare field   (goal: under 5 ms)"
    )


async def story(stage: Stage) -> None:
    """Type words, then mentions."""
    bare = QPlainTextEdit(stage.window)
    bare.setGeometry(0, 0, 600, 80)
    bare.show()
    baseline = await typed(bare, WORDS * 3)
    bare.deleteLater()
    stage.window.presenter("chat").open(await fill(stage))
    await stage.hand.settle(1.0)
    field = stage.hand.find("chat.composer")
    field.setFocus()
    late: list[float] = []
    watch = asyncio.ensure_future(stalls(late))
    told("words, 10,000 messages open", await typed(field, WORDS * 3), baseline)
    told("#, 100,000 files", await typed(field, "#report-5 #977 #zzz #r "), baseline)
    watch.cancel()
    print(f"longest stall of the loop while typing: {1e3 * max(late):.1f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        play(Path(home), story)
