"""Lays a sample source out as a Word document or as slides."""

import io
from itertools import pairwise
from pathlib import Path
from typing import Any

import docx
import pptx
from docx.document import Document
from docx.shared import Pt
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.util import Cm

import sample_blocks
import sample_zip
from sample_blocks import Block

_TITLE_SLIDE, _BULLETS, _TITLE_ONLY = 0, 1, 5  # python-pptx's own template


def _describe(properties: Any, title: str) -> None:
    properties.title = title
    properties.author = properties.last_modified_by = "Larkmoor Instruments Limited"
    properties.created = properties.modified = sample_zip.MADE_ON
    properties.revision = 1
    properties.comments = properties.keywords = ""


def _saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return sample_zip.sealed(out.getvalue())


def _fill(table: Any, block: Block) -> None:
    for row, cells in enumerate(block.rows):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text


def _add(document: Document, block: Block) -> None:
    match block.kind:
        case "title" | "heading":
            document.add_heading(block.text, level=1 if block.kind == "title" else 2)
        case "table":
            _fill(document.add_table(len(block.rows), len(block.rows[0]), style="Light Grid Accent 1"), block)
            document.add_paragraph()
        case "bullet":
            document.add_paragraph(block.text, style="List Bullet")
        case _:
            document.add_paragraph(block.text)


def letter(source: Path) -> bytes:
    """A Word document with the source's headings, paragraphs, bullets and tables."""
    blocks = sample_blocks.read(source)
    document = docx.Document()
    document.styles["Normal"].font.size = Pt(11)
    _describe(document.core_properties, blocks[0].text)
    for block in blocks:
        _add(document, block)
    return _saved(document)


def _rows(slide: Slide, block: Block) -> None:
    rows, columns = len(block.rows), len(block.rows[0])
    frame = slide.shapes.add_table(rows, columns, Cm(1.3), Cm(4.4), Cm(22.8), Cm(1.2 * rows))
    _fill(frame.table, block)


def _points(slide: Slide, blocks: list[Block]) -> None:
    slide.placeholders[1].text_frame.text = "\n".join(block.text for block in blocks)


def _slide(presentation: Presentation, blocks: list[Block]) -> None:
    heading, *rest = blocks
    table = next((block for block in rest if block.kind == "table"), None)
    points = [block for block in rest if block.kind in {"bullet", "text"}]
    layout = _TITLE_SLIDE if heading.kind == "title" else _TITLE_ONLY if table else _BULLETS
    slide = presentation.slides.add_slide(presentation.slide_layouts[layout])
    slide.shapes.title.text = heading.text
    if table:
        _rows(slide, table)
    else:
        _points(slide, points)
    notes = "\n".join(block.text for block in rest if block.kind == "notes")
    slide.notes_slide.notes_text_frame.text = notes


def slides(source: Path) -> bytes:
    """A presentation with a slide for the title and for each heading; lines marked `>` are its notes."""
    blocks = sample_blocks.read(source)
    presentation = pptx.Presentation()
    _describe(presentation.core_properties, blocks[0].text)
    starts = [at for at, block in enumerate(blocks) if block.kind in {"title", "heading"}]
    for start, end in pairwise([*starts, len(blocks)]):
        _slide(presentation, blocks[start:end])
    return _saved(presentation)
