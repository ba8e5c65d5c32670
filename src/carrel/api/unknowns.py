"""What the service's document does not show, and what is done instead: each a line here, so that it can change."""

from __future__ import annotations

from carrel.model import Account, Learned, WireNames, WorkflowPage, WorkflowQuery

_ASSUMED = WireNames()


def workflow_params(query: WorkflowQuery, names: WireNames, learned: Learned | None) -> dict[str, str]:
    """The query parameters of the workflow list, whose names the document does not show.

    A name that a person has set goes before one that the live reference told, and that before ours.
    """
    told = learned or Learned()
    page = _name(names.workflow_page, _ASSUMED.workflow_page, told.workflow_page)
    size = _name(names.workflow_page_size, _ASSUMED.workflow_page_size, told.workflow_page_size)
    params = {page: str(query.page), size: str(query.page_size)}
    if query.search:
        params[_name(names.workflow_search, _ASSUMED.workflow_search, told.workflow_search)] = query.search
    return params


def paging_ignored(query: WorkflowQuery, page: WorkflowPage) -> bool:
    """Whether the service answered with another page or size than was asked, so that the names may be others."""
    told = page.pagination
    return told.current_page != query.page or told.page_size not in {0, query.page_size}


def send_body(account: Account, conversation_id: str, content: str) -> dict[str, str]:
    """The earlier `send`: the name of its message field is not shown."""
    return {"conversation_id": conversation_id, account.names.send_message: content}


def continue_body(account: Account, conversation_id: str, content: str, model: str) -> dict[str, str]:
    """The earlier `continue`: its fields beyond `conversation_id` and `model` are not shown."""
    return {"conversation_id": conversation_id, "model": model, account.names.continue_message: content}


def _name(chosen: str, assumed: str, told: str) -> str:
    return told if told and chosen == assumed else chosen
