"""The files that a run made: how large each is, whether it is saved, and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QProgressBar, QVBoxLayout, QWidget

from carrel.model import GeneratedFile
from carrel.model.transfers import UNDER_WAY, Transfer
from carrel.ui.amounts import file_size
from carrel.ui.icons import icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, Tag, button, column, named, row, tip, tool
from carrel.ui.widgets.focus import handed_on


class FileLine(QWidget):
    """One file. `acted` tells what a person wants: fetch, cancel, open, folder."""

    acted = Signal(str)

    def __init__(self, number: int, file: GeneratedFile) -> None:
        super().__init__()
        named(self, f"agents.generated.{number}", file.filename)
        self._prefix = f"agents.generated.{number}"
        picture = QLabel()
        picture.setPixmap(icon("file").pixmap(theme.px(15), theme.px(15)))
        name = ElidedLabel(file.filename, "bold", Qt.TextElideMode.ElideMiddle)
        tip(name, file.filename)
        size = ElidedLabel(file_size(file.size), "muted")
        self._tag, self._bar = Tag("", "ok"), QProgressBar()
        self._tag.setObjectName(f"{self._prefix}.state")
        self._bar.setTextVisible(False)
        self._words = ElidedLabel("", "small")
        self._buttons = self._make_buttons(file.filename)
        line = row(picture, name, size, self._tag, self._bar, self._words, spacing=12, margins=(0, 5, 0, 5))
        line.setStretchFactor(name, 5)
        line.setStretchFactor(size, 3)
        self._line = line
        ends = QWidget()
        ends.setLayout(row(1, *self._buttons.values(), spacing=2))
        line.addWidget(ends)
        self.setLayout(line)
        theme.keep(self, lambda: self._fit(name, size, ends))
        self.show_transfer(None)

    def _fit(self, name: QWidget, size: QWidget, ends: QWidget) -> None:
        """Each part is as wide as in the other lines, so that they stand in columns; it shrinks where room is short."""
        name.setMinimumWidth(theme.px(60))
        name.setMaximumWidth(theme.px(240))
        size.setMaximumWidth(theme.px(76))
        self._bar.setMinimumWidth(theme.px(40))
        self._bar.setMaximumWidth(theme.px(120))
        ends.setFixedWidth(theme.px(126))

    def _make_buttons(self, name: str) -> dict[str, QAbstractButton]:
        made: dict[str, QAbstractButton] = {
            "folder": tool("folder", f"{self._prefix}.folder", self.tr("Show in folder: {name}").format(name=name))
        }
        texts = {"open": self.tr("Open"), "cancel": self.tr("Cancel"), "fetch": self.tr("Download")}
        for key, words in texts.items():
            made[key] = button(words, f"{self._prefix}.{key}", kind="quiet", accessible=f"{words}: {name}")
        for key, one in made.items():
            one.clicked.connect(lambda _=False, k=key: self.acted.emit(k))
        return made

    def show_transfer(self, transfer: Transfer | None) -> None:
        """Show how far the download is; None: none was asked for."""
        with handed_on(self, self.first_button):
            self._show_transfer(transfer)

    def first_button(self) -> QAbstractButton | None:
        """What can be done with the file first of all: open, cancel, or fetch it."""
        return next((b for key in ("open", "cancel", "fetch") if not (b := self._buttons[key]).isHidden()), None)

    def _show_transfer(self, transfer: Transfer | None) -> None:
        state = transfer.state if transfer else ""
        is_moving, is_done = state in UNDER_WAY, state == "done"
        self._buttons["fetch"].setVisible(not is_moving and not is_done)
        again = state in {"failed", "interrupted"}
        self._buttons["fetch"].setText(self.tr("Try again") if again else self.tr("Download"))
        self._buttons["cancel"].setVisible(is_moving)
        self._buttons["open"].setVisible(is_done)
        self._buttons["folder"].setVisible(is_done)
        self._bar.setVisible(is_moving)
        if transfer and is_moving:
            self._bar.setRange(0, 1000 if transfer.size else 0)
            self._bar.setValue(round(1000 * transfer.moved / transfer.size) if transfer.size else 0)
        self._say(transfer, state)

    def _say(self, transfer: Transfer | None, state: str) -> None:
        words, tone = {
            "done": (self.tr("Saved"), "ok"),
            "failed": (self.tr("Failed"), "danger"),
            "interrupted": (self.tr("Interrupted"), "warn"),
        }.get(state, ("", "none"))
        self._tag.show_as(words, tone)
        self._tag.setVisible(bool(words))
        told = transfer.error if transfer and state in {"failed", "interrupted"} else ""
        self._words.setText(told)
        tip(self._words, told)
        self._line.setStretchFactor(self._words, 3 if told else 1)


class GeneratedFiles(QFrame):
    """All of them. `acted` tells the address of a file and what a person wants with it."""

    acted = Signal(str, str)
    all_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "agents.generated", self.tr("Generated files"))
        self.setProperty("card", "true")
        self._lines: dict[str, FileLine] = {}
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._all = button(self.tr("Download all"), "agents.download_all", icon_name="download")
        self._all.clicked.connect(self.all_asked)
        self.setLayout(column(self._rows, row(self._all, 1, margins=(0, 4, 0, 8)), margins=(14, 4, 14, 4), spacing=0))

    def show_files(self, files: Sequence[GeneratedFile], transfers: Mapping[str, Transfer]) -> None:
        """Show these and how far each download is."""
        if list(self._lines) != list(dict.fromkeys(f.url for f in files)):
            self._rebuild(files)
        for url, line in self._lines.items():
            line.show_transfer(transfers.get(url))
        states = [transfers[u].state if u in transfers else "" for u in self._lines]
        with handed_on(self, lambda: next((line.first_button() for line in self._lines.values()), None)):
            self._all.setVisible(sum(s not in UNDER_WAY and s != "done" for s in states) > 1)

    def _rebuild(self, files: Sequence[GeneratedFile]) -> None:
        for line in self._lines.values():
            self._rows.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines.clear()
        for number, file in enumerate(files, 1):
            if file.url in self._lines:
                continue
            line = FileLine(number, file)
            line.acted.connect(lambda key, url=file.url: self.acted.emit(url, key))
            self._rows.addWidget(line)
            self._lines[file.url] = line
