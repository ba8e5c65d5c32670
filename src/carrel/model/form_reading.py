"""From a run's request back to its form, so that the JSON beside a form can be edited too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from carrel.model.forms import FieldKind, FileShape, Form, FormField, FormFile, FormStep, offset_of, value_of
from carrel.model.workflows import ExternalUser, FileUrls, WorkflowInputs, WorkflowRunRequest


def form_of(request: WorkflowRunRequest, former: Form, at: datetime) -> Form:
    """The form that says `request`; kinds and the zone's name stay those of `former` where they still fit."""
    inputs = request.inputs or WorkflowInputs()
    values, urls = inputs.form_inputs or {}, inputs.file_urls or {}
    held = {step.id: step for step in former.steps}
    steps = tuple(_step_of(i, values.get(i), urls.get(i), held.get(i)) for i in dict.fromkeys((*values, *urls)))
    user = request.external_user or ExternalUser()
    return Form(
        steps=steps or former.steps[:1],
        run_id=request.run_id or "",
        zone=_zone_of(request.executor_timezone, former.zone, at),
        user_id=user.id or "",
        user_email=user.email or "",
        user_name=user.name or "",
    )


def _step_of(step_id: str, values: Any, urls: FileUrls | None, former: FormStep | None) -> FormStep:
    kinds = {f.name: f.kind for f in former.fields} if former else {}
    told = values if isinstance(values, Mapping) else {}
    fields = tuple(_field_of(str(name), value, kinds.get(str(name))) for name, value in told.items())
    shape, files = _files_of(urls, former)
    return FormStep(id=step_id, fields=fields, shape=shape, files=files)


def _field_of(name: str, value: Any, former: FieldKind | None) -> FormField:
    field = FormField(name=name, kind=_kind_of(value), text=_text_of(value))
    if former is None or former == field.kind:
        return field
    kept = FormField(name=name, kind=former, text=json.dumps(value) if former == "json" else field.text)
    try:
        return kept if value_of(kept) == value else field
    except ValueError:
        return field


def _kind_of(value: Any) -> FieldKind:
    if isinstance(value, bool):
        return "yes-no"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "text"
    plain = isinstance(value, list | tuple) and all(isinstance(v, str) and v == v.strip() != "" for v in value)
    return "list" if plain and not any("\n" in v for v in value) else "json"


def _text_of(value: Any) -> str:
    match _kind_of(value):
        case "text":
            return str(value)
        case "list":
            return "\n".join(value)
    return json.dumps(value)


def _files_of(urls: FileUrls | None, former: FormStep | None) -> tuple[FileShape, tuple[FormFile, ...]]:
    if urls is None:
        return (former.shape if former else "one"), ()
    if isinstance(urls, str):
        return "one", (FormFile(url=urls),)
    if isinstance(urls, Mapping):
        return "named", tuple(FormFile(name=name, url=url) for name, url in urls.items())
    return "several", tuple(FormFile(url=url) for url in urls)


def _zone_of(offset: int, former: str, at: datetime) -> str:
    try:
        if offset_of(former, at) == offset:
            return former
    except ValueError:
        pass
    return "UTC" if offset == 0 else f"{offset:+d}"
