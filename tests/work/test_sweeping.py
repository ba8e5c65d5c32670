"""Pasted files in the cache: swept at the start, but for those that an upload may still be tried with."""

from __future__ import annotations

from pathlib import Path

from carrel.model.transfers import Transfer, TransferState
from carrel.paths import paths
from carrel.store.secrets import Secrets
from carrel.store.settings import SettingsFile
from carrel.store.transfers import TransferRows
from carrel.work.desk import Desk
from carrel.work.sweeping import sweep


def pasted(home: Path, name: str) -> Path:
    """A file as `upload_pasted` writes it."""
    file = paths(home).cache / "pasted" / f"key-of-{name}" / name
    file.parent.mkdir(parents=True)
    file.write_text("pasted")
    return file


def row(file: Path, state: TransferState) -> Transfer:
    return Transfer(file.name, "up", file.name, str(file), 1.0, 1.0, state=state)


async def test_what_no_upload_waits_for_is_swept_at_the_start(tmp_path: Path) -> None:
    where = paths(tmp_path)
    states: tuple[TransferState, ...] = ("waiting", "failed", "interrupted", "cancelled", "done")
    files = {state: pasted(tmp_path, f"{state}.txt") for state in states}
    left = pasted(tmp_path, "left.txt")
    desk = Desk(where, SettingsFile(where.settings), Secrets(trusted=()))
    await desk.open()
    try:
        assert not left.parent.exists()
        for account, (state, file) in zip("abcde", files.items(), strict=True):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("pasted")
            await TransferRows(desk._db, account).put([row(file, state)])
        await sweep(where.cache, desk._db)
    finally:
        await desk.close()
    assert {state for state, file in files.items() if file.exists()} == set(states) - {"done"}
    assert not files["done"].parent.exists()


async def test_a_home_without_a_cache_is_opened(tmp_path: Path) -> None:
    where = paths(tmp_path)
    desk = Desk(where, SettingsFile(where.settings), Secrets(trusted=()))
    await desk.open()
    await desk.close()
    assert not where.cache.exists()
