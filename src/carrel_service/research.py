"""The agent's work without a language model: a fixed research run over the documents, written up as files."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .context import Service
from .figures import Table
from .reader import Answer, Reader, plain, queries
from .run_files import MadeFile, base_name, sources_csv
from .search import Passage
from .selection import REPORT
from .turn import Turn
from .zones import present

_SENTENCES = 12


@dataclass(frozen=True)
class Research:
    """A finished run: Markdown, and the files to hand over with it."""

    output: str
    files: tuple[MadeFile, ...]
    answer: Answer


def research(service: Service, turn: Turn) -> Research:
    """Passages on the prompt, their telling sentences, their figures, and a report of it; blocking."""
    # What the first start does not need is imported with the first run.
    from .charts import chart, svg
    from .fonts import lettering
    from .reports import pdf

    reader = Reader(service, "reader", "Reader", _SENTENCES, REPORT)
    query = queries(turn)[0]
    answer = reader.find(query, turn)
    output = turn.redact(report(turn, answer))
    name = base_name(turn.redact(turn.question))
    told = [(passage, score, turn.redact(text)) for passage, score, text in evidence(answer)]
    drawing = None
    files = []
    if answer.table and answer.table[0].numeric_columns:
        table, passage = answer.table
        title = f"{table.header[0]} in {passage.file_name}"
        drawing = chart(table, title, lettering(title + table.markdown()))
        files.append(MadeFile(f"{name}-chart.svg", svg(chart(table, title))))
    files.insert(0, MadeFile(f"{name}.pdf", pdf(output, name, drawing)))
    files.insert(1, MadeFile(f"{name}-sources.csv", sources_csv(told)))
    return Research(output, tuple(files), answer)


def evidence(answer: Answer) -> list[tuple[Passage, float, str]]:
    """What the sources list holds: the sentences kept, or, where none was near enough, the passages read."""
    if answer.selection.kept:
        return [(kept.passage, kept.score, kept.text) for kept in answer.selection.kept]
    return [(passage, passage.score, " ".join(passage.text.split())) for passage in answer.passages[:10]]


def report(turn: Turn, answer: Answer) -> str:
    """The report as Markdown: findings by file, figures, and what was read."""
    day = present(turn.timezone)
    read, kept = len(answer.passages), len(answer.selection.kept)
    parts = [
        f"# {plain(_title(turn.question))}",
        f"*{day:%d %B %Y, %H:%M} ({turn.timezone}): passages read: {read}; sentences kept: {kept}.*",
        "## Findings",
        _findings(answer),
    ]
    if answer.table:
        table, passage = answer.table
        parts += ["## Figures", table.markdown(), _totals(table), f"*({plain(passage.file_name)})*"]
    parts += ["## Read for this", _read(answer.passages)]
    return "\n\n".join(filter(None, parts))


def _findings(answer: Answer) -> str:
    if not answer.selection.kept:
        best, needed = answer.selection.best, answer.selection.needed
        return (
            f"Nothing in the documents answers this: the nearest sentence scores {best:.2f}, and {needed} is needed. "
            "The passages nearest to it are in the sources."
        )
    by_file: dict[str, list[str]] = {}
    for kept in answer.selection.kept:
        by_file.setdefault(kept.passage.file_name, []).append(f"- {plain(kept.text)}")
    return "\n\n".join(f"### {plain(name)}\n\n" + "\n".join(lines) for name, lines in by_file.items())


def _totals(table: Table) -> str:
    """The sum of each column of figures that is not already a table with a total."""
    if any(re.search(r"\b(total|sum)\b", row[0], re.IGNORECASE) for row in table.rows):
        return ""
    sums = [
        f"{plain(table.header[column])} {sum(table.numbers(column) or ()):,.10g}"
        for column in table.numeric_columns
        if not any("%" in row[column] for row in table.rows)
    ]
    return f"Sums of the rows shown: {', '.join(sums)}." if sums else ""


def _read(passages: Sequence[Passage]) -> str:
    """A table of the files that were read, with the number of their passages."""
    if not passages:
        return "No document of the library holds any word of the prompt."
    counts: dict[tuple[str, str], int] = {}
    for passage in passages:
        key = (passage.file_name, "/".join(passage.folder_path))
        counts[key] = counts.get(key, 0) + 1
    rows = tuple((name, folder or "–", str(count)) for (name, folder), count in counts.items())
    return Table(("File", "Folder", "Passages"), rows).markdown(40)


def _title(prompt: str) -> str:
    line = " ".join(prompt.split()).rstrip(".?!")
    return line[:1].upper() + (line[1:] if len(line) <= 90 else line[1:90].rsplit(" ", 1)[0] + "…")
