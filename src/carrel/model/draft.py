"""What a person is about to send: text, attachments and switches, held by the composer and kept by the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from carrel.model.chat import ChatMetadata, ChatRequest, Preferences


class Attachment(BaseModel):
    """A library file (`document`) or a file uploaded for this message, by its id, with the name that people read."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    is_upload: bool = False


class Comparison(BaseModel):
    """Two models that are asked the same: in one stream, or each in a conversation of its own."""

    model_config = ConfigDict(frozen=True)

    models: tuple[str, str]
    way: Literal["stream", "conversations"] = "stream"


class Draft(BaseModel):
    """A message before it is sent. A switch that is None was left alone and is not sent."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str = ""
    model: str | None = None
    attachments: tuple[Attachment, ...] = ()
    quotes: tuple[str, ...] = ()
    """Passages that go along, in the order in which they were taken."""
    think: bool | None = None
    web_search: bool | None = None
    agentic_mode: bool | None = None
    redact_pii: bool | None = None
    agent_id: str = ""
    preferences: Preferences | None = None
    comparison: Comparison | None = None
    """Asks two models in place of `model`."""
    edits: str = ""
    """The message that this is another wording of; empty where it is a further one."""
    aside: Draft | None = None
    """What was typed before that other wording was begun, and comes back after it."""

    @property
    def quoted_text(self) -> str:
        """The passages as the service gets them: one under another."""
        return "\n\n".join(self.quotes)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to send."""
        return not self.text.strip()

    def request(self, user_timezone: str | None = None) -> ChatRequest:
        """The documented request: only what was set."""
        documents = tuple(a.id for a in self.attachments if not a.is_upload)
        files = tuple(a.id for a in self.attachments if a.is_upload)
        fields: dict[str, Any] = {
            "content": self.text,
            "model": None if self.comparison else self.model,
            "document_ids": documents or None,
            "file_ids": files or None,
            "user_timezone": user_timezone,
            "quoted_text": self.quoted_text or None,
            "additional_metadata": self._metadata(),
        }
        return ChatRequest(**{k: v for k, v in fields.items() if v is not None})

    def with_files(self, attachments: Sequence[Attachment]) -> Draft:
        """The draft with these as well; what is attached already stays once."""
        held = {a.id for a in self.attachments}
        fresh = {a.id: a for a in attachments if a.id not in held}
        return self.model_copy(update={"attachments": (*self.attachments, *fresh.values())})

    def with_quotes(self, *passages: str) -> Draft:
        """The draft with these quoted too, after those that are quoted already; one that is there stays once."""
        fresh = (text.strip() for text in passages)
        held = dict.fromkeys((*self.quotes, *(text for text in fresh if text)))
        return self.model_copy(update={"quotes": tuple(held)})

    def next_turn(self) -> Draft:
        """What the composer holds after sending: the switches and the model stay, the rest goes. After another wording
        of an earlier message it is what was typed before that.
        """
        if self.edits:
            return self.aside or Draft()
        return self.model_copy(update={"text": "", "attachments": (), "quotes": (), "comparison": None})

    def as_sent(self) -> Draft:
        """The draft as its message holds it: without what is the composer's alone."""
        return self.model_copy(update={"edits": "", "aside": None})

    def as_edit(self, message_id: str, typed: Draft) -> Draft:
        """The draft as another wording of a message, begun while `typed` stood in the composer."""
        aside = (typed.aside or Draft()) if typed.edits else typed
        return self.model_copy(update={"edits": message_id, "aside": aside})

    def with_returned(self, draft: Draft) -> Draft:
        """What is typed together with a draft that could not go, or shall not go yet: nothing of either is lost."""
        if draft.edits:
            return draft.as_edit(draft.edits, self)
        if self.edits:
            return self.model_copy(update={"aside": (self.aside or Draft()).with_returned(draft)})
        text = "\n\n".join(t for t in (draft.text, self.text) if t.strip())
        held = draft.with_files(self.attachments).with_quotes(*self.quotes)
        return held.model_copy(update={"text": text})

    def sides(self) -> tuple[Draft, ...]:
        """What each model is asked: one draft, or two of a comparison."""
        if self.comparison is None:
            return (self,)
        return tuple(self.model_copy(update={"model": model, "comparison": None}) for model in self.comparison.models)

    def _metadata(self) -> ChatMetadata | None:
        fields = {
            "think": self.think,
            "web_search": self.web_search,
            "agentic_mode": self.agentic_mode,
            "redact_pii": self.redact_pii,
            "agent_id": self.agent_id or None,
            "preferences": self.preferences,
            "side_by_side": True if self.comparison else None,
            "models": self.comparison.models if self.comparison else None,
        }
        chosen = {k: v for k, v in fields.items() if v is not None}
        return ChatMetadata(**chosen) if chosen else None
