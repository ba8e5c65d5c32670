"""A request as a line for a terminal, with the credentials as environment variables: it can be shown to anyone."""

from __future__ import annotations

import shlex
from urllib.parse import urljoin

from carrel.api.limits import DEFAULT
from carrel.model import Account, Exchange
from carrel.model.account import CREDENTIAL_HEADERS

VARIABLES = ("CARREL_CLIENT_ID", "CARREL_API_KEY", "CARREL_SECRET")


def curl(account: Account, method: str, path: str, body: str = "", accept: str = "") -> str:
    """The command for a request of ours; `path` begins with a slash, `body` is JSON or empty."""
    return _command(account, method, account.base_url + path, body, accept)


def _command(account: Account, method: str, address: str, body: str, accept: str) -> str:
    lines = [f"curl -X {method} {shlex.quote(address)}"]
    headers = zip(CREDENTIAL_HEADERS[account.generation], VARIABLES, strict=True)
    lines += [f'-H "{header}: ${variable}"' for header, variable in headers]
    if account.tenant_id and account.generation == "current":
        lines.append(f"-H {shlex.quote(f'X-Tenant-ID: {account.tenant_id}')}")
    if accept:
        lines.append(f"-N -H {shlex.quote(f'Accept: {accept}')}")
    if body:
        lines += ["-H 'Content-Type: application/json'", f"--data {shlex.quote(body)}"]
    return " \\\n  ".join(lines)


def curl_of(account: Account, exchange: Exchange) -> str:
    """The command for a request that was sent, with a remark where it cannot run as it stands."""
    if not exchange.path.startswith("/"):
        remark = "# A link of the service: what may have been its key is left out."
        return f"{remark}\ncurl -O {shlex.quote('https://' + exchange.path)}"
    is_json = exchange.request[:1] in {"{", "["}
    remark = ""
    if exchange.request and not is_json:
        remark = "# An upload: put your files where it says file=@.\n"
    elif len(exchange.request) >= DEFAULT.told:
        remark = "# The body was longer than what Carrel keeps of it: the rest is missing.\n"
    accept = "text/event-stream" if exchange.stream else ""
    address = urljoin(account.base_url, exchange.path)  # its path is whole: the account's own, if any, is part of it
    command = _command(account, exchange.method, address, exchange.request if is_json else "", accept)
    if exchange.request and not is_json:
        command += " \\\n  -F 'files=@your-file' -F 'folder_paths='"
    return remark + command
