"""Settings act at once and are written beside: the window never waits for the disk, and a refusal is said."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from carrel.paths import paths
from carrel.store.secrets import Secrets
from carrel.store.settings import SettingsFile
from carrel.work.desk import Desk, Notice
from sessions import until


def desk_at(home: Path) -> Desk:
    where = paths(home)
    return Desk(where, SettingsFile(where.settings), Secrets(trusted=()))


def kept(home: Path) -> str:
    return SettingsFile(paths(home).settings).value.theme


async def test_the_disk_is_waited_for_on_another_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, free = threading.Event(), threading.Event()
    threads: list[int] = []
    real = os.fsync

    def slow(handle: int) -> None:
        threads.append(threading.get_ident())
        asked.set()
        free.wait(60)
        real(handle)

    desk = desk_at(tmp_path)
    heard: list[str] = []
    desk.settings_changed.connect(lambda settings: heard.append(settings.theme))
    monkeypatch.setattr(os, "fsync", slow)
    desk.change_settings(theme="dark")
    await until(asked.is_set, "the disk is asked")
    desk.change_settings(theme="light")
    desk.change_settings(theme="dark", text_size=1)
    assert heard == ["dark", "light", "dark"]
    assert desk.settings.text_size == 1
    free.set()
    await desk.close()
    assert SettingsFile(paths(tmp_path).settings).value == desk.settings
    assert threading.get_ident() not in threads
    assert len(threads) == 2, "what was changed meanwhile goes with one write"


async def test_a_refusal_is_said_and_acts_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log_watch
) -> None:
    log_watch.expect("the settings cannot be written")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    desk = desk_at(tmp_path)
    told: list[Notice] = []
    desk.noticed.connect(told.append)
    monkeypatch.setattr(os, "fsync", full)
    desk.change_settings(theme="dark")
    assert desk.settings.theme == "dark"
    await until(lambda: told, "the refusal is said")
    assert told[0].title == "The settings could not be written"
    assert "No space left" in told[0].text
    monkeypatch.undo()
    await desk.close()
    assert kept(tmp_path) == "dark", "the last try has it"


async def test_what_is_changed_as_the_program_ends_is_kept(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    desk.change_settings(theme="dark")
    await desk.close()
    assert kept(tmp_path) == "dark"
