"""What was asked of an agent stands above what came of it, and does not push it out of sight."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from carrel.model import AgentRequest
from carrel.ui.agents.runview import RunView
from carrel.work.agents import AgentRun


def run(prompt: str) -> AgentRun:
    return AgentRun("r", "Title", AgentRequest(prompt=prompt), 0.0, state="done")


def test_a_long_prompt_is_cut_until_it_is_asked_for() -> None:
    view, long = RunView(), "\n".join(f"Line {n}." for n in range(40))
    view.show()
    shown, whole = view.findChild(QWidget, "agents.asked"), view.findChild(QPushButton, "agents.asked.whole")
    view.show_run(run(long), [], {})
    assert shown.text() == "\n".join(f"Line {n}." for n in range(8)) + "…"
    whole.click()
    assert shown.text() == long
    assert not whole.isVisible()
    view.show_run(run(long), [], {})
    assert shown.text() == long, "a refresh does not fold it"
    for short in ("Short.", "Short, with an empty line.\n"):
        view.show_run(run(short), [], {})
        assert shown.text() == short
        assert not whole.isVisible()
