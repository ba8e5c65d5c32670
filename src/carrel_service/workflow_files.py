"""Brings the files that a workflow run was given by URL into the library."""

import os
import re
import uuid
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

import httpx

from .context import Service
from .library import NewFile
from .outward import client

_MOST = 10**9  # bytes, as for an upload
_OWN_LINK = re.compile(r"/external/files/([0-9a-f]{32})(?:/|$)")


async def fetch(service: Service, url: str, folder: Sequence[str]) -> str:
    """The library id of what `url` names. Raises OSError when it cannot be had.

    A download link of this library names the file itself, whatever port the service had when it was given out.
    """
    own = _OWN_LINK.search(urlsplit(url).path)
    if own and service.library.get(own[1]):
        return own[1]
    return await _download(service, url, folder)


async def _download(service: Service, url: str, folder: Sequence[str]) -> str:
    if urlsplit(url).scheme not in ("http", "https"):
        raise OSError("only http and https addresses can be fetched")
    part = service.library.incoming / f"{uuid.uuid4().hex}.part"
    size = 0
    try:
        async with (
            client(timeout=60) as http,
            http.stream("GET", url) as response,
        ):
            response.raise_for_status()
            with part.open("wb") as out:
                async for chunk in response.aiter_bytes():
                    size += len(chunk)
                    if size > _MOST:
                        raise OSError("it is larger than 1 GB")
                    out.write(chunk)
                out.flush()
                os.fsync(out.fileno())
    except httpx.HTTPStatusError as error:
        raise OSError(f"the answer was {error.response.status_code}") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise OSError(str(error) or type(error).__name__) from error
    return service.library.add([NewFile(_name(url), part, size, folder)])[0].id


def _name(url: str) -> str:
    """The last component of the URL's path, without what a file name may not hold."""
    last = unquote(urlsplit(url).path.rsplit("/", 1)[-1])
    return re.sub(r"[\\/\x00-\x1f]+", "_", last).strip(". ") or "file.txt"
