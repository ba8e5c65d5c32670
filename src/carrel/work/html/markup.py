"""A Markdown text as a piece of HTML: blocks read as CommonMark does, words by the `markdown` package, HTML escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, ElementTree, SubElement

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString, code_escape

from carrel.model.formulas import readable
from carrel.work.html.blocks import blocks_of
from carrel.work.html.inline import GitHubInline
from carrel.work.html.references import take_references
from carrel.work.html.tree import Block

SCHEMES = frozenset({"", "http", "https", "mailto"})
"""Where a link may lead; any other stays words."""


def html_of(text: str, *, colours: bool = True, formulas: bool = False) -> str:
    """HTML of a Markdown text, without anything remote or active. `colours` dresses code by its language, `formulas`
    makes LaTeX readable, of which GitHub's Markdown knows nothing.

    Raises whatever the `markdown` package does for hostile input (RecursionError), and may take long: see `rendering`.
    """
    md = Markdown(extensions=[GitHubInline()], output_format="xhtml")
    for own in ("normalize_whitespace", "html_block"):
        md.preprocessors.deregister(own)
    md.treeprocessors.deregister("prettify")
    md.treeprocessors.register(_Harmless(md), "harmless", 15)
    md.parser = _Blocks(md, colours=colours, formulas=formulas)
    clean = text.replace("\r\n", "\n").replace("\r", "\n").translate({2: None, 3: None, 0: "\ufffd"})
    return str(md.convert(clean)) if clean.strip() else ""


def plain_html(text: str) -> str:
    """The text as it is, escaped: what an export falls back to."""
    return f'<pre class="plain">{escape(text, quote=False)}</pre>'


class _Blocks(BlockParser):
    """Builds the tree of elements that the package's own steps go on with."""

    def __init__(self, md: Markdown, *, colours: bool, formulas: bool) -> None:
        super().__init__(md)
        self._colours, self._formulas = colours, formulas

    def parseDocument(self, lines: Sequence[str]) -> ElementTree:  # type: ignore[override]  # noqa: N802
        root = Element(self.md.doc_tag)
        document = blocks_of("\n".join(lines))
        take_references(document, self.md.references)
        self._fill(root, document.children, tight=False)
        return ElementTree(root)

    def _fill(self, parent: Element, blocks: Sequence[Block], *, tight: bool) -> None:
        for block in blocks:
            if block.kind == "paragraph":
                self._paragraph(parent, block, tight=tight)
            elif block.kind == "code":
                self._code(parent, block)
            elif block.kind == "table":
                self._table(parent, block)
            elif block.kind == "list":
                self._list(parent, block)
            else:
                tag = {"heading": f"h{block.level}", "quote": "blockquote", "rule": "hr"}[block.kind]
                made = SubElement(parent, tag)
                if block.lines:
                    made.text = self._words(block)
                self._fill(made, block.children, tight=False)
            if len(parent) and not (tight and block.kind == "paragraph"):
                parent[-1].tail = "\n"

    def _words(self, block: Block) -> str:
        return self._told("\n".join(block.lines).rstrip())

    def _told(self, words: str) -> str:
        return readable(words) if self._formulas else words

    def _paragraph(self, parent: Element, block: Block, *, tight: bool) -> None:
        if not block.lines:
            return
        if not tight:
            SubElement(parent, "p").text = self._words(block)
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + self._words(block)
        else:
            parent.text = (parent.text or "") + self._words(block)

    def _list(self, parent: Element, block: Block) -> None:
        made = SubElement(parent, "ol" if block.info in ".)" else "ul")
        if block.start != 1 and made.tag == "ol":
            made.set("start", str(block.start))
        for item in block.children:
            entry = SubElement(made, "li")
            entry.tail = "\n"
            _tick(entry, item)
            self._fill(entry, item.children, tight=block.tight)

    def _code(self, parent: Element, block: Block) -> None:
        words = "".join(f"{line}\n" for line in block.lines)
        made = SubElement(parent, "pre")
        if self._colours:
            from carrel.work.html.colours import coloured

            if shown := coloured(words, block.info):
                made.text = self.md.htmlStash.store(f"<code>{shown}</code>")
                made.text = AtomicString(made.text)
                return
        code = SubElement(made, "code", {"class": f"language-{block.info}"} if block.info else {})
        code.text = AtomicString(code_escape(words))

    def _table(self, parent: Element, block: Block) -> None:
        made = SubElement(parent, "table")
        head = SubElement(made, "thead")
        self._row(head, block.rows[0], block.aligns, "th")
        if block.rows[1:]:
            body = SubElement(made, "tbody")
            for row in block.rows[1:]:
                self._row(body, row, block.aligns, "td")

    def _row(self, parent: Element, cells: Sequence[str], aligns: Sequence[str], tag: str) -> None:
        row = SubElement(parent, "tr")
        for words, align in zip(cells, aligns, strict=False):
            cell = SubElement(row, tag, {"align": align} if align else {})
            cell.text = self._told(words)


def _tick(entry: Element, item: Block) -> None:
    """The box of a task."""
    first = item.children[0] if item.children else None
    if first is None or first.kind != "paragraph" or not first.lines:
        return
    mark, words = first.lines[0][:3], first.lines[0][3:]
    if mark not in {"[ ]", "[x]", "[X]"} or not words[:1].isspace():
        return
    box = SubElement(entry, "input", {"type": "checkbox", "disabled": ""})
    if mark != "[ ]":
        box.set("checked", "")
    first.lines[0] = words if words.strip() else ""


class _Harmless(Treeprocessor):
    """Links lead to the web or to mail only; a picture is told, with its address, and never loaded."""

    def run(self, root: Element) -> None:
        for made in list(root.iter()):
            if made.tag == "a" and not _may_lead(made.get("href", "")):
                made.attrib.pop("href", None)
            elif made.tag == "img":
                self._tell(made)

    @staticmethod
    def _tell(made: Element) -> None:
        address, words = made.get("src", ""), made.get("alt", "")
        made.attrib.clear()
        made.tag, made.text = "span", AtomicString(f"[{words or 'picture'}: {address}]")
        made.set("class", "picture")


def _may_lead(address: str) -> bool:
    try:
        return urlsplit(address.strip()).scheme.lower() in SCHEMES
    except ValueError:
        return False
