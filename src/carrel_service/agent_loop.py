"""Lets a model work with tools, step by step, within bounds, and tells each step as it is done."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from .agent_tools import DESCRIBED, Tools
from .own_models import OwnModel
from .pacing import paced
from .prompts import circumstances, conversation
from .think import ThinkParser
from .turn import Content, Generated, ModelFailure, Piece, Source, Sources, Thinking, Turn

_MOST_STEPS = 12  # completions with tools; then the model must answer with what it has
_MOST_CALLS = 8  # tool calls in one step
_RULES = (
    "You work on a task about the person's documents, with tools. Search before you claim, calculate instead of "
    "guessing, write files where they help. Then answer in Markdown, naming the file of each fact in parentheses."
)


@dataclass
class Agent:
    """A model that works in steps; to whoever asks it is a model like any other."""

    model: OwnModel

    @property
    def id(self) -> str:
        """The id of the model that works."""
        return self.model.id

    async def answer(self, turn: Turn) -> AsyncGenerator[Piece, None]:
        """Steps as thinking, files as they are written, then the answer."""
        tools = Tools(self.model.service, turn)
        said = await asyncio.to_thread(conversation, turn)
        messages = [{"role": "system", "content": f"{_RULES} {circumstances(turn)}"}, *said]
        try:
            message = await self._step(messages, turn, tools=True)
        except ModelFailure as error:
            if error.status not in (400, 404, 422, 500, 501):
                raise
            # Its server or template knows no tools: passages are found for it instead.
            async with aclosing(self.model.answer(turn)) as pieces:
                async for piece in pieces:
                    yield piece
            return
        for step in range(2, _MOST_STEPS + 2):
            calls = _calls(message)
            if not calls:
                break
            messages.append(message)
            for call in calls:
                written = len(tools.files)
                told = await tools.use(call.name, call.arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": told})
                yield Thinking(_told(call, told))
                for file in tools.files[written:]:
                    yield Generated(dict(file))
            message = await self._step(messages, turn, tools=step <= _MOST_STEPS)
        async for piece in _answer(message):
            yield piece
        yield Sources(tuple(dict.fromkeys(Source(p.file_id, p.file_name, p.folder_path) for p in tools.passages)))

    async def _step(self, messages: list[dict[str, Any]], turn: Turn, *, tools: bool) -> dict[str, Any]:
        request = {**turn.extra, "messages": messages}
        return await self.model.complete({**request, "tools": DESCRIBED} if tools else request)


@dataclass(frozen=True)
class _Call:
    id: str
    name: str
    arguments: str


def _calls(message: dict[str, Any]) -> list[_Call]:
    """The tool calls of a message; some servers send their arguments as an object."""
    found = []
    for call in (message.get("tool_calls") or [])[:_MOST_CALLS]:
        function = call.get("function") or {}
        arguments = function.get("arguments") or "{}"
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        found.append(_Call(str(call.get("id") or ""), str(function.get("name") or ""), text))
    message["tool_calls"] = (message.get("tool_calls") or [])[:_MOST_CALLS]
    return found


def _told(call: _Call, told: str) -> str:
    """A step in one line: the tool, what it was given, how much came back."""
    given = " ".join(call.arguments.split())
    given = given if len(given) <= 120 else given[:120] + "…"
    result = told if len(told) <= 60 and "\n" not in told else f"{len(told)} characters"
    return f"{call.name} {given} → {result}\n"


async def _answer(message: dict[str, Any]) -> AsyncGenerator[Piece, None]:
    parser = ThinkParser()
    for piece in [*parser.feed(message), *parser.end()]:
        async for word in paced(piece.text, 0):
            yield Thinking(word) if isinstance(piece, Thinking) else Content(word)
