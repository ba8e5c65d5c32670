"""The one event loop of Qt and asyncio: qasync's, made to finish async generators as asyncio's own loop does."""

from __future__ import annotations

import sys

from qasync import QEventLoop


class Loop(QEventLoop):
    """qasync 0.28 leaves out asyncio's hooks for async generators.

    Without them a generator that is dropped half-read (a stream that was stopped) is finished by the garbage
    collector, outside any task, where what it awaits in its `finally` cannot run.
    """

    def run_forever(self) -> object:
        """Run with the hooks that `asyncio.BaseEventLoop.run_forever` sets."""
        former = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook)
        try:
            return super().run_forever()
        finally:
            sys.set_asyncgen_hooks(*former)
