"""The AI models that a request may name (document: Model, current and earlier)."""

from __future__ import annotations

from carrel.model.shapes import Answer


class Model(Answer):
    """One model. The earlier interface's `label` and `value` arrive here as `name` and `id`."""

    id: str
    name: str = ""
    image: str = ""
    group_name: str = ""
    is_available: bool = True

    @property
    def label(self) -> str:
        """What a person reads: the name, or the id where there is none."""
        return self.name or self.id
