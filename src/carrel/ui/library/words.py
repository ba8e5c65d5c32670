"""What a person reads for the service's values: states, sources, folders and dates of files."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from carrel.model.library import state_kind

_tr = QCoreApplication.translate


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
    return folder.replace("/", " / ")


def added_words(added: float) -> str:
    """When a file was added: day and hour, the year only where it is another; empty where nobody knows."""
    if not added:
        return ""
    when = QDateTime.fromSecsSinceEpoch(int(added))
    this_year = datetime.now().year  # noqa: DTZ005  # the reader's own calendar
    return QLocale().toString(when, "d MMM HH:mm" if when.date().year() == this_year else "d MMM yyyy")
