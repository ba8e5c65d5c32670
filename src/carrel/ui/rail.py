"""The rail at the left: one button a pane, the one in front checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton

from carrel.ui.icons import icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import column, named, tip


@dataclass(frozen=True, slots=True)
class Place:
    """A pane as the rail knows it; the class `presenter` of `module` is imported after the first paint."""

    key: str
    words: str
    module: str
    presenter: str
    at_end: bool = False


class Rail(QFrame):
    """The buttons; `chosen` tells which pane a person wants."""

    chosen = Signal(str)

    def __init__(self, places: Sequence[Place]) -> None:
        super().__init__()
        named(self, "rail", self.tr("Panes"))
        self._buttons: dict[str, QToolButton] = {}
        group = QButtonGroup(self)
        box = column(spacing=4, margins=(5, 10, 5, 10))
        for number, place in enumerate(places, 1):
            if place.at_end and not any(p.at_end for p in places[: number - 1]):
                box.addStretch(1)
            made = self._button(place, number)
            group.addButton(made)
            box.addWidget(made)
        self.setLayout(box)
        self.refit()
        theme.changed.connect(self.refit)

    def point(self, key: str) -> None:
        """Check the button of the pane that is in front."""
        if key in self._buttons:
            self._buttons[key].setChecked(True)

    def refit(self) -> None:
        """Take the sizes of the text in force."""
        self.setFixedWidth(theme.px(76))
        for made in self._buttons.values():
            made.setIconSize(QSize(theme.px(20), theme.px(20)))
            made.setFixedSize(theme.px(66), theme.px(54))

    def _button(self, place: Place, number: int) -> QToolButton:
        made = QToolButton()
        named(made, f"rail.{place.key}", place.words)
        made.setText(place.words)
        made.setIcon(icon(place.key, "muted", on="accent"))
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        made.setCheckable(True)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if not place.at_end:
            tip(made, f"{place.words} (Ctrl+{number})")
        made.clicked.connect(lambda: self.chosen.emit(place.key))
        self._buttons[place.key] = made
        return made
