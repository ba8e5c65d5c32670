"""The column at the left of a pane: as wide as its text asks for, and never so wide that the work has no room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QBoxLayout, QFrame

from carrel.ui.theme import theme

WIDTH = 264
SHARE = 0.36
"""Part of the pane that it takes at most, where large text would have it wider than `WIDTH` pixels."""


class ListColumn(QFrame):
    """It grows with the text; the pane that it stands in says how far."""

    def __init__(self, body: QBoxLayout) -> None:
        super().__init__()
        self.setProperty("column", "list")
        self.setLayout(body)
        theme.keep(self, self._fit)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange and self.parentWidget() is not None:
            self.parentWidget().installEventFilter(self)
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._fit()
        return False

    def _fit(self) -> None:
        pane = self.parentWidget()
        most = max(WIDTH, round(SHARE * pane.width())) if pane is not None else WIDTH
        self.setFixedWidth(min(theme.px(WIDTH), most))
