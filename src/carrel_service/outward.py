"""How the service itself speaks to other servers: models of the person's own, and files given by URL."""

import asyncio
import socket
import ssl
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urljoin, urlsplit

import httpx

_NEAR = ("localhost", "127.0.0.1", "[::1]")


def client(timeout: float | httpx.Timeout, *, follow: bool = True) -> httpx.AsyncClient:
    """A client that reaches this computer without any proxy; times in seconds. `follow`: redirects by itself."""
    direct: dict[str, httpx.AsyncBaseTransport | None] = {f"all://{host}": None for host in _NEAR}
    return httpx.AsyncClient(timeout=timeout, follow_redirects=follow, verify=_certificates(), mounts=direct)


def check(url: str) -> None:
    """Raises OSError for what is no web address."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise OSError("only http and https addresses can be fetched")


async def led_to(url: str, location: str) -> str:
    """Where a redirect leads. Raises OSError where it may not lead.

    It passes what a first address passes. And since nobody here chose it, it gives up no encryption, and a server
    out there does not lead to what only this computer or its network can reach.
    """
    target = urljoin(url, location)
    check(target)
    if urlsplit(url).scheme == "https" and urlsplit(target).scheme == "http":
        raise OSError("it leads from a safe connection to an unsafe one")
    if await _is_near(target) and not await _is_near(url):
        raise OSError("it leads from another network into this one")
    return target


async def _is_near(url: str) -> bool:
    """Whether the host has an address that is not one of the open internet."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(urlsplit(url).hostname, None, type=socket.SOCK_STREAM)
    return any(not ip_address(str(place[4][0]).partition("%")[0]).is_global for place in found)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Reading the certificates takes tens of milliseconds, so it is done once."""
    return ssl.create_default_context()
