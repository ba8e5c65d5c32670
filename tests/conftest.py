"""For every test: what is logged as a warning or worse and was not expected fails it; garbage has one thread."""

from __future__ import annotations

import gc
import logging
import sys
from collections.abc import Iterator

import pytest


class LogWatch(logging.Handler):
    """Collects what should not have been logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: list[str] = []
        self.expected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = f"{record.levelname} {record.name}: {record.getMessage()}"
        if record.exc_info:
            text += "\n" + logging.Formatter().formatException(record.exc_info)
        self.seen.append(text)

    def expect(self, words: str) -> None:
        """A line that holds these words is right in this test, and must come."""
        self.expected.append(words)

    def unexpected(self) -> list[str]:
        return [line for line in self.seen if not any(words in line for words in self.expected)]

    def missing(self) -> list[str]:
        return [words for words in self.expected if not any(words in line for line in self.seen)]


@pytest.fixture(autouse=True)
def log_watch() -> Iterator[LogWatch]:
    """Fail the test on any unexpected warning or error in the log."""
    watch = LogWatch()
    logging.getLogger().addHandler(watch)
    yield watch
    logging.getLogger().removeHandler(watch)
    assert not watch.unexpected(), "\n".join(["logged, and not expected:", *watch.unexpected()])
    assert not watch.missing(), f"expected in the log, and did not come: {watch.missing()}"


SWEEP = 20
"""Tests between two collections of garbage."""

_since_sweep = 0


@pytest.fixture(scope="session", autouse=True)
def one_thread_for_garbage() -> Iterator[None]:
    """Keep Python from collecting on a worker's thread: a widget destroyed there ends the process (carrel.loop)."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def empty_clipboard() -> Iterator[None]:
    """Take back at the end what a test copied.

    The offscreen platform would destroy it when Python is gone already, which ends the process with a fault.
    """
    yield
    if (gui := sys.modules.get("PySide6.QtGui")) and gui.QGuiApplication.instance() is not None:
        gui.QGuiApplication.clipboard().clear()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Collect on the main thread, now and then."""
    global _since_sweep  # noqa: PLW0603  # a hook has nowhere else to count
    _since_sweep += 1
    if _since_sweep >= SWEEP:
        _since_sweep = 0
        gc.collect()
