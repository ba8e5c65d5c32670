"""Faults of downloads: cut, too long, too short, no room, hostile names."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from carrel.api import connect, safe_name
from carrel.model import (
    BadAnswer,
    ServiceError,
    Unreachable,
)
from fault_files import CONTENT, Shelf, downloaded, memory
from faulty import Peer, faulty, faulty_thread

GROUP = "files"


async def test_download_of_half_a_gb_and_its_memory(tmp_path: Path) -> None:
    block = bytes(1 << 20)

    async def handler(peer: Peer) -> None:
        await peer.head(200, {"content-length": str(len(block) * 500)})
        for _ in range(500):
            await peer.raw(block)

    before, most = memory(), 0

    def progress(_done: int, _total: int | None) -> None:
        nonlocal most
        most = max(most, memory())

    with faulty_thread(handler) as server:
        async with connect(server.account()) as service:
            path = await service.download("/file", tmp_path / "big.bin", progress)
    assert path.stat().st_size == len(block) * 500
    assert most - before < 60 << 20


@pytest.mark.parametrize("ranges", [True, False], ids=["ranges", "no ranges"])
async def test_download_cut_and_resumed(tmp_path: Path, ranges: bool) -> None:
    shelf = Shelf(cuts=2, ranges=ranges)
    asked: list[str] = []

    async def handler(peer: Peer) -> None:
        asked.append(peer.seen.headers.get("range", ""))
        await shelf(peer)

    path = await downloaded(handler, tmp_path / "a.pdf", size=len(CONTENT))
    assert path.read_bytes() == CONTENT
    assert [bool(each) for each in asked] == ([False, True, True] if ranges else [False, False, False])
    assert os.listdir(tmp_path) == ["a.pdf"]


async def test_download_cut_for_good_leaves_no_file_but_can_be_resumed(tmp_path: Path) -> None:
    shelf = Shelf(cuts=3)
    with pytest.raises(Unreachable) as caught:
        await downloaded(shelf, tmp_path / "a.pdf")
    assert caught.value.message
    assert sorted(os.listdir(tmp_path)) == ["a.pdf.part", "a.pdf.part.json"]
    there = (tmp_path / "a.pdf.part").stat().st_size
    assert 0 < there < len(CONTENT)
    path = await downloaded(shelf, tmp_path / "a.pdf")
    assert path.read_bytes() == CONTENT
    assert os.listdir(tmp_path) == ["a.pdf"]


async def test_download_resumed_after_the_file_changed_begins_anew(tmp_path: Path) -> None:
    shelf = Shelf(cuts=3)
    with pytest.raises(Unreachable):
        await downloaded(shelf, tmp_path / "a.pdf")
    shelf.content = CONTENT[::-1]
    path = await downloaded(shelf, tmp_path / "a.pdf")
    assert path.read_bytes() == CONTENT[::-1]


async def test_download_cut_without_ranges_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(Unreachable):
        await downloaded(Shelf(cuts=3, ranges=False), tmp_path / "a.pdf")
    assert os.listdir(tmp_path) == []


async def test_download_cancelled(tmp_path: Path) -> None:
    async def handler(peer: Peer) -> None:
        await peer.head(200, {"content-length": "100000000"})
        await peer.raw(bytes(3_000_000))
        await peer.gone()
        peer.close()

    async with faulty(handler) as server, connect(server.account()) as service:
        started = asyncio.Event()
        place = tmp_path / "a.pdf"
        task = asyncio.ensure_future(service.download("/file", place, lambda _done, _total: started.set()))
        await asyncio.wait_for(started.wait(), 10)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
    assert os.listdir(tmp_path) == []


async def test_download_whose_part_is_taken_away(tmp_path: Path) -> None:
    came = asyncio.Event()

    async def stalls(peer: Peer) -> None:
        await peer.head(200, {"content-length": "100000000", "accept-ranges": "bytes", "etag": '"1"'})
        await peer.raw(bytes(3_000_000))
        await peer.gone()
        peer.close()

    async with faulty(stalls) as server, connect(server.account()) as service:
        place = tmp_path / "a.pdf"
        task = asyncio.ensure_future(service.download("/file", place, lambda _done, _total: came.set()))
        await asyncio.wait_for(came.wait(), 10)
        (tmp_path / "a.pdf.part").unlink()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        assert os.listdir(tmp_path) == []
    path = await downloaded(Shelf(), place)
    assert path == place
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("told", [len(CONTENT) - 1, 10], ids=["by a byte", "by far"])
async def test_download_too_long(tmp_path: Path, told: int) -> None:
    async def endless(peer: Peer) -> None:
        await peer.head(200, {"connection": "close"})
        await peer.raw(CONTENT)
        peer.close()

    with pytest.raises(BadAnswer, match="bytes"):
        await downloaded(endless, tmp_path / "a.pdf", size=told)
    assert os.listdir(tmp_path) == []


async def test_download_too_short_without_a_length(tmp_path: Path) -> None:
    async def short(peer: Peer) -> None:
        await peer.head(200, {"connection": "close"})
        await peer.raw(CONTENT[:100])
        peer.close()

    with pytest.raises(BadAnswer, match="100 bytes instead"):
        await downloaded(short, tmp_path / "a.pdf", size=len(CONTENT))
    assert os.listdir(tmp_path) == []


async def test_disk_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=len(CONTENT)))
    with pytest.raises(ServiceError) as caught:
        await downloaded(Shelf(), tmp_path / "a.pdf")
    assert (caught.value.code, caught.value.title) == ("disk_full", "The disk is full")
    assert caught.value.remedy
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
async def test_disk_full_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "a.pdf.part").symlink_to("/dev/full")
    with pytest.raises(ServiceError) as caught:
        await downloaded(Shelf(), tmp_path / "a.pdf")
    assert caught.value.code in {"disk_full", "disk"}
    assert "a.pdf" not in os.listdir(tmp_path)


async def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ServiceError) as caught:
        await downloaded(Shelf(), tmp_path / "file" / "a.pdf")
    assert caught.value.code == "disk"


@pytest.mark.parametrize(
    "said", ["../../evil.txt", "/etc/passwd", "a\u202etxt.exe", "nul", "x" * 400 + ".pdf", "", "a/b\\c:d*.txt"]
)
async def test_hostile_names(tmp_path: Path, said: str) -> None:
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    path = await downloaded(Shelf(), chosen / safe_name(said))
    assert path.parent == chosen
    assert path.read_bytes() == CONTENT
    assert os.listdir(tmp_path) == ["chosen"]


async def test_two_downloads_of_one_name(tmp_path: Path) -> None:
    async with faulty(Shelf()) as server, connect(server.account()) as service:
        paths = await asyncio.gather(*(service.download("/file", tmp_path / "a.pdf") for _ in range(4)))
    assert {path.name for path in paths} == {"a.pdf", "a (2).pdf", "a (3).pdf", "a (4).pdf"}
    assert all(path.read_bytes() == CONTENT for path in paths)


async def test_progress_of_a_download(tmp_path: Path) -> None:
    steps: list[tuple[int, int | None]] = []
    await downloaded(Shelf(), tmp_path / "a.pdf", progress=lambda *step: steps.append(step))
    assert steps == sorted(steps)
    assert steps[-1] == (len(CONTENT), len(CONTENT))
