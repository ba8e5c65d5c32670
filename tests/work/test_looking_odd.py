"""Folders with entries that cannot be read, named or followed: each is told of, and nothing beside it suffers."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.work.looking import LeftOut, Looked, look
from faulty import Peer, faulty, routes
from sessions import open_session, until
from unprivileged import NOBODY


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the process enters without the rights of root."""
    folder = Path(tempfile.mkdtemp(prefix="carrel-odd-"))
    folder.chmod(0o777)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    yield folder
    if root:
        os.seteuid(0)
    for inside in folder.rglob("*"):
        if inside.is_dir() and not inside.is_symlink():
            inside.chmod(0o700)
    shutil.rmtree(folder)


def looked(*paths: Path) -> tuple[list[Looked], LeftOut]:
    left_out = LeftOut()
    return list(look(paths, "", left_out)), left_out


def places(found: list[Looked]) -> list[str]:
    return [f"{file.folder}/{file.path.name}" for file in found if not file.refused]


def note(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    return path


def test_a_link_to_itself_is_left_out_and_the_rest_is_taken(tmp_path: Path) -> None:
    note(tmp_path / "in" / "a.txt")
    (tmp_path / "in" / "loop").symlink_to("loop")
    found, left_out = looked(tmp_path / "in")
    assert places(found) == ["in/a.txt"]
    assert left_out.links == 1


def test_what_lies_in_a_folder_that_may_not_be_entered_is_refused_alone(open_folder: Path) -> None:
    note(open_folder / "in" / "a.txt")
    secret = note(open_folder / "in" / "locked" / "b.txt")
    (open_folder / "in" / "link").symlink_to(secret)
    secret.parent.chmod(0)
    found, _ = looked(open_folder / "in", secret)
    assert places(found) == ["in/a.txt"]
    refused = {f"{file.folder}/{file.path.name}": file.refused for file in found if file.refused}
    assert refused == {
        "in/link": "It cannot be read (permission denied).",
        "in/locked": "The folder cannot be read (permission denied).",
        "/b.txt": "It cannot be read (permission denied).",
    }


def test_a_link_within_the_folder_does_not_take_the_place_of_the_real_one(tmp_path: Path) -> None:
    note(tmp_path / "rel" / "releases" / "v2" / "n.txt")
    (tmp_path / "rel" / "current").symlink_to(Path("releases") / "v2")
    found, left_out = looked(tmp_path / "rel")
    assert places(found) == ["rel/releases/v2/n.txt"]
    assert (left_out.links, left_out.repeats) == (0, 1)


def test_a_link_to_what_is_left_out_otherwise_is_followed(tmp_path: Path) -> None:
    note(tmp_path / "rel" / ".hidden" / "n.txt")
    (tmp_path / "rel" / "shown").symlink_to(".hidden")
    assert places(looked(tmp_path / "rel")[0]) == ["rel/shown/n.txt"]


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
async def test_a_name_that_is_no_text_is_refused_and_its_neighbours_are_sent(tmp_path: Path) -> None:
    note(tmp_path / "in" / "a.txt")
    bad = os.fsencode(tmp_path / "in") + b"/caf\xe9"
    try:
        os.mkdir(bad)
    except OSError:
        pytest.skip("this disk keeps no such names")
    note(Path(os.fsdecode(bad + b".txt")))

    async def accept(peer: Peer) -> None:
        await peer.body()
        await peer.json({"message": "ok", "data": [{"id": "1", "file_name": "a.txt", "state": "success"}]})

    server_of = faulty(routes({"POST /external/upload": accept}))
    async with server_of as server, open_session(tmp_path / "home", server.account()) as session:
        assert await session.uploads.add([tmp_path / "in"]) == 3
        rows = {row.name: row for row in session.uploads.rows()}
        for name in ("caf\ufffd", "caf\ufffd.txt"):
            assert rows[name].state == "refused"
            assert rows[name].error == "Its name, or that of a folder above, cannot be read here: rename it."
        await until(lambda: session.uploads.row(rows["a.txt"].id).state == "indexing", "its neighbour is sent")
