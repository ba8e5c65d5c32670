"""The files that a reply made, as chips below its words: one press does what is next, download, stop or open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from carrel.model import GeneratedFile
from carrel.model.agents import generated_files_of
from carrel.model.transfers import UNDER_WAY, Transfer
from carrel.ui.amounts import file_size
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.transcript import FileChip
from carrel.work.generated import fetch, message_of, transfer_of

if TYPE_CHECKING:
    from carrel.work.chat import Message


class Generated(QObject):
    """Joins the files of replies to the downloads. `moved` tells a reply, and how its files stand now."""

    moved = Signal(str, tuple)

    def __init__(self, owner: Presenter, parent: QObject) -> None:
        """Listen to the downloads."""
        super().__init__(parent)
        self._files: dict[str, tuple[GeneratedFile, ...]] = {}
        """Of replies that were shown: a file that moves tells so often that they are not read from the store again."""
        self._owner, self._downloads = owner, owner.session.downloads
        for told in (self._downloads.added, self._downloads.changed):
            owner.hear(told, self._row_changed)
        owner.hear(self._downloads.removed, lambda _: [self._tell(message_id) for message_id in self._files])

    def chips(self, message: Message) -> tuple[FileChip, ...]:
        """What is shown of the files of a reply."""
        files = generated_files_of(message.reply.extra)
        if files:
            self._files[message.id] = files
        return self._chips(message.id, files)

    def press(self, message: Message, number: int) -> None:
        """Do with a file what is next."""
        file = generated_files_of(message.reply.extra)[number]
        held = transfer_of(self._downloads, message.id, file)
        if held is not None and held.state == "done" and Path(held.path).exists():
            self._owner.shell.open_file(Path(held.path))
        elif held is not None and held.state in UNDER_WAY:
            self._owner.start_beside("chat.generated.stop", self._downloads.cancel(held.id))
        else:  # the same key: pressed twice at once, a file is fetched once
            self._owner.start(f"chat.generated.{file.url}", fetch(self._downloads, message.id, file))

    def _row_changed(self, row_id: str) -> None:
        row = self._downloads.row(row_id)
        if row is not None and (message_id := message_of(row.origin)) in self._files:
            self._tell(message_id)

    def _tell(self, message_id: str) -> None:
        self.moved.emit(message_id, self._chips(message_id, self._files[message_id]))

    def _chips(self, message_id: str, files: Sequence[GeneratedFile]) -> tuple[FileChip, ...]:
        return tuple(chip_of(file, transfer_of(self._downloads, message_id, file)) for file in files)


def chip_of(file: GeneratedFile, held: Transfer | None) -> FileChip:
    """A file with how far its download is, and what a press does."""
    state = held.state if held is not None else ""
    if held is not None and state in UNDER_WAY:
        share = f"{100 * held.moved // held.size} %" if held.size else file_size(held.moved)
        return FileChip(_joined(file.filename, share), "close", _tr("Stop the download"))
    if state == "done":
        return FileChip(_joined(file.filename, _tr("saved")), "file", _tr("Open"))
    if held is not None and state in {"failed", "interrupted"}:
        return FileChip(_joined(file.filename, _tr("not saved")), "refresh", f"{_tr('Try again')}: {held.error}")
    return FileChip(_joined(file.filename, file_size(file.size)), "download", _tr("Download"))


def _joined(name: str, more: str) -> str:
    return f"{name} · {more}" if more else name


def _tr(text: str) -> str:
    return QCoreApplication.translate("generated", text)
