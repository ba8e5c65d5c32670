"""Chips that flow over as many lines as they need, each with a way to take it out."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

from carrel.ui.widgets.controls import button, chip


class FlowLayout(QLayout):
    """Places its items from left to right, and goes to the next line where there is no more room."""

    def __init__(self, spacing: int = 6) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Lay out within `rect`; gives the height that it takes."""
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            if item.widget() is not None and item.widget().isHidden():
                continue
            size = item.sizeHint().boundedTo(QSize(max(20, rect.width()), 10_000))
            if line and x + size.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x, line = x + size.width() + self.spacing(), max(line, size.height())
        return y + line - rect.y()


class ChipRow(QWidget):
    """Named things as chips, by key. `removed` tells the key of one that was pressed, `asked` that more are wanted."""

    removed = Signal(str)
    asked = Signal()

    def __init__(self, object_name: str, more: str) -> None:
        """`more` are the words of the button that asks for another."""
        super().__init__()
        self._name = object_name
        self._flow = FlowLayout()
        self.setLayout(self._flow)
        self._more = button(more, f"{object_name}.add", icon_name="plus")
        self._more.setProperty("look", "small")
        self._more.clicked.connect(self.asked)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_chips({})

    def show_chips(self, named: Mapping[str, str]) -> None:
        """Show these, then the button."""
        while taken := self._flow.takeAt(0):
            if taken.widget() is not self._more:
                taken.widget().hide()
                taken.widget().deleteLater()
        for key, words in named.items():
            made = chip(f"{words}  ✕", f"{self._name}.{key}", icon_name="file", tip=self.tr("Take it out"))
            made.setAccessibleName(self.tr("Take out {name}").format(name=words))
            made.clicked.connect(lambda _=False, k=key: self.removed.emit(k))
            self._flow.addWidget(made)
        self._flow.addWidget(self._more)
        self.updateGeometry()
