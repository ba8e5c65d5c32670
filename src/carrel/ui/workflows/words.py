"""What the workflows pane says of a run: its row in the table, its note, and what has changed since a form was kept."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError
from PySide6.QtCore import QCoreApplication

from carrel.model import Workflow
from carrel.ui.amounts import moment
from carrel.ui.widgets.table import Cell, Line
from carrel.work.workflows import ENDS, KeptForm, QueuedRun

_tr = QCoreApplication.translate

NAMED = 5
"""Files that are named one by one; of more the rest is counted."""

Told = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""A note: tone, title, text, actions."""


def line(run: QueuedRun, now: float) -> Line:
    """A run's row: id, status, queue status, when."""
    when = Cell(moment(run.created_at, now), role="muted", tip=_learned(run, now))
    name = Cell(run.run_id, tip=run.run_id)
    match run.state:
        case "sending":
            status, queue = Cell(_tr("workflows", "sending"), "info"), Cell("")
        case "queued":
            answer = run.answer
            status = _status_cell(answer.status if answer else "")
            queue = _status_cell(answer.queue_status if answer else "")
        case "unconfirmed":
            status, queue = Cell(_tr("workflows", "not confirmed"), "warn"), Cell("")
        case "not-sent":
            status, queue = Cell(_tr("workflows", "not sent"), "danger"), _reason(run)
        case _:
            code = str(run.error.status) if run.error and run.error.status else _tr("workflows", "refused")
            status, queue = Cell(code, "danger"), _reason(run)
    return run.run_id, (name, status, queue, when)


def note(run: QueuedRun) -> Told | None:
    """What has to be said of a run when it is looked at."""
    again = (("again", _tr("workflows", "Try again")),)
    error = run.error
    match run.state:
        case "unconfirmed":
            text = _tr(
                "workflows",
                "The reply was lost, so the service may have queued this run or not. "
                "“Try again” sends the same run id, so that the service can tell that it is the same run.",
            )
            return "warn", _tr("workflows", "Sent, not confirmed"), text, again
        case "not-sent" if error:
            return "danger", _tr("workflows", "Not sent"), f"{error.title}. {error.text}", again
        case "refused" if error:
            return "danger", _tr("workflows", "Refused: {title}").format(title=error.title), error.text, again
        case "queued" if run.answer:
            why = (run.answer.model_extra or {}).get("error")
            if isinstance(why, str) and why:
                return "danger", _tr("workflows", "The run failed"), why, ()
    return None


def changes(kept: KeptForm, workflow: Workflow) -> list[str]:
    """What is other than when the form was kept, each as a sentence."""
    found = []
    if kept.version != workflow.version:
        found.append(
            _tr("workflows", "The version was {old} and is now {new}.").format(old=kept.version, new=workflow.version)
        )
    elif kept.workflow_id != workflow.workflow_id:
        found.append(
            _tr("workflows", "The workflow id was {old} and is now {new}.").format(
                old=kept.workflow_id, new=workflow.workflow_id
            )
        )
    if kept.first_step_id != workflow.first_step_id:
        found.append(
            _tr("workflows", "The first step was {old} and is now {new}.").format(
                old=kept.first_step_id, new=workflow.first_step_id
            )
        )
    return found


def facts(run: QueuedRun, now: float) -> str:
    """What is known of a run, with the time when it was learned."""
    found = [_tr("workflows", "Run {id}").format(id=run.run_id)]
    if run.answer and run.answer.current_step_id:
        found.append(_tr("workflows", "step {id}").format(id=run.answer.current_step_id))
    if run.version is not None:
        found.append(_tr("workflows", "version {n}").format(n=run.version))
    if run.answer and run.answer.queue_id:
        found.append(_tr("workflows", "queue {id}").format(id=run.answer.queue_id))
    return " · ".join((*found, _learned(run, now)))


def wrong_request(error: ValidationError) -> str:
    """Why a request that was written by hand cannot be sent: the first place that is wrong, and what is wrong there."""
    first = error.errors(include_input=False, include_url=False)[0]
    kind, where = first["type"], ".".join(str(part) for part in first["loc"])
    if kind in {"model_type", "model_attributes_type", "dict_type", "mapping_type"}:
        why = _tr("workflows", "must be an object, in braces")
    elif kind == "extra_forbidden":
        why = _tr("workflows", "the service knows no such field")
    else:
        why = first["msg"].removeprefix("Value error, ")
    return f"{where}: {why}." if where else _tr("workflows", "The request must be an object, in braces.")


def listed(names: Sequence[str]) -> str:
    """Files by name, as far as a line has room for them."""
    more = len(names) - NAMED
    rest = [_tr("workflows", "{n} more").format(n=more)] if more > 0 else []
    return ", ".join([*names[:NAMED], *rest])


def left_out(names: Sequence[str]) -> str:
    """Which files could not be taken; empty where all could."""
    return _tr("workflows", "Left out, without a link: {names}.").format(names=listed(names)) if names else ""


def added(count: int, into: Workflow) -> str:
    """How many files came into a workflow's form."""
    title = into.title or into.group_id
    if not count:
        return _tr("workflows", "These files are in the form of {title} already.").format(title=title)
    if count == 1:
        return _tr("workflows", "1 file is in the form of {title} now.").format(title=title)
    return _tr("workflows", "{n} files are in the form of {title} now.").format(n=count, title=title)


def _learned(run: QueuedRun, now: float) -> str:
    if run.learned_at is None:
        return _tr("workflows", "never confirmed")
    return _tr("workflows", "last known {when}").format(when=moment(run.learned_at, now))


def _reason(run: QueuedRun) -> Cell:
    text = (run.error.message or run.error.title) if run.error else ""
    return Cell(text, role="muted", tip=text)


def _status_cell(status: str) -> Cell:
    """Any string is shown as it is; what it reads like decides the colour."""
    if not status:
        return Cell("")
    name = status.lower()
    if any(part in name for part in ("fail", "error", "cancel", "abort", "expire")):
        return Cell(status, "danger")
    if any(part in name for part in ENDS):
        return Cell(status, "ok")
    return Cell(status, "warn" if "pend" in name else "info")
