"""An upload's body: multipart with a known length, its files read in a thread one chunk ahead of the wire."""

from __future__ import annotations

import asyncio
import mimetypes
import os
import secrets
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from carrel.api.limits import Limits
from carrel.api.meter import Meter, Progress
from carrel.model import InvalidRequest
from carrel.model.library import ACCEPTED, MOST_SIZE


@dataclass(frozen=True, slots=True)
class Part:
    """One file as it was when the upload began; `head` is what stands before its bytes."""

    path: Path
    size: int
    changed: int
    head: bytes


class Upload:
    """The body of one upload request (document: POST /external/upload); `prepared` makes one."""

    def __init__(self, parts: Sequence[Part], boundary: str, lead: bytes, limits: Limits) -> None:
        """`lead` is what stands before the first file."""
        self._parts, self._lead, self._limits = parts, lead, limits
        self._tail = f"\r\n--{boundary}--\r\n".encode()
        self.content_type = f"multipart/form-data; boundary={boundary}"
        self.length = len(lead) + sum(len(part.head) + part.size for part in parts) + len(self._tail)
        names = "\n".join(f"{part.path.name} ({part.size} bytes)" for part in parts)
        self.summary = f"multipart/form-data, {len(parts)} files\n{names}"
        self.progress: Progress | None = None

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The bytes; raises `InvalidRequest` where a file is not what it was when the upload began."""
        meter = Meter(self.progress, sum(part.size for part in self._parts), self._limits.progress)
        reader = ThreadPoolExecutor(1, thread_name_prefix="carrel-upload")
        try:
            lead = self._lead
            for part in self._parts:
                yield lead + part.head
                async with aclosing(_read_ahead(reader, part, self._limits.chunk)) as chunks:
                    async for chunk in chunks:
                        yield chunk
                        meter.add(len(chunk))
                lead = b""
            yield self._tail
            meter.tell()
        finally:
            reader.shutdown(wait=False)


async def prepared(paths: Sequence[Path], folder: str, progress: Progress | None, limits: Limits) -> Upload:
    """The body for `paths`, looked at in a thread; `InvalidRequest` names the file that cannot be sent."""
    if not paths:
        raise InvalidRequest("Choose at least one file.", sent="no")
    upload = await asyncio.to_thread(_prepare, [Path(path) for path in paths], folder, limits)
    upload.progress = progress
    return upload


def _prepare(paths: Sequence[Path], folder: str, limits: Limits) -> Upload:
    boundary = f"carrel-{secrets.token_hex(16)}"
    lead = b""
    if folder:
        lead = f'--{boundary}\r\nContent-Disposition: form-data; name="folder_paths"\r\n\r\n{folder}\r\n'.encode(
            "utf-8", "replace"
        )
    parts: list[Part] = []
    for path in paths:
        before = "\r\n" if parts else ""
        parts.append(_part(path, f"{before}--{boundary}\r\n"))
    return Upload(parts, boundary, lead, limits)


def _part(path: Path, before: str) -> Part:
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
    except OSError as error:
        raise _unsendable(path, f"cannot be read ({(error.strerror or 'unknown reason').lower()})") from None
    if path.suffix.lstrip(".").lower() not in ACCEPTED:
        raise _unsendable(path, "is of a type that the service does not take")
    if status.st_size == 0:
        raise _unsendable(path, "is empty")
    if status.st_size > MOST_SIZE:
        raise _unsendable(path, "is larger than 1 GB, the most that the service takes")
    name = _escaped(path.name)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    head = f'{before}Content-Disposition: form-data; name="files"; filename="{name}"\r\nContent-Type: {kind}\r\n\r\n'
    return Part(path, status.st_size, status.st_mtime_ns, head.encode("utf-8", "replace"))


def _unsendable(path: Path, why: str) -> InvalidRequest:
    return InvalidRequest(f"“{path.name}” {why}.", title="The file cannot be sent", sent="no")


def _escaped(name: str) -> str:
    """A file name in a part's head, as browsers write it."""
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


class Source:
    """One file, touched only in the reader's thread, so that a slow disk holds up nobody else."""

    def __init__(self, part: Part) -> None:
        """Nothing is opened yet."""
        self._part = part
        self._file: BinaryIO | None = None

    def read(self, count: int) -> bytes:
        """The next bytes; the first read opens the file, which must be as it was when the upload began."""
        if self._file is None:
            self._file = self._part.path.open("rb", buffering=0)
            self.check()
        return self._file.read(count)

    def check(self) -> None:
        """Raise `InvalidRequest` where the file is not what it was."""
        assert self._file is not None
        status = os.fstat(self._file.fileno())
        if (status.st_size, status.st_mtime_ns) != (self._part.size, self._part.changed):
            raise _changed(self._part.path)

    def close(self) -> None:
        """Close it."""
        if self._file is not None:
            self._file.close()


async def _read_ahead(reader: ThreadPoolExecutor, part: Part, chunk: int) -> AsyncGenerator[bytes, None]:
    """The file's bytes, the next chunk read while the last is sent; all of them or an error."""
    loop = asyncio.get_running_loop()
    source = Source(part)
    left = part.size
    ahead = loop.run_in_executor(reader, source.read, min(chunk, left))
    try:
        while left:
            data = await ahead
            left -= len(data)
            if not data:
                raise _changed(part.path)
            if left:
                ahead = loop.run_in_executor(reader, source.read, min(chunk, left))
            else:
                await loop.run_in_executor(reader, source.check)
            yield data
    except OSError:
        raise InvalidRequest(
            f"“{part.path.name}” could not be read to its end.", title="The file cannot be read", sent="perhaps"
        ) from None
    finally:
        ahead.cancel()
        reader.submit(source.close)


def _changed(path: Path) -> InvalidRequest:
    return InvalidRequest(
        f"“{path.name}” changed while it was sent, so the upload was given up.",
        title="The file changed",
        remedy="Try again once the file is finished.",
        sent="perhaps",
    )
