"""Colours for code, by Pygments, in the theme's own tokens."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript.marks import units

MOST = 20_000
"""Characters of code that are coloured, up to the end of a line; more would hold up the window."""

NEAR, FAR = 200, 2000
"""Characters before the end of code that streams, between which its colours begin anew."""

_FLUSH = re.compile(r"\n(?=[^\s)\]}])")

ROLES = (
    ("Comment", "muted"),
    ("Keyword", "info"),
    ("Operator.Word", "info"),
    ("Name.Builtin", "info"),
    ("Name.Tag", "info"),
    ("Literal.String", "accent"),
    ("Literal.Number", "warn"),
    ("Name.Attribute", "warn"),
    ("Name.Decorator", "warn"),
    ("Generic.Deleted", "danger"),
    ("Generic.Inserted", "accent"),
)
"""Kinds of token, as Pygments names them, and the colour of each; the first that fits counts."""


def highlight(document: QTextDocument, code: str, language: str, start: int = 0) -> None:
    """Colour the `code` that a document shows from a position on; an unknown language leaves it as it is."""
    lexer = _lexer(language)
    if lexer is None:
        return
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    place = start
    last = document.characterCount() - 1
    for kind, text in lexer.get_tokens(_coloured(code)):
        role, length = _role(kind), units(text)
        if role:
            cursor.setPosition(min(place, last))
            cursor.setPosition(min(place + length, last), QTextCursor.MoveMode.KeepAnchor)
            look = QTextCharFormat()
            look.setForeground(theme.color(role))
            cursor.mergeCharFormat(look)
        place += length
    cursor.endEditBlock()


def _coloured(code: str) -> str:
    """The whole lines of code that get their colours."""
    return code if len(code) <= MOST else code[: code.rfind("\n", 0, MOST) + 1]


def append_code(document: QTextDocument, code: str, shown: int, language: str) -> None:
    """Let a document that shows so many characters of `code` show the rest too.

    A long block that streams is neither laid out nor coloured from its beginning at each frame: colours begin at a line
    near the end that looks like the beginning of something. Once the block is whole, all of it is coloured anew.
    """
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertText(code[shown:], QTextCharFormat())
    begin = _beginning(code, shown)
    if begin < MOST:
        start = units(code[:begin])
        cursor.setPosition(start)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(QTextCharFormat())
        highlight(document, code[begin:], language, start)
    cursor.endEditBlock()


def _beginning(code: str, shown: int) -> int:
    """Where a line begins, not far before a place, that is not indented; where there is none, any line."""
    first, last = max(0, shown - FAR), max(0, shown - NEAR)
    begins = [found.end() for found in _FLUSH.finditer(code, first, last)]
    if begins or not first:
        return begins[-1] if begins else 0
    return code.rfind("\n", 0, last) + 1


def warm() -> None:
    """Import what the first code block would otherwise wait for (30 ms): to be called in a thread."""
    _lexer("python")


@cache
def _role(kind: object) -> str:
    name = str(kind).removeprefix("Token.")
    return next((role for prefix, role in ROLES if name.startswith(prefix)), "")


@lru_cache(maxsize=32)
def _lexer(language: str):
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    if not language:
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
