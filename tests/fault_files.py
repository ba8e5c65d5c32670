"""A file to be downloaded from a faulty shelf, and the memory of this process."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from carrel.api import Limits, connect
from faulty import Handler, Peer, faulty

QUICK = Limits(backoff=0.01, write=0.4, taken=0.4)


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
