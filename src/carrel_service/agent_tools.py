"""The tools of an agent: search the documents, read one, calculate, write a file."""

import asyncio
import csv
import io
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from .calculate import calculate
from .context import Service
from .files import GeneratedFile
from .library import LibraryFile
from .listing import ListQuery, find
from .search import Passage
from .turn import Turn

_PASSAGES, _MOST_READ, _MOST_WRITTEN, _MOST_FILES = 8, 12_000, 1_000_000, 20
_NUMBER = re.compile(r"-?(?=[0-9.]{1,16}\Z)(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")  # a cell holds 15 digits


@dataclass
class Tools:
    """One run's tools, and what they have brought so far."""

    service: Service
    turn: Turn
    passages: list[Passage] = field(default_factory=list)
    files: list[GeneratedFile] = field(default_factory=list)

    async def use(self, name: str, arguments: str) -> str:
        """What a tool gives for its arguments (JSON), as text for the model; a mistake is told, not raised."""
        tool = _TOOLS.get(name)
        if tool is None:
            return f"There is no tool {name}; there are {', '.join(_TOOLS)}."
        try:
            given = json.loads(arguments or "{}")
            told = await tool(self, **given)
        except (ValueError, TypeError, OSError, csv.Error) as error:
            return f"That did not work: {error}"
        return await asyncio.to_thread(self.turn.redact, told)

    async def search(self, query: str) -> str:
        """Passages of the documents on a query."""
        found = await asyncio.to_thread(
            self.service.search.passages, str(query), limit=_PASSAGES, document_ids=self.turn.document_ids
        )
        self.passages += found
        told = [f"[{passage.file_name}, id {passage.file_id}]\n{passage.text}" for passage in found]
        return "\n\n".join(told) or "No passage matches."

    async def read_file(self, file: str, start: int = 0) -> str:
        """A part of a file's text, by the file's id or name."""
        known = self._file(str(file))
        text = await asyncio.to_thread(self.service.library.text, known.id)
        part = text[int(start) : int(start) + _MOST_READ]
        rest = len(text) - int(start) - len(part)
        return part + (f"\n\n({rest} characters follow; read on from {int(start) + len(part)}.)" if rest > 0 else "")

    async def calculate(self, expression: str) -> str:
        """The value of an arithmetic expression."""
        return str(calculate(str(expression)))

    async def write_file(self, name: str, content: str) -> str:
        """Keep a file for the person: text as it is, .pdf from Markdown, .xlsx from CSV."""
        if len(self.files) >= _MOST_FILES or len(content) > _MOST_WRITTEN:
            raise ValueError(f"at most {_MOST_FILES} files of {_MOST_WRITTEN} characters can be written")
        safe = _safe(str(name))
        made = await asyncio.to_thread(lambda: _content(safe, self.turn.redact(str(content))))
        self.files.append(await asyncio.to_thread(self.service.files.put, self.service.account, safe, made))
        return f"Written: {safe}, {len(made)} bytes."

    def _file(self, named: str) -> LibraryFile:
        allowed = self.turn.document_ids
        file = self.service.library.get(named)
        if file is None:
            page = find(self.service.db, ListQuery(page_size=20, search=named))
            file = next((found for found in page.items if found.file_name == named), None)
        if file is None or (allowed is not None and file.id not in allowed):
            raise ValueError(f"there is no file {named} among the documents")
        return file


_TOOLS: dict[str, Callable[..., Awaitable[str]]] = {
    "search": Tools.search,
    "read_file": Tools.read_file,
    "calculate": Tools.calculate,
    "write_file": Tools.write_file,
}


def _described(tool: str, words: str, /, **properties: str) -> dict[str, Any]:
    fields = {key: {"type": kind} for key, kind in properties.items()}
    required = [key for key, kind in properties.items() if kind == "string"]
    schema = {"type": "object", "properties": fields, "required": required}
    return {"type": "function", "function": {"name": tool, "description": words, "parameters": schema}}


DESCRIBED = [
    _described("search", "Search the person's documents; gives passages with file names and ids.", query="string"),
    _described(
        "read_file", "Read a document's text by id or name, from a character on.", file="string", start="integer"
    ),
    _described("calculate", "Calculate an arithmetic expression.", expression="string"),
    _described(
        "write_file",
        "Write a file for the person: .md, .txt, .csv, .json, .html as given; .pdf from Markdown; .xlsx from CSV.",
        name="string",
        content="string",
    ),
]


def _safe(name: str) -> str:
    """The last component, without what a file system refuses; Markdown when it has no extension."""
    last = re.sub(r'[\x00-\x1f<>:"|?*]+', "_", re.split(r"[\\/]", name)[-1]).strip(". ")[:100]
    last = last or "result"
    return last if "." in last else f"{last}.md"


def _content(name: str, text: str) -> bytes:
    if name.lower().endswith(".pdf"):
        from .reports import pdf

        return pdf(text, name)
    if name.lower().endswith(".xlsx"):
        return _sheet(text)
    return text.encode()


def _sheet(text: str) -> bytes:
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book, out = Workbook(), io.BytesIO()
    sheet = book.active
    for row in csv.reader(io.StringIO(ILLEGAL_CHARACTERS_RE.sub("", text))):
        # As text or as numbers, never as formulas: the words are a model's.
        sheet.append([_cell(value) for value in row])
    book.save(out)
    return out.getvalue()


def _cell(value: str) -> str | float:
    """A number only where nothing of it is lost: an article's 00123, a serial number of 20 digits and 1E5 are words."""
    if _NUMBER.fullmatch(value.strip()):
        return float(value)
    return f"'{value}" if value.startswith("=") else value
