"""A refusal's status, code and words become one error of ours, which says what was sent and what can be done."""

import json
import ssl
from typing import Any

import httpx
import pytest

from carrel.api.faults import refusal, translate
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

REFUSALS: list[tuple[int, Any, type[ServiceError], str]] = [
    (403, {"error": "invalid_credentials", "message": "No."}, SignInNeeded, "no"),
    (401, {}, SignInNeeded, "no"),
    (403, {"message": "Access denied."}, SignInNeeded, "no"),
    (400, {"error": "invalid_model", "message": "Unknown."}, InvalidModel, "no"),
    (400, {"error": "something_new", "message": "Wrong."}, InvalidRequest, "no"),
    (404, {"error": "not_found"}, NotFound, "no"),
    (410, None, NotFound, "no"),
    (408, {"error": "timeout", "message": "Too long."}, TimedOut, "yes"),
    (413, "Request Entity Too Large", InvalidRequest, "no"),
    (422, {"detail": "Not so."}, InvalidRequest, "no"),
    (429, {"error": "rate_limit_exceeded"}, RateLimited, "no"),
    (500, {"error": "internal_error", "message": "Oh."}, ServerFault, "perhaps"),
    (503, "<html><title>Down</title></html>", ServerFault, "perhaps"),
    (599, None, ServerFault, "perhaps"),
    (302, None, BadAnswer, "yes"),
]


@pytest.mark.parametrize(("status", "said", "kind", "sent"), REFUSALS)
def test_each_refusal_has_its_kind(status: int, said: Any, kind: type[ServiceError], sent: str) -> None:
    body = said.encode() if isinstance(said, str) else b"" if said is None else json.dumps(said).encode()
    error = refusal(status, {"content-type": "x"}, body)
    assert type(error) is kind
    assert (error.status, error.sent) == (status, sent)
    assert error.title
    assert error.message
    assert error.remedy or kind in {NotFound, InvalidRequest, TimedOut}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": "e", "message": "The words."}', "The words."),
        (b'{"detail": "In detail."}', "In detail."),
        (b'{"error": "only_a_code"}', "only_a_code"),
        (b"<html><head><TITLE>Sign\n in</TITLE></head>", "A web page came instead of an answer: Sign in."),
        (b"plain   words\n", "plain words"),
        (b"", "The service answered with status 400 and no explanation."),
        (b'{"message": ["x"]}', "The service answered with status 400 and no explanation."),
        (b'{"detail": [{"loc": "x"}, 5, {"msg": "Bad."}]}', "Bad."),
        (b"[" * 100_000, "The service answered with status 400 and no explanation."),
        (b"\xff\xfe\x00", "\ufffd\ufffd\x00"),
    ],
)
def test_the_services_own_words_are_shown(body: bytes, words: str) -> None:
    assert refusal(400, {}, body).message == words


def test_endless_words_are_cut() -> None:
    assert len(refusal(400, {}, json.dumps({"message": "x" * 100_000}).encode()).message) == 2000


FAULTS: list[tuple[Exception, type[ServiceError]]] = [
    (httpx.ConnectError(""), Unreachable),
    (httpx.ConnectTimeout(""), Unreachable),
    (httpx.ReadError(""), Unreachable),
    (httpx.RemoteProtocolError("x"), Unreachable),
    (httpx.LocalProtocolError("x"), Unreachable),
    (httpx.ProxyError("x"), Unreachable),
    (httpx.InvalidURL("x"), InvalidRequest),
    (httpx.DecodingError("x"), BadAnswer),
    (TimeoutError(), TimedOut),
    (ssl.SSLCertVerificationError("x"), Unreachable),
    (json.JSONDecodeError("x", "", 0), BadAnswer),
    (UnicodeDecodeError("utf-8", b"", 0, 1, "x"), BadAnswer),
    (RecursionError(), BadAnswer),
    (ConnectionResetError(), Unreachable),
    (RuntimeError("what nobody thought of"), Unreachable),
]


@pytest.mark.parametrize(("fault", "kind"), FAULTS, ids=lambda value: type(value).__name__)
def test_no_exception_of_the_wire_comes_through(fault: Exception, kind: type[ServiceError]) -> None:
    error = translate(fault, "perhaps")
    assert type(error) is kind
    assert error.message
    assert type(fault).__name__ in error.details


def test_a_cause_tells_more_than_its_wrapper() -> None:
    fault = httpx.ConnectError("All attempts failed")
    fault.__cause__ = ssl.SSLCertVerificationError("self-signed")
    error = translate(fault, "perhaps")
    assert (error.code, error.sent) == ("certificate", "no")
