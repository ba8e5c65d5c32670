"""The bodies of the workflow endpoints, checked and described by the same types."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field

from .asking import Body, Whole


class WorkflowItem(BaseModel):
    """The latest published version of a workflow group."""

    group_id: str = Field(description="stable across versions")
    workflow_id: str
    title: str
    description: str
    purpose_type: str
    version: int
    first_step_id: str
    updated_at: str


class Pagination(BaseModel):
    """Where a page stands."""

    current_page: int
    page_size: int
    total_items: int
    total_pages: int


class WorkflowPage(BaseModel):
    """Answer of GET /external/workflows."""

    data: list[WorkflowItem]
    pagination: Pagination


class WorkflowParameters(BaseModel):
    """The query parameters, whose names the document does not give."""

    page: Annotated[int, Query(ge=1, le=2**31)] = 1
    page_size: Annotated[int, Query(ge=1, le=100)] = 20
    search: str | None = Field(None, description="words that title or description hold")


class ExternalUser(Body):
    """Metadata of the caller's; it authenticates nobody."""

    model_config = ConfigDict(strict=True, extra="allow")

    id: str | None = None
    email: str | None = None
    name: str | None = None


FileUrls = str | list[str] | dict[str, str]


class Inputs(Body):
    """Values keyed by step id or workflow_step_group_id."""

    form_inputs: dict[str, Any] | None = Field(None, description="unknown fields are kept, missing ones are empty")
    file_urls: dict[str, FileUrls] | None = Field(None, description="a URL, several, or a map from field name to URL")


class RunRequest(Body):
    """A run to queue."""

    run_id: str | None = Field(None, min_length=1, max_length=200, pattern=r"^[^/\s]+$")
    executor_timezone: Whole = Field(0, ge=-840, le=840, description="offset in minutes")
    external_user: ExternalUser | None = None
    inputs: Inputs | None = None


class QueuedRun(BaseModel):
    """A run as it was queued."""

    run_id: str
    queue_id: str
    status: str = Field(description="`queued`, `running`, `completed`, `failed`")
    queue_status: str = Field(description="`pending`, `processing`, `done`, `failed`")
    group_id: str
    workflow_id: str
    current_step_id: str
    external_user: dict[str, Any] | None


class RunState(QueuedRun):
    """A run as it stands now."""

    error: str | None
    result_file_id: str | None = Field(description="the library file that the run wrote")
    created_at: str
    updated_at: str


class QueuedRunAnswer(BaseModel):
    """Answer of POST /external/workflows/{group_id}/runs."""

    data: QueuedRun


class RunStateAnswer(BaseModel):
    """Answer of GET /external/workflows/{group_id}/runs/{run_id}."""

    data: RunState
