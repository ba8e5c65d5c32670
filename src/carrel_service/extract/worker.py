"""The reading process itself: takes paths on standard input, gives texts on standard output, within limits."""

import contextlib
import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import TextIO

from .formats import read
from .text import Failed, Text

MEMORY_LIMIT = 1_500_000_000
"""Bytes of address space; what asks for more gets a MemoryError, or ends this process."""


def main() -> None:
    """Answer one file a line, until the input closes."""
    time_limit, tempfile.tempdir = float(sys.argv[1]), sys.argv[2]
    answers = _answers()
    _keep_limits()
    for line in sys.stdin:
        asked = json.loads(line)
        _set_alarm(time_limit + 10)
        _answer(answers, Path(asked["path"]), asked["name"])
        _set_alarm(0)


def _answers() -> TextIO:
    """The real standard output; whatever a library prints goes to standard error instead."""
    real = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return real


def _keep_limits() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows, or a system with tighter limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(10)


def _set_alarm(seconds: float) -> None:
    """End this process by itself if the service, killed, can no longer do it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _answer(answers: TextIO, path: Path, name: str) -> None:
    try:
        for text in read(path, name):
            _send(answers, text)
        _say(answers, {"end": True})
    except Failed as reason:
        _say(answers, {"failed": str(reason)})
    except MemoryError:
        _say(answers, {"failed": "reading it takes more memory than it is allowed"})
        sys.exit(1)
    except BaseException as error:  # noqa: BLE001  # a seam: readers of broken files raise anything, some past Exception
        _say(answers, {"failed": f"it is broken ({type(error).__name__}: {error})"[:300]})


def _send(answers: TextIO, text: Text) -> None:
    _say(answers, {"member": text.member, "text": text.text})


def _say(answers: TextIO, answer: dict[str, object]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
