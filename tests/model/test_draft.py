"""A draft: what is sent is what was set, and nothing else."""

from __future__ import annotations

import pytest

from carrel.model import Preferences
from carrel.model.draft import Attachment, Draft


def sent(draft: Draft, zone: str | None = None) -> dict[str, object]:
    return draft.request(zone).model_dump(mode="json", exclude_none=True)


def test_a_plain_message_is_its_text_alone() -> None:
    assert sent(Draft(text="Hello")) == {"content": "Hello"}


def test_the_zone_is_sent_where_it_is_known() -> None:
    assert sent(Draft(text="Hello"), "Europe/Berlin") == {"content": "Hello", "user_timezone": "Europe/Berlin"}


@pytest.mark.parametrize("switch", ["think", "web_search", "agentic_mode", "redact_pii"])
@pytest.mark.parametrize("value", [True, False])
def test_a_switch_is_sent_as_it_stands_and_alone(switch: str, value: bool) -> None:
    assert sent(Draft(text="Hello", **{switch: value}))["additional_metadata"] == {switch: value}


def test_library_files_and_uploads_go_under_their_own_names() -> None:
    draft = Draft(
        text="Compare",
        attachments=(
            Attachment(id="d1", name="a.pdf"),
            Attachment(id="u1", name="b.png", is_upload=True),
            Attachment(id="d2", name="c.pdf"),
        ),
    )
    assert sent(draft) == {"content": "Compare", "document_ids": ["d1", "d2"], "file_ids": ["u1"]}


def test_everything_that_was_set_is_sent() -> None:
    draft = Draft(
        text="Go",
        model="m-1",
        quotes=("a passage",),
        think=True,
        agent_id="agent-7",
        preferences=Preferences(language="German"),
    )
    assert sent(draft) == {
        "content": "Go",
        "model": "m-1",
        "quoted_text": "a passage",
        "additional_metadata": {"think": True, "agent_id": "agent-7", "preferences": {"language": "German"}},
    }


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_a_draft_of_blanks_is_empty(text: str) -> None:
    assert Draft(text=text).is_empty


def test_the_next_turn_keeps_switches_and_model_and_drops_what_was_said() -> None:
    draft = Draft(text="Go", model="m-1", think=True, web_search=False, quotes=("q",), agent_id="a")
    draft = draft.model_copy(update={"attachments": (Attachment(id="d", name="d"),)})
    assert draft.next_turn() == Draft(model="m-1", think=True, web_search=False, agent_id="a")


def test_what_is_kept_reads_back_the_same_also_with_more_than_is_known() -> None:
    draft = Draft(text="Go", think=False, attachments=(Attachment(id="d", name="d", is_upload=True),))
    kept = draft.model_dump_json(exclude_defaults=True)
    assert Draft.model_validate_json(kept) == draft
    assert Draft.model_validate_json('{"text": "Go", "of_a_later_version": 1}') == Draft(text="Go")
