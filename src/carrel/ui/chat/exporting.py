"""Joins the export dialog to the files that are written; and a reply to the clipboard, as text that keeps its look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication

from carrel.ui.chat.exportdialog import ExportDialog
from carrel.ui.chat.printing import print_pdf
from carrel.ui.presenter import Presenter
from carrel.work.export.telling import Options
from carrel.work.html.rendering import html_of

if TYPE_CHECKING:
    from carrel.ui.chat.presenter import ChatPresenter


class Exporting(QObject):
    """Asks what to save, then where, then saves it; the last choice is offered again."""

    def __init__(self, owner: ChatPresenter) -> None:
        """Nothing is asked yet."""
        super().__init__(owner.ui)
        self._owner, self._note = owner, owner.ui.exporting
        self._options = Options()
        self._note.acted.connect(lambda _: self._cancel())

    def begin(self, chat_id: str) -> None:
        """Open the dialog with this chat ticked."""
        lines = self._owner.chats.lines()
        dialog = ExportDialog(self._owner.pane.window(), lines, chat_id, self._options)
        dialog.confirmed.connect(self._ask_where)
        dialog.open()

    def _ask_where(self, options: Options, chat_ids: list[str]) -> None:
        self._options = options
        shell = self._owner.shell
        if len(chat_ids) == 1:
            name = self._owner.session.exports.name(chat_ids[0], options)
            shell.choose_target(self.tr("Save the chat as"), name, lambda p: self._start(options, chat_ids, p[0]))
        else:
            title = self.tr("Save {n} chats in").format(n=len(chat_ids))
            shell.choose_folder(title, lambda p: self._start(options, chat_ids, p[0]))

    def _start(self, options: Options, chat_ids: list[str], place: Path) -> None:
        self._owner.start("chat.export", self._save(options, chat_ids, place))

    async def _save(self, options: Options, chat_ids: list[str], place: Path) -> None:
        exports = self._owner.session.exports
        self._say_progress(0, len(chat_ids))
        try:
            if len(chat_ids) == 1:
                written = await exports.save_one(chat_ids[0], options, place, print_pdf)
            else:
                written = await exports.save_many(chat_ids, options, place, print_pdf, self._say_progress)
        except OSError as error:
            words = error.strerror or str(error)
            self._note.say("danger", self.tr("Not exported"), f"{words}: {place}")
            return
        self._note.hide()
        self._say_done(written)

    def _say_progress(self, done: int, count: int) -> None:
        words = self.tr("Exporting…")
        if count > 1:
            words = self.tr("Exporting, {n} of {m}…").format(n=done + 1, m=count)
        self._note.say("info", "", words, (("cancel", self.tr("Cancel")),))

    def _say_done(self, written: list[Path]) -> None:
        if not written:
            return
        words = self.tr("Saved {name}.").format(name=written[0].name)
        if len(written) > 1:
            words = self.tr("Saved {n} files.").format(n=len(written))
        self._owner.shell.toast(words, self.tr("Show"), lambda: self._owner.shell.show_in_folder(written[0]))

    def _cancel(self) -> None:
        self._owner.session.tasks.cancel("chat.export")
        self._note.hide()


def copy_rich(owner: Presenter, markdown: str) -> None:
    """Put a reply on the clipboard as formatted text, and as Markdown for whatever takes plain text only."""

    async def copy() -> None:
        mime = QMimeData()
        mime.setText(markdown)
        mime.setHtml(await html_of(markdown))
        QGuiApplication.clipboard().setMimeData(mime)
        owner.shell.toast(owner.pane.tr("Copied with its formatting."))

    owner.start("chat.copy", copy())
