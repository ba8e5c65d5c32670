"""Routes of the earlier interface, under /api: models, upload, semantic search, and conversations in one piece."""

import asyncio
import uuid
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field

from . import earlier_bodies as bodies
from . import uploads
from .asking import Body
from .context import Service
from .conversation_store import Conversation, Conversations, now
from .current import Running
from .earlier_search import semantic
from .errors import ApiError
from .model_list import choose, listing
from .models import ErrorBody
from .redaction.findings import Told, told_of
from .redaction.tokens import KeptTokens
from .related import related_questions
from .replies import under_way
from .turn import Model, Turn

router = APIRouter(prefix="/api/external", tags=["earlier interface"])

_UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"model": ErrorBody, "description": "conversation not found"}}


class EarlierModel(BaseModel):
    """A model that can be named."""

    label: str
    value: str


class Confirmation(BaseModel):
    """What became of an upload."""

    message: str


class SemanticSearch(Body):
    """A search by meaning."""

    keyword: str = Field(pattern=r"\S")
    related_context_id: str | None = Field(None, description="a file's id to search in; empty searches everything")
    web_search: bool | None = Field(False, description="accepted without effect: this service never searches the web")


class Start(Body):
    """The first message of a conversation."""

    message: str = Field(pattern=r"\S")
    model: str | None = Field(None, description="the default model when absent or empty")


class Send(Body):
    """A further message; it goes to the model that answered last."""

    conversation_id: str
    message: str = Field(pattern=r"\S", description="the new message")


class Continue(Send):
    """A further message, which may go to another model."""

    model: str | None = Field(None, description="the model that answered last when absent or empty")


@router.get("/models")
async def models(service: Running) -> list[EarlierModel]:
    """The models that can be named."""
    return [EarlierModel(label=model["name"], value=model["id"]) for model in await listing(service)]


@router.put("/upload", openapi_extra=bodies.FORM)
async def upload(request: Request, service: Running) -> Confirmation:
    """Take files in; they are queued for indexing."""
    try:
        files = await uploads.receive(request, service.library, any_name=True)
    except ApiError as error:
        raise invalid("files", error.message, error.code) from error
    noun = "file" if len(files) == 1 else "files"
    return Confirmation(message=f"{len(files)} {noun} uploaded and queued for indexing")


@router.post("/semantic-search")
async def semantic_search(service: Running, request: SemanticSearch) -> bodies.SemanticResults:
    """Search the library by meaning."""
    found = await asyncio.to_thread(semantic, service, request.keyword, request.related_context_id or "")
    return bodies.SemanticResults(**found)


@router.post("/start-conversation")
async def start_conversation(service: Running, request: Start) -> bodies.Started:
    """Create a conversation and answer its first message."""
    model = await _chosen(service, request.model)
    conversation = Conversations(service.db).create(uuid.uuid4().hex, request.message, None)
    said = await _exchange(service, conversation, model, request.message)
    return bodies.Started(
        conversation_id=conversation.id,
        title=conversation.title,
        messages=bodies.FirstMessage(
            id=said.user_message_id,
            text=request.message,
            redacted=said.asked.redacted,
            synthetic=said.asked.synthetic,
            ner_count=len(said.asked.items),
            response=said.text,
            ner_items=said.asked.items,
            timestamp=now(),
        ),
    )


@router.post("/send", responses=_UNKNOWN)
async def send(service: Running, request: Send) -> bodies.Sent:
    """Answer a further message of a conversation."""
    conversation = _known(service, request.conversation_id)
    model = await _chosen(service, Conversations(service.db).last_model(conversation.id))
    said = await _exchange(service, conversation, model, request.message)
    passages = await asyncio.to_thread(service.search.passages, request.message, limit=10)
    return bodies.Sent(
        conversation_id=conversation.id,
        sender="ai",
        message_text=said.text,
        redacted_text=said.answered.redacted,
        syntactic_text=said.answered.synthetic,
        model=model.id,
        related_questions=related_questions(request.message, passages),
        id=said.message_id,
        typing_completed=True,
        created_at=now(),
    )


@router.post("/continue", responses=_UNKNOWN)
async def continue_conversation(service: Running, request: Continue) -> bodies.Continued:
    """Answer a further message of a conversation, with the model named."""
    conversation = _known(service, request.conversation_id)
    model = await _chosen(service, request.model or Conversations(service.db).last_model(conversation.id))
    said = await _exchange(service, conversation, model, request.message)
    return bodies.Continued(
        conversation_id=conversation.id,
        sender="ai",
        message_text=said.text,
        redacted_text=said.answered.redacted,
        syntactic_text=said.answered.synthetic,
        typing_completed=True,
        created_at=now(),
        ner_items=said.answered.items,
        ner_count=len(said.answered.items),
        title=conversation.title,
        id=said.message_id,
    )


@dataclass(frozen=True)
class _Said:
    """One exchange, and what was found in the message and in the reply."""

    user_message_id: str
    message_id: str
    text: str
    asked: Told
    answered: Told


async def _exchange(service: Service, conversation: Conversation, model: Model, message: str) -> _Said:
    """Ask and wait for the whole answer. Raises ApiError 500 when the model fails."""
    store = Conversations(service.db)
    opened = store.open(conversation, message, [model.id])
    turn = Turn(question=message, history=opened.history, document_ids=conversation.document_ids)
    text = ""
    async with under_way(store, opened, [model], think=False) as reply:
        async for name, payload in reply.events(turn, new=False):
            if name == "content":
                text += payload["content"]
            elif name == "error":
                raise ApiError(500, f"the model could not answer (error {payload['error_id']})")
    tokens, patterns = KeptTokens(service.db, conversation.id), service.settings.redaction_patterns
    asked = await asyncio.to_thread(told_of, message, tokens, patterns)
    answered = await asyncio.to_thread(told_of, text, tokens, patterns)
    return _Said(opened.user_message_id, opened.message_ids[0], text, asked, answered)


def _known(service: Service, conversation_id: str) -> Conversation:
    conversation = Conversations(service.db).get(conversation_id)
    if conversation is None:
        raise ApiError(404, "conversation not found")
    return conversation


async def _chosen(service: Service, model_id: str | None) -> Model:
    """The model, in this interface's own words where there is none of that id."""
    try:
        return await choose(service, model_id or None)
    except ApiError as error:
        raise invalid("model", error.message, error.code) from error


def invalid(field: str, message: str, code: str) -> RequestValidationError:
    """What this interface answers with 422 and `detail`."""
    return RequestValidationError([{"loc": ("body", field), "msg": message, "type": code}])
