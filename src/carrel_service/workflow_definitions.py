"""Reads published workflows out of YAML files: the supplied ones, and those in the data folder's `workflows`."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)
SUPPLIED = Path(__file__).parent / "supplied"
KINDS = ("form", "fetch", "folder", "ask", "search", "digest", "check", "write")


@dataclass(frozen=True)
class Step:
    """One step: its kind, and the options of that kind."""

    id: str
    kind: str
    group_id: str = ""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Definition:
    """One version of a workflow; `tenants` empty means that any tenant may see and queue it."""

    group_id: str
    workflow_id: str
    version: int
    title: str
    description: str
    purpose_type: str
    updated_at: str
    published: bool
    tenants: tuple[str, ...]
    steps: tuple[Step, ...]

    def open_to(self, tenant: str) -> bool:
        """Whether this tenant has access."""
        return not self.tenants or tenant in self.tenants

    @property
    def item(self) -> dict[str, Any]:
        """The list item of the document."""
        return {
            "group_id": self.group_id,
            "workflow_id": self.workflow_id,
            "title": self.title,
            "description": self.description,
            "purpose_type": self.purpose_type,
            "version": self.version,
            "first_step_id": self.steps[0].id,
            "updated_at": self.updated_at,
        }


def latest(data: Path) -> list[Definition]:
    """The newest published version of each group, newest first; files that cannot be read are left out."""
    newest: dict[str, Definition] = {}
    for found in every_version(data):
        known = newest.get(found.group_id)
        if found.published and (known is None or found.version > known.version):
            newest[found.group_id] = found
    return sorted(newest.values(), key=lambda found: (found.updated_at, found.title), reverse=True)


def every_version(data: Path) -> Iterator[Definition]:
    """All versions in the supplied folder and in `workflows` under `data`."""
    for folder in (SUPPLIED, data / "workflows"):
        for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")]):
            try:
                yield read(path)
            except (OSError, ValueError) as error:
                log.warning("The workflow %s is left out: %s", path.name, error)


def read(path: Path) -> Definition:
    """One file. Raises ValueError that says what is wrong with it."""
    import yaml

    try:
        told = yaml.safe_load(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"it is not YAML: {error}") from error
    if not isinstance(told, dict):
        raise ValueError("it must hold one mapping")
    steps = tuple(_step(step) for step in told.get("steps") or ())
    if not steps:
        raise ValueError("it has no steps")
    if len({step.id for step in steps}) < len(steps):
        raise ValueError("two of its steps have the same id")
    group, version = _text(told, "group_id"), told.get("version", 1)
    if not isinstance(version, int):
        raise ValueError("version must be a whole number")
    return Definition(
        group_id=group,
        workflow_id=str(told.get("workflow_id") or f"{group}-v{version}"),
        version=version,
        title=_text(told, "title"),
        description=str(told.get("description") or ""),
        purpose_type=str(told.get("purpose_type") or "general"),
        updated_at=_time(told.get("updated_at"), path),
        published=bool(told.get("published", True)),
        tenants=tuple(map(str, told.get("tenants") or ())),
        steps=steps,
    )


def _step(told: object) -> Step:
    if not isinstance(told, dict):
        raise ValueError("each step must be a mapping")
    kind = _text(told, "kind")
    if kind not in KINDS:
        raise ValueError(f"a step's kind must be one of {', '.join(KINDS)}, not {kind}")
    options = {str(key): value for key, value in told.items() if key not in ("id", "kind", "group_id")}
    return Step(_text(told, "id"), kind, str(told.get("group_id") or ""), options)


def _text(told: dict[Any, Any], key: str) -> str:
    if not told.get(key):
        raise ValueError(f"{key} is missing")
    return str(told[key])


def _time(told: object, path: Path) -> str:
    """YAML reads a time by itself; a file without one was updated when it was written."""
    if isinstance(told, datetime):
        moment = told if told.tzinfo else told.replace(tzinfo=UTC)
    elif isinstance(told, date):
        moment = datetime(told.year, told.month, told.day, tzinfo=UTC)
    else:
        moment = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
