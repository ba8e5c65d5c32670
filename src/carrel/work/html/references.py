"""Addresses that a Markdown text defines apart from its words: `[1]: https://example.org "Title"`."""

from __future__ import annotations

import re

from carrel.work.html.tree import Block

_DEFINITION = re.compile(
    r"""\[([^\[\]]+)\]:[ \t]*(?:<([^<>]*)>|(\S+))(?:[ \t]+("[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$""",
)


def take_references(block: Block, held: dict[str, tuple[str, str]]) -> None:
    """Move the definitions out of all paragraphs into `held`, by their labels; the first one of a label counts."""
    waiting = [block]
    while waiting:
        block = waiting.pop()
        waiting.extend(reversed(block.children))
        if block.kind == "paragraph":
            while block.lines and (found := _DEFINITION.match(block.lines[0])):
                label = " ".join(found[1].split()).lower()
                held.setdefault(label, (found[2] or found[3], (found[4] or "")[1:-1]))
                del block.lines[0]
