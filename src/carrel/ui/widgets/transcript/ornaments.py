"""What is painted around a message's text: bubble, attachment chips, a quote's line, the header with its tag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from carrel.ui.icons import paint_icon
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript.entry import Entry


def ground(painter: QPainter, box: QRectF) -> None:
    """The bubble of what a person said."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("sunken"))
    painter.drawRoundedRect(box, 12, 12)


def chip_width(name: str) -> float:
    """The width of an attachment's chip, in pixels."""
    return QFontMetricsF(theme.font(12)).horizontalAdvance(name) + theme.px(42)


def chip_rows(names: Sequence[str], inner: float) -> int:
    """How many rows the chips of these names take at a width."""
    return max((number + 1 for _, number, _ in _chips(names, inner)), default=0)


def paint_chips(painter: QPainter, inner: QRectF, names: Sequence[str]) -> None:
    """The chips at the bottom of a box."""
    top = inner.bottom() - theme.px(32) * chip_rows(names, inner.width()) + theme.px(8)
    for x, number, name in _chips(names, inner.width()):
        wide = min(chip_width(name), inner.width())
        _chip(painter, QRectF(inner.left() + x, top + number * theme.px(32), wide, theme.px(24)), name)


def header(painter: QPainter, width: float, entry: Entry) -> None:
    """Who answers, when, and how it stands."""
    box = QRectF(0, 0, width, theme.px(20))
    bold, small = theme.font(13, bold=True), theme.font(11.5)
    painter.setFont(bold)
    painter.setPen(theme.color("text"))
    who = _fitted(entry.who, bold, width - _beside(entry, small))
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, who)
    x = QFontMetricsF(bold).horizontalAdvance(who) + theme.px(8)
    if entry.when:
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        painter.drawText(box.adjusted(x, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, entry.when)
        x += QFontMetricsF(small).horizontalAdvance(entry.when) + theme.px(8)
    if entry.tag:
        _tag(painter, x, entry)


def strip(painter: QPainter, title: QRectF, width: float) -> None:
    """What the title of thinking stands on while its words go by below it."""
    box = QRectF(title.left(), title.top(), width - title.left(), title.height())
    painter.fillRect(box, theme.color("surface"))
    painter.fillRect(QRectF(0, box.bottom(), width, 1), theme.color("border"))


def note(painter: QPainter, box: QRectF, entry: Entry) -> None:
    """What is to be said about a reply, below its words."""
    painter.setFont(theme.font(12.5))
    painter.setPen(theme.color(entry.note_tone))
    painter.drawText(box, Qt.TextFlag.TextWordWrap.value, entry.note)


def _beside(entry: Entry, font: QFont) -> float:
    """The pixels of what stands beside the name of who answers."""
    wide = QFontMetricsF(font).horizontalAdvance
    when = wide(entry.when) + theme.px(8) if entry.when else 0.0
    return when + (wide(entry.tag) + theme.px(22) if entry.tag else 0.0)


def _fitted(words: str, font: QFont, width: float) -> str:
    """As much of it as there is room for, but never less than its beginning."""
    return QFontMetricsF(font).elidedText(words, Qt.TextElideMode.ElideRight, max(float(theme.px(40)), width))


def _tag(painter: QPainter, x: float, entry: Entry) -> None:
    tones = {"ok": ("accent_soft", "accent"), "none": ("sunken", "muted")}
    ground_role, ink = tones.get(entry.tone, (f"{entry.tone}_soft", entry.tone))
    font = theme.font(11.5)
    box = QRectF(x, 1, QFontMetricsF(font).horizontalAdvance(entry.tag) + theme.px(14), theme.px(19))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(ground_role))
    painter.drawRoundedRect(box, 4, 4)
    painter.setFont(font)
    painter.setPen(theme.color(ink))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, entry.tag)


def _chips(names: Sequence[str], inner: float) -> Iterator[tuple[float, int, str]]:
    """x, row and name of each chip."""
    x, number = 0.0, 0
    for name in names:
        wide = min(chip_width(name), inner)
        if x and x + wide > inner:
            x, number = 0.0, number + 1
        yield x, number, name
        x += wide + theme.px(6)


def _chip(painter: QPainter, box: QRectF, name: str) -> None:
    painter.setPen(theme.color("border"))
    painter.setBrush(theme.color("surface"))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), box.height() / 2, box.height() / 2)
    side = theme.px(14)
    paint_icon(painter, "file", QRectF(box.left() + theme.px(10), box.center().y() - side / 2, side, side))
    font = theme.font(12)
    painter.setFont(font)
    painter.setPen(theme.color("muted"))
    words = box.adjusted(theme.px(30), 0, -theme.px(8), 0)
    shown = QFontMetricsF(font).elidedText(name, Qt.TextElideMode.ElideMiddle, words.width() + 1)
    painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)
