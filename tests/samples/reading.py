"""The text of a sample document, read by libraries that the built-in service mostly does not use."""

import io
import zipfile
from collections.abc import Iterable

import docx
import openpyxl
import pptx
import pypdfium2
import python_calamine
from pptx.presentation import Presentation


def _pdf(content: bytes) -> str:
    pages = pypdfium2.PdfDocument(content)
    return "\n".join(page.get_textpage().get_text_bounded() for page in pages)


def _docx(content: bytes) -> str:
    document = docx.Document(io.BytesIO(content))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


def _slide_texts(presentation: Presentation) -> Iterable[str]:
    for slide in presentation.slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield shape.text_frame.text
            elif shape.has_table:
                yield from (cell.text for row in shape.table.rows for cell in row.cells)
        yield slide.notes_slide.notes_text_frame.text


def _pptx(content: bytes) -> str:
    return "\n".join(_slide_texts(pptx.Presentation(io.BytesIO(content))))


def _xlsx(content: bytes) -> str:
    book = openpyxl.load_workbook(io.BytesIO(content))
    return "\n".join(f"{sheet.title}: {row}" for sheet in book for row in sheet.iter_rows(values_only=True))


def _xls(content: bytes) -> str:
    book = python_calamine.load_workbook(io.BytesIO(content))
    return "\n".join(f"{name}: {row}" for name in book.sheet_names for row in book.get_sheet_by_name(name).to_python())


def members(content: bytes) -> dict[str, str]:
    """The texts in an archive, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def _zip(content: bytes) -> str:
    return "\n".join(f"{name}: {text}" for name, text in members(content).items())


_READERS = {"pdf": _pdf, "docx": _docx, "pptx": _pptx, "xlsx": _xlsx, "xls": _xls, "zip": _zip}
PICTURES = {"png", "webp"}


def text_of(name: str, content: bytes) -> str:
    """The text of a document, with every run of white space as one space."""
    reader = _READERS.get(name.rpartition(".")[2], bytes.decode)
    return " ".join(reader(content).split())
