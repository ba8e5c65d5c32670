"""The PDF of a report, and the stream's bytes, whatever is in them."""

import asyncio
from collections.abc import AsyncIterator

import pypdfium2
import pytest

from carrel_service.figures import tables
from carrel_service.replies import Event
from carrel_service.reports import pdf
from carrel_service.server_sent import wire


def pages(content: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(content)
    found = [page.get_textpage().get_text_bounded() for page in document]
    document.close()
    return found


@pytest.mark.parametrize("columns", [1, 2, 8, 11, 40])
@pytest.mark.parametrize("cell", ["7", "a long cell of words " * 40, "x" * 500])
def test_a_table_of_any_width_is_laid_out(columns: int, cell: str) -> None:
    row = "| " + " | ".join([cell] * columns) + " |"
    text = pages(pdf(f"# Report\n\n{row}\n{row}\n{row}\n", "Report"))
    assert "Report" in text[0]


@pytest.mark.parametrize(
    "text",
    ["", "<b>no tag</b> & <para>", "**bold *mixed** up*", "| lonely", "\\*stars\\* \x00", "- \n> \n# ", "[PERSON_1]"],
)
def test_any_text_is_laid_out(text: str) -> None:
    assert pdf(text, "Any").startswith(b"%PDF")


def test_a_documents_markup_stays_words() -> None:
    (page,) = pages(pdf("Use <script>alert(1)</script> & **bold** \\*stars\\*.", "Words"))
    assert page.strip() == "Use <script>alert(1)</script> & bold *stars*."


def test_a_table_out_of_a_document_reaches_the_report() -> None:
    (table,) = tables("Region,Q1\nNorth,1\nSouth,2\n")
    assert "South" in pages(pdf(table.markdown(), "T"))[0]


async def slow(*gaps: float) -> AsyncIterator[Event]:
    for number, gap in enumerate(gaps):
        await asyncio.sleep(gap)
        yield "content", {"content": f"{number}\u2028\n"}


async def test_silence_is_filled_with_comments_and_nothing_is_lost() -> None:
    sent = [some async for some in wire(slow(0, 0.2, 0), 0.02)]
    assert sent.count(b": ping\n\n") > 1
    events = [some for some in sent if some != b": ping\n\n"]
    assert events[1] == b'event: content\ndata: {"content": "1\\u2028\\n"}\n\n'
    assert len(events) == 3


async def test_a_stream_that_is_given_up_leaves_no_task() -> None:
    before = asyncio.all_tasks()
    stream = wire(slow(0, 3600), 0.01)
    assert (await anext(stream)).startswith(b"event: content")
    assert await anext(stream) == b": ping\n\n"
    await stream.aclose()
    assert asyncio.all_tasks() == before
