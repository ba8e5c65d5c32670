"""Lays a report out as a PDF."""

import io
import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from reportlab.graphics.shapes import Drawing
from reportlab.lib.fonts import tt2ps
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer
from reportlab.platypus import Table as PdfTable
from reportlab.platypus.tables import TableStyle

from .fonts import OWN, Lettering, lettering

_COLUMN = A4[0] - 44 * mm  # the text's width, in points
_MOST_COLUMNS, _MOST_IN_CELL = 16, 200
_GRID = TableStyle(
    [
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        ("GRID", (0, 0), (-1, -1), 0.4, "#b8b4aa"),
        ("BACKGROUND", (0, 0), (-1, 0), "#eeece6"),
        ("FONTSIZE", (0, 0), (-1, -1), 8),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
)
_MARK = re.compile(r"\\([\\*_\[\]<>|~`.)#+-])")
_UNPRINTED = "{sign} stands for a letter that no font of this computer has for a PDF; the same report as text has it."


def pdf(markdown: str, title: str, drawing: Drawing | None = None) -> bytes:
    """The report as a PDF: headings, paragraphs, bullets, quotes and tables of its Markdown, then the chart."""
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out, pagesize=A4, title=title, author="Carrel", leftMargin=22 * mm, rightMargin=22 * mm
    )
    page = _Page(lettering(markdown))
    flow = list(page.flow(markdown))
    if drawing is not None:
        flow += [Spacer(1, 6 * mm), drawing]
    document.build(flow)
    return out.getvalue()


class _Page:
    """Lays Markdown out in the fonts that its letters need."""

    def __init__(self, letters: Lettering) -> None:
        self._letters = letters
        self._styles = getSampleStyleSheet()
        if letters.base != OWN:
            for name, style in self._styles.byName.items():
                style.fontName = tt2ps(letters.base, "Heading" in name, name == "Italic")

    def flow(self, markdown: str) -> Iterator[Flowable]:
        for block in re.split(r"\n{2,}", markdown.strip()):
            lines = block.splitlines()
            if lines and all(line.startswith("|") for line in lines):
                yield self._grid(lines)
            else:
                yield from map(self._line, lines)
            yield Spacer(1, 2 * mm)
        if not self._letters.is_whole:
            yield Paragraph(_UNPRINTED.format(sign=self._letters.sign), self._styles["Italic"])

    def _grid(self, lines: Sequence[str]) -> PdfTable:
        """Columns of equal width: reportlab's own guess at widths fails on wide tables."""
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
        rows = [row[:_MOST_COLUMNS] for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
        width = max(map(len, rows))
        size = 8 if width <= 8 else 6
        small = ParagraphStyle("cell", parent=self._styles["BodyText"], fontSize=size, leading=size + 2)
        full = [row + [""] * (width - len(row)) for row in rows]
        cells = [[self._words(_clipped(cell), small) for cell in row] for row in full]
        return PdfTable(cells, colWidths=[_COLUMN / width] * width, style=_GRID, repeatRows=1, hAlign="LEFT")

    def _line(self, line: str) -> Paragraph:
        heading = re.match(r"(#{1,4}) (.*)", line)
        if heading:
            return self._words(heading[2], self._styles[f"Heading{len(heading[1])}"])
        body = self._styles["BodyText"]
        if line.startswith(("- ", "* ")):
            return self._words(line[2:], body, bulletText="•")
        if line.startswith("> "):
            return self._words(line[2:], ParagraphStyle("quote", parent=self._styles["Italic"], leftIndent=5 * mm))
        return self._words(line, body)

    def _words(self, text: str, style: ParagraphStyle, **more: str) -> Paragraph:
        return Paragraph(self._letters.marked(_inline(text)), style, **more)


def _clipped(cell: str) -> str:
    """A cell must fit a page; what is cut here stands in the Markdown."""
    return cell if len(cell) <= _MOST_IN_CELL else cell[:_MOST_IN_CELL] + "…"


def _inline(text: str) -> str:
    """Bold and italics as reportlab's tags; everything else, a document's own markup too, as plain words."""
    hidden: list[str] = []

    def hide(found: re.Match[str]) -> str:
        hidden.append(found[1])
        return f"\0{len(hidden) - 1}\0"

    text = escape(_MARK.sub(hide, text.replace("\0", "")))
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
    # Within each piece between bold marks, so that the tags never cross.
    pieces = re.split(r"(</?b>)", text)
    text = "".join(re.sub(r"(?<![\w*])\*([^*]+?)\*(?![\w*])", r"<i>\1</i>", piece) for piece in pieces)
    return re.sub(r"\0(\d+)\0", lambda found: escape(hidden[int(found[1])]), text)
