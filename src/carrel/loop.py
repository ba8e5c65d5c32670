"""The one event loop of Qt and asyncio: qasync's, with async generators finished and garbage swept where they must."""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QTimer
from qasync import QEventLoop

SWEEP = 250
"""Milliseconds between two looks at whether there is garbage enough."""


class Loop(QEventLoop):
    """qasync 0.28 leaves out asyncio's hooks for async generators.

    Without them a generator that is dropped half-read (a stream that was stopped) is finished by the garbage
    collector, outside any task, where what it awaits in its `finally` cannot run.
    """

    def run_forever(self) -> object:
        """Run with the hooks that `asyncio.BaseEventLoop.run_forever` sets."""
        former = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        sweeper = _Sweeper()
        try:
            return super().run_forever()
        finally:
            sweeper.end()
            sys.set_asyncgen_hooks(*former)


class _Sweeper(QTimer):
    """Collects garbage on the window's thread.

    Python collects on whichever thread happens to allocate, and a forgotten widget that is destroyed on another
    thread than its own takes the whole process with it (seen: a segmentation fault while a database was opened).
    """

    def __init__(self) -> None:
        """Take over from Python."""
        super().__init__(interval=SWEEP)
        self._was_on = gc.isenabled()
        self._has_frozen = False
        gc.disable()
        self.timeout.connect(self._sweep)
        self.start()

    def end(self) -> None:
        """Give it back to Python."""
        self.stop()
        gc.unfreeze()
        if self._was_on:
            gc.enable()

    def _sweep(self) -> None:
        counts, limits = gc.get_count(), gc.get_threshold()
        generation = next((n for n in (2, 1, 0) if counts[n] > limits[n]), None)
        if generation is None:
            return
        gc.collect(generation)
        if generation == 2 and not self._has_frozen:
            # Modules, classes and the window itself stay: to look at them each time took up to 41 ms of a full sweep.
            self._has_frozen = True
            gc.freeze()
