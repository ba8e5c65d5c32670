"""Workflows: the published versions, and runs that are queued (document: Workflow list item, Workflow run)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from carrel.model.shapes import Answer, Request


class WorkflowQuery(Request):
    """What to list. On the wire the names are those of `Account.names`: the document does not show them."""

    page: int = Field(1, ge=1)
    page_size: int = Field(40, ge=1, le=100)
    search: str | None = None


class Workflow(Answer):
    """The latest published version of a group; `group_id` is stable across versions."""

    group_id: str
    workflow_id: str = ""
    title: str = ""
    description: str = ""
    purpose_type: str = ""
    version: int | None = None
    first_step_id: str = ""
    updated_at: str = ""


class Pagination(Answer):
    """Where a page stands among the pages; `page_size` is 0 where the service did not tell it."""

    current_page: int = 1
    page_size: int = 0
    total_items: int = 0
    total_pages: int = 1


class WorkflowPage(Answer):
    """One page of workflows."""

    data: tuple[Workflow, ...] = ()
    pagination: Pagination = Pagination()


FileUrls = str | tuple[str, ...] | Mapping[str, str]


class WorkflowInputs(Request):
    """Values by step id or step group id; a file is a URL, several URLs, or URLs by field name."""

    form_inputs: Mapping[str, Any] | None = None
    file_urls: Mapping[str, FileUrls] | None = None


class ExternalUser(Request):
    """The caller's own note of who asked; it authenticates nobody."""

    id: str | None = None
    email: str | None = None
    name: str | None = None


WEST, EAST = -720, 840
"""Minutes: the offsets of time zones lie between UTC-12 and UTC+14."""


class WorkflowRunRequest(Request):
    """What to queue. `executor_timezone` is an offset in minutes, from `WEST` to `EAST`."""

    run_id: str | None = None
    executor_timezone: int = Field(0, ge=WEST, le=EAST)
    external_user: ExternalUser | None = None
    inputs: WorkflowInputs | None = None


class WorkflowRun(Answer):
    """A run as the service last told it; the document names no way to ask again."""

    run_id: str
    queue_id: str = ""
    status: str = ""
    queue_status: str = ""
    group_id: str = ""
    workflow_id: str = ""
    current_step_id: str = ""
    external_user: Mapping[str, Any] | None = None
