"""What a model of the person's own is told: who it is, the passages found, the conversation, the question."""

import asyncio
from collections.abc import Sequence
from typing import Any

from .context import Service
from .search import Passage
from .turn import Source, Turn
from .zones import present

_PASSAGES = 10
_HISTORY = 20  # messages; more seldom helps and fills small models' windows

_RULES = (
    "You answer questions about the person's documents. Rest on the passages below, name the file of each fact in "
    "parentheses, and say so when they do not hold the answer. Write Markdown."
)


async def grounded(service: Service, turn: Turn) -> tuple[list[dict[str, Any]], tuple[Source, ...]]:
    """The messages to send, and the files whose passages are among them."""
    query = f"{turn.question_before} {turn.quoted_text} {turn.question}".strip()
    passages = await asyncio.to_thread(service.search.passages, query, limit=_PASSAGES, document_ids=turn.document_ids)
    sources = dict.fromkeys(Source(p.file_id, p.file_name, p.folder_path) for p in passages)
    return await asyncio.to_thread(messages, turn, passages), tuple(sources)


def messages(turn: Turn, passages: Sequence[Passage]) -> list[dict[str, Any]]:
    """System, history and question in the form of an OpenAI-compatible request."""
    excerpts = turn.redact(_excerpts(passages))
    return [{"role": "system", "content": f"{_RULES} {circumstances(turn)}\n\n{excerpts}"}, *conversation(turn)]


def conversation(turn: Turn) -> list[dict[str, Any]]:
    """What was said before, and the question with its quotation."""
    said = [
        {"role": "user" if said.sender == "user" else "assistant", "content": turn.redact(said.text)}
        for said in turn.history[-_HISTORY:]
    ]
    quoted = "".join(f"> {line}\n" for line in turn.quoted_text.splitlines())
    question = f"{quoted}\n{turn.question}" if quoted else turn.question
    return [*said, {"role": "user", "content": turn.redact(question)}]


def circumstances(turn: Turn) -> str:
    """The time where the person is, and what they prefer, as sentences."""
    told = [f"It is {present(turn.timezone):%A, %d %B %Y, %H:%M} ({turn.timezone})."]
    for key, value in turn.preferences.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        told.append(f"The person's preference for {key.replace('_', ' ')}: {shown}.")
    return " ".join(told)


def _excerpts(passages: Sequence[Passage]) -> str:
    if not passages:
        return "No passage of the documents matches the question."
    return "\n\n".join(f"[{_where(passage)}]\n{passage.text}" for passage in passages)


def _where(passage: Passage) -> str:
    return "/".join((*passage.folder_path, passage.file_name, *filter(None, [passage.member])))
