"""The column at the left grows with the text, and leaves the work room enough to be used in a small window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from carrel.model import GeneratedFile
from carrel.model.forms import Form, FormField, FormStep, Problem
from carrel.ui.agents.pane import AgentsPane
from carrel.ui.search.pane import SearchPane
from carrel.ui.theme import theme
from carrel.ui.widgets.listcolumn import ListColumn
from carrel.ui.workflows.pane import WorkflowsPane


def settle(app: QApplication) -> None:
    for _ in range(5):
        app.processEvents()


def is_whole(area: QScrollArea) -> bool:
    """Whether nothing of a page is cut off at its right."""
    return area.widget().width() <= area.viewport().width()


@pytest.mark.parametrize("kind", [AgentsPane, SearchPane, WorkflowsPane])
def test_it_follows_the_text_as_far_as_the_pane_allows(app: QApplication, kind: type[QWidget]) -> None:
    pane = kind()
    pane.resize(1204, 700)
    pane.show()
    settle(app)
    held = pane.findChild(ListColumn)
    assert held.width() == 264
    theme.choose("light", 4)
    settle(app)
    assert held.width() == round(264 * 17 / 13)
    pane.resize(800, 560)
    settle(app)
    assert held.width() == 288
    theme.choose("light", 0)
    settle(app)
    assert held.width() == 264


def test_an_agents_form_and_files_are_whole_in_a_small_window(app: QApplication) -> None:
    pane = AgentsPane()
    theme.choose("light", 4)
    pane.resize(790, 540)
    pane.show()
    settle(app)
    assert is_whole(pane.findChild(QScrollArea, "agents.form_page"))
    files = [GeneratedFile(url=f"https://a.example/{n}", filename=f"two-suppliers-{n}.pdf", size=90_000) for n in "ab"]
    pane.view.files.show_files(files, {})
    pane.show_run("r", "Compare the two suppliers", has_output=True, is_running=False)
    settle(app)
    assert is_whole(pane.findChild(QScrollArea, "agents.run_page"))


def test_a_workflows_form_is_whole_in_a_small_window(app: QApplication) -> None:
    pane = WorkflowsPane()
    theme.choose("light", 4)
    pane.resize(790, 540)
    pane.show()
    pane.form.show_form(
        Form(steps=(FormStep(id="intake", fields=(FormField(name="title", text="Lease"),)),), zone="UTC")
    )
    pane.show_workflow("Contract intake", "version 2")
    settle(app)
    assert is_whole(pane.findChild(QScrollArea, "workflows.form_page"))
    assert is_whole(pane.findChild(QScrollArea, "workflows.request_page"))


def test_what_is_wrong_with_a_time_zone_does_not_widen_the_form(app: QApplication) -> None:
    pane = WorkflowsPane()
    pane.resize(1204, 700)
    pane.show()
    pane.form.show_form(Form(steps=(FormStep(id="intake"),), zone="Nowhere"))
    pane.form.say_wrong((Problem(-1, -1, "the time zone is not known: take a name such as Europe/Berlin, or minutes"),))
    pane.show_workflow("Contract intake", "version 2")
    settle(app)
    assert is_whole(pane.findChild(QScrollArea, "workflows.form_page"))
