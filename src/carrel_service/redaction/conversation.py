"""The redaction of one conversation: the rules, the person's own patterns, and tokens that stay the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from carrel_service.db import Database

from .redactor import Redactor, Token
from .streaming import StreamRedactor
from .tokens import KeptTokens


@dataclass(frozen=True)
class Redaction:
    """Called with a text, gives it redacted."""

    redactor: Redactor
    token: Token

    def __call__(self, text: str) -> str:
        """The text with tokens in the place of what is sensitive."""
        return self.redactor.redact(text, self.token)

    def stream(self) -> StreamRedactor:
        """The same for a text that arrives in chunks."""
        return StreamRedactor(self.redactor, self.token)


def redaction(db: Database, patterns: Mapping[str, str], conversation_id: str) -> Redaction:
    """The redaction of this conversation."""
    return Redaction(Redactor(patterns), KeptTokens(db, conversation_id))
