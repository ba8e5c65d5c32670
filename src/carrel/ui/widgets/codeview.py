"""A field of code: JSON to read or to edit, in one width of letters, without wrapping."""

from __future__ import annotations

import json
import re

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QPlainTextEdit

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import named, restyle

FRAME = 2 * (6 + 1) + 2
"""Pixels of border and padding above and below, as the style sheet has them, and a little air."""

LONG_LINE = re.compile(r"[^\n]{4000}")
"""Longer lines are broken: laying them out would hold the window up."""


class CodeView(QPlainTextEdit):
    """Code that can be selected and copied; `editable` for one that can be changed."""

    def __init__(self, object_name: str, accessible: str, *, editable: bool = False, lines: int = 0) -> None:
        """`lines` fixes the height to what is shown, up to so many lines; 0 takes what room there is."""
        super().__init__()
        named(self, object_name, accessible)
        self.setProperty("look", "code")
        self.setReadOnly(not editable)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        if not editable:
            flags = Qt.TextInteractionFlag
            self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self._lines = lines
        self.document().setDocumentMargin(6)
        self._refont()
        theme.changed.connect(self._refont)
        self._later = QTimer(self, singleShot=True, interval=0)  # laying out widens the bar line by line
        self._later.timeout.connect(self._fit)
        if lines:
            self.blockCountChanged.connect(self._fit_soon)
            self.horizontalScrollBar().rangeChanged.connect(self._fit_soon)
            self._fit()

    def show_code(self, text: str) -> None:
        """Show this; the same text again moves nothing."""
        if self.isReadOnly():
            text = LONG_LINE.sub(lambda run: run.group() + "\n", text)
        if text != self.toPlainText():
            self.setPlainText(text)
            if self._lines:
                self._fit()

    def show_lines(self, lines: int) -> None:
        """Take the height of what is shown, up to so many lines."""
        self._lines = lines
        self._fit()

    def mark_wrong(self, wrong: bool) -> None:
        """Show that it cannot be used as it stands."""
        if self.property("wrong") != wrong:
            self.setProperty("wrong", wrong)
            restyle(self)

    def sizeHint(self) -> QSize:
        return QSize(240, super().sizeHint().height())

    def _refont(self) -> None:
        self.setFont(theme.font(12, mono=True))
        self.document().setDefaultFont(theme.font(12, mono=True))
        self._fit()

    def _fit_soon(self) -> None:
        self._later.start()

    def _fit(self) -> None:
        """Take the height of the lines that are shown, and of the bar below where a line is too long."""
        if not self._lines:
            return
        shown = min(self._lines, max(2, self.blockCount()))
        line = self.blockBoundingRect(self.firstVisibleBlock()).height() or self.fontMetrics().lineSpacing()
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0
        inner = round(shown * line + 2 * self.document().documentMargin())
        self.setFixedHeight(inner + FRAME + below)


def pretty(text: str) -> str:
    """JSON indented; any other text, or JSON that was cut, as it is."""
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
