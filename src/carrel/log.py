"""Loggers by subject, one rotating file, and a filter that no secret passes."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from logging.handlers import RotatingFileHandler
from pathlib import Path

LIMIT = 2_000_000
"""Bytes of one log file; three are kept."""

_HEADER = re.compile(
    r"(?i)(x-api-key|x-secret|x-client-id|private-key|client-id|(?<![\w-])secret|api[_-]?key|authorization)"
    r"(['\"]?\s*[:=]\s*)(b?['\"]?)[^\s'\",;}\])]+"
)


class SecretFilter(logging.Filter):
    """Writes stars over every known secret, and over whatever stands behind a credential's name."""

    def __init__(self) -> None:
        """Start without known secrets; accounts add theirs as they open."""
        super().__init__()
        self._known: tuple[str, ...] = ()

    def hide(self, secrets: Iterable[str]) -> None:
        """From now on these texts are hidden too (those under four letters would hide half the log)."""
        known = {*self._known, *(s for s in secrets if len(s) >= 4)}
        self._known = tuple(sorted(known, key=len, reverse=True))  # one may be the beginning of another

    def scrub(self, text: str) -> str:
        """The text without secrets."""
        for secret in self._known:
            text = text.replace(secret, "••••")
        return _HEADER.sub(r"\1\2\3••••", text)

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record as finished text, its traceback included."""
        text = record.getMessage()
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        record.exc_text = self.scrub(record.exc_text) if record.exc_text else record.exc_text
        record.exc_info = None
        record.msg, record.args = self.scrub(text), None
        return True


secrets = SecretFilter()
"""The one filter of this process."""


def start(file: Path) -> None:
    """Log into `file`; a disk that refuses leaves the program running without a log."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    for noisy in ("httpx", "httpcore", "asyncio", "qasync", "markdown", "keyring"):
        logging.getLogger(noisy).setLevel(logging.WARNING)  # httpx's INFO writes whole addresses, signed links too
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(file, maxBytes=LIMIT, backupCount=2, encoding="utf-8")
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.addFilter(secrets)
    root.addHandler(handler)


def stop() -> None:
    """Close the log's files."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if secrets in handler.filters:
            root.removeHandler(handler)
            handler.close()
