"""Links that a service gives, as whole web addresses: a broken one is refused here, and nowhere a ValueError."""

from __future__ import annotations

from urllib.parse import urljoin

from carrel.model import InvalidRequest
from carrel.model.account import origin_of


def joined(at: str, link: str) -> str:
    """The address of a link that stands at the address `at`; `InvalidRequest` where it leads to no web address."""
    try:
        address = urljoin(at, link)
        origin_of(address)
        address.encode()  # refuses half a character
    except ValueError:
        raise InvalidRequest("The link is no web address, so it is not followed.", sent="no") from None
    return address
