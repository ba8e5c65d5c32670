"""Addresses that the service gave, as they are reached now: the built-in one has another port at each start."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from carrel.work.context import BUILT_IN, Context


def present(url: str, context: Context) -> str:
    """The whole address of a link; one that an earlier start of the built-in service gave is led to the present one.

    A link that is no address stays as it is: whoever follows it is told so.
    """
    base = context.service.account.base_url
    try:
        parts = urlsplit(url)
        if context.account_id == BUILT_IN and parts.hostname == urlsplit(base).hostname:
            url = parts._replace(scheme="", netloc="").geturl()
        return urljoin(base + "/", url)
    except ValueError:
        return url
