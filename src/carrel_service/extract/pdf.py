"""Reads PDFs by PDFium: the text layer, or OCR of the pages that have none where an engine is installed."""

import re
from pathlib import Path
from typing import Any

from . import ocr
from .text import MOST_TEXT, Failed

_BROKEN_WORD = re.compile("[\x02\ufffe\xad]\\s*")
"""PDFium's sign for a hyphen at a line's end, with the line's end."""

_MOST_OCR_PAGES = 20
"""At 2 to 5 seconds a page, what the time limit of one file allows."""


def read(path: Path, name: str) -> str:
    """The pages' text, a blank line between pages; what a scan without OCR is, in a sentence."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Failed("it is password-protected") from error
        raise
    try:
        pages = _pages(document)
        if any(pages):
            return "\n\n".join(filter(None, pages))
        return f"{name}: PDF of {len(document)} pages without a text layer"
    finally:
        document.close()


def _pages(document: Any) -> list[str]:
    texts: list[str] = []
    scanned, length = 0, 0
    for number in range(len(document)):
        page = document[number]
        text = _text(page)
        if not text and scanned < _MOST_OCR_PAGES and ocr.engine():
            scanned += 1
            text = ocr.read(page.render(scale=2).to_pil())
        page.close()
        texts.append(text)
        length += len(text)
        if length > MOST_TEXT:
            break
    return texts


def _text(page: Any) -> str:
    layer = page.get_textpage()
    try:
        return _BROKEN_WORD.sub("", layer.get_text_range()).strip()
    finally:
        layer.close()
