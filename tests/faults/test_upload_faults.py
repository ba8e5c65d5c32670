"""Faults of uploads: files that change or cannot be read, and services that refuse on the way."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from carrel.api import Limits, connect, uploads
from carrel.model import (
    ChatRequest,
    InvalidRequest,
    ServiceError,
    TimedOut,
    Unreachable,
)
from fault_files import QUICK, Shelf, memory, took_all
from faulty import Handler, Peer, faulty, faulty_thread, routes

GROUP = "files"


GIGABYTE = 10**9


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "report.txt"
    path.write_bytes(b"words " * 1_000_000)
    return path


async def uploaded(handler: Handler, paths: list[Path], limits: Limits = QUICK) -> Any:
    async with faulty(handler) as server, connect(server.account(), limits=limits) as service:
        try:
            return await asyncio.wait_for(service.upload(paths), 30)
        finally:
            assert len(server.seen) <= 1, "an upload must not be sent twice"


async def test_1_gb_up_and_its_memory(tmp_path: Path) -> None:
    path = tmp_path / "big.zip"
    path.touch()
    os.truncate(path, GIGABYTE)
    steps: list[int] = []
    before, most = memory(), 0

    def progress(done: int, total: int | None) -> None:
        nonlocal most
        assert total == GIGABYTE
        steps.append(done)
        most = max(most, memory())

    with faulty_thread(took_all) as server:
        async with connect(server.account()) as service:
            began = time.monotonic()
            await service.upload([path], "", progress)
            took = time.monotonic() - began
    assert steps[-1] == GIGABYTE
    assert len(steps) <= took * 20 + 3, "at most 20 times a second"
    assert most - before < 60 << 20, "both ends of the upload are in this process"


async def test_slow_disk(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = uploads.Source.read

    def slowly(source: uploads.Source, count: int) -> bytes:
        time.sleep(0.15)
        return read(source, count)

    monkeypatch.setattr(uploads.Source, "read", slowly)
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    heart = asyncio.create_task(beat())
    assert await uploaded(took_all, [document])
    heart.cancel()
    await asyncio.gather(heart, return_exceptions=True)
    assert beats > 20, "the loop went on while the disk did not"


@pytest.mark.parametrize("fault", ["grows", "shrinks", "is replaced", "vanishes between"])
async def test_file_changes_while_sent(document: Path, fault: str) -> None:
    async def handler(peer: Peer) -> None:
        await peer.some(1000)
        if fault == "grows":
            with document.open("ab") as file:
                file.write(b"more")
        elif fault == "shrinks":
            os.truncate(document, 3_000_000)
        elif fault == "is replaced":
            os.utime(document, (1, 1))
        while await peer.some(1 << 20):
            pass
        peer.close()

    paths = [document]
    if fault == "vanishes between":
        second = document.with_name("second.txt")
        second.write_text("x")
        paths.append(second)
        vanished = handler

        async def handler(peer: Peer) -> None:
            second.unlink()
            await vanished(peer)

    with pytest.raises(InvalidRequest) as caught:
        await uploaded(handler, paths)
    assert caught.value.sent == "perhaps"
    assert paths[-1].name in caught.value.message


@pytest.mark.parametrize("fault", ["missing", "folder", "empty", "type", "too large", "none"])
async def test_a_file_that_cannot_be_sent_is_named_before_anything_leaves(tmp_path: Path, fault: str) -> None:
    path = tmp_path / ("a.exe" if fault == "type" else "a.txt")
    if fault == "folder":
        path.mkdir()
    elif fault != "missing":
        path.write_text("" if fault == "empty" else "x")
    if fault == "too large":
        os.truncate(path, 2**30 + 1)
    async with faulty(took_all) as server, connect(server.account()) as service:
        with pytest.raises(InvalidRequest) as caught:
            await service.upload([] if fault == "none" else [path])
    assert caught.value.sent == "no"
    assert fault == "none" or path.name in caught.value.message
    assert server.connections == 0


@pytest.mark.parametrize("manner", ["reads on", "closes in order", "stops reading"])
async def test_early_413(tmp_path: Path, manner: str) -> None:
    path = tmp_path / "big.zip"
    path.touch()
    os.truncate(path, 200 << 20)
    taken = 0

    async def handler(peer: Peer) -> None:
        nonlocal taken
        await peer.head(413, {"content-length": "23", "connection": "close"})
        await peer.raw(b'{"message": "Too big."}')
        if manner == "reads on":
            while got := await peer.some(1 << 16):
                taken += len(got)
        elif manner == "stops reading":
            await asyncio.sleep(0.8)
        peer.close()

    with pytest.raises(ServiceError) as caught:
        await uploaded(handler, [path])
    if manner == "reads on":
        assert isinstance(caught.value, InvalidRequest)
        assert (caught.value.status, caught.value.message, caught.value.sent) == (413, "Too big.", "no")
        assert taken < 100 << 20, "what is refused is not sent to its end"
    else:
        assert isinstance(caught.value, InvalidRequest | Unreachable | TimedOut)
        assert caught.value.status == 413 or caught.value.sent == "perhaps"


async def test_the_service_takes_no_more(document: Path) -> None:
    async def handler(peer: Peer) -> None:
        await peer.some(1000)
        await asyncio.sleep(1.5)
        peer.close()

    os.truncate(document, 100 << 20)
    with pytest.raises(TimedOut):
        await uploaded(handler, [document])


async def test_an_upload_ends_at_its_cancel_and_not_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "big.zip"
    path.touch()
    os.truncate(path, GIGABYTE)
    taken, ended = 0, asyncio.Event()

    async def handler(peer: Peer) -> None:
        nonlocal taken
        while got := await peer.some(1 << 16):
            taken += len(got)
        ended.set()

    async with faulty(handler) as server, connect(server.account()) as service:
        started = asyncio.Event()
        task = asyncio.ensure_future(service.upload([path], "", lambda _done, _total: started.set()))
        await started.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        await ended.wait()
    assert 0 < taken < GIGABYTE, "the service sees the connection end"


async def test_transfers_and_chats_side_by_side(tmp_path: Path, document: Path) -> None:
    table = {
        "GET /file": Shelf(),
        "POST /external/upload": took_all,
        "POST /external/conversations": lambda peer: peer.reply("a"),
    }

    async def talk(service: Any) -> int:
        return len([event async for event in service.chat(ChatRequest(content="x"))])

    async with faulty(routes(table)) as server, connect(server.account()) as service:
        done = await asyncio.gather(
            *(service.download("/file", tmp_path / f"{number}.pdf") for number in range(5)),
            *(service.upload([document]) for _ in range(3)),
            *(talk(service) for _ in range(5)),
        )
    assert done[-5:] == [5] * 5
