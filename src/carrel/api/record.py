"""The record of one call, as a person may see it: kept while it runs, told once it has ended, without secrets."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode, urlsplit

from carrel.api.call import Call
from carrel.api.faults import Progress
from carrel.api.listening import tell
from carrel.model import Account, Exchange, ServiceError
from carrel.model.account import CREDENTIAL_HEADERS, origin_of

HIDDEN = "hidden"
SECRET_HEADERS = frozenset(name.lower() for names in CREDENTIAL_HEADERS.values() for name in names[1:])
CLIENT_HEADERS = frozenset(names[0].lower() for names in CREDENTIAL_HEADERS.values())


class Scrubber:
    """Takes an account's secrets out of a text, as they are and as an address or JSON writes them."""

    def __init__(self, account: Account) -> None:
        """Keep what is to be hidden, the longest first."""
        texts = {text for secret in account.secrets() for text in _written(secret)}
        self._secrets = sorted((text for text in texts if len(text) >= 4), key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text without them."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Headers as they may be shown: keys hidden, of the client id the last four characters."""
        return {name: self._header(name.lower(), value) for name, value in headers.items()}

    def _header(self, name: str, value: str) -> str:
        if name in SECRET_HEADERS:
            return HIDDEN
        return f"•••• {value[-4:]}" if name in CLIENT_HEADERS else self(value)


def _written(secret: str) -> tuple[str, ...]:
    """As it is, as an address has it, and as JSON does, of which some writers put a stroke before a slash."""
    in_json = json.dumps(secret)[1:-1]
    return secret, urlencode({"": secret})[1:], in_json, in_json.replace("/", "\\/")


class Record:
    """What one call did so far, over all its tries."""

    def __init__(self, call: Call, account: Account, scrub: Scrubber, most: int) -> None:
        """Begin the clock; `most` is how many characters of a body are kept."""
        self._call, self._home, self._scrub, self._most = call, account.origin, scrub, most
        self._started, self._clock = time.time(), time.monotonic()
        self.content = call.content()
        """The JSON body's bytes, the same at each try."""
        self._heard = bytearray()
        self._socket: Any = None
        self.progress = Progress()
        self.headers: Mapping[str, str] = {}
        self.statuses: list[int] = []
        self.sent = 0
        self.received = 0
        self.left: int | None = None

    def begin(self) -> Progress:
        """A new try: nothing of it has left."""
        self.progress = Progress()
        self._socket = None
        self.sent = 0
        self._heard.clear()
        return self.progress

    async def trace(self, name: str, info: Mapping[str, Any]) -> None:
        """Follow httpcore's own account of the call: what has left, and over which connection."""
        if name.endswith("send_request_headers.started"):
            self.progress.left = True
        elif name == "connection.connect_tcp.complete":
            self._socket = info["return_value"]
        elif name == "connection.start_tls.started":
            self._socket = None

    def early_answer(self) -> bool:
        """Whether something came from the service while we send; nobody can tell over TLS, which also sends tickets."""
        return self._socket is not None and bool(self._socket.get_extra_info("is_readable"))

    def answered(self, status: int, headers: Mapping[str, str]) -> None:
        """The answer's head came."""
        self.progress.answered = True
        self.statuses.append(status)
        left = headers.get("x-ratelimit-remaining", "")
        self.left = int(left) if left.isascii() and left.isdigit() and len(left) < 10 else self.left

    def keep(self, piece: bytes) -> None:
        """A piece of the answer's body, unpacked; only its beginning is kept."""
        if len(self._heard) < self._most:
            self._heard += piece[: self._most - len(self._heard)]

    @contextmanager
    def told_to(self, observer: Callable[[Exchange], None] | None) -> Iterator[None]:
        """Tell the observer when this block ends, however it does."""
        error = ""
        try:
            yield
        except ServiceError as failure:
            error = failure.title
            raise
        except BaseException as failure:
            error = "Our own fault" if isinstance(failure, Exception) else "Stopped"
            raise
        finally:
            if observer is not None:
                tell(observer, self._exchange(error))

    def _exchange(self, error: str) -> Exchange:
        return Exchange(
            method=self._call.method,
            path=self._scrub(self._path()),
            started=self._started,
            took=time.monotonic() - self._clock,
            status=self.statuses[-1] if self.statuses else None,
            statuses=tuple(self.statuses),
            sent=self.sent,
            received=self.received,
            left=self.left,
            stream=self._call.accept == "text/event-stream",
            error=error,
            headers=self._scrub.headers(self.headers),
            request=self._scrub(self._request()),
            response=self._scrub(bytes(self._heard).decode("utf-8", "replace")),
        )

    def _path(self) -> str:
        parts = urlsplit(self._call.url)
        if origin_of(self._call.url) != self._home:  # and a link's query may be its key
            return f"{parts.netloc}{parts.path}"
        params: Any = self._call.params
        query = urlencode(params) if params else ""
        return f"{parts.path}?{query}" if query else parts.path

    def _request(self) -> str:
        if self._call.body is not None:
            return self._call.body.summary[: self._most]
        return self.content[: 4 * self._most].decode("utf-8", "ignore")[: self._most]
