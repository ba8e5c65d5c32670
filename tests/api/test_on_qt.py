"""The same on the loop of Qt, where a timer that is cancelled stays until it would have fired."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pytestqt.qtbot import QtBot

from carrel.api import Service, connect
from carrel.loop import Loop
from carrel.model import ChatRequest, Content, LibraryQuery
from faulty import Peer, faulty_thread, routes


async def _stream(peer: Peer) -> None:
    await peer.begin_stream()
    for number in range(300):
        await peer.event("content", {"content": str(number)})
        await asyncio.sleep(0)
    await peer.event("done", {})
    peer.close()


async def _upload(peer: Peer) -> None:
    await peer.body()
    await peer.json({"data": []})


async def _file(peer: Peer) -> None:
    await peer.answer(bytes(3_000_000))


async def _endless(peer: Peer) -> None:
    await peer.begin_stream()
    await peer.event("content", {"content": "x"})
    await peer.gone()
    peer.close()


async def _library(peer: Peer) -> None:
    await peer.json({"items": []})


SERVICE = routes(
    {
        "POST /external/conversations": _stream,
        "POST /external/conversations/c": _endless,
        "POST /external/upload": _upload,
        "GET /external/libraries": _library,
        "GET /file": _file,
    }
)


def _on_qt(qtbot: QtBot, job: Callable[[Service], Awaitable[None]]) -> int:
    """Run a job on the loop of Qt; how many timers it leaves."""

    async def run() -> int:
        with faulty_thread(SERVICE) as server:
            async with connect(server.account()) as service:
                await asyncio.wait_for(job(service), 60)
        return len(asyncio.get_running_loop()._timer._SimpleTimer__callbacks)  # type: ignore[attr-defined]

    assert qtbot is not None
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(run())


def test_streams_leave_no_heap_of_timers(qtbot: QtBot) -> None:
    async def job(service: Service) -> None:
        for _ in range(4):
            words = [event async for event in service.chat(ChatRequest(content="x")) if isinstance(event, Content)]
            assert len(words) == 300

    assert _on_qt(qtbot, job) < 30


def test_transfers_leave_no_heap_of_timers(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "big.zip"
    path.write_bytes(bytes(20_000_000))

    async def job(service: Service) -> None:
        await service.upload([path])
        got = await service.download("/file", tmp_path / "got.bin")
        assert got.stat().st_size == 3_000_000

    assert _on_qt(qtbot, job) < 30


@pytest.mark.parametrize("presses", [1, 2, 3])
def test_stop_closes_the_stream(qtbot: QtBot, presses: int) -> None:
    async def read(service: Service, begun: asyncio.Event) -> None:
        async for _ in service.continue_chat("c", ChatRequest(content="x")):
            begun.set()

    async def job(service: Service) -> None:
        for _ in range(20):
            begun = asyncio.Event()
            task = asyncio.ensure_future(read(service, begun))
            await begun.wait()
            for _ in range(presses):
                task.cancel()
                await asyncio.sleep(0)
            await asyncio.gather(task, return_exceptions=True)
            assert task.cancelled()
        assert (await service.library(LibraryQuery())).items == ()

    _on_qt(qtbot, job)
