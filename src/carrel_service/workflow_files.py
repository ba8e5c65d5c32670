"""Brings the files that a workflow run was given by URL into the library."""

import asyncio
import os
import re
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

import httpx

from .context import Service
from .library import NewFile
from .outward import check, client, led_to
from .uploads import MOST_BYTES

_MOST_HOPS = 5
_CHUNK = 2**20
"""Bytes gathered before a thread writes them: the loop never waits for the disk."""
_OWN_LINK = re.compile(r"/external/files/([0-9a-f]{32})(?:/|$)")


async def fetch(service: Service, url: str, folder: Sequence[str]) -> str:
    """The library id of what `url` names. Raises OSError when it cannot be had.

    A download link of this library names the file itself, whatever port the service had when it was given out.
    """
    part = service.library.incoming / f"{uuid.uuid4().hex}.part"
    try:
        own = _OWN_LINK.search(urlsplit(url).path)
        if own and service.library.get(own[1]):
            return own[1]
        check(url)
        async with client(timeout=60, follow=False) as http:
            size = await _save(http, url, part)
        added = await asyncio.to_thread(service.library.add, [NewFile(_name(url), part, size, folder)])
        return added[0].id
    except httpx.HTTPStatusError as error:
        raise OSError(f"the answer was {error.response.status_code}") from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:  # urlsplit and urljoin refuse `http://[x` so
        raise OSError(str(error) or type(error).__name__) from error
    finally:
        part.unlink(missing_ok=True)


async def _save(http: httpx.AsyncClient, url: str, part: Path) -> int:
    """Bytes that stand at the end of the redirects, now in `part`."""
    for _ in range(_MOST_HOPS):
        async with http.stream("GET", url) as response:
            if not response.has_redirect_location:
                response.raise_for_status()
                return await _write(response, part)
            url = await led_to(url, response.headers["location"])
    raise OSError("it leads from one redirect to the next")


async def _write(response: httpx.Response, part: Path) -> int:
    size = 0
    with part.open("wb") as out:
        async for chunk in response.aiter_bytes(_CHUNK):
            size += len(chunk)
            if size > MOST_BYTES:
                raise OSError("it is larger than 1 GB")
            await asyncio.to_thread(out.write, chunk)
        await asyncio.to_thread(_sync, out)
    return size


def _sync(out: BinaryIO) -> None:
    out.flush()
    os.fsync(out.fileno())


def _name(url: str) -> str:
    """The last component of the URL's path, without what a file name may not hold."""
    last = unquote(urlsplit(url).path.rsplit("/", 1)[-1])
    return re.sub(r"[\\/\x00-\x1f]+", "_", last).strip(". ") or "file.txt"
