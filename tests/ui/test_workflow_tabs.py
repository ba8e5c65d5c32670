"""Tab goes through a workflow's form as it is read, also to lines that were added later."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from carrel.model.forms import Form, FormField, FormFile, FormStep
from carrel.ui.workflows.pane import WorkflowsPane


def stops(pane: WorkflowsPane, begin: str, end: str) -> list[str]:
    """What Tab comes to from one widget up to another, without the names' common beginning."""
    pane.findChild(QWidget, begin).setFocus()
    found = []
    for _ in range(60):
        found.append(QApplication.focusWidget().objectName())
        if found[-1] == end:
            break
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    return [name.removeprefix("workflows.").replace("step.0.", "") for name in found]


def test_tab_follows_the_eye(app: QApplication) -> None:
    pane = WorkflowsPane()
    step = FormStep(id="intake", fields=(FormField(name="title", text="Lease"),), files=(FormFile(url="https://a/b"),))
    pane.form.show_form(Form(steps=(step,), zone="UTC"))
    pane.show_workflow("Contract intake", "version 2")
    pane.show()
    pane.activateWindow()
    app.processEvents()
    pane.findChild(QPushButton, "workflows.step.0.add_field").click()
    app.processEvents()
    field = ["name", "kind", "value", "remove"]
    assert stops(pane, "workflows.queue", "workflows.json") == [
        "queue",
        "id",
        *(f"field.0.{part}" for part in field),
        *(f"field.1.{part}" for part in field),
        "add_field",
        "shape",
        "file.0.url",
        "file.0.remove",
        "library",
        "add_step",
        "run_id",
        "zone",
        "user_id",
        "user_email",
        "user_name",
        "copy",
        "curl",
        "json",
    ]
