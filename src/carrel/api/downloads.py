"""A download: to `NAME.part` in a thread, resumed where the service allows it, checked, then given its name."""

from __future__ import annotations

import asyncio
import errno
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

from carrel.api.answer import MOVED, Answer
from carrel.api.call import Call, Tries
from carrel.api.http import Wire
from carrel.api.links import joined
from carrel.api.meter import Meter, Progress
from carrel.api.partial import NoSpace, Partial
from carrel.model import BadAnswer, InvalidRequest, NotFound, ServiceError, SignInNeeded, Unreachable
from carrel.model.account import origin_of

T = TypeVar("T")

MOST_HOPS = 5

BATCH = 2 << 20
"""Bytes that are written at once, while the next are received."""


async def fetch(wire: Wire, url: str, destination: Path, progress: Progress | None, size: int | None) -> Path:
    """See `Service.download`. A cut is resumed by itself, from where it was if the service allows ranges."""
    if not url.strip():
        raise InvalidRequest("There is no link to download from.", sent="no")
    partial = Partial(Path(destination), wire.full(url))
    tries = Tries(wire.limits, again=True)
    async with _Disk(partial.leave) as disk:
        while True:
            try:
                await _once(wire, partial, disk, progress, size)
                return await disk.do(partial.finish)
            except ServiceError as error:
                await asyncio.sleep(tries.pause(error))


class _Disk:
    """One thread for what touches the disk, in order; what is left to do there is done also after a cancel."""

    def __init__(self, last: Callable[[], None]) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="carrel-download")
        self._last = last
        self._begun: asyncio.Future[None] | None = None

    async def __aenter__(self) -> _Disk:
        return self

    async def __aexit__(self, *_: object) -> None:
        last = asyncio.get_running_loop().run_in_executor(self._thread, self._last)
        self._thread.shutdown(wait=False)
        await asyncio.shield(last)
        if self._begun is not None:
            self._begun.exception()  # it has ended too: the thread works in order

    async def begin(self, work: Callable[..., None], *arguments: object) -> None:
        """Begin a piece of work once the one before has ended; its own error comes with the next call."""
        await self._ended()
        self._begun = asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def do(self, work: Callable[..., T], *arguments: object) -> T:
        """The result of a piece of work, after all that was begun before."""
        await self._ended()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)
        except OSError as error:
            raise _disk_error(error) from None

    async def _ended(self) -> None:
        begun, self._begun = self._begun, None
        if begun is not None:
            try:
                await begun
            except OSError as error:
                raise _disk_error(error) from None


async def _once(wire: Wire, partial: Partial, disk: _Disk, progress: Progress | None, size: int | None) -> None:
    at, ask = await disk.do(partial.begin)
    async with _followed(wire, partial.link, ask) as answer:
        if answer.status == 416:  # what is here is not the beginning of what is there
            partial.forget()
            raise Unreachable("The file has changed at the service.", sent="yes")
        begins = _begins(answer)
        if begins not in {0, at}:
            partial.forget()
            raise BadAnswer("The service sent another part of the file than was asked for.", status=answer.status)
        length = _number(answer.headers.get("content-length", ""))
        packed = answer.headers.get("content-encoding", "").strip().lower() not in {"", "identity"}
        await disk.do(partial.accept, begins, length, "" if packed else _validator(answer))
        total = begins + length if length is not None and not packed else size
        meter = Meter(progress, total, wire.limits.progress, begins)
        if answer.bare and length is not None and not packed and size in {None, total}:
            await _hand_over(answer, partial, disk, meter, length)
        else:
            await _pour(answer, partial, disk, meter, size)
    if length is not None and answer.received != length:
        raise Unreachable("The connection broke before the file was whole.", sent="yes")
    if size is not None and meter.done != size:
        partial.forget()
        raise BadAnswer(f"The file has {meter.done} bytes instead of the {size} that the service told.")
    meter.tell()


async def _hand_over(answer: Answer, partial: Partial, disk: _Disk, meter: Meter, length: int) -> None:
    """Write the first piece of the body; the disk's thread takes the others off the socket itself."""
    async with aclosing(answer.unpacked()) as pieces:
        piece = await anext(pieces, b"")
        await disk.do(partial.append, piece)
        meter.add(len(piece))
        if left := length - answer.received:

            def arrived(count: int) -> None:
                meter.done += count
                meter.tell()

            pour = answer.handed_over(left)
            await answer.poured(pour, disk.do(pour.into, partial.append), meter.apart, arrived)


async def _pour(answer: Answer, partial: Partial, disk: _Disk, meter: Meter, size: int | None) -> None:
    """Write the body in batches as it comes; `meter` counts it. What came before a cut is written too."""
    pieces: list[bytes] = []
    held = 0
    try:
        async with aclosing(answer.unpacked()) as unpacked:
            async for piece in unpacked:
                pieces.append(piece)
                held += len(piece)
                if size is not None and meter.done + held > size:
                    partial.forget()
                    raise BadAnswer(f"The file has more than the {size} bytes that the service told.")
                if held >= BATCH:
                    meter.add(held)
                    await disk.begin(partial.write, pieces)
                    pieces, held = [], 0
    except Unreachable:
        await disk.do(partial.write, pieces)
        raise
    meter.done += held
    await disk.do(partial.write, pieces)


@asynccontextmanager
async def _followed(wire: Wire, link: str, ask: Mapping[str, str]) -> AsyncIterator[Answer]:
    """The answer at the end of a link's redirects.

    Credentials go to the account's own origin, and after a redirect away from it nowhere, not even back.
    """
    known = origin_of(link) == wire.account.origin
    for _ in range(MOST_HOPS):
        with _expiry(known):
            async with wire.opened(_get(wire, link, ask, known)) as answer:
                if not answer.moved:
                    yield answer
                    return
                link = _hop(link, answer)
        known = known and origin_of(link) == wire.account.origin
    raise BadAnswer("The link leads from one redirect to the next without an end.")


def _get(wire: Wire, link: str, ask: Mapping[str, str], known: bool) -> Call:
    return Call(
        "GET",
        link,
        accept="*/*",
        own=True,
        bare=True,
        answer=wire.limits.write,
        headers=ask,
        takes=MOVED | {416},
        counted=known,
        known=known,
    )


def _hop(link: str, answer: Answer) -> str:
    target = joined(link, answer.headers.get("location", ""))
    if link.startswith("https:") and not target.startswith("https:"):
        raise BadAnswer("The link leads from a safe connection to an unsafe one, so it is not followed.")
    return target


@contextmanager
def _expiry(known: bool) -> Iterator[None]:
    """Say what a link's refusal means: mostly that it has expired, not that one must sign in."""
    try:
        yield
    except (NotFound, SignInNeeded) as error:
        if known and error.code == "invalid_credentials":
            raise
        raise NotFound(
            "The link no longer works: it has expired, or the file is gone.",
            title="The file is no longer there",
            remedy="Ask the service for a new link, by listing the library or running again.",
            status=error.status,
            code=error.code,
            details=error.message,
        ) from None


def _begins(answer: Answer) -> int:
    """The byte that an answer begins at."""
    if answer.status != 206:
        return 0
    found = re.match(r"bytes (\d{1,15})-", answer.headers.get("content-range", ""))
    return int(found[1]) if found else -1


def _validator(answer: Answer) -> str:
    """What tells this version of the file from another, where the service takes ranges; else nothing."""
    if answer.status != 206 and answer.headers.get("accept-ranges", "").strip().lower() != "bytes":
        return ""
    tag = answer.headers.get("etag", "")
    return "" if tag.startswith("W/") else tag


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _disk_error(error: OSError) -> ServiceError:
    if isinstance(error, NoSpace) or error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return ServiceError(
            "There is not enough room on the disk for this file.",
            title="The disk is full",
            remedy="Make room, or choose another folder, and try again.",
            code="disk_full",
        )
    return ServiceError(
        f"The file cannot be written: {(error.strerror or 'unknown reason').lower()}.",
        title="The file cannot be saved",
        remedy="Choose another folder.",
        code="disk",
    )
