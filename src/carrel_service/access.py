"""The door: credentials by header, the tenant, and the request rate, before anything else sees a request."""

import contextlib
import secrets
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import error_response

WINDOW = 60.0
"""Seconds in which a key has its number of requests."""

_OPEN = "/external-docs/"
_EARLIER = "/api/"
_CURRENT_NAMES = ("x-client-id", "x-api-key", "x-secret")
_EARLIER_NAMES = ("client-id", "private-key", "secret")
_MOST_DRAINED = 1_200_000_000
"""Bytes of a refused request's body that are read, so that its sender lives to see the answer."""


@dataclass(frozen=True, repr=False)
class Credentials:
    """What a caller must show; made anew at each start and kept in memory only."""

    client_id: str
    api_key: str
    secret: str

    @classmethod
    def new(cls) -> "Credentials":
        """Fresh ones, that nobody can guess."""
        return cls(f"carrel-{secrets.token_hex(6)}", secrets.token_urlsafe(32), secrets.token_urlsafe(32))

    def match(self, shown: tuple[str, str, str]) -> bool:
        """Compared in constant time, all three whatever the first gives."""
        own = (self.client_id, self.api_key, self.secret)
        agree = [compare_digest(ours.encode(), theirs.encode()) for ours, theirs in zip(own, shown, strict=True)]
        return all(agree)


class RateLimit:
    """A number of requests in each window; a window begins with the first request after the last one's end."""

    def __init__(self, limit: int, clock: Callable[[], float] = time.time) -> None:
        self.limit = limit
        self._clock = clock
        self._used = 0
        self.reset = 0.0
        """Unix time at which the window ends."""

    def take(self) -> bool:
        """Count one request; False when the window has no more."""
        now = self._clock()
        if now >= self.reset:
            self._used, self.reset = 0, now + WINDOW
        if self._used >= self.limit:
            return False
        self._used += 1
        return True

    def headers(self) -> dict[str, str]:
        """The three that every answer of the current interface bears; `reset` rounded up to a whole second."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.limit - self._used),
            "X-RateLimit-Reset": str(int(-(-self.reset // 1))),
        }

    def wait(self) -> int:
        """Whole seconds until the window ends, at least 1."""
        return max(1, int(-(-(self.reset - self._clock()) // 1)))


class Access:
    """ASGI middleware; a stream passes through it event by event."""

    def __init__(self, app: ASGIApp, credentials: Credentials, rate: RateLimit, tenants: Collection[str] = ()) -> None:
        self._app = app
        self._credentials = credentials
        self._rate = rate
        self._tenants = tenants

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer 403 or 429."""
        if scope["type"] != "http" or scope["path"].startswith(_OPEN):
            await self._app(scope, receive, send)
            return
        earlier = scope["path"].startswith(_EARLIER)
        headers = Headers(scope=scope)
        if not self._credentials.match(_shown(headers, _EARLIER_NAMES if earlier else _CURRENT_NAMES)):
            await _refuse(scope, receive, send, error_response(403, "invalid_credentials", "invalid API credentials"))
        elif not earlier and not self._has_tenant(headers.get("x-tenant-id")):
            await _refuse(scope, receive, send, error_response(403, "invalid_credentials", "no access to this tenant"))
        elif earlier:
            await self._app(scope, receive, send)
        else:
            await self._counted(scope, receive, send)

    def _has_tenant(self, tenant: str | None) -> bool:
        return tenant is None or not self._tenants or tenant in self._tenants

    async def _counted(self, scope: Scope, receive: Receive, send: Send) -> None:
        allowed = self._rate.take()
        extra = self._rate.headers()

        async def send_with_rate(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(extra)
            await send(message)

        if allowed:
            await self._app(scope, receive, send_with_rate)
            return
        extra["Retry-After"] = str(self._rate.wait())
        refusal = error_response(429, "rate_limit_exceeded", "too many requests")
        await _refuse(scope, receive, send_with_rate, refusal)


def _shown(headers: Headers, names: tuple[str, str, str]) -> tuple[str, str, str]:
    first, second, third = (headers.get(name, "") for name in names)
    return first, second, third


async def _refuse(scope: Scope, receive: Receive, send: Send, refusal: JSONResponse) -> None:
    await drain(Request(scope, receive))
    await refusal(scope, receive, send)


async def drain(request: Request) -> None:
    """Read a body to its end and drop it: closing on a sender who still writes would lose him the answer."""
    if "expect" in request.headers:
        return
    left = _MOST_DRAINED
    with contextlib.suppress(RuntimeError):  # it has been read to its end already
        async for chunk in request.stream():
            left -= len(chunk)
            if left < 0:
                return
