"""Joins the export dialog to the files that are written; and a reply to the clipboard, as text that keeps its look."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject
from PySide6.QtGui import QGuiApplication

from carrel.ui.chat.exportdialog import ExportDialog
from carrel.ui.chat.printing import print_pdf
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.notes import copy
from carrel.ui.widgets.transcript import Clip, text_of
from carrel.work.export.telling import Options
from carrel.work.html.markup import plain_html
from carrel.work.html.rendering import Rendering

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


def copy_rich(owner: Presenter, *clips: Clip, said: str = "") -> None:
    """Put these on the clipboard: at once as Markdown, for whatever takes plain text; and as soon as it is made, as
    formatted text too. `said` is told then.
    """
    text = text_of(clips)
    copy(text)
    owner.start("chat.copy", _dress(owner, clips, text, said))


async def _dress(owner: Presenter, clips: Sequence[Clip], text: str, said: str) -> None:
    async with Rendering() as rendering:
        pieces = [await _html(rendering, clip) for clip in clips]
    if QGuiApplication.clipboard().text() != text:  # something else was copied meanwhile
        return
    mime = QMimeData()
    mime.setText(text)
    mime.setHtml("\n".join(pieces))
    QGuiApplication.clipboard().setMimeData(mime)
    if said:
        owner.shell.toast(said)


async def _html(rendering: Rendering, clip: Clip) -> str:
    match clip.kind:
        case "markdown":
            return await rendering.html(clip.text)
        case "code":
            return plain_html(clip.text)
    return f"<p>{escape(clip.text, quote=False).replace(chr(10), '<br>')}</p>"
