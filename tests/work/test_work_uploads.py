"""Uploads and downloads through the real built-in service: rows, states, restarts, copies, refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from running import RunningService, built_in_service
from sessions import account_of, open_session, until


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service")) as running:
        yield running


def states(session: object) -> dict[str, str]:
    return {row.name: row.state for row in session.uploads.rows()}


async def test_a_dropped_folder_is_ready_in_its_folders(service: RunningService, tmp_path: Path) -> None:
    deals = tmp_path / "Deals"
    (deals / "North").mkdir(parents=True)
    (deals / "note.txt").write_text("The quay lamp costs 412 euro.")
    (deals / "North" / "offer.md").write_text("# Offer\n\nNine lamps for the north quay.")
    (deals / ".hidden.txt").write_text("not for anyone")
    (deals / "tool.exe").write_bytes(b"MZ")
    (deals / "empty.csv").touch()
    async with open_session(tmp_path / "home", account_of(service)) as session:
        await session.library.open()
        left_out = []
        session.uploads.looked.connect(left_out.append)
        assert await session.uploads.add([deals], "Inbox") == 4
        assert left_out[0].hidden == 1
        await until(lambda: states(session)["note.txt"] == states(session)["offer.md"] == "done", "both are ready")
        refused = {row.name: row.error for row in session.uploads.rows() if row.state == "refused"}
        assert refused["tool.exe"] == "Not accepted: .exe is not one of the 21 file types the service takes."
        assert refused["empty.csv"] == "The file is empty."
        catalog = session.library.catalog
        placed = {catalog.names[n]: (catalog.folders[n], catalog.states[n]) for n in range(len(catalog))}
        assert placed["note.txt"] == ("Inbox/Deals", "success")
        assert placed["offer.md"] == ("Inbox/Deals/North", "success")


async def test_the_same_content_is_not_sent_twice_unless_asked(service: RunningService, tmp_path: Path) -> None:
    first, copy = tmp_path / "first.txt", tmp_path / "copy.txt"
    first.write_text("One and the same sentence.")
    copy.write_text("One and the same sentence.")
    async with open_session(tmp_path / "home", account_of(service)) as session:
        await session.library.open()
        await session.uploads.add([first])
        await until(lambda: states(session) == {"first.txt": "done"}, "the first is ready")
        await until(lambda: not session.tasks.running("up:hash"), "its content is remembered")
        await session.uploads.add([copy])
        await until(lambda: states(session)["copy.txt"] == "duplicate", "the copy is set aside")
        row = session.uploads.rows()[1]
        assert "first.txt" in row.error
        await session.uploads.retry(row.id)
        await until(lambda: states(session)["copy.txt"] == "done", "the copy was sent when asked")


async def test_what_was_moving_is_interrupted_after_a_restart(service: RunningService, tmp_path: Path) -> None:
    big = tmp_path / "big.txt"
    big.write_text("A line of a large file.\n" * 4_000_000)
    account = account_of(service)
    async with open_session(tmp_path / "home", account) as session:
        await session.library.open()
        await session.uploads.add([big])
        await until(lambda: session.uploads.rows()[0].moved > 0, "bytes are moving")
    async with open_session(tmp_path / "home", account) as session:
        await session.library.open()
        row = session.uploads.rows()[0]
        assert row.state == "interrupted"
        assert row.error.startswith("Perhaps not sent. Look in the library first.")
        await asyncio.sleep(0.2)
        assert session.uploads.rows()[0].state == "interrupted"
        await session.uploads.retry(row.id)
        await until(lambda: session.uploads.rows()[0].state in {"indexing", "done"}, "it was sent when asked")
    with service.client() as client:
        names = [item["file_name"] for item in client.get("/external/libraries").json()["items"]]
    assert names.count("big.txt") == 1


async def test_a_row_can_be_paused_resumed_and_cancelled(service: RunningService, tmp_path: Path) -> None:
    files = [tmp_path / f"large-{n}.txt" for n in range(3)]
    for file in files:
        file.write_text(f"{file.name} says the same thing many times over.\n" * 1_000_000)
    async with open_session(tmp_path / "home", account_of(service)) as session:
        await session.library.open()
        await session.uploads.add(files)
        one, two, _ = (row.id for row in session.uploads.rows())
        await session.uploads.pause(one)
        await session.uploads.cancel(two)
        assert [session.uploads.row(i).state for i in (one, two)] == ["paused", "cancelled"]
        await session.uploads.resume(one)
        await until(lambda: states(session)["large-0.txt"] in {"indexing", "done"}, "the paused one went on")
        await session.uploads.clear()
        assert two not in {row.id for row in session.uploads.rows()}


async def test_small_files_of_a_folder_share_requests(service: RunningService, tmp_path: Path) -> None:
    folder = tmp_path / "Many"
    folder.mkdir()
    for number in range(90):
        (folder / f"n{number:03}.txt").write_text(f"Note {number} of many.")
    async with open_session(tmp_path / "home", account_of(service)) as session:
        await session.uploads.add([folder])
        await until(lambda: set(states(session).values()) <= {"indexing", "done"}, "all are sent")
        sent = [e for e in session.activity.exchanges if e.path.endswith("/upload")]
        assert len(sent) == 5
        await until(lambda: set(states(session).values()) == {"done"}, "all are ready", 120)


async def test_downloads_never_replace_a_file(service: RunningService, tmp_path: Path) -> None:
    (tmp_path / "lamp.txt").write_text("Lamp oil is kept in shed four.")
    async with open_session(tmp_path / "home", account_of(service)) as session:
        await session.library.open()
        await session.uploads.add([tmp_path / "lamp.txt"])
        await until(lambda: states(session) == {"lamp.txt": "done"}, "it is ready")
        file = session.library.file(session.uploads.rows()[0].file_id)
        link = session.library.link(file)
        ids = [await session.downloads.fetch(link, file.file_name, origin="library:x") for _ in range(2)]
        await until(lambda: all(session.downloads.row(i).state == "done" for i in ids), "both are there")
        paths = [Path(session.downloads.row(i).path) for i in ids]
        assert [p.name for p in paths] == ["lamp.txt", "lamp (2).txt"]
        assert all(p.read_text() == "Lamp oil is kept in shed four." for p in paths)
