"""The transcript: messages painted in one scroll area, laid out only near the view."""

from carrel.ui.widgets.transcript.clipping import Clip, text_of
from carrel.ui.widgets.transcript.dressing import dress_tokens
from carrel.ui.widgets.transcript.entry import Entry, FileChip, Stub
from carrel.ui.widgets.transcript.highlight import warm
from carrel.ui.widgets.transcript.view import Transcript

__all__ = ["Clip", "Entry", "FileChip", "Stub", "Transcript", "dress_tokens", "text_of", "warm"]
