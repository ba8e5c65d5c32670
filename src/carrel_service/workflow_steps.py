"""What the kinds of workflow steps do: each takes its options and what came before, and gives values."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from .context import Service
from .invoice import check_invoice
from .library import LibraryFile
from .listing import ListQuery, find
from .reader import Reader, plain
from .selection import WITHIN, Query
from .sentences import central, sentences, stems
from .turn import Turn
from .workflow_definitions import Step
from .workflow_files import fetch
from .workflow_runs import Run

RESULTS = "Workflow results"
_INDEXED_WITHIN = 600.0  # seconds that a fetched file may take until its text is there
_MOST_FILES = 50


class StepFailed(Exception):
    """A step cannot be done; the message is a sentence for the person who queued the run."""


@dataclass(frozen=True)
class Work:
    """A step in its run; `values` are those of the steps before it, by step id."""

    service: Service
    run: Run
    step: Step
    values: Mapping[str, Any]

    def given(self, kind: str) -> Any:
        """What the caller sent for this step under `form_inputs` or `file_urls`, by step id or step group id."""
        sent = self.run.inputs.get(kind) or {}
        return sent.get(self.step.id, sent.get(self.step.group_id))

    def filled(self, option: str, default: str = "") -> str:
        """An option with each `{step.name}` replaced by its value, or by nothing where there is none."""
        return fill(str(self.step.options.get(option, default)), self.values)

    def files(self) -> list[LibraryFile]:
        """The library files that the step named by the option `files` gave."""
        ids = (self.values.get(str(self.step.options.get("files"))) or {}).get("file_ids", [])
        return [file for file_id in ids if (file := self.service.library.get(file_id))]


async def form(work: Work) -> dict[str, Any]:
    """The caller's values; fields that nobody named are kept, missing ones are empty."""
    given = work.given("form_inputs")
    sent = given if isinstance(given, dict) else {} if given is None else {"value": given}
    named = [str(field["name"]) for field in work.step.options.get("fields") or ()]
    return dict.fromkeys(named, "") | sent


async def fetch_files(work: Work) -> dict[str, Any]:
    """The caller's URLs as library files, once their text is there; links of this library are not copied."""
    urls = _urls(work.given("file_urls"))
    folder = [part for part in work.filled("folder", "Workflow files").split("/") if part]
    ids: list[str] = []
    for url in urls[:_MOST_FILES]:
        try:
            ids.append(await fetch(work.service, url, folder))
        except OSError as error:
            raise StepFailed(f"{url} could not be fetched: {error}") from error
    files = [await _indexed(work.service, file_id) for file_id in ids]
    return {"file_ids": ids, "count": len(files), "names": [file.file_name for file in files]}


async def folder_files(work: Work) -> dict[str, Any]:
    """The files of a library folder and of those below it; of the whole library when none is named."""
    folder = work.filled("folder").strip()
    query = ListQuery(page_size=_MOST_FILES, folder_paths=folder or None, sort_by="file_name", sort_order="asc")
    page = await asyncio.to_thread(find, work.service.db, query)
    files = [file for file in page.items if file.state == "success" and file.folder_path[:1] != (RESULTS,)]
    return {"file_ids": [file.id for file in files], "count": len(files), "folder": folder or "the whole library"}


async def ask(work: Work) -> dict[str, Any]:
    """The reader's answer to each question of the option `questions`, out of the files of an earlier step."""
    files = work.files()
    reader = Reader(work.service, "reader", "Reader", 2, WITHIN)
    asked = [_query(question, work.values) for question in work.step.options.get("questions") or ()]
    answers = [await asyncio.to_thread(_answered, reader, query, files) for query in asked]
    return {"answers": "\n\n".join(answers)}


async def search(work: Work) -> dict[str, Any]:
    """The passages of the library nearest to the option `query`, the files of an earlier step left out."""
    query = work.filled("query").strip()
    if not query:
        return {"found": "", "count": 0}
    own = {file.id for file in work.files()}
    passages = await asyncio.to_thread(work.service.search.passages, query, limit=20, relative_threshold=0.3)
    others = [p for p in passages if p.file_id not in own and p.folder_path[:1] != (RESULTS,)]
    kept = others[: int(work.step.options.get("limit", 5))]
    told = [await asyncio.to_thread(_telling, p.text, query) for p in kept]
    lines = [f"- {plain(line)} *({plain(p.file_name)})*" for line, p in zip(told, kept, strict=True)]
    return {"found": "\n".join(lines), "count": len(kept)}


async def digest(work: Work) -> dict[str, Any]:
    """The most telling sentences of each file of an earlier step."""
    count = int(work.step.options.get("sentences", 3))
    parts = []
    for file in work.files():
        text = await asyncio.to_thread(work.service.library.text, file.id)
        told = [f"- {plain(sentence)}" for sentence in await asyncio.to_thread(central, text, count)]
        lines = "\n".join(told) or "- (no sentences: figures, code or pictures)"
        parts.append(f"### {plain(file.file_name)}\n\n{lines}")
    return {"digest": "\n\n".join(parts)}


async def check(work: Work) -> dict[str, Any]:
    """The arithmetic of each invoice file of an earlier step, against the amount that was expected."""
    parts, agreed = [], True
    for file in work.files():
        text = await asyncio.to_thread(work.service.library.text, file.id)
        verdict = await asyncio.to_thread(check_invoice, text, work.filled("expected"))
        agreed = agreed and verdict.agrees
        lines = "\n".join(f"- {line}" for line in verdict.lines)
        parts.append(f"### {plain(file.file_name)}\n\n{lines}")
    verdict_line = "There was no invoice to check." if not parts else "All agrees." if agreed else "Look again."
    return {"verdict": verdict_line, "checks": "\n\n".join(parts)}


async def write(work: Work) -> dict[str, Any]:
    """A Markdown document in the library, made of the option `template`; written once, also after a crash."""
    name = re.sub(r'[\\/:*?"<>|\x00-\x1f]+', " ", work.filled("name", work.run.title)).strip(" .-")[:100]
    file_name = f"{name or work.run.title} ({work.run.queue_id[:8]}).md"
    here = timezone(timedelta(minutes=work.run.executor_timezone))
    facts = {
        "title": work.run.title,
        "id": work.run.run_id,
        "time": f"{datetime.now(UTC).astimezone(here):%Y-%m-%d %H:%M}",
    }
    text = fill(str(work.step.options.get("template", "")), {**work.values, "run": facts})
    file_id = await asyncio.to_thread(_written, work.service, file_name, text)
    return {"file_id": file_id, "file_name": file_name}


StepKind = Callable[[Work], Awaitable[dict[str, Any]]]
STEPS: dict[str, StepKind] = {
    "form": form,
    "fetch": fetch_files,
    "folder": folder_files,
    "ask": ask,
    "search": search,
    "digest": digest,
    "check": check,
    "write": write,
}


def fill(template: str, values: Mapping[str, Any]) -> str:
    """The template with each `{step.name}` replaced; `{step}` alone gives all its values as a list."""

    def value(found: re.Match[str]) -> str:
        step = values.get(found[1]) or {}
        return _shown(step.get(found[2], "") if found[2] else step)

    return re.sub(r"\{([\w-]+)(?:\.([\w-]+))?\}", value, template)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "\n".join(f"- {key}: {_shown(each) or '–'}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return "" if value is None else str(value)


def _urls(given: Any) -> list[str]:
    """A URL, a list of URLs, or a map from field name to URL, as a list."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, dict):
        return [url for each in given.values() for url in _urls(each)]
    return [url for each in given or () for url in _urls(each)]


async def _indexed(service: Service, file_id: str) -> LibraryFile:
    """The file, once it has left the queue. Raises StepFailed when that ends badly or takes too long."""
    for _ in range(int(_INDEXED_WITHIN / 0.1)):
        file = service.library.get(file_id)
        if file is None or file.state == "failed":
            raise StepFailed(f"{file.file_name if file else 'A file'} could not be read")
        if file.state != "loading":
            return file
        await asyncio.sleep(0.1)
    raise StepFailed("Indexing a file took too long")


def _query(question: Any, values: Mapping[str, Any]) -> Query:
    """A question as text, or with `words` that an answer may be found by."""
    told = question if isinstance(question, dict) else {"ask": question}
    return Query(fill(str(told.get("ask", "")), values), before=fill(str(told.get("words", "")), values))


def _answered(reader: Reader, query: Query, files: Sequence[LibraryFile]) -> str:
    answer = reader.find(query, Turn(query.text, document_ids=tuple(file.id for file in files)))
    told = [f"- {plain(kept.text)} *({plain(kept.passage.file_name)})*" for kept in answer.selection.kept]
    return f"**{plain(query.text)}**\n\n" + ("\n".join(told) or "- Nothing in these files answers this.")


def _written(service: Service, file_name: str, text: str) -> str:
    known = find(service.db, ListQuery(page_size=1, search=file_name, folder_paths=RESULTS)).items
    if known:
        return known[0].id
    return service.library.add_document(file_name, text.encode(), [RESULTS])


def _telling(text: str, query: str) -> str:
    """The sentence of a passage that holds most of the query's words, or its beginning where it has none."""
    asked = stems(query)
    best = max(sentences(text), key=lambda sentence: len(asked & stems(sentence)), default="")
    line = best or " ".join(text.split())
    return line if len(line) <= 280 else line[:280].rsplit(" ", 1)[0] + " …"
