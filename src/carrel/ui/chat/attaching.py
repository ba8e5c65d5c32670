"""Files on their way into a message: uploads, pasted images, long pastes; each belongs to the chat it was meant for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QBuffer, QObject, Signal
from PySide6.QtGui import QImage

from carrel.model.draft import Attachment
from carrel.model.transfers import UNDER_WAY, Transfer
from carrel.ui.chat.pane import ChatPane
from carrel.ui.presenter import Presenter
from carrel.work.attaching import attach, set_down, take_up


@dataclass(eq=False)
class Going:
    """Uploads that were begun together; `text` is the paste that they take the place of, `edits` the message that was
    being edited then, `kept` whether the chat is written to the disk.
    """

    chat_id: str
    text: str = ""
    edits: str = ""
    kept: bool = True
    rows: Sequence[Transfer] = field(default=())


class Attaching(QObject):
    """`attached` gives what was begun, and its new attachments; `settled` the chat whose uploads are over, and whether
    all arrived; `moved` the chat whose uploads have come further.
    """

    attached = Signal(object, list)
    settled = Signal(str, bool)
    moved = Signal(str)

    def __init__(self, owner: Presenter, ui: ChatPane) -> None:
        """Nothing is on its way."""
        super().__init__(ui)
        self._owner, self._ui = owner, ui
        self._going: list[Going] = []

    def words(self, chat_id: str) -> str:
        """How far the uploads of a chat have come; empty where there are none."""
        rows = [row for going in self._going if going.chat_id == chat_id for row in going.rows]
        if not self.is_busy(chat_id):
            return ""
        size, moved = sum(r.size or 0 for r in rows), sum(r.moved for r in rows)
        name = rows[0].name if len(rows) == 1 else self.tr("{n} files").format(n=len(rows)) if rows else ""
        share = f"{100 * moved // size} %" if size else ""
        return self.tr("Uploading {name} {share}").format(name=name, share=share).strip()

    def is_busy(self, chat_id: str) -> bool:
        """Whether files of this chat are on their way."""
        return any(going.chat_id == chat_id for going in self._going)

    def belongs_to(self, chat_id: str) -> None:
        """What goes into the new chat goes into this one."""
        for going in self._going:
            going.chat_id = going.chat_id or chat_id

    def upload(self, chat_id: str, paths: Sequence[Path], *, kept: bool) -> None:
        """Upload files, and attach them."""
        self._start(Going(chat_id, kept=kept), lambda going: self._upload(going, list(paths)))

    def upload_text(self, chat_id: str, text: str) -> None:
        """Upload a text as a file, and attach it in the text's place."""
        name = self.tr("Pasted text {when}.txt").format(when=_now())
        self._start(Going(chat_id, text), lambda going: self._upload_pasted(going, name, text.encode))

    def upload_image(self, chat_id: str, image: QImage) -> None:
        """Upload a picture as PNG, and attach it."""
        name = self.tr("Pasted image {when}.png").format(when=_now())
        self._start(Going(chat_id), lambda going: self._upload_pasted(going, name, lambda: _png(image)))

    def stop(self, chat_id: str) -> None:
        """Leave the uploads of a chat."""
        ids = [r.id for g in self._going if g.chat_id == chat_id for r in g.rows if r.state in UNDER_WAY]
        self._owner.start_beside("chat.attach.stop", self._owner.session.uploads.cancel(*ids))

    def _start(self, going: Going, work: Callable[[Going], object]) -> None:
        going.edits = self._ui.composer.draft().edits
        self._going.append(going)
        self.moved.emit(going.chat_id)
        self._owner.start_beside("chat.attach", work(going))

    async def _upload_pasted(self, going: Going, name: str, content: Callable[[], bytes]) -> None:
        cache = self._owner.shell.desk.paths.cache
        try:
            file = await set_down(cache, name, lambda place: place.write_bytes(content()))
        except OSError as error:
            self._end(going, self.tr("The paste could not be written to a file: {why}").format(why=error))
            return
        try:
            await self._upload(going, [file])
        finally:
            await take_up(file)

    async def _upload(self, going: Going, paths: list[Path]) -> None:
        def told(rows: Sequence[Transfer]) -> None:
            going.rows = rows
            self.moved.emit(going.chat_id)

        try:
            going.rows = await attach(self._owner.session.uploads, paths, told, kept=going.kept)
        except Exception as error:  # a bug of ours, told as such; the message must not wait for ever
            self._end(going, str(error))
            raise
        self._end(going, "")

    def _end(self, going: Going, error: str) -> None:
        self._going.remove(going)
        self.moved.emit(going.chat_id)
        held = [Attachment(id=r.file_id, name=r.name, is_upload=True) for r in going.rows if r.file_id]
        lost = [r for r in going.rows if not r.file_id and r.state not in UNDER_WAY | {"cancelled"}]
        wrong = [f"{r.name}: {r.error or self.tr('the service did not say what became of it.')}" for r in lost]
        wrong += [error] if error else []
        if held:
            self.attached.emit(going, held)
        if wrong:
            self._ui.hint.say("danger", self.tr("Not attached"), "\n".join(wrong[:5]))
        if not self.is_busy(going.chat_id):
            self.settled.emit(going.chat_id, bool(held) and len(held) == len(going.rows))


def _now() -> str:
    return f"{datetime.now():%Y-%m-%d %H.%M.%S}"  # noqa: DTZ005  # the person's own clock, in a file name


def _png(image: QImage) -> bytes:
    out = QBuffer()
    out.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(out, "PNG")
    return bytes(out.data().data())
