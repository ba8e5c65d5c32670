"""Saved prompts: kept, changed, carried from one computer to another as a file."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Sequence
from pathlib import Path

from psygnal import Signal
from pydantic import ValidationError

from carrel.model.prompts import Prompt, PromptFile
from carrel.store.prompts import PromptRows
from carrel.store.whole import write_whole
from carrel.work.context import Context

LARGEST = 10_000_000
"""Bytes of a file that is read as prompts: a larger one is something else."""


class Prompts:
    """The prompts of this home. `changed` tells that there are others."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        """Keep them in the context's store."""
        self._store = PromptRows(context.db)

    def all(self) -> list[Prompt]:
        """The prompts in the order of their titles."""
        return self._store.all()

    async def save(self, *prompts: Prompt) -> None:
        """Keep prompts; one without an id is new."""
        now = time.time()
        await self._store.save([p if p.id else p.model_copy(update={"id": uuid.uuid4().hex}) for p in prompts], now)
        self.changed.emit()

    async def delete(self, prompt_id: str) -> None:
        """Forget a prompt."""
        await self._store.delete(prompt_id)
        self.changed.emit()

    async def write(self, file: Path) -> None:
        """Write all prompts to a JSON file; OSError where that cannot be done, and what stood there stays."""
        held = PromptFile(prompts=tuple(self.all()))
        text = held.model_dump_json(indent=2, exclude={"prompts": {"__all__": {"id"}}})
        await asyncio.to_thread(write_whole, file, text)

    async def read(self, file: Path) -> int:
        """Take the prompts of a JSON file that are not here yet; how many. OSError, or ValueError with a sentence."""
        found = await asyncio.to_thread(_read, file)
        here = {(p.title, p.text) for p in self.all()}
        fresh = [p for p in found if (p.title, p.text) not in here]
        await self.save(*(p.model_copy(update={"id": ""}) for p in fresh))
        return len(fresh)


def _read(file: Path) -> Sequence[Prompt]:
    if file.stat().st_size > LARGEST:
        raise ValueError(f"{file.name} is too large to be a file of prompts.")
    try:
        return PromptFile.model_validate_json(file.read_bytes()).prompts
    except ValidationError:
        raise ValueError(f"{file.name} holds no prompts that Carrel wrote.") from None
