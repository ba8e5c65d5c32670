"""Tells a model's reasoning from its answer, whichever way its server sends it and wherever chunks are cut."""

from collections.abc import Iterator, Mapping
from typing import Any

from .turn import Content, Thinking

OPEN, CLOSE = "<think>", "</think>"
_FIELDS = ("reasoning_content", "reasoning", "thinking")


class ThinkParser:
    """Fed with the `delta` objects of an OpenAI-compatible stream, in order.

    A server that separates reasoning by a field (`reasoning_content`, `reasoning`, `thinking`) is believed. Else a
    leading `<think>` opens the reasoning. `inside` says that the model's template is likely to have opened it
    already, so that only `</think>` will come; if it never does, what was taken for reasoning was the answer. A tag
    anywhere else is a part of the answer.
    """

    def __init__(self, *, inside: bool = False) -> None:
        self._inside = inside
        self._assumed: list[str] | None = [] if inside else None
        self._undecided = True
        self._trim = False
        self._held = ""

    def feed(self, delta: Mapping[str, Any]) -> Iterator[Thinking | Content]:
        """What this delta adds; a possible tag that is not complete is held back."""
        reasoning = next((text for field in _FIELDS if isinstance(text := delta.get(field), str) and text), "")
        if reasoning:
            self._inside = self._undecided = False
            self._assumed = None
            yield Thinking(reasoning)
        self._held += _text(delta.get("content"))
        if self._undecided:
            self._decide()
        if not self._undecided:
            yield from self._settled()

    def end(self) -> Iterator[Thinking | Content]:
        """What was held back, and an answer that was taken for reasoning, now that no more will come."""
        held, self._held = self._held, ""
        if self._inside and self._assumed is not None:
            yield Content("".join(self._assumed) + held)
        elif held:
            yield Thinking(held) if self._inside else Content(held)

    def _decide(self) -> None:
        """Whether the reply begins with the tag: only its first characters can tell."""
        start = self._held.lstrip()
        if start.startswith(OPEN):
            self._held = start[len(OPEN) :]
            self._inside, self._undecided, self._assumed = True, False, None
        elif not OPEN.startswith(start):
            self._undecided = False

    def _settled(self) -> Iterator[Thinking | Content]:
        if self._inside:
            yield from self._reasoned()
        if not self._inside and self._held:
            held, self._held = (self._held.lstrip("\n") if self._trim else self._held), ""
            if held:
                self._trim = False
                yield Content(held)

    def _reasoned(self) -> Iterator[Thinking]:
        before, tag, after = self._held.partition(CLOSE)
        if tag:
            self._inside, self._trim, self._held = False, True, after
        else:
            kept = next((n for n in range(len(CLOSE) - 1, 0, -1) if before.endswith(CLOSE[:n])), 0)
            before, self._held = before[: len(before) - kept], before[len(before) - kept :]
        if before:
            if self._assumed is not None:
                self._assumed.append(before)
            yield Thinking(before)


def _text(content: object) -> str:
    """A delta's content, which some servers send as a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""
