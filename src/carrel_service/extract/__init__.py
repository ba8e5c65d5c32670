"""Takes the text out of a file, in a process of its own, so that a hostile file ends that process and no more."""

from .process import ReadingProcess
from .text import Failed, Text

__all__ = ["Failed", "ReadingProcess", "Text"]
