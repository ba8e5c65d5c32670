"""How smooth the chat is: streaming, long chats, long thinking, typing. Run: python tests/bench/chat.py

Each figure stands beside its goal and beside a baseline of the same run: Qt's own text browser given the same text.
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextBrowser

from carrel.ui.widgets.composer import Composer
from carrel.ui.widgets.transcript import Entry, Stub, Transcript, warm
from stage import application

SECTION = """## Section {n}

Here are the key points of part {n}:
- **First** point with `code` and a [link](https://example.com)
- Second point
  - nested detail about the matter at hand

| Name | Value |
|------|------:|
| alpha | {n} |
| beta | 12 |

```python
def f_{n}(x):
    return x * {n}
```

A paragraph of ordinary prose follows, long enough to wrap over more than one line in the view, and then more words.

"""
REPLY = "".join(SECTION.format(n=n) for n in range(1, 700))
THOUGHT = "The user asks for renewal duties and dates, so I should look at section 4 and at section 17 again. " * 5200


def frames(text: str, chunk: int) -> Iterator[str]:
    """The text as it has grown at each frame: 30 frames a second, `chunk` characters each millisecond or so."""
    for end in range(chunk, len(text) + chunk, chunk):
        yield text[:end]


def told(name: str, times: list[float], goal: str) -> None:
    """Print what a row of frames took, in milliseconds."""
    tenth = max(1, len(times) // 10)
    ratio = statistics.fmean(times[-tenth:]) / statistics.fmean(times[:tenth])
    ordered = sorted(times)
    print(
        f"{name}: {len(times)} frames, median {1e3 * statistics.median(times):.2f} ms, "
        f"99th {1e3 * ordered[int(len(times) * 0.99)]:.2f} ms, worst {1e3 * ordered[-1]:.1f} ms, "
        f"last tenth over first {ratio:.2f}   (goal: {goal})"
    )


def timed(work: Callable[[], object]) -> float:
    """Seconds that it took, painting included."""
    start = time.perf_counter()
    work()
    QApplication.processEvents()
    return time.perf_counter() - start


def transcript() -> Transcript:
    """An empty one, on the screen."""
    made = Transcript("bench.transcript", "bench")
    made.resize(940, 640)
    made.show()
    made.fill([], lambda _: Entry("", "user", ""))
    QApplication.processEvents()
    return made


def stream(view: Transcript, text: str, chunk: int, *, thinking: bool = False) -> list[float]:
    """The time of each frame while a text streams in."""
    entry = Entry("reply", "assistant", "", who="Bench", thinking_title="Thinking…", thinking_open=thinking)
    field = "thinking" if thinking else "text"
    return [timed(lambda g=grown: view.put(replace(entry, **{field: g}))) for grown in frames(text, chunk)]


def memory() -> float:
    """Megabytes in use at most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def bench_streaming() -> None:
    """A reply of 200 KB at 1,000 chunks of 20 characters a second, 30 frames a second."""
    view = transcript()
    told("200 KB reply", stream(view, REPLY[: 200 * 1024], 20 * 33), "99th < 8 ms, worst < 33 ms, ratio < 1.3")
    view.deleteLater()
    view = transcript()
    told("60,000 characters", stream(view, REPLY[:60_000], 20 * 16), "worst < 33 ms")
    view.deleteLater()


def bench_baseline() -> None:
    """Qt's own browser, which reads the whole reply again at each frame."""
    browser = QTextBrowser()
    browser.resize(940, 640)
    browser.show()
    steps = list(frames(REPLY[:60_000], 6000))
    told("baseline, whole reply again", [timed(lambda g=g: browser.setMarkdown(g)) for g in steps], "none")
    browser.deleteLater()


def bench_thinking() -> None:
    """500 KB of thinking."""
    view = transcript()
    told("500 KB of thinking", stream(view, THOUGHT[:500_000], 20 * 33, thinking=True), "99th < 8 ms, worst < 33 ms")
    view.deleteLater()


def bench_long_chat() -> None:
    """10,000 messages of 290 characters: open, scroll, type."""
    texts = [f"**Message {n}**\n\n- one\n- two\n\n" + "words and words. " * 15 for n in range(10_000)]
    roles = ("user", "assistant")
    stubs = [Stub(str(n), roles[n % 2], len(t)) for n, t in enumerate(texts)]
    view = transcript()
    before = memory()
    opened = timed(lambda: view.fill(stubs, lambda i: Entry(i, roles[int(i) % 2], texts[int(i)], who="Bench")))
    bar = view.verticalScrollBar()
    steps = []
    for number in range(600):
        if number % 100 == 0:
            bar.setValue(bar.maximum() * (number // 100 + 1) // 7)
            QApplication.processEvents()
        steps.append(timed(lambda: bar.setValue(bar.value() - 40)))
    print(f"10,000 messages: open {1e3 * opened:.0f} ms (goal < 200), memory up {memory() - before:.0f} MB (goal < 40)")
    told("wheel steps", steps, "99th < 8 ms")
    composer = Composer()
    composer.show()
    QApplication.processEvents()
    keys = [timed(lambda c=c: QTest.keyClicks(composer.field, c)) for c in "A question about the lease. " * 10]
    told("keystrokes", keys, "5 ms")
    QTest.keyClick(composer.field, Qt.Key.Key_Escape)


def main() -> None:
    """All of them."""
    application()
    gc.disable()  # the program sweeps between frames (carrel.loop): a collection is no part of one
    warm()  # as the chat pane does when it opens, in a thread
    bench_streaming()
    bench_baseline()
    bench_thinking()
    bench_long_chat()


if __name__ == "__main__":
    main()
