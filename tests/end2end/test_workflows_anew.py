"""Stories of a person who empties a workflow's form, and wants it back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from stage import Stage, play


async def fill_in(stage: Stage) -> None:
    """Choose a workflow and type a value."""
    hand = stage.hand
    stage.window.go("workflows")
    listed = hand.find("workflows.list")
    await hand.until(listed.items, "the workflows are listed")
    listed.setCurrentIndex(listed.model().index(0, 0))
    await hand.until(lambda: hand.sees("workflows.step.0.field.0.name"), "the form is shown")
    hand.type("workflows.step.0.field.0.name", "title")
    hand.type("workflows.step.0.field.0.value", "Harbour lease")


def press_new(stage: Stage) -> None:
    QTest.keyClick(stage.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)


def test_an_emptied_form_is_had_back(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await fill_in(stage)
        stage.window.activateWindow()
        press_new(stage)
        assert hand.find("workflows.step.0.field.0.value").text() == ""
        hand.click("toast.action")
        assert hand.find("workflows.step.0.field.0.value").text() == "Harbour lease"
        assert "Harbour lease" in hand.find("workflows.json").toPlainText()
        hand.find("workflows.json").setPlainText('{"inputs": oh')
        press_new(stage)
        assert "oh" not in hand.find("workflows.json").toPlainText()
        hand.click("toast.action")
        await hand.until(lambda: hand.sees("workflows.json_error"), "the JSON is there again, and wrong")
        assert hand.find("workflows.json").toPlainText() == '{"inputs": oh'

    play(tmp_path, story)


def test_it_is_had_back_also_from_another_workflow(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await fill_in(stage)
        stage.window.activateWindow()
        press_new(stage)
        listed = hand.find("workflows.list")
        listed.setCurrentIndex(listed.model().index(1, 0))
        hand.click("toast.action")
        group_id = listed.items()[0].key

        def kept() -> bool:
            held = stage.desk.session.workflows.form(group_id)
            return held is not None and held.form.steps[0].fields[0].text == "Harbour lease"

        await hand.until(kept, "the form is kept for its workflow")
        listed.setCurrentIndex(listed.model().index(0, 0))
        assert hand.find("workflows.step.0.field.0.value").text() == "Harbour lease"

    play(tmp_path, story)


def test_an_empty_form_says_nothing(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go("workflows")
        listed = stage.hand.find("workflows.list")
        await stage.hand.until(listed.items, "the workflows are listed")
        listed.setCurrentIndex(listed.model().index(0, 0))
        stage.window.activateWindow()
        press_new(stage)
        assert not stage.hand.sees("toast")

    play(tmp_path, story)
