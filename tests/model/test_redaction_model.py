"""What the further fields of the earlier interface's replies say."""

from __future__ import annotations

from carrel.model.redaction import Entity, redaction_of, related_questions

ITEM = {"text": "Ada", "label": "PERSON", "token": "[PERSON_1]", "start": 0, "end": 3}


def test_a_start_tells_of_the_message() -> None:
    told = redaction_of(
        {
            "title": "t",
            "messages": {
                "text": "Ada asks",
                "redacted": "[PERSON_1] asks",
                "synthetic": "Eve asks",
                "ner_count": 1,
                "ner_items": [ITEM],
                "response": "Hello",
            },
        }
    )
    assert told is not None
    assert (told.about, told.original, told.redacted, told.synthetic) == (
        "message",
        "Ada asks",
        "[PERSON_1] asks",
        "Eve asks",
    )
    assert (told.count, told.entities) == (1, (Entity("Ada", "PERSON", "[PERSON_1]"),))


def test_a_send_tells_of_the_reply_and_of_questions() -> None:
    extra = {
        "message_text": "Hello Ada",
        "redacted_text": "Hello [PERSON_1]",
        "syntactic_text": "Hello Eve",
        "related_questions": ["Who?", " ", "When?", "Who?", None],
    }
    told = redaction_of(extra)
    assert told is not None
    assert (told.about, told.original, told.redacted, told.count) == ("reply", "Hello Ada", "Hello [PERSON_1]", None)
    assert related_questions(extra) == ("Who?", "When?")


def test_a_reply_of_the_current_interface_tells_nothing() -> None:
    assert redaction_of({"title": "t", "sources": [], "messages": [{"message_id": "m"}]}) is None
    assert related_questions({"sources": []}) == ()


def test_items_of_any_shape_are_borne() -> None:
    told = redaction_of(
        {"redacted_text": "x", "ner_items": ["Ada", {"word": "Bo", "entity_group": "PER"}, {"n": 1}, 3]}
    )
    assert told is not None
    assert told.count == 4
    assert told.entities == (Entity("Ada", ""), Entity("Bo", "PER"), Entity("n: 1", ""), Entity("3", ""))
    assert redaction_of({"redacted_text": "", "ner_items": "odd", "ner_count": True}) is None
