"""Styles: how replies should sound, kept under a name and chosen again."""

from __future__ import annotations

from collections.abc import Mapping

from psygnal import Signal

from carrel.model.chat import Preferences
from carrel.store.styles import StyleRows
from carrel.work.context import Context


class Styles:
    """The styles of one account. `changed` tells that there are others."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        """Keep them in the context's store."""
        self._store = StyleRows(context.db, context.account_id)

    def all(self) -> Mapping[str, Preferences]:
        """The styles by name."""
        return self._store.all()

    async def save(self, name: str, preferences: Preferences) -> None:
        """Keep preferences under a name, in place of what had that name."""
        await self._store.save(name.strip(), preferences)
        self.changed.emit()

    async def delete(self, name: str) -> None:
        """Forget a style; chats that took it keep its preferences."""
        await self._store.delete(name)
        self.changed.emit()
