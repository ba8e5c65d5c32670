"""An account refuses what cannot be one, and knows where its credentials may go."""

import pytest
from pydantic import ValidationError

from carrel.model import Account
from carrel.model.account import origin_of


def account(**fields: object) -> Account:
    return Account(**({"base_url": "https://x.example", "client_id": "c", "api_key": "k", "secret": "s"} | fields))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("https://x.example/", "https://x.example"),
        ("  http://127.0.0.1:8000/v1/ ", "http://127.0.0.1:8000/v1"),
        ("HTTPS://X.example", "HTTPS://X.example"),
    ],
)
def test_an_address_is_kept_without_spaces_and_slash(said: str, kept: str) -> None:
    assert account(base_url=said).base_url == kept


@pytest.mark.parametrize(
    "said", ["", "x.example", "ftp://x", "https://", "http://a b", "http://x:99999", "https://me:pass@x", "file:///etc"]
)
def test_what_is_no_address_is_refused(said: str) -> None:
    with pytest.raises(ValidationError, match="base_url"):
        account(base_url=said)


def test_the_origin_fills_in_the_port_and_ignores_case() -> None:
    assert account(base_url="https://X.Example/api").origin == ("https", "x.example", 443)
    assert origin_of("http://x.example") != origin_of("https://x.example")
    assert origin_of("http://x.example:80/a?b") == origin_of("http://x.example")


@pytest.mark.parametrize("link", ["", "/relative", "mailto:a@b", "file:///x", "http://"])
def test_what_has_no_origin_says_so(link: str) -> None:
    with pytest.raises(ValueError, match="address"):
        origin_of(link)


@pytest.mark.parametrize(("said", "kept"), [("", None), ("  ", None), (" t ", "t"), (None, None)])
def test_an_empty_tenant_is_none(said: str | None, kept: str | None) -> None:
    assert account(tenant_id=said).tenant_id == kept


@pytest.mark.parametrize("field", ["client_id", "api_key", "secret"])
def test_an_empty_key_is_refused(field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        account(**{field: " "})
