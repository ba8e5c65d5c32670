"""The only place where an exception or a refusal of the wire becomes an error of ours."""

from __future__ import annotations

import re
import socket
import ssl
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpcore
import httpx

from carrel.api.payload import value_of
from carrel.model import (
    BadAnswer,
    InvalidModel,
    InvalidRequest,
    NotFound,
    RateLimited,
    ServerFault,
    ServiceError,
    SignInNeeded,
    TimedOut,
    Unreachable,
)
from carrel.model.errors import Sent

BY_CODE: Mapping[str, type[ServiceError]] = {
    "invalid_credentials": SignInNeeded,
    "invalid_model": InvalidModel,
    "not_found": NotFound,
    "rate_limit_exceeded": RateLimited,
    "internal_error": ServerFault,
}
"""The codes that the document names (document: Errors)."""

BY_STATUS: Mapping[int, type[ServiceError]] = {
    401: SignInNeeded,
    403: SignInNeeded,
    404: NotFound,
    408: TimedOut,
    410: NotFound,
    429: RateLimited,
}

MOST_WORDS = 2000
"""Characters of the service's own words that an error shows."""


class Progress:
    """How far a call came: what an error says about whether anything was sent."""

    def __init__(self) -> None:
        """Nothing has left."""
        self.left = False
        self.answered = False

    @property
    def sent(self) -> Sent:
        """Whether the service may have acted."""
        return "yes" if self.answered else "perhaps" if self.left else "no"


@contextmanager
def seam(progress: Progress) -> Iterator[None]:
    """Turn whatever the wire raises in this block into an error of ours."""
    try:
        yield
    except ServiceError:
        raise
    # 8 of 30 network faults that were tried are no httpx.HTTPError: whatever it is, a person must be able to read it.
    except Exception as error:  # noqa: BLE001
        raise translate(error, progress.sent) from None


def translate(error: Exception, sent: Sent) -> ServiceError:
    """Our error for an exception of the wire; its `details` name the exception."""
    causes = list(_chain(error))
    details = f"{type(error).__name__}: {error}"[:500]
    for meaning in _MEANINGS:
        if any(isinstance(cause, meaning.kinds) for cause in causes):
            certain = meaning.sent or sent
            return meaning.error(meaning.message, sent=certain, code=meaning.code, details=details)
    return Unreachable("The connection to the service failed.", sent=sent, details=details)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


class _Meaning(NamedTuple):
    """What a kind of exception means; `sent` where that is known from the kind alone."""

    kinds: tuple[type[BaseException], ...]
    error: type[ServiceError]
    message: str
    sent: Sent | None = None
    code: str = ""


_MEANINGS = (
    _Meaning(
        (ssl.SSLCertVerificationError,),
        Unreachable,
        "The service's certificate cannot be trusted, so nothing was sent. Check the address and this computer's date.",
        "no",
        "certificate",
    ),
    _Meaning((socket.gaierror,), Unreachable, "The name in the address cannot be found.", "no"),
    _Meaning((httpx.ProxyError,), Unreachable, "The proxy did not let the request through.", "no"),
    _Meaning((ConnectionRefusedError,), Unreachable, "Nothing answers at this address.", "no"),
    _Meaning((ssl.SSLError,), Unreachable, "A secure connection could not be made."),
    _Meaning(
        (httpx.ConnectError, httpx.ConnectTimeout, httpcore.ConnectError),
        Unreachable,
        "No connection could be made.",
        "no",
    ),
    _Meaning((httpx.InvalidURL, httpx.UnsupportedProtocol), InvalidRequest, "The address cannot be used.", "no"),
    _Meaning((TimeoutError, httpx.TimeoutException), TimedOut, "The service did not answer in time."),
    _Meaning(
        (httpx.TransportError, httpcore.ProtocolError), Unreachable, "The connection broke before the answer was whole."
    ),
    _Meaning((httpx.DecodingError, zlib.error, ValueError, RecursionError), BadAnswer, "The answer cannot be read."),
    _Meaning((OSError,), Unreachable, "The connection broke before the answer was whole."),
)
"""The first that fits an exception or one of its causes counts."""


def refusal(status: int, headers: Mapping[str, str], body: bytes) -> ServiceError:
    """Our error for an answer that is no success: by its documented code, else by its status."""
    if 300 <= status < 400:
        return _moved(status, headers)
    payload = as_json(body)
    return refusal_of(payload, status, page_words(body))


def refusal_of(payload: Any, status: int = 200, words: str = "") -> ServiceError:
    """Our error for an error body; `words` are what to say where it says nothing."""
    parts = payload if isinstance(payload, dict) else {}
    code = _word(parts.get("error"))
    kind = BY_CODE.get(code) or BY_STATUS.get(status)
    if kind is None:
        kind = BadAnswer if status < 300 else ServerFault if status >= 500 else InvalidRequest
    sent: Sent = "yes" if kind in {TimedOut, BadAnswer} else "perhaps" if kind is ServerFault else "no"
    message = said(payload) or words or _by_status(status)
    return kind(message, status=status, code=code, sent=sent, error_id=_word(parts.get("error_id")))


def said(payload: Any) -> str:
    """The service's own words in an error body, of either generation; empty where there are none.

    The earlier interface's `detail` (loc, msg, type) becomes one sentence (document: Errors).
    """
    if not isinstance(payload, dict):
        return ""
    detail = payload.get("detail")
    if isinstance(detail, list):
        parts = [_complaint(item) for item in detail[:20] if isinstance(item, dict)]
        return ("; ".join(part for part in parts if part) + ".")[:MOST_WORDS] if any(parts) else ""
    for value in (payload.get("message"), detail, payload.get("error")):
        if isinstance(value, str) and value.strip():
            return value.strip()[:MOST_WORDS]
    return ""


def _complaint(item: dict[str, Any]) -> str:
    loc = item.get("loc")
    steps = loc if isinstance(loc, list) else ()
    where = ".".join(str(step) for step in steps if isinstance(step, str | int) and step not in {"body", "query"})
    message = _word(item.get("msg")).rstrip(".")
    return f"{where}: {message}" if where and message else message or where


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def as_json(body: bytes) -> Any:
    """A body's JSON, None where it is none."""
    try:
        return value_of(body)
    except (ValueError, RecursionError):
        return None


def page_words(body: bytes) -> str:
    """What an answer that is no JSON says, in a line: a web page by its title, a short text as it is."""
    text = body[:20_000].decode("utf-8", "replace").strip()
    if text[:1] == "<":
        title = re.search(r"<title[^>]{0,200}>([^<]{1,200})", text, re.IGNORECASE)
        return f"A web page came instead of an answer: {' '.join(title[1].split())}." if title else ""
    return " ".join(text.split())[:300] if text[:1] not in {"{", "["} else ""


def _moved(status: int, headers: Mapping[str, str]) -> ServiceError:
    return BadAnswer(
        "The address answers with a redirect to another place, which Carrel does not follow with your credentials.",
        remedy="Enter the address that the service really has.",
        status=status,
        details=f"location: {headers.get('location', '')[:300].partition('?')[0]}",
    )


def _by_status(status: int) -> str:
    if status < 300:
        return "The service answered, but not with what its document promises."
    return f"The service answered with status {status} and no explanation."
