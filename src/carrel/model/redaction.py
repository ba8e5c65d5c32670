"""What the earlier interface tells beside a reply: redacted words, what was found in them, questions to go on with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from carrel.model.texts import text_of


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing that was found: its words, its kind, and the token that stands for it."""

    text: str
    label: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class Redaction:
    """One text three ways. `about` says whose it is: the person's message, or the reply.

    `count` is None where the service told none; it may differ from the number of `entities`.
    """

    about: str
    original: str
    redacted: str
    synthetic: str = ""
    count: int | None = None
    entities: tuple[Entity, ...] = ()


def redaction_of(extra: Mapping[str, Any]) -> Redaction | None:
    """What a reply's further fields say (document: Conversation and message, earlier interface); None: nothing.

    The first reply of a conversation tells of the message, the others of the reply itself.
    """
    first = extra.get("messages")
    about, held = ("message", first) if isinstance(first, Mapping) else ("reply", extra)
    names = (
        ("text", "redacted", "synthetic") if about == "message" else ("message_text", "redacted_text", "syntactic_text")
    )
    original, redacted, synthetic = (text_of(held.get(name)) for name in names)
    items = held.get("ner_items")
    entities = tuple(_entity(item) for item in items) if isinstance(items, list) else ()
    count = held.get("ner_count")
    count = count if isinstance(count, int) and not isinstance(count, bool) else len(entities) or None
    if not redacted and count is None:
        return None
    return Redaction(about, original, redacted, synthetic, count, entities)


def related_questions(extra: Mapping[str, Any]) -> tuple[str, ...]:
    """Questions that the service offers to go on with."""
    told = extra.get("related_questions")
    questions = (text_of(q).strip() for q in told) if isinstance(told, list) else ()
    return tuple(dict.fromkeys(q for q in questions if q))


def _entity(item: Any) -> Entity:
    """The document shows no fields of an item: the names that are in use are tried, else it is shown as it is."""
    if not isinstance(item, Mapping):
        return Entity(text_of(item), "")
    text = next((text_of(item[k]) for k in ("text", "word", "entity", "value") if item.get(k)), "")
    label = next((text_of(item[k]) for k in ("label", "entity_group", "type") if item.get(k)), "")
    return Entity(text or ", ".join(f"{k}: {v}" for k, v in item.items()), label, text_of(item.get("token")))
