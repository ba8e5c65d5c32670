"""Colours for code, by Pygments, in the theme's own tokens."""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument

from carrel.ui.theme import theme

MOST = 20_000
"""Characters of code that are coloured; more would hold up the window."""

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
    if lexer is None or len(code) > MOST:
        return
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    place = start
    for kind, text in lexer.get_tokens(code):
        role = _role(kind)
        if role:
            cursor.setPosition(min(place, document.characterCount() - 1))
            cursor.setPosition(min(place + len(text), document.characterCount() - 1), QTextCursor.MoveMode.KeepAnchor)
            look = QTextCharFormat()
            look.setForeground(theme.color(role))
            cursor.mergeCharFormat(look)
        place += len(text)
    cursor.endEditBlock()


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
