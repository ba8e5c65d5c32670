"""What completes a word in the composer: library files after `#`, saved prompts after `/`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from PySide6.QtCore import QObject

from carrel.model import ServiceError
from carrel.model.draft import Attachment
from carrel.model.prompts import Prompt
from carrel.ui.chat.pane import ChatPane
from carrel.ui.chat.prompting import Prompting
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.composer.rows import Row
from carrel.work.mentions import Mention, files_named

MANAGE = "manage"
PAUSE = 0.4
"""Seconds without a letter before the service is asked."""

SHORT = 60
"""Letters of a prompt that are seen beside its title."""


class Suggesting(QObject):
    """Fills the list over the composer, and does what is chosen in it."""

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Listen to the words that are typed."""
        super().__init__(ui)
        self._owner, self._box = owner, ui.composer
        self._library, self._prompts = owner.session.library, owner.session.prompts
        self._sign = self._word = ""
        self._found: dict[str, Mention | Prompt] = {}
        self._is_opened = False
        self._prompting = Prompting(owner, ui)
        self._box.field.word_typed.connect(self._typed)
        self._box.completions.chosen.connect(self._chosen)
        owner.hear(self._library.changed, self._again)
        owner.hear(self._library.told, self._again)
        owner.hear(self._prompts.changed, self._again)

    def _typed(self, sign: str, word: str) -> None:
        self._sign, self._word = sign, word
        if sign == "/":
            self._show_prompts()
        elif sign == "#" and self._owner.session.capabilities.documents:
            self._open_library()
            self._owner.start("chat.mention", self._show_files(word))
        else:
            self._owner.session.tasks.cancel("chat.mention")
            self._box.completions.hide()

    def _again(self) -> None:
        """There are others now; a list that was put away stays away."""
        if self._sign and self._box.completions.isVisible():
            self._typed(self._sign, self._word)

    def _open_library(self) -> None:
        if not self._is_opened and not len(self._library.catalog):
            self._owner.start("chat.library", self._library.open())
        self._is_opened = True

    async def _show_files(self, word: str) -> None:
        files = await files_named(self._library.catalog, word)
        rows = [Row(f.id, f.name, f.folder.replace("/", " / "), icon="file") for f in files]
        self._found = {f.id: f for f in files}
        self._box.completions.say("" if rows else self._no_files(), rows, points=_means_file(word, files))
        if not files and word and self._library.is_listed:
            await self._ask_service(word)

    async def _ask_service(self, word: str) -> None:
        """The mirror may not have all yet: after a pause in the typing the service is asked for the word."""
        await asyncio.sleep(PAUSE)
        with suppress(ServiceError):  # the list says already that nothing was found
            await self._library.search(word)

    def _no_files(self) -> str:
        if self._library.is_new:
            return self.tr("Reading the library…")
        if self._library.error is not None and not len(self._library.catalog):
            return self._library.error.message
        return self.tr("No file of the library has these letters in its name.")

    def _show_prompts(self) -> None:
        words = self._word.casefold().split()
        found = [p for p in self._prompts.all() if all(w in f"{p.title} {p.text}".casefold() for w in words)]
        self._found = {p.id: p for p in found}
        if words and not found:
            self._box.completions.hide()  # a message that begins with a slash, such as a path
            return
        found.sort(key=lambda prompt: bool(words) and not _means_prompt(words[0], prompt))
        rows = [Row(p.id, p.title, " ".join(p.text.split())[:SHORT], icon="chat") for p in found]
        manage = Row(MANAGE, self.tr("Manage prompts…"), icon="settings")
        points = not words or _means_prompt(words[0], found[0])
        self._box.completions.say("" if found else self.tr("No prompt is saved yet."), [*rows, manage], points=points)

    def _chosen(self, key: str) -> None:
        found = self._found.get(key)
        if key == MANAGE:
            self._box.field.take_word()
            self._prompting.manage()
        elif isinstance(found, Prompt):
            self._prompting.use(found)
        elif found is not None:
            self._box.field.take_word()
            self._box.attach([Attachment(id=found.id, name=found.name)])


def _means_file(word: str, files: Sequence[Mention]) -> bool:
    """Whether Enter may take the first file: a number or one letter may well be part of what is said ("issue #5")."""
    if word.isdigit():
        return False
    return len(word) != 1 or (bool(files) and files[0].begins)


def _means_prompt(word: str, prompt: Prompt) -> bool:
    """Whether Enter may take it: a word of its title begins so; a path may happen to stand in a prompt's text."""
    return any(part.startswith(word) for part in prompt.title.casefold().split())
