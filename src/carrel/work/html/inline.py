"""What stands within a paragraph, where GitHub's Markdown differs from the `markdown` package's own."""

from __future__ import annotations

import re
import string
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString, code_escape

from carrel.work.html.emphasis import EmphasisProcessor

_AFTER = re.compile(r"(?:[?!.,:*_~'\"]|&[A-Za-z0-9]+;)+$")
"""What ends a sentence is no part of an address."""


class GitHubInline(Extension):
    """Code spans, escapes, line breaks, bare links, strike and emphasis as GitHub reads them; HTML stays text."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # the package's name
        """Put these in the places of the package's own."""
        md.ESCAPED_CHARS = list(string.punctuation)
        for own in ("html", "automail", "not_strong", "em_strong", "em_strong2", "linebreak", "backtick"):
            md.inlinePatterns.deregister(own, strict=False)
        add = md.inlinePatterns.register
        add(_Code(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", md), "code", 190)
        add(_Break(r"(?: {2,}|\\)\n[ \t]*", md), "break", 185)
        add(_Mail(r"<([\w.+-]+@[\w-]+(?:\.[\w-]+)+)>", md), "mail", 115)
        add(_Link(r"(?<![A-Za-z0-9/])(?:https?://|(?<![^\s*_~(])www\.)[^\s<\x02\x03]+", md), "bare", 112)
        add(
            _Mail(r"(?<![\w.+/-])([\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]*[A-Za-z0-9])+)(?![\w@-])", md), "address", 110
        )
        add(EmphasisProcessor(r"[*_~]+", md), "emphasis", 60)


class _Code(InlineProcessor):
    """A code span: line ends are spaces, one space at each end belongs to the fence."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]  # noqa: N802, ARG002
        words = m[2].replace("\n", " ")
        if words.startswith(" ") and words.endswith(" ") and words.strip():
            words = words[1:-1]
        made = Element("code")
        made.text = AtomicString(code_escape(words))
        return made, m.start(0), m.end(0)


class _Break(InlineProcessor):
    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]  # noqa: N802, ARG002
        made = Element("br")
        made.tail = "\n"
        return made, m.start(0), m.end(0)


class _Mail(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]  # noqa: N802, ARG002
        return _link(f"mailto:{m[1]}", m[1]), m.start(0), m.end(0)


class _Link(InlineProcessor):
    """An address that stands bare."""

    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(  # type: ignore[override]  # noqa: N802
        self,
        m: re.Match[str],
        data: str,  # noqa: ARG002
    ) -> tuple[Element, int, int] | tuple[None, None, None]:
        shown = _address(m[0])
        if "." not in shown and "localhost" not in shown:
            return None, None, None
        target = shown if shown.startswith("http") else f"http://{shown}"
        return _link(target, shown), m.start(0), m.start(0) + len(shown)


def _address(text: str) -> str:
    """An address without the punctuation after it, and without a bracket that was opened before it."""
    while True:
        shorter = _AFTER.sub("", text)
        if shorter.endswith(")") and shorter.count(")") > shorter.count("("):
            shorter = shorter[:-1]
        if shorter == text:
            return text
        text = shorter


def _link(target: str, shown: str) -> Element:
    made = Element("a", href=target)
    made.text = AtomicString(shown)
    return made
