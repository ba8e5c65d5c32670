"""The options of a search: kinds, balance, threshold, one result per file, most results."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSlider, QWidget

from carrel.model import SearchQuery
from carrel.ui.widgets.choice import Number
from carrel.ui.widgets.controls import Switch, chip, column, label, named, row

DEFAULTS = SearchQuery(keyword="defaults")
PAUSE = 350
"""Milliseconds after the last change before the search is asked anew."""


class SearchOptions(QWidget):
    """All options of the document that a person sets; `changed` tells when they have come to rest."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "search.options", self.tr("Search options"))
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.changed)
        self._build()
        self._lay_out()
        self.show_query(DEFAULTS)
        self._connect()

    def values(self) -> dict[str, Any]:
        """The options that differ from the document's defaults, as fields of a `SearchQuery`."""
        words = self._balance.value() / 100
        kinds = tuple(kind for kind, made in self._kinds.items() if made.isChecked())
        chosen: dict[str, Any] = {
            "types": kinds if len(kinds) < len(self._kinds) else None,
            "bm25_weight": words,
            "vector_weight": round(1 - words, 2),
            "relative_threshold": self._threshold.value() / 100,
            "group_by_file": self._grouped.isChecked(),
            "limit": self._most.value(),
        }
        return {name: value for name, value in chosen.items() if value != getattr(DEFAULTS, name)}

    def show_query(self, query: SearchQuery) -> None:
        """Set everything to what a query was; nothing is told."""
        self.blockSignals(True)
        for kind, made in self._kinds.items():
            made.setChecked(query.types is None or kind in query.types)
        total = query.bm25_weight + query.vector_weight
        self._balance.setValue(round(100 * query.bm25_weight / total) if total else 50)
        self._threshold.setValue(round(100 * query.relative_threshold))
        self._grouped.setChecked(query.group_by_file)
        self._most.setValue(query.limit)
        self._say()
        self._timer.stop()
        self.blockSignals(False)

    def _build(self) -> None:
        words = {"file": self.tr("Files"), "workflow": self.tr("Workflows"), "conversation": self.tr("Chats")}
        self._kinds = {k: chip(text, f"search.kind.{k}", checkable=True) for k, text in words.items()}
        self._balance = _slider("search.balance", self.tr("Balance of words and meaning, in percent of words"))
        self._threshold = _slider("search.threshold", self.tr("Keep results within this percentage of the best"))
        self._meaning, self._words, self._kept = label("", "small"), label("", "small"), label("", "small")
        self._grouped = Switch(self.tr("One result per file"), "search.grouped")
        self._most = Number("search.most", self.tr("Most results"), 1, 100)
        self._reset = chip(self.tr("Reset to defaults"), "search.reset", icon_name="refresh")

    def _lay_out(self) -> None:
        self.setLayout(
            column(
                _group(label(self.tr("Look in"), "field"), row(*self._kinds.values(), 1, spacing=6)),
                _group(
                    label(self.tr("Balance of words and meaning"), "field"),
                    self._balance,
                    row(self._meaning, 1, self._words),
                ),
                _group(label(self.tr("Keep results within … of the best"), "field"), self._threshold, self._kept),
                self._grouped,
                _group(label(self.tr("Most results"), "field"), self._most),
                row(self._reset, 1),
                spacing=10,
                margins=(14, 12, 14, 12),
            )
        )

    def _connect(self) -> None:
        for made in self._kinds.values():
            made.clicked.connect(self._kind_clicked)
        self._balance.valueChanged.connect(self._touched)
        self._threshold.valueChanged.connect(self._touched)
        self._grouped.toggled.connect(self._touched)
        self._most.valueChanged.connect(self._touched)
        self._reset.clicked.connect(self._to_defaults)

    def _kind_clicked(self) -> None:
        """One kind stays chosen at least: a search in nothing finds nothing."""
        if not any(made.isChecked() for made in self._kinds.values()):
            self.sender().setChecked(True)
        self._touched()

    def _to_defaults(self) -> None:
        self.show_query(DEFAULTS)
        self._touched()

    def _touched(self) -> None:
        self._say()
        self._timer.start()

    def _say(self) -> None:
        words = self._balance.value() / 100
        self._meaning.setText(self.tr("Meaning {n}").format(n=f"{1 - words:.2f}"))
        self._words.setText(self.tr("Words {n}").format(n=f"{words:.2f}"))
        self._kept.setText(f"{self._threshold.value() / 100:.2f}")
        self._reset.setVisible(bool(self.values()))


def _group(*items: object) -> object:
    return column(*items, spacing=4)


def _slider(name: str, accessible: str) -> QSlider:
    made = QSlider(Qt.Orientation.Horizontal)
    named(made, name, accessible)
    made.setRange(0, 100)
    made.setSingleStep(5)
    made.setPageStep(10)
    return made
