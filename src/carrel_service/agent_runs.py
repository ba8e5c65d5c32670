"""Works a task to its end: with a language model in a loop with tools, else as a fixed research run."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from .context import Service
from .files import GeneratedFile
from .pacing import paced
from .reports import MadeFile
from .research import research
from .turn import Source, Turn


@dataclass
class Outcome:
    """What a run has come to so far; it is kept also when the run is cut off."""

    output: str = ""
    files: list[GeneratedFile] = field(default_factory=list)
    sources: tuple[Source, ...] = ()
    error: str | None = None


async def run(service: Service, turn: Turn, outcome: Outcome) -> None:
    """Do the task, filling `outcome` as it goes; at least two files in the end. Raises ModelFailure."""
    await _research(service, turn, outcome)


async def _research(service: Service, turn: Turn, outcome: Outcome) -> None:
    found = await asyncio.to_thread(research, service, turn)
    outcome.sources = found.answer.sources
    # Written at the pace of an answer: a run has a middle in which its time can run out.
    async for word in paced(found.output, service.settings.pace):
        outcome.output += word
    outcome.files += await asyncio.to_thread(stored, service, found.files)


def stored(service: Service, files: Sequence[MadeFile]) -> list[GeneratedFile]:
    """The files kept for their owner, as a response carries them."""
    return [service.files.put(service.account, file.name, file.content) for file in files]
