"""Stories of the program as a process: how it starts, refuses, is asked to end, and what it leaves behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from program import ENVIRONMENT, Program
from running import RunningService, built_in_service, wait_until
from signing_in import connected, files_that_hold, said, secrets_of, tell
from stage import Stage, play

LIVE = """
import asyncio, logging, os, signal, sys
from argparse import Namespace
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel
import carrel.run as run
from carrel.ui.window import Window

said = []
real = Window.say

def say(self, notice):
    real(self, notice)
    said.append(notice)
    print(notice.title, "|", notice.text, "|", self.banner.isVisibleTo(self), flush=True)
    QTimer.singleShot(0, self.close)

def show_opening(self, title, text="", actions=()):
    page = opening(self, title, text, actions)
    print(title, "|", text, flush=True)
    QTimer.singleShot(0, self.close) if actions else None
    return page

opening = Window.show_opening
Window.say, Window.show_opening = say, show_opening
sys.exit(run.run(Namespace(home=Path(sys.argv[1]), built_in=False, account=sys.argv[2] or None, tour=None)))
"""


def opening(home: Path, account: str = "") -> str:
    """What the window says when it opens; it is closed then."""
    env = os.environ | ENVIRONMENT
    done = subprocess.run(
        [sys.executable, "-c", LIVE, str(home), account],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service"), "--pace", "0") as running:
        yield running


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    made = Program(tmp_path)
    yield made
    if made.process.poll() is None:
        made.process.kill()
    made.process.communicate()


def test_sigterm_closes_cleanly_and_leaves_no_service_behind(tmp_path: Path) -> None:
    program = Program(tmp_path, "--built-in")
    try:
        wait_until(lambda: (tmp_path / "data" / "service" / "service.log").exists() and program.services(), "it starts")
        wait_until(lambda: "built-in" in last_account(tmp_path), "the built-in service is open")
        code, said = program.end()
        assert code == 0, said
        assert said == ""
        assert program.services() == []
        assert "Carrel ends" in program.log()
        assert not (tmp_path / "data" / "carrel.lock").exists()
    finally:
        program.process.kill()
        program.process.communicate()


def last_account(home: Path) -> str:
    file = home / "config" / "settings.json"
    return file.read_text("utf-8") if file.exists() else ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_it_still_starts_closes_it_too(tmp_path: Path, number: signal.Signals) -> None:
    program = Program(tmp_path, "--built-in")
    try:
        wait_until(lambda: "begins" in program.log() and program.services(), "it has begun")
        program.process.send_signal(number)
        out, err = program.process.communicate(timeout=60)
        assert program.process.returncode == 0, out + err
        assert program.services() == []
    finally:
        program.process.kill()
        program.process.communicate()


def test_a_second_start_raises_the_first_window_and_ends(program: Program) -> None:
    wait_until(lambda: "begins" in program.log() and (program.home / "data" / "carrel.sqlite").exists(), "it is open")
    second = Program(program.home)
    out, err = second.process.communicate(timeout=60)
    assert second.process.returncode == 0, err
    assert "open already" in out
    code, said = program.end()
    assert code == 0, said
    assert program.log().count("begins") == 1


def test_a_start_while_the_first_one_ends_waits_for_its_home(tmp_path: Path) -> None:
    first = Program(tmp_path, "--built-in")
    second = None
    try:
        wait_until(lambda: "built-in" in last_account(tmp_path), "the built-in service is open")
        [service] = first.services()
        os.kill(service, signal.SIGSTOP)  # it takes its five seconds to end, and so does the window
        first.process.terminate()
        second = Program(tmp_path)
        wait_until(lambda: first.log().count("begins") == 2, "the second one has begun")
        assert first.process.wait(60) == 0
        wait_until(second.services, "the second one opens the built-in service")
        code, said = second.end()
        assert code == 0, said
    finally:
        for pid in first.services():
            os.kill(pid, signal.SIGKILL)
        for program in (first, second):
            if program is not None:
                program.process.kill()
                program.process.communicate()


def test_a_home_that_was_killed_opens_again(program: Program) -> None:
    journal = program.home / "data" / "carrel.sqlite"
    wait_until(lambda: journal.exists() and journal.stat().st_size, "its journal is begun")
    program.process.kill()
    program.process.wait()
    again = Program(program.home)
    try:
        wait_until((again.home / "data" / "backups").exists, "it has opened the database again")
        code, said = again.end()
        assert code == 0, said
    finally:
        again.process.kill()
        again.process.communicate()


def test_a_home_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    refused = Program(tmp_path / "file")
    out, err = refused.process.communicate(timeout=60)
    assert refused.process.returncode == 1
    assert "cannot keep anything in" in err
    assert "Traceback" not in out + err


def test_an_account_that_is_not_kept_is_said(tmp_path: Path) -> None:
    words = opening(tmp_path, "Nobody & Sons")
    assert "There is no account called Nobody & Sons | No account is kept yet. | True" in words


def test_an_account_without_its_secrets_is_said_at_the_next_start(tmp_path: Path, service: RunningService) -> None:
    async def story(stage: Stage) -> None:
        tell(stage, service)
        stage.hand.click("welcome.connect")
        await connected(stage)

    play(tmp_path, story, built_in=False)
    words = opening(tmp_path)
    assert f"The credentials of {service.base_url.split('://')[1]} are not to be had" in words
    assert "no keychain that Carrel trusts" in words
    assert "These are kept:" in opening(tmp_path, "Another")


def test_a_database_of_a_newer_carrel_is_said_in_the_window(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with closing(sqlite3.connect(tmp_path / "data" / "carrel.sqlite")) as db:
        db.execute("PRAGMA user_version = 999")
        db.execute("CREATE TABLE t (a)")
    env = os.environ | ENVIRONMENT
    done = subprocess.run(
        [sys.executable, "-c", LIVE, str(tmp_path), ""],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "cannot open its journal" in done.stdout
    assert "newer Carrel" in done.stdout


def test_no_log_holds_a_secret(tmp_path: Path, service: RunningService) -> None:
    """The log at its most talkative, through a sign-in that fails and one that works."""
    import logging

    from carrel import log

    async def story(stage: Stage) -> None:
        tell(stage, service, secret="not-the-secret-0815")
        stage.hand.click("welcome.connect")
        await said(stage, "Check the client ID")
        tell(stage, service)
        stage.hand.click("welcome.connect")
        await connected(stage)
        try:
            raise RuntimeError(f"{{'X-Secret': '{service.secret}'}} and {service.api_key}")
        except RuntimeError:
            logging.getLogger("carrel.test").info("it broke for %s", service.client_id, exc_info=True)

    file = tmp_path / "data" / "carrel.log"
    log.start(file)
    former = logging.getLogger("httpx").level
    logging.getLogger("httpx").setLevel(logging.INFO)
    try:
        play(tmp_path, story, built_in=False)
    finally:
        logging.getLogger("httpx").setLevel(former)
        log.stop()
    text = file.read_text("utf-8")
    assert "it broke for" in text
    assert "RuntimeError" in text
    for secret in (*secrets_of(service), "not-the-secret-0815"):
        assert secret not in text
    assert files_that_hold(tmp_path, secrets_of(service)) == []
