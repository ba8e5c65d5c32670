"""How the service itself speaks to other servers: models of the person's own, and files given by URL."""

import ssl
from functools import lru_cache

import httpx

_NEAR = ("localhost", "127.0.0.1", "[::1]")


def client(timeout: float | httpx.Timeout) -> httpx.AsyncClient:
    """A client that follows redirects, and reaches this computer without any proxy; times in seconds."""
    direct: dict[str, httpx.AsyncBaseTransport | None] = {f"all://{host}": None for host in _NEAR}
    return httpx.AsyncClient(timeout=timeout, follow_redirects=True, verify=_certificates(), mounts=direct)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Reading the certificates takes tens of milliseconds, so it is done once."""
    return ssl.create_default_context()
