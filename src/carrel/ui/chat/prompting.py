"""Saved prompts: put into the composer with their variables filled in, and managed in a dialog."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from carrel.model.prompts import Prompt
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.promptbook import PromptBook
from carrel.ui.widgets.promptform import PromptForm

KINDS = "JSON (*.json)"


class Prompting(QObject):
    """Opens the two dialogs and does what they say."""

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Nothing is open."""
        super().__init__(ui)
        self._owner, self._ui, self._box = owner, ui, ui.composer
        self._prompts = owner.session.prompts
        self._book: PromptBook | None = None

    def use(self, prompt: Prompt) -> None:
        """Put a prompt in the place of the word that was typed; ask for its variables first."""
        if not prompt.variables:
            self._box.put_text(prompt.text)
            return
        form = PromptForm(self._ui.window(), prompt)
        form.filled.connect(self._box.put_text)
        form.open()

    def manage(self) -> None:
        """Open the dialog with all prompts."""
        book = PromptBook(self._ui.window())
        owner, prompts, shell = self._owner, self._prompts, self._owner.shell

        def show() -> None:
            book.show_prompts(prompts.all())

        prompts.changed.connect(show)
        book.finished.connect(lambda _: self._left(show))
        self._book = book
        book.saved.connect(lambda prompt: owner.start_beside("prompts", prompts.save(prompt)))
        book.deleted.connect(lambda prompt_id: owner.start_beside("prompts", prompts.delete(prompt_id)))
        book.export_asked.connect(
            lambda: shell.choose_target(self.tr("Export prompts"), "prompts.json", lambda f: self._write(f[0]))
        )
        book.import_asked.connect(
            lambda: shell.choose_files(self.tr("Import prompts"), lambda f: self._read(f[0]), KINDS)
        )
        show()
        book.open()

    def _left(self, show: Callable[[], None]) -> None:
        self._book = None
        self._prompts.changed.disconnect(show)

    def _say(self, words: str) -> None:
        """Tell how a file went, also where the dialog was closed meanwhile."""
        say = self._owner.shell.toast if self._book is None else self._book.say
        say(words)

    def _write(self, file: Path) -> None:
        self._owner.start("prompts", self._write_now(file))

    def _read(self, file: Path) -> None:
        self._owner.start("prompts", self._read_now(file))

    async def _write_now(self, file: Path) -> None:
        try:
            await self._prompts.write(file)
        except OSError as error:
            self._say(str(error))
        else:
            self._say(self.tr("Saved as {name}.").format(name=file.name))

    async def _read_now(self, file: Path) -> None:
        try:
            count = await self._prompts.read(file)
        except (OSError, ValueError) as error:
            self._say(str(error))
        else:
            self._say(self.tr("1 new prompt.") if count == 1 else self.tr("{n} new prompts.").format(n=count))
