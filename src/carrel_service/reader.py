"""Answers without a language model: sentences of the documents themselves, each with the file it stands in."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from .context import Service
from .figures import Table, narrowed, relevance, tables
from .pacing import paced
from .search import Passage
from .selection import ANSWER, Measure, Query, Selection, select
from .sentences import key_words
from .turn import Content, Piece, Source, Sources, Thinking, Turn

_PASSAGES = 20
_FILES_FOR_TABLES = 3
_TABLE_RELEVANCE = 0.6
_MOST_RECORDS = 3
_MARKUP = re.compile(r"([\\*\[\]<>|~`]|(?<!\w)_|_(?!\w))")
_OPENING = re.compile(r"^(\s*(?:\d{1,9}(?=[.)])|(?=[#+-])))([.)+-]|#{1,6})(?=\s|$)", re.MULTILINE)
"""What would make a list or a heading of a line that begins with it."""


@dataclass(frozen=True)
class Answer:
    """What was found: sentences, perhaps a table with the passage it was near, and the passages read."""

    query: Query
    passages: Sequence[Passage]
    selection: Selection
    table: tuple[Table, Passage] | None = None

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that were quoted, each once."""
        quoted = [sentence.passage for sentence in self.selection.kept] + ([self.table[1]] if self.table else [])
        return tuple(dict.fromkeys(Source(p.file_id, p.file_name, p.folder_path) for p in quoted))


@dataclass
class Reader:
    """A model like any other to the person who picks it, named as what it is."""

    service: Service
    id: str
    name: str
    sentences: int
    measure: Measure = ANSWER

    async def answer(self, turn: Turn) -> AsyncGenerator[Piece, None]:
        """Thinking as it goes, then the answer, at the service's pace."""
        found: list[Answer] = []
        for query in queries(turn):
            async for word in self._paced(f"Looking for: {', '.join(key_words(query.whole)) or query.text}. "):
                yield Thinking(word)
            answer = await asyncio.to_thread(self.find, query, turn)
            found.append(answer)
            async for word in self._paced(steps(answer)):
                yield Thinking(word)
        async for word in self._paced(markdown(found, self._nothing(turn))):
            yield Content(word)
        yield Sources(tuple(dict.fromkeys(source for answer in found for source in answer.sources)))

    def find(self, query: Query, turn: Turn) -> Answer:
        """Search, choose, and look for figures; blocking, about half a second with the search model."""
        passages = self.service.search.passages(query.whole, limit=_PASSAGES, document_ids=turn.document_ids)
        selection = select(query, passages, self.service.search.embed, self._limit(turn), self.measure)
        return Answer(query, passages, selection, self._table(query, passages))

    def _limit(self, turn: Turn) -> int:
        style = str(turn.preferences.get("output_style", "")).casefold()
        brief = any(word in style for word in ("brief", "concise", "short"))
        detailed = any(word in style for word in ("detail", "long", "thorough"))
        return max(1, self.sentences // 2) if brief else self.sentences * 2 if detailed else self.sentences

    def _table(self, query: Query, passages: Sequence[Passage]) -> tuple[Table, Passage] | None:
        """The table that holds most of the question's words, in the files of the best passages."""
        best: tuple[float, Table, Passage] | None = None
        nearest: dict[str, Passage] = {}
        for passage in passages:
            nearest.setdefault(passage.file_id, passage)
        for passage in list(nearest.values())[:_FILES_FOR_TABLES]:
            name = re.sub(r"[-_.]", " ", passage.file_name)
            for table in tables(self.service.library.text(passage.file_id)):
                told = narrowed(table, query.text)
                score = relevance(told, query.text, name)
                # Without figures, a table answers only where it comes down to a few rows.
                fits = bool(table.numeric_columns) or len(told.rows) <= _MOST_RECORDS
                if fits and score >= _TABLE_RELEVANCE and (best is None or score > best[0]):
                    best = score, told, passage
        return best and best[1:]

    def _nothing(self, turn: Turn) -> str:
        """Why there is no answer, in one true sentence."""
        waiting = [file for i in turn.document_ids or () if (file := self.service.library.get(i))]
        names = ", ".join(f"*{file.file_name}*" for file in waiting if file.state == "loading")
        if names:
            return f"Nothing in these documents answers this yet: {names} is still being indexed."
        scope = "these documents" if turn.document_ids is not None else "the documents of the library"
        return f"Nothing in {scope} answers this."

    def _paced(self, text: str) -> AsyncGenerator[str, None]:
        return paced(text, self.service.settings.pace)


def queries(turn: Turn) -> list[Query]:
    """The question with what it is read together with; in steps, each of its sentences by itself as well."""
    before = f"{turn.question_before} {turn.quoted_text}".strip()
    parts = [part.strip() for part in re.split(r"(?<=\?)\s+|\n+|;\s+", turn.question) if len(key_words(part)) > 1]
    if turn.agentic and len(parts) > 1:
        return [Query(part, before) for part in parts[:5]]
    return [Query(turn.question, before)]


def steps(answer: Answer) -> str:
    """What was read and kept, as sentences with the true figures."""
    if not answer.passages:
        return "No passage holds any of it.\n"
    names = list(dict.fromkeys(passage.file_name for passage in answer.passages))
    selection = answer.selection
    text = f"Read {len(answer.passages)} passages out of {', '.join(names[:6])}"
    text += f" and {len(names) - 6} more files. " if len(names) > 6 else ". "
    if selection.answers:
        text += f"Kept {len(selection.kept)} of {selection.read} sentences; the nearest scores {selection.best:.2f}. "
    else:
        text += f"The nearest of {selection.read} sentences scores {selection.best:.2f}; "
        text += f"an answer needs {selection.needed}. "
    if answer.table:
        text += f"A table of figures in {answer.table[1].file_name} holds the words of the question. "
    return text + "\n"


def markdown(found: Sequence[Answer], nothing: str) -> str:
    """The answer as Markdown: sentences and tables with their files, under the questions if there are several."""
    if len(found) == 1:
        return _section(found[0]) or nothing
    return "\n\n".join(f"**{plain(answer.query.text)}**\n\n{_section(answer) or nothing}" for answer in found)


def _section(answer: Answer) -> str:
    quoted = [f"{plain(kept.text)} *({plain(kept.passage.file_name)})*" for kept in answer.selection.kept]
    parts = quoted[:1]
    if len(quoted) > 1:
        parts.append("\n".join(f"- {line}" for line in quoted[1:]))
    if answer.table:
        table, passage = answer.table
        parts.append(f"{table.markdown()}\n\n*({plain(passage.file_name)})*")
    return "\n\n".join(parts)


def plain(text: str) -> str:
    """Words of a document as Markdown that shows them as they are."""
    return _OPENING.sub(r"\1\\\2", _MARKUP.sub(r"\\\1", text))
