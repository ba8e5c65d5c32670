"""Every control of a pane has an object name for tests and a name for those who hear the window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QSpinBox,
    QWidget,
)

from carrel.ui.activity.pane import ActivityPane
from carrel.ui.agents.pane import AgentsPane
from carrel.ui.library.pane import LibraryPane
from carrel.ui.search.pane import SearchPane
from carrel.ui.widgets.filepicker import FilePicker
from carrel.ui.workflows.pane import WorkflowsPane
from carrel.work.catalog import Catalog
from stage import application

ACTED_ON = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit, QSlider, QSpinBox)
INNER = ("qt_", "_q_")
"""What Qt itself makes inside of its widgets."""


def picker() -> FilePicker:
    picker.parent = QWidget()
    return FilePicker(picker.parent, "Files")


def library() -> LibraryPane:
    made = LibraryPane(Catalog())
    assert made.objectName() == "library"
    return made


@pytest.mark.parametrize(
    ("make", "fixed"),
    [
        (library, {"library.table", "library.upload"}),
        (SearchPane, {"search.query", "search.results"}),
        (AgentsPane, {"agents.prompt", "agents.run"}),
        (WorkflowsPane, {"workflows.list", "workflows.queue"}),
        (ActivityPane, {"activity.list", "activity.filter"}),
        (picker, {"filepicker.list", "filepicker.take"}),
    ],
)
def test_every_control_has_its_names(make: type[QWidget], fixed: set[str]) -> None:
    application()
    pane = make()
    controls = [w for w in pane.findChildren(QWidget) if isinstance(w, ACTED_ON) and not isinstance(w, QHeaderView)]
    ours = [w for w in controls if not w.objectName().startswith(INNER) and not _is_inside(w)]
    assert [
        (type(w).__name__, w.objectName(), w.accessibleName())
        for w in ours
        if not (w.objectName() and w.accessibleName())
    ] == []
    assert fixed <= {w.objectName() for w in ours}
    pane.deleteLater()


def _is_inside(widget: QWidget) -> bool:
    """A combo box's list and a field's clear button are Qt's own."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QComboBox | QLineEdit | QSpinBox | QAbstractItemView):
            return True
        parent = parent.parentWidget()
    return False
