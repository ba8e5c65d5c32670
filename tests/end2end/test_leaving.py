"""Stories of a person who turns to another account while an agent still works in this one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QMessageBox

from faulty import Peer, faulty_thread, routes
from running_agents import CRAWL, begin, tags
from stage import Stage, play
from stories import indexed


def press(stage: Stage, words: str, name: str = "leaving") -> None:
    """Press a button of the question."""
    box = stage.hand.find(name, QMessageBox)
    next(b for b in box.findChildren(QAbstractButton) if b.text() == words).click()


async def hold(peer: Peer) -> None:
    """Answer nothing."""
    await peer.body()
    await peer.gone()


def test_where_no_agent_runs_nothing_is_asked(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        left = []
        stage.window.shell.leave(lambda: left.append(True))
        assert left == [True]
        assert not stage.hand.sees("leaving")

    play(tmp_path, story)


def test_while_an_agent_runs_it_is_asked_first(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await begin(stage)
        left = []
        for answer, came in (("Stay", []), ("Leave", [True])):
            stage.window.shell.leave(lambda: left.append(True))
            await stage.hand.until(lambda: stage.hand.sees("leaving"), "it asks")
            box = stage.hand.find("leaving", QMessageBox)
            assert box.text() == "An agent is still running"
            assert "lost here" in box.informativeText()
            press(stage, answer)
            await stage.hand.until(lambda: not stage.hand.sees("leaving"), "the question is gone")
            assert left == came
        assert tags(stage)[0] != "Interrupted"

    play(tmp_path, story, options=CRAWL)


def test_what_was_left_is_said_of_the_run(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        await begin(stage)
        former = stage.desk.session
        again = stage.desk.open_account
        stage.window.shell.leave(lambda: stage.desk.tasks.start("open", again(former.account_id)))
        press(stage, "Leave")
        await stage.hand.until(lambda: stage.desk.session is not former, "it is left")
        stage.window.go("agents")
        await stage.hand.until(lambda: tags(stage) == ["Interrupted"], "the run is interrupted")
        runs = stage.hand.find("agents.list")
        runs.setCurrentIndex(runs.model().index(0, 0))
        assert "left the account" in stage.hand.words("agents.note")

    with faulty_thread(routes({"POST /external/agents/run": hold})) as server:
        play(tmp_path, story, built_in=False)


def test_it_is_asked_also_before_the_open_account_is_removed(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        await begin(stage)
        [account] = stage.desk.accounts.all
        for answer in ("Stay", "Leave"):
            stage.window.go("settings", "accounts")
            await stage.hand.until(lambda: stage.hand.sees(f"settings.remove.{account.id}"), "it can be removed")
            stage.hand.click(f"settings.remove.{account.id}")
            press(stage, "Remove", "settings.confirm")
            await stage.hand.until(lambda: stage.hand.sees("leaving"), "it asks")
            assert stage.desk.accounts.all == (account,)
            press(stage, answer)
        await stage.hand.until(lambda: not stage.desk.accounts.all, "it is removed")
        await stage.hand.until(lambda: stage.desk.session is None, "it is left")

    with faulty_thread(routes({"POST /external/agents/run": hold})) as server:
        play(tmp_path, story, built_in=False)
