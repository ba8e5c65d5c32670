"""Faults of files: uploads that change or are refused on the way, downloads that are cut, too long or hostile."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from carrel.api import Limits, connect, safe_name, uploads
from carrel.model import (
    BadAnswer,
    ChatRequest,
    InvalidRequest,
    NotFound,
    ServiceError,
    SignInNeeded,
    TimedOut,
    Unreachable,
)
from faulty import Handler, Peer, faulty, faulty_thread, routes

GROUP = "files"
QUICK = Limits(backoff=0.01, write=0.4, taken=0.4)
GIGABYTE = 10**9


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "report.txt"
    path.write_bytes(b"words " * 1_000_000)
    return path


def memory() -> int:
    """Bytes of this process in memory, 0 where the system does not tell."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else 0


async def took_all(peer: Peer) -> None:
    """Take an upload without keeping it."""
    left = int(peer.seen.headers["content-length"])
    while left:
        left -= len(await peer.some(1 << 20))
    await peer.json({"data": [{"id": "f", "file_name": "x"}]})


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


async def test_an_upload_ends_within_a_second_of_its_cancel(tmp_path: Path) -> None:
    path = tmp_path / "big.zip"
    path.touch()
    os.truncate(path, GIGABYTE)
    async with faulty(took_all) as server, connect(server.account()) as service:
        started = asyncio.Event()
        task = asyncio.ensure_future(service.upload([path], "", lambda _done, _total: started.set()))
        await asyncio.wait_for(started.wait(), 10)
        began = time.monotonic()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        assert time.monotonic() - began < 1


CONTENT = bytes(range(256)) * 20_000


class Shelf:
    """A file to be downloaded, with the faults that a service may have."""

    def __init__(self, cuts: int = 0, ranges: bool = True, **headers: str) -> None:
        self.cuts, self.ranges, self.headers = cuts, ranges, headers
        self.content = CONTENT

    async def __call__(self, peer: Peer) -> None:
        begin = self._begin(peer.seen.headers)
        body = self.content[begin:]
        told = {"content-length": str(len(body)), "content-type": "application/pdf"} | self.headers
        if self.ranges:
            told |= {"accept-ranges": "bytes", "etag": f'"{hash(self.content)}"'}
        if begin:
            told |= {"content-range": f"bytes {begin}-{len(self.content) - 1}/{len(self.content)}"}
        await peer.head(206 if begin else 200, told)
        if self.cuts:
            self.cuts -= 1
            await peer.raw(body[: len(body) // 3])
            await asyncio.sleep(0.05)
            peer.reset()
        else:
            await peer.raw(body)

    def _begin(self, headers: dict[str, str]) -> int:
        same = headers.get("if-range") == f'"{hash(self.content)}"'
        asked = headers.get("range", "") if self.ranges and same else ""
        return int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0


async def downloaded(shelf: Handler, place: Path, **more: Any) -> Path:
    async with faulty(shelf) as server, connect(server.account(), limits=QUICK) as service:
        return await asyncio.wait_for(service.download("/file", place, **more), 30)


async def test_download_of_1_gb_and_its_memory(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("link", ["file:///etc/passwd", "ftp://x.example/a", "javascript:alert(1)", "", "data:,x"])
async def test_a_link_that_is_no_web_address(tmp_path: Path, link: str) -> None:
    async with faulty(Shelf()) as server, connect(server.account()) as service:
        with pytest.raises(InvalidRequest) as caught:
            await service.download(link, tmp_path / "a")
    assert caught.value.sent == "no"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("status", [401, 403, 404, 410])
async def test_a_link_that_has_expired_says_so(tmp_path: Path, status: int) -> None:
    async def handler(peer: Peer) -> None:
        await peer.answer(b"<Error>Expired</Error>", status, "application/xml")

    async with faulty(handler) as elsewhere, faulty(Shelf()) as server, connect(server.account()) as service:
        with pytest.raises(NotFound, match="no longer works"):
            await service.download(f"{elsewhere.url}/file?sig=1", tmp_path / "a.pdf")
    assert os.listdir(tmp_path) == []


async def test_keys_that_were_refused_are_not_an_expired_link(tmp_path: Path) -> None:
    async def handler(peer: Peer) -> None:
        await peer.json({"error": "invalid_credentials", "message": "No."}, 403)

    with pytest.raises(SignInNeeded):
        await downloaded(handler, tmp_path / "a.pdf")


def to(target: Callable[[], str]) -> Callable[[Peer], Awaitable[None]]:
    async def handler(peer: Peer) -> None:
        await peer.json({}, 302, headers={"Location": target()})

    return handler


async def test_credentials_stay_at_home(tmp_path: Path) -> None:
    async with faulty(Shelf()) as elsewhere:
        back: list[str] = []
        there = routes({"GET /file": Shelf(), "GET /back": to(lambda: back[0])})
        async with faulty(there) as other:
            table = {
                "GET /file": Shelf(),
                "GET /moved": to(lambda: f"{other.url}/file"),
                "GET /around": to(lambda: f"{other.url}/back"),
                "GET /within": to(lambda: "/file"),
            }
            async with faulty(routes(table)) as home, connect(home.account()) as service:
                back.append(f"{home.url}/file")
                for link in ("/file", f"{elsewhere.url}/file", "/moved", "/around", "/within"):
                    path = await service.download(link, tmp_path / "a.pdf")
                    assert path.read_bytes() == CONTENT
    with_keys = [seen.path for seen in home.seen if "x-api-key" in seen.headers]
    assert with_keys == ["/file", "/moved", "/around", "/within", "/file"]
    assert [seen.path for seen in home.seen if "x-api-key" not in seen.headers] == ["/file"], "not even back at home"
    for server in (elsewhere, other):
        assert server.seen
        assert all(not {"x-api-key", "x-secret", "x-client-id"} & set(seen.headers) for seen in server.seen)


async def test_redirects_without_an_end(tmp_path: Path) -> None:
    async with faulty(to(lambda: "/again")) as server, connect(server.account()) as service:
        with pytest.raises(BadAnswer, match="without an end"):
            await service.download("/file", tmp_path / "a.pdf")
    assert len(server.seen) == 5


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
