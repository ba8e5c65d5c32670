"""Figures of the API layer against a baseline of the same run: transfers beside curl, stream events, the budget.

Run `python tests/bench/api.py [bytes]` from the repository's root; it prints ratios and fails on none.
"""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parent.parent))

from carrel.api import background, connect
from carrel.model import Account, ChatRequest, Content, LibraryQuery, SearchQuery
from faulty import Peer, faulty_thread

ROUNDS = 5
KEPT: list[Any] = []
"""The one application, which Qt wants to outlive its loops."""

Job = Callable[[], Awaitable[None]]


@dataclass
class Measured:
    """One run: seconds, the loop's longest stop in milliseconds, bytes of memory more than before."""

    seconds: float
    still: float
    memory: int


def in_memory() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


async def measured(job: Job) -> Measured:
    """Run a job beside a heartbeat of 5 ms, and a look at memory with each beat."""
    loop = asyncio.get_running_loop()
    before = most = in_memory()
    last, still = loop.time(), 0.0
    ended = False

    def beat() -> None:
        nonlocal last, still, most
        still = max(still, loop.time() - last - 0.005)
        last = loop.time()
        most = max(most, in_memory())
        if not ended:
            loop.call_later(0.005, beat)

    beat()
    began = time.monotonic()
    await job()
    took = time.monotonic() - began
    ended = True
    await asyncio.sleep(0.02)
    return Measured(took, still * 1000, most - before)


def on_asyncio(job: Job) -> Measured:
    return asyncio.run(measured(job))


def on_qt(job: Job) -> Measured:
    from PySide6.QtWidgets import QApplication

    from carrel.loop import Loop

    if not KEPT:
        KEPT.append(QApplication([]))
    with asyncio.Runner(loop_factory=lambda: Loop(KEPT[0])) as runner:
        result = runner.run(measured(job))
    gc.collect()  # here, and not in the thread of some server
    return result


def curl(url: str, to: str, *options: str) -> float:
    began = time.monotonic()
    subprocess.run(["curl", "-sS", "-o", to, *options, url], check=True)
    return time.monotonic() - began


def transfers(folder: Path, size: int) -> None:
    """Uploads and downloads of one file, curl and ours in turn, against the same server process."""
    path = folder / "big.zip"
    with path.open("wb") as file:
        for _ in range(size >> 20):
            file.write(os.urandom(1 << 10) * 1024)
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("api_sink.py")), str(path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        account = _account(int(server.stdout.readline()))
        up, down = f"{account.base_url}/external/upload", f"{account.base_url}/file"

        async def upload() -> None:
            async with connect(account) as service:
                await service.upload([path], "", lambda _done, _total: None)

        got: list[Path] = []

        async def download() -> None:
            async with connect(account) as service:
                got.append(await service.download("/file", folder / "got.bin", lambda _done, _total: None))

        def curl_down() -> float:
            """As ours, to the disk for certain."""
            took = curl(down, str(place))
            began = time.monotonic()
            with place.open("rb") as file:
                os.fsync(file.fileno())
            return took + time.monotonic() - began

        def tidy() -> None:
            """Each begins with the same room: memory that was just given back is faster than what nobody used yet."""
            for old in (*got, place):
                old.unlink(missing_ok=True)
            got.clear()

        place = folder / "curl.bin"
        _compare("upload", size, lambda: curl(up, os.devnull, "-F", f"files=@{path}"), upload, tidy)
        print(f"download  server   {size / curl(down, os.devnull) / 1e6:6.0f} MB/s at most, written nowhere")
        _compare("download", size, curl_down, download, tidy)
    finally:
        server.kill()
        server.wait()


def _compare(name: str, size: int, baseline: Callable[[], float], job: Job, tidy: Callable[[], None]) -> None:
    """Print what `job` does beside `baseline`, in turn; `tidy` goes before each."""
    baseline()
    curls: list[float] = []
    ours: dict[str, list[Measured]] = {"asyncio": [], "Qt": []}
    for _ in range(ROUNDS):
        tidy()
        curls.append(baseline())
        tidy()
        ours["asyncio"].append(on_asyncio(job))
        tidy()
        ours["Qt"].append(on_qt(job))
    theirs = statistics.median(curls)
    print(f"{name:9} curl     {size / theirs / 1e6:6.0f} MB/s")
    for loop, runs in ours.items():
        seconds = statistics.median(run.seconds for run in runs)
        ratio = statistics.median(base / run.seconds for base, run in zip(curls, runs, strict=True))
        still = statistics.median(run.still for run in runs)
        memory = max(run.memory for run in runs) / 1e6
        print(
            f"{name:9} {loop:8} {size / seconds / 1e6:6.0f} MB/s  {ratio:5.2f} of curl"
            f"  longest stop {still:5.1f} ms  memory +{memory:.0f} MB"
        )


def events(count: int) -> None:
    """Events of one stream, from the socket to typed values, on both loops."""

    async def handler(peer: Peer) -> None:
        await peer.begin_stream()
        for number in range(count // 500):
            event = f'event: content\ndata: {{"content": "word {number} "}}\n\n'
            await peer.raw(event.encode() * 500)
        await peer.event("done", {})
        peer.close()

    with faulty_thread(handler) as server:
        account = server.account()

        async def read() -> None:
            async with connect(account) as service:
                seen = 0
                async for event in service.chat(ChatRequest(content="x")):
                    seen += isinstance(event, Content)
            assert seen == count

        for name, run in (("asyncio", on_asyncio), ("Qt", on_qt)):
            runs = [run(read) for _ in range(ROUNDS)]
            seconds = statistics.median(each.seconds for each in runs)
            still = statistics.median(each.still for each in runs)
            print(f"stream    {name:8} {count / seconds:8.0f} events/s  longest stop {still:5.1f} ms")


def budget(calls: int, limit: int, window: float) -> None:
    """Four panes that need more than a window allows, and a person who calls by hand meanwhile."""
    ends, used, refused = 0.0, 0, 0

    async def handler(peer: Peer) -> None:
        nonlocal ends, used, refused
        if time.time() >= ends:
            ends, used = time.time() + window, 0
        used += 1
        refused += used > limit
        headers = {
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Remaining": str(max(0, limit - used)),
            "X-RateLimit-Reset": str(int(ends)),
        }
        await peer.json({"items": []}, 200 if used <= limit else 429, headers)

    with faulty_thread(handler) as server:
        waits: list[float] = []
        done = 0

        async def pane(service: Any) -> None:
            nonlocal done
            with background():
                for _ in range(calls // 4):
                    await service.library(LibraryQuery())
                    done += 1

        async def person(service: Any, panes: asyncio.Future[Any]) -> None:
            while not panes.done():
                began = time.monotonic()
                await service.search(SearchQuery(keyword="x"))
                waits.append(time.monotonic() - began)
                await asyncio.sleep(window / 8)

        async def all_of_it() -> None:
            async with connect(server.account()) as service:
                panes = asyncio.gather(*(pane(service) for _ in range(4)))
                await person(service, panes)
                await panes

        run = on_asyncio(all_of_it)
    print(
        f"budget    {done} of {calls} calls of four panes and {len(waits)} of a person, {limit} in {window:.0f} s:"
        f" {refused} x 429, a person waited {max(waits) * 1000:.0f} ms at most, {run.seconds:.0f} s in all"
    )


def _account(port: int) -> Account:
    return Account(base_url=f"http://127.0.0.1:{port}", client_id="bench", api_key=f"bench-{port}", secret="bench")


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000_000
    size -= size % (1 << 20)
    if shutil.which("curl"):
        # In memory where there is such a folder: the code is compared, not the disk.
        where = "/dev/shm" if Path("/dev/shm").is_dir() else None
        with tempfile.TemporaryDirectory(dir=where) as folder:
            transfers(Path(folder), size)
    events(200_000)
    budget(260, 100, 10.0)


if __name__ == "__main__":
    main()
