"""The models that an account offers, asked for once and again when a person wishes."""

from __future__ import annotations

from psygnal import Signal

from carrel.model import Model
from carrel.work.context import Context


class Models:
    """The list, empty until it was loaded."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        """Nothing is asked yet."""
        self._context = context
        self.all: tuple[Model, ...] = ()

    async def load(self) -> tuple[Model, ...]:
        """Ask the service; raises `ServiceError`."""
        self.all = tuple(await self._context.service.models())
        self.changed.emit()
        return self.all

    def label(self, model_id: str | None) -> str:
        """What a person reads for a model id; empty for the service's default."""
        return next((m.label for m in self.all if m.id == model_id), model_id or "")
