"""The details of a reply: when what came, how fast, with which gaps, under which ids; its raw events as a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QFormLayout, QSizePolicy, QWidget

from carrel.model import Event, Reply
from carrel.ui.shell import Shell
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, column, label, row
from carrel.ui.widgets.notes import copy
from carrel.work.chat import Message

Bars = list[tuple[float, float, float]]
"""Where a bar begins and how wide it is, in pixels, and how high it is, as a share of the highest."""


def bars(times: Sequence[float], width: int) -> Bars:
    """The bars of the gaps: of those that begin in one pixel the highest, which is the widest too."""
    gaps = [b - a for a, b in pairwise(times)]
    longest, whole = max(gaps) or 1.0, (times[-1] - times[0]) or 1.0
    highest: dict[int, int] = {}
    for number, gap in enumerate(gaps):
        pixel = int(width * (times[number] - times[0]) / whole)
        if gap > gaps[highest.setdefault(pixel, number)]:
            highest[pixel] = number
    return [
        (width * (times[n] - times[0]) / whole, max(1.0, width * gaps[n] / whole - 1), gaps[n] / longest)
        for n in highest.values()
    ]


class Gaps(QWidget):
    """The pauses between a stream's events, as bars over time; the longest is as high as the widget."""

    def __init__(self, times: Sequence[float]) -> None:
        super().__init__()
        self._times = list(times)
        self._bars: tuple[int, Bars] | None = None
        self.setAccessibleName(self.tr("Gaps between events"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(theme.px(360), theme.px(64))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.color("code"))
            if len(self._times) < 2:
                return
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            for x, wide, share in self._shown():
                high = self.height() * share
                painter.drawRect(QRectF(x, self.height() - high, wide, high))

    def _shown(self) -> Bars:
        if self._bars is None or self._bars[0] != self.width():
            self._bars = self.width(), bars(self._times, self.width())
        return self._bars[1]


class Details(QDialog):
    """Opened with `open()`; nothing in it changes the reply."""

    def __init__(
        self, parent: QWidget, message: Message, events: Sequence[Event], shell: Shell, save: Callable[[Path], None]
    ) -> None:
        """`save` writes the events to a file that a person chose."""
        super().__init__(parent)
        self.setObjectName("chat.details")
        self.setWindowTitle(self.tr("Details of the reply"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shell, self._id = shell, message.id
        self._save_as = save
        form = QFormLayout()
        facts = dict(self._facts(message.reply))
        for name, value in facts.items():
            form.addRow(label(name, "muted"), label(value, select=True))
        copying = button(self.tr("Copy these"), "chat.details.copy", icon_name="copy")
        copying.clicked.connect(lambda: copy("\n".join(f"{n}: {v}" for n, v in facts.items())))
        saving = button(self.tr("Save the raw events…"), "chat.details.save", icon_name="download")
        saving.setEnabled(bool(events))
        saving.clicked.connect(self._save)
        closing = button(self.tr("Close"), "chat.details.close", kind="primary")
        closing.clicked.connect(self.accept)
        gaps = Gaps([e.at for e in events])
        box = column(label(self.tr("Details of the reply"), "heading"), form, spacing=12, margins=(20, 16, 20, 16))
        if len(events) > 1:
            box.addWidget(label(self.tr("Gaps between events"), "field"))
            box.addWidget(gaps)
        box.addLayout(row(copying, saving, 1, closing))
        self.setLayout(box)

    def _facts(self, reply: Reply) -> list[tuple[str, str]]:
        asked = reply.asked_at or 0.0
        since = {
            self.tr("First event"): reply.first_event_at,
            self.tr("First thought"): reply.thinking_at,
            self.tr("First word"): reply.first_token_at,
            self.tr("End"): reply.ended_at,
        }
        facts = [(name, self.tr("after {n:.2f} s").format(n=at - asked)) for name, at in since.items() if at and asked]
        if reply.first_token_at and reply.ended_at and reply.ended_at > reply.first_token_at:
            rate = len(reply.text.split()) / (reply.ended_at - reply.first_token_at)
            facts.append((self.tr("Words a second"), f"{rate:.1f}"))
        known = {
            self.tr("How it ended"): reply.state,
            self.tr("Error"): reply.error,
            self.tr("Error code"): reply.error_code,
            "error_id": reply.error_id,
            "run_id": reply.run_id,
            "conversation_id": reply.conversation_id,
            "message_id": reply.message_id,
        }
        return [*facts, *((name, value) for name, value in known.items() if value)]

    def _save(self) -> None:
        self._shell.choose_target(self.tr("Save the raw events"), f"reply-{self._id[:8]}.ndjson", self._chosen)

    def _chosen(self, files: list[Path]) -> None:
        self._save_as(files[0])
