"""Route of the headless agent: runs a task to its end and answers with Markdown and the files it made."""

import asyncio
import logging
import uuid
from collections.abc import Awaitable
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from .agent_runs import Outcome, run
from .asking import Body, Metadata, TimeZone, Whole, given, redaction_of, scope
from .conversation_store import Conversations
from .current import Running
from .errors import ApiError
from .model_list import choose
from .models import ErrorBody
from .turn import ModelFailure, Turn

router = APIRouter(tags=["agents"])
log = logging.getLogger(__name__)

_REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "invalid request, or `invalid_model`"},
    404: {"model": ErrorBody, "description": "no such file"},
    408: {"model": ErrorBody, "description": "timeout_seconds exceeded"},
}


class AgentRequest(Body):
    """A task for the agent."""

    prompt: str = Field(pattern=r"\S")
    agent_id: str | None = Field(None, description="accepted without effect: this service has one agent")
    model: str | None = Field(None, description="an id from GET /external/models")
    document_ids: list[str] | None = Field(None, description="library files to work on; the library when absent")
    file_ids: list[str] | None = None
    user_timezone: TimeZone = "UTC"
    timeout_seconds: Whole = Field(600, ge=1, le=1800)
    additional_metadata: Metadata | None = None


class GeneratedFileItem(BaseModel):
    """A file that the run made."""

    url: str = Field(description="needs the same credentials as every other request")
    filename: str
    size: int = Field(description="bytes")


class AgentResult(BaseModel):
    """What the run came to."""

    conversation_id: str = Field(description="can be continued under /external/conversations")
    output: str = Field(description="Markdown")
    generated_files: list[GeneratedFileItem]
    success: bool
    error: str | None


@router.post("/external/agents/run", responses=_REFUSALS)
async def run_agent(request: AgentRequest, service: Running) -> AgentResult:
    """Run a task and block until it completes or `timeout_seconds` have passed."""
    documents = scope(service, request.document_ids, request.file_ids)
    model = await choose(service, request.model)
    metadata = request.additional_metadata or Metadata()
    conversation_id = uuid.uuid4().hex
    turn = Turn(
        question=request.prompt,
        document_ids=documents,
        timezone=request.user_timezone,
        preferences=given(metadata.preferences),
        extra=metadata.model_extra or {},
        redact=redaction_of(service, metadata, conversation_id) or str,
    )
    store, kept = Conversations(service.db), await asyncio.to_thread(turn.redact, request.prompt)
    opened = store.open(store.create(conversation_id, kept, documents), kept, [model.id])
    outcome = Outcome()
    state = "stopped"
    try:
        state = await _within(request.timeout_seconds, run(service, model, turn, outcome), outcome)
    finally:
        store.close(opened.message_ids[0], outcome.output, "", state, outcome.sources)
    return AgentResult(
        conversation_id=conversation_id,
        output=outcome.output,
        generated_files=[GeneratedFileItem(**file) for file in outcome.files],
        success=outcome.error is None,
        error=outcome.error,
    )


async def _within(seconds: int, work: Awaitable[None], outcome: Outcome) -> str:
    """Wait for the work; returns what has become of its reply. Raises ApiError 408 when the time is over."""
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError as error:
        raise ApiError(408, f"the run took longer than its {seconds} seconds") from error
    except ModelFailure as error:
        error_id = uuid.uuid4().hex
        log.warning("An agent run failed, error %s: %s", error_id, error)
        outcome.error = f"the model could not go on (error {error_id})"
        return "failed"
    return "done"
