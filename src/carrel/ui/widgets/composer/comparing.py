"""Which two models are asked the same, and how: in one stream, or each in a conversation of its own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from carrel.model.draft import Comparison
from carrel.model.models import Model
from carrel.ui.theme import theme
from carrel.ui.widgets.choice import Choice
from carrel.ui.widgets.composer.popup import Popup
from carrel.ui.widgets.controls import button, column, label, row


class Comparing(Popup):
    """`chosen` tells a `Comparison`, or None where one model shall answer."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "chat.comparing", self.tr("Compare two models"))
        self._takes_one_stream = True
        self.left = Choice("chat.comparing.left", self.tr("Left model"))
        self.right = Choice("chat.comparing.right", self.tr("Right model"))
        self.way = Choice("chat.comparing.way", self.tr("How they are asked"))
        self.way.addItem(self.tr("One request, one stream"), "stream")
        self.way.addItem(self.tr("Two conversations"), "conversations")
        self._words = label("", "small", wrap=True)
        self.compare = button(self.tr("Compare"), "chat.comparing.start", kind="primary")
        self.end = button(self.tr("Do not compare"), "chat.comparing.end", kind="quiet")
        for choice in (self.left, self.right, self.way):
            choice.currentIndexChanged.connect(self._show_state)
        self.compare.clicked.connect(lambda: self._take(self._comparison()))
        self.end.clicked.connect(lambda: self._take(None))
        self._build()

    def take_one_stream(self, taken: bool) -> None:
        """Whether this account's interface can ask both in one request."""
        self._takes_one_stream = taken
        self._way.setVisible(taken)
        self._show_state()

    def open_with(self, models: Sequence[Model], chosen: Comparison | None, model: str, anchor: QWidget) -> None:
        """Offer these; `model` is the one that answers alone."""
        available = [m for m in models if m.is_available]
        before = chosen.models if chosen else (self.left.currentData() or model, self.right.currentData())
        for choice, wanted in zip((self.left, self.right), before, strict=True):
            choice.clear()
            for offered in available:
                choice.addItem(offered.label, offered.id)
            choice.setCurrentIndex(max(0, choice.findData(wanted)))
        if self.left.currentIndex() == self.right.currentIndex() and len(available) > 1:
            self.right.setCurrentIndex(0 if self.left.currentIndex() else 1)
        if chosen:
            self.way.setCurrentIndex(self.way.findData(chosen.way))
        self.end.setVisible(chosen is not None)
        self._show_state()
        self.open_above(anchor)
        self.left.setFocus()

    def _build(self) -> None:
        self._way = QWidget()
        self._way.setLayout(column(label(self.tr("How"), "field"), self.way, spacing=4))
        self.setLayout(
            column(
                label(self.tr("Compare two models"), "bold"),
                column(label(self.tr("Left"), "field"), self.left, spacing=4),
                column(label(self.tr("Right"), "field"), self.right, spacing=4),
                self._way,
                self._words,
                row(1, self.end, self.compare),
                spacing=10,
                margins=(14, 12, 14, 12),
            )
        )
        self._size()
        theme.follow(self, self._size)

    def _size(self) -> None:
        self.setFixedWidth(theme.px(320))
        self._words.setMinimumHeight(theme.px(52))

    def _comparison(self) -> Comparison:
        way = self.way.currentData() if self._takes_one_stream else "conversations"
        return Comparison(models=(self.left.currentData(), self.right.currentData()), way=way)

    def _show_state(self) -> None:
        two = self.left.count() > 1
        in_one = self._takes_one_stream and self.way.currentData() == "stream"
        words = (
            self.tr("The service runs both and says which words are whose. Both stay in one conversation.")
            if in_one
            else self.tr("Each model has a conversation of its own; the one that you keep goes on. Two requests.")
        )
        self._words.setText(words if two else self.tr("The service offers no second model."))
        same = self.left.currentData() == self.right.currentData()
        self.compare.setEnabled(two and not (in_one and same))

    def _take(self, comparison: Comparison | None) -> None:
        self.close()
        self.chosen.emit(comparison)
