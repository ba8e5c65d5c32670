"""The workflow's form: every type of field, steps and files that come and go, and that nothing jumps while typing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from carrel.hand import Hand
from carrel.model.forms import Form, FormField, FormFile, FormStep, Problem
from carrel.ui.workflows.form import WorkflowForm
from stage import application

EVERY = Form(
    steps=(
        FormStep(
            id="first",
            fields=(
                FormField(name="t", text="text"),
                FormField(name="n", kind="number", text="1.5"),
                FormField(name="y", kind="yes-no", text="true"),
                FormField(name="d", kind="date", text="2026-11-21"),
                FormField(name="l", kind="list", text="a\nb"),
                FormField(name="j", kind="json", text='{"a": 1}'),
            ),
            shape="named",
            files=(FormFile(name="contract", url="https://x.example/a.pdf"),),
        ),
        FormStep(id="second"),
    ),
    run_id="nightly",
    zone="Europe/Berlin",
    user_id="u",
    user_email="e",
    user_name="n",
)


@pytest.fixture
def form() -> Iterator[WorkflowForm]:
    application()
    made = WorkflowForm()
    made.resize(560, 900)
    made.show()
    yield made
    made.close()


class Patient(Hand):
    """Lets what was added appear before it is looked for."""

    def find(self, name: str, kind: type = QWidget) -> QWidget:
        application().processEvents()
        return super().find(name, kind)


def choose(box: QComboBox, data: str) -> None:
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def test_what_is_shown_is_what_it_holds(form: WorkflowForm) -> None:
    told: list[None] = []
    form.changed.connect(lambda: told.append(None))
    form.show_form(EVERY)
    assert form.form() == EVERY
    assert told == [], "only a person's change is told"


def test_a_person_fills_in_fields_steps_and_files(form: WorkflowForm) -> None:
    form.show_form(Form(steps=(FormStep(id="first", fields=(FormField(),)),), zone="UTC"))
    hand = Patient(form)
    hand.type("workflows.step.0.field.0.name", "counterparty")
    hand.type("workflows.step.0.field.0.value", "Acme Ltd")
    hand.click("workflows.step.0.add_field")
    hand.type("workflows.step.0.field.1.name", "tags")
    choose(hand.find("workflows.step.0.field.1.kind", QComboBox), "list")
    hand.type("workflows.step.0.field.1.list", "one")
    hand.click("workflows.step.0.add_file")
    hand.type("workflows.step.0.file.0.url", "https://x.example/a.pdf")
    hand.click("workflows.add_step")
    hand.type("workflows.step.1.id", "second")
    held = form.form()
    assert held.steps[0].fields == (
        FormField(name="counterparty", text="Acme Ltd"),
        FormField(name="tags", kind="list", text="one"),
    )
    assert held.steps[0].files == (FormFile(url="https://x.example/a.pdf"),)
    assert held.steps[1].id == "second"
    hand.click("workflows.step.1.remove")
    assert len(form.form().steps) == 1
    hand.click("workflows.step.0.field.0.remove")
    assert [f.name for f in form.form().steps[0].fields] == ["tags"]


def test_no_two_fields_have_one_name_after_one_was_removed(form: WorkflowForm) -> None:
    fields = tuple(FormField(name=name) for name in ("one", "two", "three"))
    form.show_form(Form(steps=(FormStep(id="first", fields=fields),), zone="UTC"))
    hand = Patient(form)
    hand.click("workflows.step.0.field.1.remove")
    hand.click("workflows.step.0.add_field")
    hand.type("workflows.step.0.field.2.name", "four")
    shown = [hand.find(f"workflows.step.0.field.{n}.name", QLineEdit).text() for n in range(3)]
    assert shown == ["one", "three", "four"] == [f.name for f in form.form().steps[0].fields]
    names = [w.objectName() for w in form.findChildren(QWidget) if ".field." in w.objectName() and w.isVisible()]
    assert len(names) == len(set(names))


def test_a_text_survives_a_change_of_its_type(form: WorkflowForm) -> None:
    form.show_form(Form(steps=(FormStep(id="s", fields=(FormField(name="x", text="48000"),)),)))
    kind = Patient(form).find("workflows.step.0.field.0.kind", QComboBox)
    for step in ("number", "json", "list", "date", "text"):
        choose(kind, step)
        assert form.form().steps[0].fields[0] == FormField(name="x", kind=step, text="48000")


def test_files_from_the_library_become_several(form: WorkflowForm) -> None:
    form.show_form(Form(steps=(FormStep(id="s"),)))
    form.add_files(0, [FormFile(name="a", url="https://x/1")])
    assert form.form().steps[0].shape == "one"
    form.add_files(0, [FormFile(name="b", url="https://x/2")])
    step = form.form().steps[0]
    assert (step.shape, [f.url for f in step.files]) == ("several", ["https://x/1", "https://x/2"])


def test_the_cursor_stays_when_the_same_form_comes_back(form: WorkflowForm) -> None:
    form.show_form(EVERY)
    form.activateWindow()
    line = Patient(form).find("workflows.step.0.field.0.value", QLineEdit)
    line.setFocus()
    line.setCursorPosition(2)
    QTest.keyClicks(line, "xx")
    form.show_form(form.form())
    assert (line.text(), line.cursorPosition()) == ("texxxt", 4)


def test_what_is_wrong_is_said_where_it_is(form: WorkflowForm) -> None:
    form.show_form(EVERY)
    form.say_wrong([Problem(0, 1, "many is not a number"), Problem(1, -1, "the step needs an id")])
    hand = Patient(form)
    words = hand.words("workflows.form")
    assert "many is not a number" in words
    assert "the step needs an id" in words
    assert hand.find("workflows.step.0.field.1.value").property("wrong") is True
    form.say_wrong([])
    assert "many is not a number" not in hand.words("workflows.form")
    assert not hand.find("workflows.step.0.field.1.value").property("wrong")


def test_everything_that_a_person_acts_on_has_a_name(form: WorkflowForm) -> None:
    form.show_form(EVERY)
    kinds = ("QLineEdit", "Choice", "QPushButton", "QToolButton", "Switch", "QPlainTextEdit", "CodeView")
    acted_on = [w for w in form.findChildren(QWidget) if type(w).__name__ in kinds]
    assert len(acted_on) > 25
    assert [w for w in acted_on if not w.objectName() or not w.accessibleName()] == []
