"""The models that can be named: the reader in two lengths, and those of the person's own server."""

from .context import ModelItem, Service
from .errors import ApiError
from .own_models import own_models
from .reader import Reader
from .turn import Model

READER_GROUP = "Built-in"


def readers(service: Service) -> list[Reader]:
    """The reader as two models: the brief one gives the two best sentences only."""
    return [Reader(service, "reader", "Reader", 5), Reader(service, "reader-brief", "Reader, brief", 2)]


async def listing(service: Service) -> list[ModelItem]:
    """Every model as GET /external/models shows it, own models first."""
    own: list[ModelItem] = [
        {
            "id": model.id,
            "name": model.id,
            "image": "own.svg",
            "group_name": model.group_name,
            "is_available": model.is_available,
        }
        for model in await own_models(service)
    ]
    read: list[ModelItem] = [
        {"id": reader.id, "name": reader.name, "image": "reader.svg", "group_name": READER_GROUP, "is_available": True}
        for reader in readers(service)
    ]
    return own + read


async def choose(service: Service, model_id: str | None) -> Model:
    """The model of that id; without one the default: the first own model that is reachable, else the reader.

    Raises ApiError 400 `invalid_model` for an id that is not listed.
    """
    own = await own_models(service)
    if model_id is None:
        return next((model for model in own if model.is_available), None) or readers(service)[0]
    known: dict[str, Model] = {reader.id: reader for reader in readers(service)}
    known |= {model.id: model for model in own}
    if model_id not in known:
        raise ApiError(400, f"model not found: {model_id[:100]}", "invalid_model")
    return known[model_id]
