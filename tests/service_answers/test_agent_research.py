"""The headless agent without a model: a research run whose report and files follow the prompt."""

import csv
import io
from pathlib import Path

import httpx
import pypdfium2
import pytest

from answer_documents import FILES
from running import RunningService, built_in_service, upload, wait_indexed
from streamed import chat


def run(client: httpx.Client, prompt: str, **body: object) -> dict[str, object]:
    answer = client.post("/external/agents/run", json={"prompt": prompt, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()


def contents(client: httpx.Client, result: dict[str, object]) -> dict[str, bytes]:
    """The generated files by name, each of the size that was told."""
    found = {}
    for file in result["generated_files"]:
        answer = client.get(file["url"])
        assert answer.status_code == 200
        assert len(answer.content) == file["size"]
        found[file["filename"]] = answer.content
    return found


def pdf_text(content: bytes) -> str:
    document = pypdfium2.PdfDocument(content)
    text = " ".join(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return " ".join(text.split())


def test_a_run_answers_with_a_report_and_files_named_after_the_prompt(client: httpx.Client) -> None:
    result = run(client, "What is the annual rent of Harbour Street?")
    assert set(result) == {"conversation_id", "output", "generated_files", "success", "error"}
    assert (result["success"], result["error"]) == (True, None)
    assert "84,000 pounds" in result["output"]
    files = contents(client, result)
    assert list(files) == ["annual-rent-harbour-street.pdf", "annual-rent-harbour-street-sources.csv"]
    assert "84,000 pounds" in pdf_text(files["annual-rent-harbour-street.pdf"])
    rows = list(csv.DictReader(io.StringIO(files["annual-rent-harbour-street-sources.csv"].decode("utf-8-sig"))))
    assert any("84,000 pounds" in row["text"] and row["file_name"] == "harbour-lease.md" for row in rows)


def test_figures_become_a_chart(client: httpx.Client) -> None:
    files = contents(client, run(client, "Compare the figures of North and South in Q3"))
    chart = next(content for name, content in files.items() if name.endswith("-chart.svg"))
    assert b"<svg" in chart
    assert b"North" in chart
    assert b"South" in chart


def test_another_prompt_gives_other_files(client: httpx.Client) -> None:
    one = contents(client, run(client, "What is the annual rent?"))
    other = contents(client, run(client, "What does Brill ask for housings?"))
    assert not set(one) & set(other)
    assert not set(one.values()) & set(other.values())


def test_a_run_that_finds_nothing_says_so_and_still_hands_over_what_it_read(client: httpx.Client) -> None:
    result = run(client, "Which violin strings suit a beginner?")
    assert "Nothing in the documents answers this" in result["output"]
    assert len(contents(client, result)) == 2


def test_only_the_named_documents_are_read(client: httpx.Client, ids: dict[str, str]) -> None:
    result = run(client, "What is the annual rent?", file_ids=[ids["supplier-quotes.txt"]])
    assert "84,000" not in str(result["output"])


def test_a_run_can_be_continued_as_a_chat(client: httpx.Client) -> None:
    result = run(client, "What is the annual rent of Harbour Street?")
    told = chat(client, "And the deposit?", str(result["conversation_id"]))
    assert "21,000 pounds" in told.text()


def test_the_report_is_dated_where_the_person_is(client: httpx.Client) -> None:
    assert "(Pacific/Auckland)" in str(run(client, "Rent?", user_timezone="Pacific/Auckland")["output"])


def test_redaction_reaches_report_and_files(client: httpx.Client) -> None:
    result = run(client, "Who signs for the tenant, and with which card?", additional_metadata={"redact_pii": True})
    assert "Anna Berg" not in str(result)
    files = contents(client, result)
    for name, content in files.items():
        text = pdf_text(content) if name.endswith(".pdf") else content.decode("utf-8-sig")
        assert "Anna" not in text
        assert "4111 1111" not in text


def test_a_formula_in_a_document_stays_words_in_the_sources(client: httpx.Client) -> None:
    hostile = b"=HYPERLINK is what the zymurgy clause begins with here. The zymurgy clause is binding for all.\n"
    upload(client, {"hostile.txt": hostile})
    wait_indexed(client)
    files = contents(client, run(client, "What does the zymurgy clause begin with?"))
    sources = next(content for name, content in files.items() if name.endswith(".csv")).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(sources)))
    assert len(rows) > 1
    assert not any(cell.startswith("=") for row in rows for cell in row)


def test_generated_files_are_served_to_their_owner_only(answering: RunningService, client: httpx.Client) -> None:
    url = run(client, "What is the annual rent?")["generated_files"][0]["url"]
    assert httpx.get(url, trust_env=False).status_code == 403


@pytest.mark.parametrize("pace", ["20"])
def test_a_run_over_its_time_is_408_and_what_was_written_is_kept(tmp_path: Path, pace: str) -> None:
    with built_in_service(tmp_path, "--pace", pace) as service, service.client() as client:
        upload(client, FILES)
        wait_indexed(client)
        body = {"prompt": "What is the annual rent of Harbour Street?", "timeout_seconds": 1}
        answer = client.post("/external/agents/run", json=body)
        assert answer.status_code == 408
        assert answer.json() == {"error": "timeout", "message": "the run took longer than its 1 seconds"}
        found = client.post("/external/search", json={"query": "annual rent", "types": ["conversation"]}).json()
        assert found["results"][0]["type"] == "conversation"
