"""Transfers against a service that misbehaves: refused batches, lost answers, cuts, restarts, kills."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from carrel.work.session import Session
from faulty import Peer, faulty, routes
from sessions import open_session, until

UPLOAD = "POST /external/upload"
LIST = "GET /external/libraries"
SEARCH_FOR = {"created_at": "2030-01-01T00:00:00", "state": "success", "provider": "file"}


def page(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"total_items": len(items), "providers": {}, "page": 1, "page_size": 100, "total_pages": 1, "items": items}


def listing(*items: dict[str, Any]) -> Callable[[Peer], Any]:
    async def answer(peer: Peer) -> None:
        await peer.json(page(list(items)))

    return answer


def sent_names(body: bytes) -> list[str]:
    return [part.split(b'"')[0].decode() for part in body.split(b'filename="')[1:]]


async def accept(peer: Peer) -> None:
    names = sent_names(await peer.body())
    data = [{"id": f"id-{n}", "file_name": n, "state": "success", "provider": "file"} for n in names]
    await peer.json({"message": "ok", "data": data})


def states(session: Session) -> dict[str, str]:
    return {row.name: row.state for row in session.uploads.rows()}


def notes(folder: Path, *names: str) -> list[Path]:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text(f"This is {name}.")
    return [folder / name for name in names]


async def test_a_refused_batch_is_sent_again_one_by_one(tmp_path: Path) -> None:
    async def picky(peer: Peer) -> None:
        names = sent_names(await peer.body())
        if "bad.txt" in names:
            await peer.json({"error": "bad_file", "message": "bad.txt is damaged."}, 400)
        else:
            await accept(peer)

    async with faulty(routes({UPLOAD: picky, LIST: listing()})) as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            await session.uploads.add(notes(tmp_path / "in", "a.txt", "bad.txt", "c.txt"))
            await until(lambda: set(states(session).values()) == {"done", "failed"}, "all have ended")
            assert states(session) == {"a.txt": "done", "bad.txt": "failed", "c.txt": "done"}
            assert "bad.txt is damaged." in session.uploads.rows()[1].error
        assert sorted(len(sent_names(seen.body)) for seen in server.asked("/external/upload")) == [1, 1, 1, 3]


async def test_a_lost_answer_is_looked_for_before_anything_is_sent_again(tmp_path: Path) -> None:
    there: list[dict[str, Any]] = []

    async def lose(peer: Peer) -> None:
        await peer.body()
        peer.reset()

    async def found(peer: Peer) -> None:
        await peer.json(page(there))

    async with faulty(routes({UPLOAD: lose, LIST: found})) as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            await session.uploads.add(notes(tmp_path / "in", "a.txt"), "Inbox")
            await until(lambda: states(session) == {"a.txt": "interrupted"}, "the answer is lost")
            row = session.uploads.rows()[0]
            assert row.error.startswith("Perhaps not sent. Look in the library first.")
            there.append({"id": "7", "file_name": "a.txt", "folder_path": ["Inbox"], **SEARCH_FOR})
            await session.uploads.retry(row.id)
            await until(lambda: states(session) == {"a.txt": "done"}, "it was found in the library")
            assert session.uploads.rows()[0].file_id == "7"
        assert len(server.asked("/external/upload")) == 1


async def test_without_a_service_the_queue_waits_and_goes_on(tmp_path: Path) -> None:
    async with faulty(routes({UPLOAD: accept, LIST: listing()})) as server:
        account = server.account()
    async with open_session(tmp_path / "home", account) as session:
        await session.uploads.add(notes(tmp_path / "in", "a.txt", "b.txt"))
        await until(lambda: session.uploads.held, "the queue is held")
        assert set(states(session).values()) == {"waiting"}
        assert session.uploads.held.startswith("Nothing answers at this address.")
    async with faulty(routes({UPLOAD: accept, LIST: listing()})) as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            await until(lambda: set(states(session).values()) == {"done"}, "what waited goes on after a restart")
        assert len(server.asked("/external/upload")) == 1


async def test_a_download_is_paused_and_goes_on_where_it_was(tmp_path: Path) -> None:
    content = bytes(range(256)) * 20_000
    ranges: list[str] = []

    async def slowly(peer: Peer) -> None:
        asked = peer.seen.headers.get("range", "")
        ranges.append(asked)
        begin = int(asked.removeprefix("bytes=").rstrip("-") or 0)
        left = content[begin:]
        headers = {"Content-Length": str(len(left)), "ETag": '"one"', "Accept-Ranges": "bytes"}
        if begin:
            headers["Content-Range"] = f"bytes {begin}-{len(content) - 1}/{len(content)}"
        await peer.head(206 if begin else 200, headers)
        half = len(left) if begin else len(left) // 2
        await peer.raw(left[:half])
        if not begin:
            await asyncio.sleep(30)

    async with (
        faulty(routes({"GET /files/1": slowly})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        row_id = await session.downloads.fetch(f"{server.url}/files/1", "data.csv", size=len(content))
        await until(lambda: session.downloads.row(row_id).moved > 2_000_000, "half has come")
        await session.downloads.pause(row_id)
        assert session.downloads.row(row_id).state == "paused"
        await session.downloads.resume(row_id)
        row = await session.downloads.wait(row_id)
        assert row is not None, session.downloads.rows()
        assert await asyncio.to_thread(Path(row.path).read_bytes) == content
    assert ranges[0] == ""
    assert ranges[1].startswith("bytes=2")


async def test_a_cancelled_download_leaves_nothing(tmp_path: Path) -> None:
    async def stuck(peer: Peer) -> None:
        await peer.head(200, {"Content-Length": "5000000", "ETag": '"one"', "Accept-Ranges": "bytes"})
        await peer.raw(b"x" * 3_000_000)
        await asyncio.sleep(30)

    async with (
        faulty(routes({"GET /files/1": stuck})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        row_id = await session.downloads.fetch(f"{server.url}/files/1", "data.csv")
        await until(lambda: session.downloads.row(row_id).moved > 1_000_000, "bytes came")
        await session.downloads.cancel(row_id)
        assert session.downloads.row(row_id).state == "cancelled"
        await until(lambda: not any(session.downloads.folder.iterdir()), "nothing is left of it")


KILLED = """
import asyncio, json, os, signal, sys
from pathlib import Path
from carrel.model import Account
from sessions import open_session, until

async def main(home, account, file):
    async with open_session(Path(home), Account(**account)) as session:
        await session.uploads.add([Path(file)])
        await session.downloads.fetch(account["base_url"] + "/files/1", "data.csv")
        moving = lambda: session.uploads.rows()[0].moved and session.downloads.rows()[0].moved
        await until(moving, "both are moving")
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]))
"""


async def test_a_kill_leaves_both_interrupted_and_nothing_is_sent_by_itself(tmp_path: Path) -> None:
    patient = asyncio.Event()

    async def slow_upload(peer: Peer) -> None:
        if patient.is_set():
            await accept(peer)
            return
        await peer.some(3_000_000)
        await asyncio.sleep(30)

    async def slow_download(peer: Peer) -> None:
        content = b"whole\n" if patient.is_set() else b"x" * 3_000_000
        await peer.head(200, {"Content-Length": str(len(content) * (1 if patient.is_set() else 3))})
        await peer.raw(content)
        if not patient.is_set():
            await asyncio.sleep(30)

    big = tmp_path / "big.txt"
    await asyncio.to_thread(big.write_text, "many lines\n" * 2_000_000)
    table = {UPLOAD: slow_upload, LIST: listing(), "GET /files/1": slow_download}
    async with faulty(routes(table)) as server:
        fields = {
            "base_url": server.url,
            **dict(zip(("client_id", "api_key", "secret"), server.account().secrets(), strict=True)),
        }
        command = [sys.executable, "-c", KILLED, str(tmp_path / "home"), json.dumps(fields), str(big)]
        killed = await asyncio.to_thread(
            subprocess.run, command, cwd=Path(__file__).parents[1], timeout=60, check=False
        )
        assert killed.returncode == -signal.SIGKILL
        patient.set()
        async with open_session(tmp_path / "home", server.account()) as session:
            up, down = session.uploads.rows()[0], session.downloads.rows()[0]
            assert (up.state, down.state) == ("interrupted", "interrupted")
            await asyncio.sleep(0.3)
            assert len(server.asked("/external/upload")) == len(server.asked("/files/1")) == 1
            await session.uploads.retry(up.id)
            await session.downloads.retry(down.id)
            await until(lambda: session.uploads.row(up.id).state == "done", "the upload went when asked")
            row = await session.downloads.wait(down.id)
            assert row is not None, session.downloads.rows()
            assert await asyncio.to_thread(Path(row.path).read_bytes) == b"whole\n"


async def test_large_files_go_alone_and_three_at_once(tmp_path: Path) -> None:
    at_once: list[int] = []
    under_way = 0
    go = asyncio.Event()

    async def hold(peer: Peer) -> None:
        nonlocal under_way
        under_way += 1
        at_once.append(under_way)
        await peer.body()
        await go.wait()
        under_way -= 1
        await accept(peer)

    (tmp_path / "in").mkdir()
    large = [tmp_path / "in" / f"large-{number}.txt" for number in range(5)]
    for file in large:
        await asyncio.to_thread(file.write_text, f"{file.name}\n" * 400_000)
    async with (
        faulty(routes({UPLOAD: hold, LIST: listing()})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        await session.uploads.add(large)
        await until(lambda: under_way == 3, "three are under way")
        await asyncio.sleep(0.2)
        assert under_way == 3
        go.set()
        await until(lambda: set(states(session).values()) == {"done"}, "all are sent")
        assert max(at_once) == 3
        assert [len(sent_names(seen.body)) for seen in server.asked("/external/upload")] == [1] * 5
