"""Links of Markdown whose address stands elsewhere in the text: `[the plan][1]`, and `[1]: https://example.org`."""

from __future__ import annotations

import re

_DEFINITION = re.compile(
    r"""^ {0,3}\[(?!\^)([^\[\]]+)\]:[ \t]*(?:<[^<>]*>|\S+)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*\r?$"""
)
_NAMED = re.compile(r"\[(?!\^)([^\[\]]+)\]")
_LINK = re.compile(r"\[([^\[\]]+)\](?:\[([^\[\]]*)\])?(?![(:])")


def normal(label: str) -> str:
    """A label as it is compared: whatever its case and its gaps."""
    return " ".join(label.split()).casefold()


def defined(line: str) -> str:
    """The label that a line defines; empty where it defines none."""
    found = _DEFINITION.match(line)
    return normal(found[1]) if found else ""


def named(text: str) -> set[str]:
    """The labels that a text may refer to."""
    return {normal(label) for label in _NAMED.findall(text)} if "[" in text else set()


def without_references(text: str, labels: set[str]) -> str:
    """The words of links to these labels, without what makes them links."""

    def word(found: re.Match[str]) -> str:
        return found[1] if normal(found[2] or found[1]) in labels else found[0]

    return _LINK.sub(word, text) if labels and "[" in text else text
