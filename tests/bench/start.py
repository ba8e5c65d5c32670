"""How long until the first window is painted: Carrel against a bare Qt window, one after the other in one run.

`python tests/bench/start.py [RUNS]` prints the median of each and their ratio; the goal is 2.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GOAL = 2.0

PAINTED = """
import os
from PySide6.QtCore import QTimer

def painted(self, event):
    QTimer.singleShot(0, lambda: (print("painted", flush=True), os._exit(0)))
"""

BARE = (
    PAINTED
    + """
from PySide6.QtWidgets import QApplication, QMainWindow

QMainWindow.paintEvent = painted
app = QApplication([])
window = QMainWindow()
window.resize(1280, 800)
window.show()
app.exec()
"""
)

CARREL = """
import os, sys
from carrel.__main__ import parse
from carrel.run import run
from carrel.ui.window import Window

Window._shown = lambda self: (print("painted", flush=True), os._exit(0))  # called as the bare window's timer is
run(parse(["--home", sys.argv[1]]))
"""


def seconds(code: str, home: Path) -> float:
    """From the start of the process to its first paint."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", code, str(home)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        took = time.perf_counter() - began
    assert line.strip() == "painted", "no window was painted"
    return took


def main() -> None:
    """Alternate the two, so that what the machine does besides meets both."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    bare, carrel = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(runs + 1):
            bare.append(seconds(BARE, Path(folder)))
            carrel.append(seconds(CARREL, Path(folder) / "home"))
            if number == 0:  # the first of each only warms the disk's cache
                bare.clear()
                carrel.clear()
    for name, times in (("bare window", bare), ("Carrel", carrel)):
        print(
            f"{name:12} {statistics.median(times) * 1000:6.0f} ms   {min(times) * 1000:.0f} to {max(times) * 1000:.0f}"
        )
    ratio = statistics.median(carrel) / statistics.median(bare)
    print(f"ratio        {ratio:6.2f}      goal {GOAL:.0f}, {'reached' if ratio <= GOAL else 'missed'}")


if __name__ == "__main__":
    main()
