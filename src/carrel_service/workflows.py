"""Routes of the workflows: the list of the latest published versions, queueing a run, and a run's status."""

import sqlite3
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from . import workflow_work
from .current import Running
from .errors import ApiError
from .keywords import overlap
from .models import ErrorBody
from .search import Result
from .settings import Settings
from .workflow_bodies import (
    Pagination,
    QueuedRun,
    QueuedRunAnswer,
    RunRequest,
    RunState,
    RunStateAnswer,
    WorkflowItem,
    WorkflowPage,
    WorkflowParameters,
)
from .workflow_definitions import Definition, every_version, latest
from .workflow_runs import Run, Runs

router = APIRouter(tags=["workflows"])


def tenant_of(request: Request) -> str:
    """The tenant that the request names, or nothing; the description of every operation names the header."""
    return request.headers.get("X-Tenant-ID", "")


Tenant = Annotated[str, Depends(tenant_of)]

_NO_ACCESS = {"model": ErrorBody, "description": "invalid credentials or workflow access denied"}
_NOT_QUEUED: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "invalid workflow or input payload, or a run_id that is taken"},
    403: _NO_ACCESS,
    404: {"model": ErrorBody, "description": "no active published workflow found"},
}
_NO_STATE: dict[int | str, dict[str, Any]] = {403: _NO_ACCESS, 404: {"model": ErrorBody, "description": "no such run"}}


@router.get("/external/workflows")
def list_workflows(
    service: Running, parameters: Annotated[WorkflowParameters, Query()], tenant: Tenant
) -> WorkflowPage:
    """The latest published version of each accessible workflow group, newest first."""
    wanted = (parameters.search or "").casefold().split()
    found = [
        definition
        for definition in latest(service.settings.data)
        if definition.open_to(tenant)
        and all(word in f"{definition.title} {definition.description}".casefold() for word in wanted)
    ]
    first = (parameters.page - 1) * parameters.page_size
    return WorkflowPage(
        data=[WorkflowItem(**definition.item) for definition in found[first : first + parameters.page_size]],
        pagination=Pagination(
            current_page=parameters.page,
            page_size=parameters.page_size,
            total_items=len(found),
            total_pages=-(-len(found) // parameters.page_size),
        ),
    )


@router.post(
    "/external/workflows/{group_id}/runs",
    responses=_NOT_QUEUED,
)
def queue_run(service: Running, group_id: str, request: RunRequest, tenant: Tenant) -> QueuedRunAnswer:
    """Queue the latest published version for background execution. The same run_id again gives the same run."""
    definition = _published(service.settings, group_id, tenant)
    runs = Runs(service.db)
    known = request.run_id and runs.get(request.run_id)
    if known and known.group_id == group_id:
        return QueuedRunAnswer(data=QueuedRun(**known.queued))
    inputs = request.inputs.model_dump() if request.inputs else {}
    user = request.external_user.model_dump(exclude_unset=True) if request.external_user else None
    try:
        run = runs.add(definition, request.run_id, inputs, user, request.executor_timezone)
    except sqlite3.IntegrityError as error:
        raise ApiError(400, "run_id: there is another run of this id") from error
    workflow_work.start(service, run)
    return QueuedRunAnswer(data=QueuedRun(**run.queued))


@router.get(
    "/external/workflows/{group_id}/runs/{run_id}",
    responses=_NO_STATE,
)
def run_state(service: Running, group_id: str, run_id: str, tenant: Tenant) -> RunStateAnswer:
    """A run's present state."""
    run = Runs(service.db).get(run_id)
    if run is None or run.group_id != group_id:
        raise ApiError(404, "run not found")
    _check_access(_versions(service.settings, group_id), tenant)
    return RunStateAnswer(data=_state(run))


def search_workflows(settings: Settings) -> Callable[[str, int], list[Result]]:
    """The search kind `workflow`: published workflows whose title or description holds words of the query."""

    def found(query: str, limit: int) -> list[Result]:
        results: list[Result] = [
            {
                "id": definition.group_id,
                "title": definition.title,
                "content": definition.description,
                "type": "workflow",
                "provider": "workflow",
                "score": round(overlap(query, f"{definition.title} {definition.description}"), 6),
            }
            for definition in latest(settings.data)
        ]
        results.sort(key=lambda result: -result["score"])
        return [result for result in results if result["score"] > 0][:limit]

    return found


def _published(settings: Settings, group_id: str, tenant: str) -> Definition:
    """The version to run. Raises ApiError 404 without a published one, 403 for a tenant without access."""
    definition = next((found for found in latest(settings.data) if found.group_id == group_id), None)
    if definition is None:
        raise ApiError(404, "no active published workflow found")
    _check_access([definition], tenant)
    return definition


def _versions(settings: Settings, group_id: str) -> list[Definition]:
    return [found for found in every_version(settings.data) if found.group_id == group_id]


def _check_access(versions: list[Definition], tenant: str) -> None:
    if versions and not any(found.open_to(tenant) for found in versions):
        raise ApiError(403, "workflow access denied")


def _state(run: Run) -> RunState:
    return RunState(
        **run.queued,
        error=run.error,
        result_file_id=run.result_file_id,
        created_at=run.created_at,
        updated_at=run.updated_at,
    )
