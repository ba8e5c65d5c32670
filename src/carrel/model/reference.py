"""What a service's own API description told beyond its document (the live reference)."""

from __future__ import annotations

from carrel.model.shapes import Answer


class Learned(Answer):
    """What was learned, each empty where the reference does not say it; it can be kept and given to `connect`.

    `workflow_page`, `workflow_page_size`, `workflow_search` are query parameters of the workflow list;
    `continue_fields` the body fields that a continued conversation takes; `run_status_path` the path that tells a
    run, with `{group_id}` and `{run_id}` where they go; `source` the address that it was read from.
    """

    source: str = ""
    version: str = ""
    workflow_page: str = ""
    workflow_page_size: str = ""
    workflow_search: str = ""
    continue_fields: tuple[str, ...] = ()
    run_status_path: str = ""
