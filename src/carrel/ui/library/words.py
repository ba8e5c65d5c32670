"""What a person reads for the service's values: states, sources, folders and dates of files."""

from __future__ import annotations

import re
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from carrel.model.library import state_kind

_tr = QCoreApplication.translate


_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Controls, line ends, and the marks of direction, by which "txt.exe" can be made to read as "exe.txt"."""


def name_words(name: str) -> str:
    """A file's name as it is read: what would change the order of its letters, and cannot be seen, is left out."""
    return name if name.isprintable() else _UNSEEN.sub("", name)


def state_words(state: str) -> tuple[str, str]:
    """The word and the tone of a file's state; one that is not documented is shown as it is."""
    kind = state_kind(state)
    if kind == "other":
        return state, "none"
    words = {
        "indexing": _tr("library", "Indexing"),
        "ready": _tr("library", "Ready"),
        "failed": _tr("library", "Failed"),
    }
    return words[kind], {"indexing": "warn", "ready": "ok", "failed": "danger"}[kind]


def source_words(provider: str) -> str:
    """A provider as a source: `file` are uploads, others are named after themselves."""
    if provider in {"file", ""}:
        return _tr("library", "Uploaded")
    return provider.replace("_", " ").replace("-", " ").title()


def folder_words(folder: str) -> str:
    """A slash-separated folder as it is read."""
    return name_words(folder).replace("/", " / ")


def added_words(added: float) -> str:
    """When a file was added: day and hour, the year only where it is another; empty where nobody knows."""
    if not added:
        return ""
    when = QDateTime.fromSecsSinceEpoch(int(added))
    this_year = datetime.now().year  # noqa: DTZ005  # the reader's own calendar
    return QLocale().toString(when, "d MMM HH:mm" if when.date().year() == this_year else "d MMM yyyy")
