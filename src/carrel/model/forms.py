"""The form of a workflow run: what a person fills in, and the pure way from it to the request."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict

from carrel.model.workflows import EAST, WEST, ExternalUser, FileUrls, WorkflowInputs, WorkflowRunRequest

FieldKind = Literal["text", "number", "yes-no", "date", "list", "json"]
FileShape = Literal["one", "several", "named"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class FormField(_Value):
    """One value of a step; `text` is as it was typed: a list one item a line, yes or no as true or false."""

    name: str = ""
    kind: FieldKind = "text"
    text: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing was filled in; such a field is not sent."""
        return not self.name.strip() and not self.text.strip()


class FormFile(_Value):
    """One URL; `name` counts where the step's files are named."""

    name: str = ""
    url: str = ""


class FormStep(_Value):
    """The values and file URLs of one step or step group."""

    id: str = ""
    fields: tuple[FormField, ...] = ()
    shape: FileShape = "one"
    files: tuple[FormFile, ...] = ()


class Form(_Value):
    """A whole form. `zone` is an IANA name, or an offset such as +90 (minutes); `run_id` empty: made when queued."""

    steps: tuple[FormStep, ...] = ()
    run_id: str = ""
    zone: str = "UTC"
    user_id: str = ""
    user_email: str = ""
    user_name: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """What a form lacks: the step's number (-1: the form as a whole), the field's (-1: the step), and the words."""

    step: int
    field: int
    words: str


class FormRefused(ValueError):
    """The form cannot be sent as it stands; `problems` say why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep all of them: a person wants to see every wrong field at once."""
        self.problems = tuple(problems)
        super().__init__("; ".join(p.words for p in problems))


def request_of(form: Form, at: datetime) -> WorkflowRunRequest:
    """The documented request; `at` is when the offset of the zone is taken. Raises `FormRefused`."""
    problems: list[Problem] = []
    values, urls = _values(form, problems), _urls(form, problems)
    offset = _checked(problems, -1, -1, lambda: offset_of(form.zone, at))
    if problems:
        raise FormRefused(problems)
    user = {"id": form.user_id.strip(), "email": form.user_email.strip(), "name": form.user_name.strip()}
    told = {k: v for k, v in user.items() if v}
    inputs = {k: v for k, v in {"form_inputs": values, "file_urls": urls}.items() if v}
    fields: dict[str, Any] = {"executor_timezone": offset}
    if told:
        fields["external_user"] = ExternalUser(**told)
    if inputs:
        fields["inputs"] = WorkflowInputs(**inputs)
    if form.run_id.strip():
        fields["run_id"] = form.run_id.strip()
    return WorkflowRunRequest(**fields)


def offset_of(zone: str, at: datetime) -> int:
    """Minutes east of UTC at that moment; ValueError for a zone that nobody knows, and for an offset that none has."""
    zone = zone.strip() or "UTC"
    if re.fullmatch(r"[+-][0-9]{1,9}", zone):
        if not WEST <= int(zone) <= EAST:
            raise ValueError(f"no time zone is {zone} minutes from UTC: take a number from {WEST} to +{EAST}")
        return int(zone)
    try:
        offset = at.astimezone(ZoneInfo(zone)).utcoffset()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            "the time zone is not known: take a name such as Europe/Berlin, or minutes such as +60"
        ) from None
    assert offset is not None  # an aware time always has one
    return round(offset.total_seconds() / 60)


def value_of(field: FormField) -> Any:
    """What a field's text means by its kind; ValueError that says what is wrong."""
    text = field.text.strip()
    match field.kind:
        case "number":
            return _number(text)
        case "yes-no":
            return text == "true"
        case "date":
            return _date(text)
        case "list":
            return [line.strip() for line in field.text.splitlines() if line.strip()]
        case "json":
            return _json(text)
    return field.text


def _values(form: Form, problems: list[Problem]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for number, step in enumerate(form.steps):
        filled = [(n, f) for n, f in enumerate(step.fields) if not f.is_blank]
        if filled and not step.id.strip():
            problems.append(Problem(number, -1, "the step needs an id"))
        for place, each in filled:
            told = found.setdefault(step.id.strip(), {})
            name = each.name.strip()
            if not name:
                problems.append(Problem(number, place, "the field needs a name"))
            elif name in told:
                problems.append(Problem(number, place, f"there are two fields called {name}"))
            told[name] = _checked(problems, number, place, lambda f=each: value_of(f))  # type: ignore[misc]
    return found


def _urls(form: Form, problems: list[Problem]) -> dict[str, FileUrls]:
    found: dict[str, FileUrls] = {}
    for number, step in enumerate(form.steps):
        files = [f for f in step.files if f.url.strip()]
        if files and not step.id.strip():
            problems.append(Problem(number, -1, "the step needs an id"))
        elif files:
            urls = _checked(problems, number, -1, lambda s=step, f=files: _shaped(s.shape, f))  # type: ignore[misc]
            found[step.id.strip()] = urls
    return found


def _shaped(shape: FileShape, files: Sequence[FormFile]) -> FileUrls:
    if shape == "several":
        return tuple(f.url.strip() for f in files)
    if shape == "one":
        if len(files) > 1:
            raise ValueError("there is more than one file: choose several, or give each a name")
        return files[0].url.strip()
    named = {f.name.strip(): f.url.strip() for f in files}
    if len(named) < len(files) or "" in named:
        raise ValueError("each file needs a name of its own")
    return named


def _checked(problems: list[Problem], step: int, field: int, work: Callable[[], Any]) -> Any:
    try:
        return work()
    except ValueError as error:
        problems.append(Problem(step, field, str(error)))
        return None


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{text or 'nothing'} is not a number")
    return number


def _date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError("a date is written like 2026-11-21") from None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("this JSON is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"this is not JSON: {error}") from None
