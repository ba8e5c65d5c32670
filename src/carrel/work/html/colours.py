"""Code with colours of its own in it: an exported page needs no style sheet for them."""

from __future__ import annotations

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LONGEST = 50_000
"""Characters of a piece of code that is dressed; a longer one stays plain."""


def coloured(code: str, language: str) -> str:
    """The code as HTML; empty where the language is not known."""
    if not language or len(code) > LONGEST:
        return ""
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return ""
    formatter: HtmlFormatter[str] = HtmlFormatter(noclasses=True, nowrap=True, style="friendly")
    return highlight(code, lexer, formatter)
