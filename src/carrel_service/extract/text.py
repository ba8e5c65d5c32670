"""What reading a file gives: texts, or a reason why there is none; and the limits that every reader keeps."""

from dataclasses import dataclass

MOST_TEXT = 20_000_000
"""Characters of text out of one file; what is longer is left out."""


@dataclass(frozen=True)
class Text:
    """A text, and the path of the member of a zip that it came from, or nothing."""

    text: str
    member: str = ""


class Failed(Exception):  # it reads as the state that the file gets
    """The file has no text to give; the message says why, for the log."""


def cleaned(text: str) -> str:
    """Without the signs that no text means: NUL, soft hyphens, lone surrogates; one kind of line end."""
    for sign in ("\0", "\xad", "\ufffe", "\ufeff"):
        text = text.replace(sign, "")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "ignore").decode("utf-8").strip()[:MOST_TEXT]
