"""Routes of the chat: a conversation is opened or continued, and the reply streams as server-sent events."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import Field

from .agent_loop import Agent
from .asking import Body, Metadata, TimeZone, given, redaction_of, scope
from .context import Service
from .conversation_store import Conversation, Conversations, Opened
from .current import Running
from .errors import ApiError
from .model_list import choose
from .models import ErrorBody
from .own_models import OwnModel
from .redaction.conversation import Redaction
from .replies import Event, under_way
from .server_sent import EventStream
from .turn import Model, Turn

router = APIRouter(tags=["chat"])

Events = AsyncIterator[Event]

_STREAM = """Server-sent events, each with a name and a JSON payload, and `: ping` comments while nothing comes.

| event | payload |
|---|---|
| `stream_meta` | `run_id`, `conversation_id`; always the first |
| `conversation_created` | `conversation_id`; only for a new conversation |
| `message_start` | `message_id`, `user_message_id`; side by side once for each model, with `model` |
| `content` | `content`; side by side also `message_id` and `model` |
| `thinking` | as `content`; only with `additional_metadata.think` |
| `done` | `conversation_id`, `message_id`, `model`, `title`, `created_at`, `sources` (`file_id`, `file_name`, \
`folder_path`), `generated_files` (`url`, `filename`, `size`); side by side also `messages`, one for each model: \
`message_id`, `model`, `sources`, `generated_files`, `error_id` |
| `error` | `content` (`stream_error`), `error_id`; the stream ends |

Closing the stream ends the work; what was said so far stays in the conversation."""

_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"description": _STREAM, "content": {"text/event-stream": {"schema": {"type": "string"}}}},
    400: {"model": ErrorBody, "description": "invalid request, or `invalid_model`"},
    404: {"model": ErrorBody, "description": "no such conversation, or no such file"},
}


class Message(Body):
    """A message of the person's. The continue endpoint takes the same optional fields as the first."""

    content: str = Field(pattern=r"\S", description="the user message")
    model: str | None = Field(None, description="an id from GET /external/models")
    document_ids: list[str] | None = Field(None, description="library files to answer from; kept for later messages")
    file_ids: list[str] | None = Field(None, description="uploaded files to answer from; the same as document_ids")
    user_timezone: TimeZone = "UTC"
    quoted_text: str | None = Field(None, description="text being quoted or replied to")
    additional_metadata: Metadata | None = None


@asynccontextmanager
async def _exchange(service: Service, message: Message, conversation_id: str | None) -> AsyncIterator[Events]:
    """Checks everything and writes the user's message before a byte is answered; ends the work afterwards."""
    store = Conversations(service.db)
    documents = scope(service, message.document_ids, message.file_ids)
    known = _known(store, conversation_id)
    models = await _models(service, message)
    metadata = message.additional_metadata or Metadata()
    chosen_id = known.id if known else uuid.uuid4().hex
    redaction = redaction_of(service, metadata, chosen_id)
    kept = await asyncio.to_thread(redaction, message.content) if redaction else message.content
    conversation = known or store.create(chosen_id, kept, documents)
    if known and documents is not None:
        conversation = store.narrow(known, documents)
    exchange = store.open(conversation, kept, [model.id for model in models])
    turn = _turn(message, metadata, exchange, redaction)
    async with under_way(store, exchange, models, think=bool(metadata.think), redaction=redaction) as reply:
        yield reply.events(turn, new=known is None)


async def new(service: Running, message: Message) -> AsyncIterator[Events]:
    """The events of a new conversation."""
    async with _exchange(service, message, None) as events:
        yield events


async def continued(service: Running, conversation_id: str, message: Message) -> AsyncIterator[Events]:
    """The events of a further message."""
    async with _exchange(service, message, conversation_id) as events:
        yield events


@router.post("/external/conversations", status_code=200, response_class=EventStream, responses=_ANSWERS)
async def start_conversation(events: Annotated[Events, Depends(new)]) -> EventStream:
    """Create a conversation and stream the reply."""
    return EventStream(events)


@router.post(
    "/external/conversations/{conversation_id}", status_code=200, response_class=EventStream, responses=_ANSWERS
)
async def continue_conversation(events: Annotated[Events, Depends(continued)]) -> EventStream:
    """Continue a conversation and stream the reply, from the documents it was begun with or those named now."""
    return EventStream(events)


def _known(store: Conversations, conversation_id: str | None) -> Conversation | None:
    """The conversation to continue, or None for a new one. Raises ApiError 404."""
    if conversation_id is None:
        return None
    conversation = store.get(conversation_id)
    if conversation is None:
        raise ApiError(404, "conversation not found")
    return conversation


def _turn(message: Message, metadata: Metadata, exchange: Opened, redaction: Redaction | None) -> Turn:
    return Turn(
        question=message.content,
        history=exchange.history,
        document_ids=exchange.conversation.document_ids,
        quoted_text=message.quoted_text or "",
        agentic=bool(metadata.agentic_mode),
        timezone=message.user_timezone,
        preferences=given(metadata.preferences),
        extra=metadata.model_extra or {},
        redact=redaction or str,
    )


async def _models(service: Service, message: Message) -> list[Model]:
    metadata = message.additional_metadata or Metadata()
    wanted = metadata.models or [] if metadata.side_by_side else [message.model]
    if metadata.side_by_side and len(wanted) != 2:
        raise ApiError(400, "additional_metadata.models: side_by_side needs two model ids")
    chosen = [await choose(service, model_id) for model_id in wanted]
    return [Agent(model) if metadata.agentic_mode and isinstance(model, OwnModel) else model for model in chosen]
