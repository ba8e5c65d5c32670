"""The list of models: the service's default first, then group by group, with a line to filter where there are many."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from carrel.model.models import Model
from carrel.ui.logos import logo_of
from carrel.ui.theme import theme
from carrel.ui.widgets.composer.popup import Popup
from carrel.ui.widgets.composer.rows import Row, RowList
from carrel.ui.widgets.controls import column, search_field

MANY = 10
"""Models from which on there is a line to filter."""


class ModelPicker(Popup):
    """`chosen` tells a model's id; empty for the service's default."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "chat.models", self.tr("Models"))
        self._models: Sequence[Model] = ()
        self._chosen = ""
        self.words = search_field(self.tr("Filter models"), "chat.models.filter")
        self.list = RowList("chat.models.list", self.tr("Models"))
        self.setLayout(column(self.words, self.list, spacing=4, margins=(6, 6, 6, 6)))
        self.words.textChanged.connect(lambda _: self._fill())
        self.words.installEventFilter(self)
        self.list.chosen.connect(self._take)

    def open_with(self, models: Sequence[Model], chosen: str, anchor: QWidget) -> None:
        """Offer these; `chosen` is the one in force."""
        self._models, self._chosen = models, chosen
        self.words.clear()
        self.words.setVisible(len(models) > MANY)
        self._fill()
        self.list.setFixedSize(theme.px(320), self.list.height_for_rows())
        self.open_above(anchor)
        (self.words if len(models) > MANY else self.list).setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up, Down and Enter in the filter are for the list."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            self.list.step(1 if event.key() == Qt.Key.Key_Down else -1)
            return True
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            return self.list.choose()
        return False

    def _fill(self) -> None:
        words = self.words.text().casefold().split()
        found = [m for m in self._models if all(w in f"{m.label} {m.group_name}".casefold() for w in words)]
        rows = [] if words else [self._default()]
        for group in dict.fromkeys(m.group_name for m in found):
            if group:
                rows.append(Row("", group, is_heading=True))
            rows += [self._row(m) for m in found if m.group_name == group]
        self.list.fill(rows)

    def _default(self) -> Row:
        words = self.tr("The service chooses")
        return Row("", self.tr("Service default"), words, icon="settings", is_chosen=not self._chosen)

    def _row(self, model: Model) -> Row:
        beside = "" if model.is_available else self.tr("Not available")
        return Row(
            model.id,
            model.label,
            beside,
            logo=logo_of(model),
            letter=model.label.strip()[:1] or "?",
            is_chosen=model.id == self._chosen,
            can_choose=model.is_available,
        )

    def _take(self, key: str) -> None:
        self.close()
        self.chosen.emit(key)
