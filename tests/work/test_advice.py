"""What a person is told to do about an account that does not answer fits the form in which it stands."""

from __future__ import annotations

import pytest

from carrel.model import Account, NotFound, SignInNeeded, Unreachable
from carrel.work.advice import advised

MINE = Account(base_url="https://service.example.com/docs", client_id="c", api_key="k", secret="s")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_refused_credentials_are_at_hand_in_the_form() -> None:
    assert advised(SignInNeeded(), MINE).remedy == "Check the client ID, API key and secret."
    tenant = MINE.model_copy(update={"tenant_id": "acme"})
    assert advised(SignInNeeded(), tenant).remedy == "Check the client ID, API key and secret, and the tenant."


def test_a_wrong_path_is_said_to_be_one() -> None:
    error = advised(NotFound("Not Found", status=404), MINE)
    assert MINE.base_url in error.message
    assert "path" in error.remedy


def test_a_proxy_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://me:pass-of-mine@proxy.example.com:3128")
    error = advised(Unreachable("Nothing answers at this address."), MINE)
    assert "proxy.example.com:3128" in error.remedy
    assert "pass-of-mine" not in error.remedy
    here = MINE.model_copy(update={"base_url": "http://127.0.0.1:9"})
    assert "proxy" not in advised(Unreachable("Nothing answers at this address."), here).remedy


def test_without_a_proxy_the_remedy_stays() -> None:
    assert advised(Unreachable(), MINE).remedy == Unreachable.default_remedy
