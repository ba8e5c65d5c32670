"""Answers tolerate what they do not know: more fields, other states, nulls, numbers where texts should be."""

from datetime import UTC, datetime, timedelta

import pytest

from carrel.model import ACCEPTED, AgentResult, LibraryFile, LibraryPage, Model, Workflow, WorkflowPage, WorkflowRun


def test_unknown_fields_are_kept() -> None:
    file = LibraryFile.model_validate({"id": "f", "colour": "red", "deep": {"a": [1]}})
    assert file.model_extra == {"colour": "red", "deep": {"a": [1]}}


def test_nulls_count_as_absent() -> None:
    page = LibraryPage.model_validate({"total_items": None, "providers": None, "items": [{"id": 7, "state": None}]})
    assert (page.total_items, page.providers, page.items[0].id, page.items[0].state) == (0, {}, "7", "")
    result = AgentResult.model_validate({"generated_files": None, "error": None, "success": None})
    assert (result.generated_files, result.error, result.success) == ((), None, True)


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("loading", "indexing"),
        ("Success", "ready"),
        ("FAILED", "failed"),
        ("parse_error", "failed"),
        ("resting", "other"),
        ("", "other"),
    ],
)
def test_states_are_any_string(state: str, kind: str) -> None:
    assert LibraryFile(id="f", state=state).state_kind == kind


def test_a_time_without_a_zone_is_utc() -> None:
    assert LibraryFile(id="f", created_at="2026-11-21T08:25:11.306174").added == datetime(
        2026, 11, 21, 8, 25, 11, 306174, UTC
    )
    zoned = LibraryFile(id="f", created_at="2026-11-21T08:25:11+02:00").added
    assert zoned is not None
    assert zoned.utcoffset() == timedelta(hours=2)
    assert LibraryFile(id="f", created_at="yesterday").added is None


def test_a_folder_may_come_as_one_string() -> None:
    assert LibraryFile.model_validate({"id": "f", "folder_path": "/a/b/"}).folder_path == ("a", "b")
    assert LibraryFile.model_validate({"id": "f", "folder_path": ["a", "b"]}).folder_path == ("a", "b")


def test_the_accepted_extensions_are_the_documents() -> None:
    documented = "pdf doc docx xls xlsx csv json txt html ppt pptx zip md sql yml yaml png jpg jpeg gif webp"
    assert frozenset(documented.split()) == ACCEPTED
    assert LibraryFile(id="f", file_name="A.PDF").extension == "pdf"


def test_the_least_that_each_answer_needs() -> None:
    assert Model.model_validate({"id": "m"}).label == "m"
    assert Workflow.model_validate({"group_id": "g"}).version is None
    assert WorkflowRun.model_validate({"run_id": "r"}).status == ""
    assert WorkflowPage.model_validate({}).data == ()
