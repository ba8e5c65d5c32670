"""Small controls of one look: buttons, chips, tags, switches, labels, fields, columns."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QStandardItem
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from carrel.ui.icons import before_words, icon
from carrel.ui.theme import theme

Part = QWidget | QLayout | int | None
"""What a row or a column is filled with: a widget, a layout, an int for a stretch, None for nothing."""

Margins = tuple[int, int, int, int]


UNBROKEN = 60
"""Letters of a tool tip that stand in one line at most where there is no space between them."""

ENDLESS = re.compile(rf"\S{{{UNBROKEN}}}(?=\w)")


def named(widget: QWidget, object_name: str, accessible: str = "") -> None:
    """Give a widget the name that tests and the tour find it by, and the one that a screen reader says."""
    widget.setObjectName(object_name)
    if accessible:
        widget.setAccessibleName(accessible)


def as_tip(text: str) -> str:
    """Words for a tool tip, plain whatever stands in them: Qt takes what looks like HTML there for HTML.

    What has no place to break at for `UNBROKEN` letters gets one: a tip is never wider than the window.
    """
    broken = escape(ENDLESS.sub("\\g<0>\u200b", text)).replace("\n", "<br>")
    return f"<span>{broken}</span>" if text else ""


def tip(thing: QWidget | QAction | QStandardItem, text: str) -> None:
    """Give a tool tip, the one way for all that is not a sentence of ours: names, addresses and errors are data."""
    thing.setToolTip(as_tip(text))


def label(text: str = "", role: str = "", *, wrap: bool = False, select: bool = False) -> QLabel:
    """Plain text, whatever stands in it. Roles: title, lead, heading, bold, muted, small, field, section, danger."""
    made = QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(text.upper() if role == "section" else text)
    if role:
        made.setProperty("text_role", role)
    made.setWordWrap(wrap)
    if select:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return made


class ElidedLabel(QLabel):
    """One line of plain text that ends in … where there is no room for it."""

    def __init__(self, text: str = "", role: str = "", where: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._where = where
        if role:
            self.setProperty("text_role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text.replace("\n", " "))
        self.setToolTip("")

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            shown = self.fontMetrics().elidedText(self.text(), self._where, self.width())
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def minimumSizeHint(self) -> QSize:
        return QSize(20, super().minimumSizeHint().height())


class Tag(QLabel):
    """A word on a coloured ground. Tones: ok, warn, danger, info, or none."""

    def __init__(self, text: str = "", tone: str = "none") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.show_as(text, tone)

    def show_as(self, text: str, tone: str = "none") -> None:
        """Change word and tone."""
        self.setText(text)
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            restyle(self)


def restyle(widget: QWidget) -> None:
    """Apply the style sheet anew after a property has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def literal(text: str) -> str:
    """The text for a button: Qt takes & for the mark of a shortcut, and data may hold one."""
    return text.replace("&", "&&")


def button(text: str, object_name: str, *, kind: str = "", icon_name: str = "", accessible: str = "") -> QPushButton:
    """A push button. Kinds: primary, quiet, danger, or plain."""
    made = QPushButton(literal(text))
    named(made, object_name, accessible or text)
    if kind:
        made.setProperty("kind", kind)
    if icon_name:
        made.setIcon(icon(icon_name, "on_accent" if kind == "primary" else "muted"))
        made.setIconSize(before_words(15))
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setAutoDefault(False)
    return made


def chip(text: str, object_name: str, *, icon_name: str = "", checkable: bool = False, tip: str = "") -> QToolButton:
    """A small rounded button: a switch when checkable."""
    made = QToolButton()
    made.setText(literal(text))
    named(made, object_name, text)
    made.setProperty("kind", "chip")
    made.setCheckable(checkable)
    made.setToolTip(as_tip(tip))
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    if icon_name:
        made.setIcon(icon(icon_name, "muted", on="accent"))
        made.setIconSize(QSize(theme.px(14), theme.px(14)))
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    else:
        made.setProperty("look", "words")
    return made


def tool(icon_name: str, object_name: str, accessible: str) -> QToolButton:
    """A button that is only an icon; its name is its tool tip."""
    made = QToolButton()
    named(made, object_name, accessible)
    made.setProperty("kind", "quiet")
    tip(made, accessible)
    made.setIcon(icon(icon_name))
    made.setIconSize(QSize(theme.px(15), theme.px(15)))
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return made


class Switch(QAbstractButton):
    """An on-off switch that is drawn; the words beside it belong to it."""

    def __init__(self, text: str, object_name: str) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setText(text)
        named(self, object_name, text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + theme.px(46), theme.px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            width, height = theme.px(30), theme.px(17)
            x, y = self.width() - width - 1, (self.height() - height) / 2
            painter.setPen(self.palette().color(self.foregroundRole()))
            words = self.rect().adjusted(0, 0, -width - theme.px(8), 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
            painter.setPen(theme.color("text") if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent" if self.isChecked() else "faint"))
            painter.drawRoundedRect(QRectF(x, y, width, height), height / 2, height / 2)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("surface"))
            radius = height / 2 - 2
            centre = x + width - height / 2 if self.isChecked() else x + height / 2
            painter.drawEllipse(QPointF(centre, y + height / 2), radius, radius)


def search_field(placeholder: str, object_name: str) -> QLineEdit:
    """A line to type a search into, with a lens and a way to clear it; files dropped on it go to the pane."""
    made = QLineEdit()
    made.setAcceptDrops(False)
    made.setPlaceholderText(placeholder)
    named(made, object_name, placeholder)
    made.addAction(QAction(icon("search"), "", made), QLineEdit.ActionPosition.LeadingPosition)
    made.setClearButtonEnabled(True)
    return made


def row(
    *items: QWidget | int | None, spacing: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)
) -> QHBoxLayout:
    """A row of parts."""
    return _fill(QHBoxLayout(), items, spacing, margins)


def column(
    *items: QWidget | int | None, spacing: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)
) -> QVBoxLayout:
    """A column of parts."""
    return _fill(QVBoxLayout(), items, spacing, margins)


def _fill(layout: QBoxLayout, items: tuple[Part, ...], spacing: int, margins: Margins) -> QBoxLayout:
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    for item in items:
        if isinstance(item, int):
            layout.addStretch(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        elif item is not None:
            layout.addWidget(item)
    return layout


def frame(kind: str, value: str, layout: QBoxLayout | None = None) -> QFrame:
    """A frame that the style sheet knows by a property: column=list, card=true, part=head, note=danger …"""
    made = QFrame()
    made.setProperty(kind, value)
    if layout is not None:
        made.setLayout(layout)
    return made


def head(*items: Part, height: int = 48) -> QFrame:
    """The strip at the top of a column."""
    made = frame("part", "head", row(*items, margins=(14, 0, 14, 0)))
    made.setFixedHeight(theme.px(height))
    return made
