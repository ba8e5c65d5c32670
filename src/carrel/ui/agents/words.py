"""What the agents pane says of a run: its line in the list, its chips, its note."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError
from PySide6.QtCore import QCoreApplication

from carrel.ui.amounts import clock, moment, took
from carrel.ui.widgets.itemlist import Item
from carrel.work.agents import AgentLine, AgentRun

_tr = QCoreApplication.translate

Told = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""A note: tone, title, text, actions."""


def item(line: AgentLine, now: float) -> Item:
    """A run's line in the list."""
    tag, tone = _tag(line, now)
    return Item(line.id, line.title, _below(line, now), tag=tag, tone=tone)


def under_way(running: Sequence[AgentLine], now: float) -> str:
    """What the status bar says of the runs that are under way; empty where none is."""
    if not running:
        return ""
    longest = clock(now - min(line.started_at for line in running))
    if len(running) == 1:
        return _tr("agents", "1 agent running · {time}").format(time=longest)
    return _tr("agents", "{n} agents running · {time}").format(n=len(running), time=longest)


def chips(run: AgentRun, model: str) -> list[tuple[str, str]]:
    """What a run was asked with, as (icon, words)."""
    request = run.request
    found = [("file", run.documents.get(i, i)) for i in request.document_ids or ()]
    found.append(("", request.agent_id or _tr("agents", "default agent")))
    if model:
        found.append(("", model))
    found.append(("", _tr("agents", "limit {n} s").format(n=request.timeout_seconds)))
    if (request.additional_metadata or {}).get("redact_pii") is True:
        found.append(("shield", _tr("agents", "redacted")))
    return found


def note(run: AgentRun, longest: int) -> Told | None:
    """What has to be said of a run that did not simply end well."""
    again = (("again", _tr("agents", "Run again")),)
    error = run.error
    match run.state:
        case "timed-out":
            longer = (("longer", _tr("agents", "Run again with {n} minutes").format(n=longest // 60)),)
            limit = took(run.request.timeout_seconds)
            text = _tr("agents", "The run reached its limit of {limit} and was ended. The prompt is kept.")
            return (
                "warn",
                _tr("agents", "Timed out"),
                f"{text.format(limit=limit)} {error.message if error else ''}".strip(),
                longer if run.request.timeout_seconds < longest else again,
            )
        case "failed" if error:
            return "danger", error.title, error.text, again
        case "failed":
            words = (
                run.result.error if run.result and run.result.error else _tr("agents", "The service gives no reason.")
            )
            return "danger", _tr("agents", "The run did not succeed"), words, again
        case "cancelled":
            text = _tr(
                "agents", "Carrel no longer waits for it. The service may go on with it; its result is lost here."
            )
            return "info", _tr("agents", "Cancelled"), text, again
        case "interrupted":
            text = _tr(
                "agents",
                "Carrel ended, or left the account, while the run was under way. It was not sent again by itself.",
            )
            return "warn", _tr("agents", "Interrupted"), text, again
    return None


def wrong_fields(error: ValidationError) -> dict[str, str]:
    """A sentence for each field that the request refuses."""
    known = {
        "prompt": _tr("agents", "Write what the agent shall do."),
        "user_timezone": _tr("agents", "The time zone is not known: take a name such as Europe/Berlin."),
    }
    fields = {str(e["loc"][0]): e["msg"] for e in error.errors()}
    return {name: known.get(name, f"{name}: {why}") for name, why in fields.items()}


def _tag(line: AgentLine, now: float) -> tuple[str, str]:
    match line.state:
        case "running":
            return clock(now - line.started_at), "info"
        case "done":
            return _tr("agents", "Done"), "ok"
        case "timed-out":
            return _tr("agents", "Timed out"), "danger"
        case "failed":
            return _tr("agents", "Failed"), "danger"
        case "cancelled":
            return _tr("agents", "Cancelled"), "none"
    return _tr("agents", "Interrupted"), "warn"


def _below(line: AgentLine, now: float) -> str:
    lasted = took((line.ended_at or now) - line.started_at)
    match line.state:
        case "running":
            return _tr("agents", "Running · stops at {limit}").format(limit=clock(line.limit))
        case "done" if line.files == 1:
            return _tr("agents", "1 file · {time}").format(time=lasted)
        case "done":
            return _tr("agents", "{n} files · {time}").format(n=line.files, time=lasted)
        case "timed-out":
            return _tr("agents", "after {time} · run again with longer?").format(time=lasted)
    return moment(line.started_at, now)
