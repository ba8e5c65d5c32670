"""What a person can do about an account that does not answer: known best where it is typed in."""

from __future__ import annotations

from urllib.parse import urlsplit

from carrel.api.clients import proxy_for
from carrel.model import Account, NotFound, ServiceError, SignInNeeded, TimedOut, Unreachable


def advised(error: ServiceError, account: Account) -> ServiceError:
    """The error of a try, with a remedy that fits the form in which the account stands."""
    if isinstance(error, SignInNeeded):
        tenant = ", and the tenant" if account.tenant_id else ""
        error.remedy = f"Check the client ID, API key and secret{tenant}."
    elif isinstance(error, NotFound):
        error.message = f"{account.base_url} answers, but there is no service under it."
        error.remedy = "Check the path of the address, and which interface the account has."
    elif isinstance(error, Unreachable | TimedOut) and (proxy := _proxy_of(account)):
        error.remedy = f"The way there leads through the proxy {proxy}, which this computer names: check it first."
    return error


def _proxy_of(account: Account) -> str:
    """Host and port of the proxy, without the credentials that its address may hold; empty where there is none."""
    try:
        proxy = urlsplit(proxy_for(account.base_url) or "")
    except (ServiceError, ValueError):  # a proxy that is not spoken to is named by the error itself
        return ""
    return proxy.netloc.rpartition("@")[2]
