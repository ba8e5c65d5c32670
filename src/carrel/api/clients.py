"""HTTP clients: one TLS context, TCP keep-alive on every socket, no redirects, and no proxy for loopback."""

from __future__ import annotations

import functools
import ipaddress
import logging
import socket
import ssl
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

from carrel.api.bare import BareTransport, SocketOptions
from carrel.api.limits import Limits
from carrel.model import Unreachable
from carrel.model.account import origin_of

# At INFO httpx writes whole addresses, signed links among them; at DEBUG httpcore writes every header.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)

# A read of 64 KB, httpcore's own size, costs as much as one of 256: it bounds how fast a download can be.
httpcore.AsyncHTTP11Connection.READ_NUM_BYTES = 256 * 1024


@functools.cache
def system_trust() -> ssl.SSLContext:
    """The system's own certificates, company CAs among them; reading them takes a while, so it is done once."""
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def client_for(url: str, limits: Limits, tls: ssl.SSLContext | None, *, bare: bool = False) -> httpx.AsyncClient:
    """A client for the origin of `url`, without credentials: those belong to a request.

    httpx's own limits of time are off but for connecting: `Watch` keeps them. With `bare` the socket can be handed
    over, where there is neither a proxy nor TLS; such a client is for one call.
    """
    proxy = proxy_for(url)
    options = keepalive(*limits.keepalive)
    transport: httpx.AsyncBaseTransport
    if bare and proxy is None and origin_of(url)[0] == "http":
        transport = BareTransport(httpx.URL(url), options)
    else:
        transport = _pool(proxy, tls, options)
    timeout = httpx.Timeout(None, connect=limits.connect)
    return httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False, follow_redirects=False)


def _pool(proxy: str | None, tls: ssl.SSLContext | None, options: SocketOptions) -> httpx.AsyncHTTPTransport:
    """Connections without an upper bound, since a cancelled call may lose its place in one."""
    return httpx.AsyncHTTPTransport(
        verify=tls or system_trust(),
        trust_env=False,
        proxy=proxy,
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=8, keepalive_expiry=30.0),
        socket_options=options,
    )


def proxy_for(url: str) -> str | None:
    """The proxy that the environment or the system names for an address; never one for loopback."""
    scheme, host, port = origin_of(url)
    if is_loopback(host) or proxy_bypass(f"{host}:{port}") or proxy_bypass(host):
        return None
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if proxy is None:
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if not proxy.startswith(("http://", "https://")):
        raise Unreachable("The system names a proxy of a kind that Carrel does not speak.", sent="no", code="proxy")
    return proxy


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its name or number."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def keepalive(idle: int, interval: int, probes: int) -> SocketOptions:
    """Socket options that notice a peer that vanished within `idle + interval * probes` seconds."""
    options: SocketOptions = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    names = (("TCP_KEEPIDLE", idle), ("TCP_KEEPALIVE", idle), ("TCP_KEEPINTVL", interval), ("TCP_KEEPCNT", probes))
    had_idle = False
    for name, value in names:
        option = getattr(socket, name, None)
        if option is None or (name == "TCP_KEEPALIVE" and had_idle):  # macOS's name for TCP_KEEPIDLE
            continue
        had_idle = had_idle or name == "TCP_KEEPIDLE"
        options.append((socket.IPPROTO_TCP, option, value))
    return options
