"""LaTeX in replies, made readable: Unicode in its place, while copies keep the source."""

from __future__ import annotations

import re
from functools import lru_cache

_MATH = re.compile(
    r"(?P<code>`+[^`]*`+)"
    r"|(?<!\\)\\\((?!\\\))(?P<inline>[^\\]*(?:\\[^()][^\\]*)*)\\\)"
    r"|(?<!\\)\\\[(?!\\\])(?P<block>[^\\]*(?:\\[^\[\]][^\\]*)*)\\\]"
    r"|\$\$(?P<display>.+?)\$\$"
    r"|(?<![\\$\w])\$(?P<dollar>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])",
    re.DOTALL,
)
"""Where one is left open, it is looked at as far as the next one that begins: the time grows with the text alone."""

_LOOKS_LIKE_MATH = re.compile(r"[\\^_{}=]")
_MARKUP = re.compile(r"([\\*_`\[\]<>#|~])")
MOST = 2000
"""Characters of one formula that are read."""


def readable(markdown: str) -> str:
    """The same Markdown with each formula as plain Unicode text; code and prices in dollars stay as they are."""
    if "$" not in markdown and "\\" not in markdown:
        return markdown
    return _MATH.sub(_replace, markdown)


def _replace(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    source = found["inline"] or found["block"] or found["display"] or found["dollar"]
    if len(source) > MOST or (found["dollar"] and not _LOOKS_LIKE_MATH.search(source)):
        return found[0]
    text = unicode_of(source)
    return _MARKUP.sub(r"\\\1", text) if text else found[0]


@lru_cache(maxsize=256)
def unicode_of(source: str) -> str:
    """One line of Unicode for a formula; empty where it cannot be read."""
    from carrel.model.latex import one_line  # its library is loaded at the first formula

    try:
        return one_line(source)
    except Exception:  # noqa: BLE001  # a reply may hold anything, and the library raises many kinds
        return ""
