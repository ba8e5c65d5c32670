"""The words in which a question is put to a model, and the pieces in which its answer comes back."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class Said:
    """One earlier message of a conversation."""

    sender: Literal["user", "ai"]
    text: str


@dataclass(frozen=True)
class Turn:
    """A question with everything that came with it; `document_ids` None means the whole library."""

    question: str
    history: tuple[Said, ...] = ()
    document_ids: tuple[str, ...] | None = None
    quoted_text: str = ""
    agentic: bool = False
    timezone: str = "UTC"
    preferences: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    """Further keys of `additional_metadata`, passed through to a model of the person's own."""

    redact: Callable[[str], str] = str
    """What every text passes through before a model sees it; the documents are searched with the words as they are."""

    @property
    def question_before(self) -> str:
        """What the person asked last, before this; empty at the start of a conversation."""
        return next((said.text for said in reversed(self.history) if said.sender == "user"), "")


@dataclass(frozen=True)
class Source:
    """One file that an answer was taken from."""

    file_id: str
    file_name: str
    folder_path: tuple[str, ...]


@dataclass(frozen=True)
class Thinking:
    """A chunk of the model's way to its answer."""

    text: str


@dataclass(frozen=True)
class Content:
    """A chunk of the answer."""

    text: str


@dataclass(frozen=True)
class Sources:
    """The files that the answer rests on, told once, before its end."""

    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Generated:
    """A file that the model wrote on its way: url, filename, size."""

    file: dict[str, Any]


Piece = Thinking | Content | Sources | Generated


class ModelFailure(Exception):
    """A model could not answer; the message may be logged. `status` is its server's, where it gave one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Model(Protocol):
    """Whoever answers: the reader, or a model of the person's own."""

    @property
    def id(self) -> str:
        """The id that requests name."""
        ...

    def answer(self, turn: Turn) -> AsyncGenerator[Piece, None]:
        """Streams the answer; raises ModelFailure when it cannot go on."""
        ...
