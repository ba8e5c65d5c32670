"""Joins what answers (models, conversations, agents, workflows) to a service that is about to start."""

from functools import partial

from fastapi import APIRouter

from . import agents, conversations, earlier, model_list, workflow_work, workflows
from .context import Service
from .conversation_store import Conversations

ROUTERS: tuple[APIRouter, ...] = (conversations.router, agents.router, workflows.router, earlier.router)


def begin(service: Service) -> None:
    """List the models, let conversations and workflows be searched, and take up what the last end cut off."""
    service.list_models = partial(model_list.listing, service)
    store = Conversations(service.db)
    service.search.kinds["workflow"] = workflows.search_workflows(service.settings)
    service.search.kinds["conversation"] = store.find
    store.end_broken()
    workflow_work.take_up(service)
