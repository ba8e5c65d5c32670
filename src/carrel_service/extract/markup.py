"""Reads the words of an HTML page: what a browser would show, a line a block."""

from pathlib import Path

from .plain import decoded
from .text import MOST_TEXT

_UNSEEN = "script, style, noscript, template, svg, head > :not(title)"
_BLOCKS = (
    "p, div, section, article, header, footer, main, aside, nav, li, tr, h1, h2, h3, h4, h5, h6, title, pre, "
    "blockquote, table, figure, figcaption, dt, dd, option"
)


def read(path: Path, _name: str) -> str:
    """The page's title and text."""
    from selectolax.lexbor import LexborHTMLParser

    with path.open("rb") as file:
        page = LexborHTMLParser(decoded(file.read(2 * MOST_TEXT)))
    for node in page.css(_UNSEEN):
        node.decompose()
    for node in page.css("br"):
        node.replace_with("\n")
    for node in page.css("td, th"):
        node.insert_after("\t")
    for node in page.css(_BLOCKS):
        node.insert_before("\n")
        node.insert_after("\n")
    text = page.root.text() if page.root else ""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)
