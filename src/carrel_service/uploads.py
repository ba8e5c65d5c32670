"""Receives multipart uploads straight to disk, however large, and hands them to the library."""

import asyncio
import os
import uuid
from pathlib import Path
from typing import BinaryIO

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from .access import drain
from .errors import ApiError
from .filetypes import MIME_TYPES, extension
from .library import Library, LibraryFile, NewFile

MOST_BYTES = 2**30
"""1 GB, of one file."""

_MOST_FIELD = 65_536
_CHUNK = 2**20
"""Bytes taken from the socket before a thread writes them: the loop never waits for the disk."""


async def receive(request: Request, library: Library, *, any_name: bool = False) -> list[LibraryFile]:
    """Store the `files` of a request in the folder `folder_paths`, all or none.

    With `any_name`, a part of any other name that bears a file name is a file too.
    Raises ApiError 400 for what is no multipart form, a file that is not accepted, too large or empty-handed.
    """
    form = _Form(library.incoming, _boundary(request), any_name=any_name)
    try:
        try:
            await _feed(request, form)
            return await asyncio.to_thread(form.finish, library)
        except ClientDisconnect as error:
            raise ApiError(400, "the upload was broken off") from error
        except MultipartParseError as error:
            raise ApiError(400, f"the form cannot be read: {error}") from error
        except ApiError:
            await drain(request)
            raise
    finally:
        form.discard()


def _boundary(request: Request) -> bytes:
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise ApiError(400, "files are sent as multipart/form-data")
    return boundary


async def _feed(request: Request, form: "_Form") -> None:
    """The next bytes are taken from the socket while a thread writes those before them."""
    waiting = bytearray()
    writing: asyncio.Future[None] | None = None
    try:
        async for chunk in request.stream():
            waiting += chunk
            if len(waiting) >= _CHUNK:
                if writing:
                    await writing
                writing = asyncio.ensure_future(asyncio.to_thread(form.write, bytes(waiting)))
                waiting.clear()
    finally:
        if writing:
            await writing
    await asyncio.to_thread(form.write, bytes(waiting))


class _Form:
    """One request's form, fed by the parser's callbacks. Fields other than the two are read and left alone."""

    def __init__(self, incoming: Path, boundary: bytes, *, any_name: bool = False) -> None:
        self._incoming = incoming
        self._any_name = any_name
        self._parts: list[_Part] = []
        self._headers: dict[str, bytes] = {}
        self._name, self._value = b"", b""
        self._field = ""
        self._file: _Part | None = None
        self._fields: dict[str, bytearray] = {}
        self._complete = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._header_name,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._open,
                "on_part_data": self._data,
                "on_part_end": self._close,
                "on_end": self._end,
            },
        )

    def write(self, data: bytes) -> None:
        """Take the next bytes of the body."""
        self._parser.write(data)

    def finish(self, library: Library) -> list[LibraryFile]:
        """Check that the form is whole, and give its files to the library."""
        self._parser.finalize()
        if not self._complete:
            raise ApiError(400, "the form ends before its closing boundary")
        if not self._parts:
            raise ApiError(400, "files: at least one file is required")
        folder = [part for part in self._text("folder_paths").split("/") if part.strip()]
        return library.add(NewFile(part.file_name, part.path, part.size, folder) for part in self._parts)

    def discard(self) -> None:
        """Close and remove what the library did not take."""
        for part in self._parts:
            part.discard()

    def _text(self, name: str) -> str:
        return bytes(self._fields.get(name, b"")).decode("utf-8", "replace")

    def _begin(self) -> None:
        self._headers = {}

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        self._headers[self._name.decode("latin-1").lower()] = self._value
        self._name, self._value = b"", b""

    def _open(self) -> None:
        _, options = parse_options_header(self._headers.get("content-disposition", b""))
        self._field = options.get(b"name", b"").decode("utf-8", "replace")
        name = options.get(b"filename")
        if self._field == "files" or (self._any_name and name is not None):
            self._file = _Part(self._incoming, _file_name(name or b""))
            self._parts.append(self._file)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file:
            self._file.write(memoryview(data)[start:end])
            return
        kept = self._fields.setdefault(self._field, bytearray())
        if len(kept) + end - start > _MOST_FIELD or len(self._fields) > 100:
            raise ApiError(400, f"{self._field}: too long")
        kept += data[start:end]

    def _close(self) -> None:
        if self._file:
            self._file.sync()
        self._file = None

    def _end(self) -> None:
        self._complete = True


class _Part:
    """A file on its way in."""

    def __init__(self, incoming: Path, file_name: str) -> None:
        self.file_name = file_name
        self.path = incoming / f"{uuid.uuid4().hex}.part"
        self.size = 0
        self._out: BinaryIO = self.path.open("wb")

    def write(self, data: memoryview) -> None:
        self.size += len(data)
        if self.size > MOST_BYTES:
            raise ApiError(400, f"{self.file_name}: larger than 1 GB")
        self._out.write(data)

    def sync(self) -> None:
        self._out.flush()
        os.fsync(self._out.fileno())
        self._out.close()

    def discard(self) -> None:
        self._out.close()
        self.path.unlink(missing_ok=True)


def _file_name(given: bytes) -> str:
    """The last part of the given name, never a path. Raises ApiError when its type is not accepted."""
    name = given.decode("utf-8", "replace").replace("\\", "/").rpartition("/")[2].replace("\0", "").strip()
    if not extension(name):
        kinds = ", ".join(MIME_TYPES)
        raise ApiError(400, f"{name or 'a file without a name'}: this type is not accepted; accepted are {kinds}")
    return name
