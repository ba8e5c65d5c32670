"""A preview where the cache cannot be used says so: it is no bug, and the pane does not wait for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from carrel.model import LibraryFile
from carrel.work import previews as room
from carrel.work.previews import Preview, preview
from carrel.work.session import Session
from faulty import Peer, faulty, routes
from sessions import open_session


async def give(peer: Peer) -> None:
    await peer.answer(b"words of the file")


async def looked_at(tmp_path: Path, name: str, spoil: object) -> Preview:
    async with (
        faulty(routes({"GET /files/1": give})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        file = LibraryFile(id="1", file_name=name, download_link=f"{server.url}/files/1")
        spoil(session)
        return await preview(session.context, file)


async def test_a_cache_that_is_no_folder_is_said(tmp_path: Path) -> None:
    def spoil(session: Session) -> None:
        cache = session.context.paths.cache
        cache.mkdir(parents=True, exist_ok=True)
        (cache / "previews").write_text("a file in its place")

    found = await looked_at(tmp_path, "a.txt", spoil)
    assert found.kind == "none"
    assert "Open the file instead" in found.text


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.xlsx"])
async def test_a_copy_that_goes_before_it_is_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    fetch = room._copy

    async def gone(*arguments: object) -> Path:
        path = await fetch(*arguments)
        path.unlink()
        return path

    monkeypatch.setattr(room, "_copy", gone)
    found = await looked_at(tmp_path, name, lambda _: None)
    assert found.kind == "none"
    assert "no such file" in found.text
