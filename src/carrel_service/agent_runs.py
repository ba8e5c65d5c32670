"""Works a task to its end: with a language model in a loop with tools, else as a fixed research run."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from .agent_loop import Agent
from .context import Service
from .own_models import OwnModel
from .pacing import paced
from .research import research
from .run_files import MadeFile, base_name, files_csv
from .turn import Content, Generated, Model, Piece, Source, Sources, Turn


@dataclass
class Outcome:
    """What a run has come to so far; it is kept also when the run is cut off."""

    output: str = ""
    files: list[dict[str, Any]] = field(default_factory=list)
    sources: tuple[Source, ...] = ()
    error: str | None = None

    def take(self, piece: Piece) -> None:
        """Add what came."""
        match piece:
            case Content(text):
                self.output += text
            case Sources(sources):
                self.sources = sources
            case Generated(file):
                self.files.append(file)


async def run(service: Service, model: Model, turn: Turn, outcome: Outcome) -> None:
    """Do the task, filling `outcome` as it goes; at least two files in the end. Raises ModelFailure."""
    if isinstance(model, OwnModel):
        await _work(service, model, turn, outcome)
    else:
        await _research(service, turn, outcome)


async def _work(service: Service, model: OwnModel, turn: Turn, outcome: Outcome) -> None:
    async with aclosing(Agent(model).answer(turn)) as pieces:
        async for piece in pieces:
            outcome.take(piece)
    outcome.output = await asyncio.to_thread(turn.redact, outcome.output)
    missing = 2 - len(outcome.files)
    if missing > 0:
        made = await asyncio.to_thread(_written_up, turn, outcome)
        outcome.files += await asyncio.to_thread(stored, service, made[:missing])


async def _research(service: Service, turn: Turn, outcome: Outcome) -> None:
    found = await asyncio.to_thread(research, service, turn)
    outcome.sources = found.answer.sources
    # Written at the pace of an answer: a run has a middle in which its time can run out.
    async for word in paced(found.output, service.settings.pace):
        outcome.output += word
    outcome.files += await asyncio.to_thread(stored, service, found.files)


def stored(service: Service, files: Sequence[MadeFile]) -> list[dict[str, Any]]:
    """The files kept for their owner, as a response carries them."""
    return [dict(service.files.put(service.account, file.name, file.content)) for file in files]


def _written_up(turn: Turn, outcome: Outcome) -> list[MadeFile]:
    """The answer as a PDF, and the files it rests on as CSV."""
    from .reports import pdf

    name = base_name(turn.redact(turn.question))
    return [
        MadeFile(f"{name}.pdf", pdf(outcome.output, name)),
        MadeFile(f"{name}-sources.csv", files_csv(outcome.sources)),
    ]
