"""The built-in service as a process: it starts, it is said why it does not, it leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from carrel.api import connect
from carrel.model import Unreachable
from carrel.work import builtin as room
from carrel.work.builtin import BuiltIn


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def descriptors() -> int:
    folder = Path("/proc/self/fd")
    return len(os.listdir(folder)) if folder.exists() else 0


def program(folder: Path, code: str) -> str:
    """A Python that runs `code` instead of the service."""
    script = folder / "stand_in.py"
    script.write_text(code)
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}"\n')
    python.chmod(0o755)
    return str(python)


@pytest.fixture
def built_in(tmp_path: Path) -> BuiltIn:
    return BuiltIn(tmp_path / "service", ())


async def test_it_starts_answers_and_stops(built_in: BuiltIn) -> None:
    ended: list[int] = []
    built_in.ended.connect(ended.append)
    assert built_in.pid is None
    account = await built_in.start()
    pid = built_in.pid
    assert pid is not None
    assert account.base_url.startswith("http://127.0.0.1:")
    async with connect(account) as service:
        assert await service.models()
    await built_in.stop()
    assert built_in.pid is None
    assert not lives(pid)
    await asyncio.sleep(0.05)
    assert ended == []  # it was asked to
    await built_in.stop()


async def test_a_second_start_ends_the_first(built_in: BuiltIn) -> None:
    first_account = await built_in.start()
    first = built_in.pid
    second_account = await built_in.start()
    assert first is not None
    assert not lives(first)
    assert first_account.api_key != second_account.api_key
    await built_in.stop()


async def test_stop_leaves_no_pipe_open(built_in: BuiltIn) -> None:
    before = descriptors()
    for _ in range(2):
        await built_in.start()
        await built_in.stop()
    assert descriptors() <= before + 2  # the loop's own pool may have opened something once


async def test_an_end_that_nobody_asked_for_is_told_with_its_code(built_in: BuiltIn, log_watch) -> None:
    log_watch.expect("the built-in service ended with code -9")
    told: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    built_in.ended.connect(told.set_result)
    await built_in.start()
    assert built_in.pid is not None
    os.kill(built_in.pid, signal.SIGKILL)
    assert await asyncio.wait_for(told, 30) == -9
    assert built_in.pid is None
    account = await built_in.start()
    async with connect(account) as service:
        assert await service.models()
    await built_in.stop()


async def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "service").write_text("a file where the folder should be")
    with pytest.raises(Unreachable, match="could not be started") as refused:
        await BuiltIn(tmp_path / "service", ()).start()
    assert (refused.value.sent, refused.value.title) == ("no", "The built-in service did not start")


async def test_a_service_that_refuses_its_arguments_is_said_with_the_place_of_its_log(tmp_path: Path) -> None:
    built_in = BuiltIn(tmp_path / "service", ("--no-such-option",))
    with pytest.raises(Unreachable, match=r"service\.log") as refused:
        await built_in.start()
    assert refused.value.sent == "no"
    assert "no-such-option" in (tmp_path / "service" / "service.log").read_text()
    assert built_in.pid is None


@pytest.mark.parametrize(
    "code", ["print('hello')", "print('[1, 2]')", "print('{}')", "import sys; sys.exit(3)"], ids=lambda c: c
)
async def test_a_program_that_says_something_else_is_not_the_service(
    tmp_path: Path, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", program(tmp_path, code))
    built_in = BuiltIn(tmp_path / "service", ())
    with pytest.raises(Unreachable, match="did not start"):
        await built_in.start()
    assert built_in.pid is None


async def test_one_that_never_answers_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    monkeypatch.setattr("sys.executable", program(tmp_path, code))
    monkeypatch.setattr(room, "PATIENCE", 1.0)
    with pytest.raises(Unreachable):
        await BuiltIn(tmp_path / "service", ()).start()
    pid = tmp_path / "pid"
    assert not pid.exists() or not lives(int(pid.read_text()))


async def test_one_that_does_not_leave_is_made_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = '{"base_url": "http://127.0.0.1:1", "client_id": "c", "api_key": "k", "secret": "s"}'
    monkeypatch.setattr(
        "sys.executable", program(tmp_path, f"import time; print('{ready}', flush=True); time.sleep(600)")
    )
    monkeypatch.setattr(room, "LEAVE", 0.2)
    built_in = BuiltIn(tmp_path / "service", ())
    await built_in.start()
    pid = built_in.pid
    await built_in.stop()
    assert pid is not None
    assert not lives(pid)


async def test_a_start_that_is_given_up_leaves_no_process(built_in: BuiltIn) -> None:
    starting = asyncio.ensure_future(built_in.start())
    while built_in.pid is None:  # noqa: ASYNC110  # the process tells nobody that it exists
        await asyncio.sleep(0.005)
    pid = built_in.pid
    starting.cancel()
    await asyncio.wait([starting])
    await built_in.stop()
    assert not lives(pid)
