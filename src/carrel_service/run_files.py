"""The files that a run hands over, before they are stored: their names, and its sources as CSV."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from .search import Passage
from .sentences import key_words
from .turn import Source


@dataclass(frozen=True)
class MadeFile:
    """A file of a run, not yet stored."""

    name: str
    content: bytes


def base_name(prompt: str) -> str:
    """A file name made from the prompt's first telling words, safe on every system, without extension."""
    words = [re.sub(r"[^\w]+", "-", word).strip("-") for word in key_words(prompt)]
    return "-".join(filter(None, words[:6]))[:60].strip("-") or "report"


def sources_csv(passages: Sequence[tuple[Passage, float, str]]) -> bytes:
    """A row for each quoted sentence: file, folder, member of a zip, passage, score, text (UTF-8 with BOM)."""
    rows = [
        (p.file_id, p.file_name, "/".join(p.folder_path), p.member, p.number, f"{score:.3f}", text)
        for p, score, text in passages
    ]
    return _csv(("file_id", "file_name", "folder", "member", "passage", "score", "text"), rows)


def files_csv(sources: Sequence[Source]) -> bytes:
    """A row for each file that an answer rests on (UTF-8 with BOM)."""
    rows = [(source.file_id, source.file_name, "/".join(source.folder_path)) for source in sources]
    return _csv(("file_id", "file_name", "folder"), rows)


def _csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerows([header, *([_as_text(cell) for cell in row] for row in rows)])
    return out.getvalue().encode("utf-8-sig")


def _as_text(cell: object) -> object:
    """A spreadsheet runs what begins like a formula; an apostrophe keeps a document's words words."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t") else cell
