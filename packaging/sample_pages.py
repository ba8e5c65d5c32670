"""Lays a sample source out as a PDF: A4 pages with numbered clauses, tables and a footer."""

import io
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab import rl_config
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

import sample_blocks
from sample_blocks import Block

rl_config.useA85 = 0  # binary streams: git would take letters for text, and change line ends on Windows

_TEXT = ParagraphStyle("text", fontName="Times-Roman", fontSize=11, leading=15.5, spaceAfter=7)
_CLAUSE = ParagraphStyle("clause", _TEXT, leftIndent=30, bulletIndent=0, bulletFontName="Times-Roman")
_HEADER = ParagraphStyle("header", _TEXT, fontName="Times-Bold")
_BULLET = ParagraphStyle("bullet", _TEXT, leftIndent=16, bulletIndent=4, spaceAfter=4)
_HEADING = ParagraphStyle(
    "heading", fontName="Times-Bold", fontSize=13, leading=17, spaceBefore=11, spaceAfter=6, keepWithNext=1
)
_TITLE = ParagraphStyle("title", fontName="Times-Bold", fontSize=21, leading=26, spaceAfter=16)
_STYLES = {"title": _TITLE, "heading": _HEADING, "clause": _CLAUSE, "bullet": _BULLET, "text": _TEXT}
_MARGIN = 26 * mm


def _table(block: Block) -> Table:
    width = A4[0] - 2 * _MARGIN
    header, *rows = block.rows
    cells = [[Paragraph(escape(cell), _HEADER) for cell in header]]
    cells += [[Paragraph(escape(cell), _TEXT) for cell in row] for row in rows]
    style = [("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    # Every table here is a short name and what belongs to it.
    return Table(cells, colWidths=[0.3 * width, 0.7 * width], style=style, spaceAfter=10, repeatRows=1)


def _flowable(block: Block) -> Flowable:
    if block.kind == "table":
        return _table(block)
    label = "•" if block.kind == "bullet" else block.label
    return Paragraph(escape(block.text), _STYLES[block.kind], bulletText=label or None)


def pdf(source: Path) -> bytes:
    """The PDF of a source. Its title is the source's own, and stands at the foot of each page."""
    blocks = sample_blocks.read(source)
    title = blocks[0].text
    out = io.BytesIO()
    document = SimpleDocTemplate(
        out,
        pagesize=A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=24 * mm,
        bottomMargin=24 * mm,
        title=title,
        author="Larkmoor Instruments Limited",
        invariant=1,  # a fixed date and identifier
    )

    def footer(canvas: Canvas, _document: SimpleDocTemplate) -> None:
        canvas.setFont("Times-Italic", 9)
        canvas.drawString(_MARGIN, 14 * mm, title)
        canvas.drawRightString(A4[0] - _MARGIN, 14 * mm, f"Page {canvas.getPageNumber()}")

    document.build(
        [*map(_flowable, blocks), Spacer(1, 2 * mm)],
        onFirstPage=footer,
        onLaterPages=footer,
    )
    return out.getvalue()
