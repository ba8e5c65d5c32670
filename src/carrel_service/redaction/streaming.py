"""Redacts a text that is still arriving: what might be the beginning of something is held back."""

import re

from .redactor import Redactor, Token

_OPEN_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?!.*-----END [A-Z ]*PRIVATE KEY-----)", re.DOTALL)
_LONGEST = 600  # characters held back before a line's end is waited for no longer


class StreamRedactor:
    """Fed with chunks; gives redacted text. Names and numbers may stand across any border of chunks.

    Text is let out by whole lines, or, within a long line, up to the end of a sentence: nothing that the rules find
    reaches over either, but for a key's block of lines, which is held until its end.
    """

    def __init__(self, redactor: Redactor, token: Token) -> None:
        self._redactor = redactor
        self._token = token
        self._held = ""

    def feed(self, chunk: str) -> str:
        """What can be let out now that this has come."""
        self._held += chunk
        cut = self._held.rfind("\n") + 1
        if not cut and len(self._held) > _LONGEST:
            cut = max(self._held.rfind(end) + 2 for end in (". ", "? ", "! "))
            cut = cut if cut > 1 else 0
        if _OPEN_KEY.search(self._held[:cut]):
            return ""
        ready, self._held = self._held[:cut], self._held[cut:]
        return self._redactor.redact(ready, self._token) if ready else ""

    def end(self) -> str:
        """The rest."""
        held, self._held = self._held, ""
        return self._redactor.redact(held, self._token) if held else ""
