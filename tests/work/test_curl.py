"""A copied command runs in a real shell and gets the same answer, and holds no secret."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from carrel.api import Limits, connect
from carrel.api.limits import DEFAULT
from carrel.model import Account, Exchange, SearchQuery, ServiceError
from carrel.work.curl import curl, curl_of
from running import RunningService, built_in_service, upload, wait_indexed
from sessions import account_of, open_session

ACCOUNT = Account(
    base_url="https://s.example", client_id="the-client", api_key="the-key", secret="the-word", tenant_id="t 1"
)


def exchange(**values: object) -> Exchange:
    return Exchange(**({"method": "POST", "path": "/external/search", "started": 0.0, "took": 0.1} | values))


def run(command: str, service: RunningService) -> str:
    env = os.environ | {
        "CARREL_CLIENT_ID": service.client_id,
        "CARREL_API_KEY": service.api_key,
        "CARREL_SECRET": service.secret,
    }
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None or shutil.which("bash") is None, reason="needs curl and bash")
async def test_what_was_sent_can_be_sent_again_from_a_terminal(tmp_path: Path) -> None:
    with built_in_service(tmp_path / "service", "--pace", "0") as service:
        with service.client() as client:
            upload(client, {"lease.txt": b"The tenant's notice is served by post; it's \"final\"."})
            wait_indexed(client)
        async with open_session(tmp_path, account_of(service)) as session:
            await session.search.search(SearchQuery(keyword='it\'s the "notice" $HOME `x`'))
            told = session.activity.exchanges[-1]
        for secret in (service.client_id, service.api_key, service.secret):
            assert secret not in curl_of(account_of(service), told)
        again = json.loads(run(curl_of(account_of(service), told), service))
        assert again == json.loads(told.response)
        assert again["results"], "an answer that says something"


def test_the_tenant_goes_along_and_no_secret_does() -> None:
    command = curl(ACCOUNT, "POST", "/external/workflows/g/runs", '{"a": "it\'s"}')
    assert "X-Tenant-ID: t 1" in command
    assert "$CARREL_API_KEY" in command
    assert not any(secret in command for secret in ("the-client", "the-key", "the-word"))


def test_the_earlier_interface_has_its_own_headers() -> None:
    account = ACCOUNT.model_copy(update={"generation": "earlier"})
    command = curl_of(account, exchange(path="/api/external/semantic-search", request="{}"))
    assert "private-key: $CARREL_API_KEY" in command
    assert "X-API-Key" not in command


@pytest.mark.parametrize("base", ["https://s.example", "https://s.example/pre", "http://s.example:8443/pre/fix"])
async def test_the_path_of_an_address_stands_there_once(base: str) -> None:
    account = ACCOUNT.model_copy(update={"base_url": base})
    seen: list[Exchange] = []
    refused = Limits(connect=0.01, backoff=0.01)
    async with connect(account, observer=seen.append, limits=refused) as service:
        service._wire._client = lambda _: (_ for _ in ()).throw(OSError())  # nothing is to leave this machine
        with pytest.raises(ServiceError):
            await service.models()
    assert f" {base}/external/models " in curl_of(account, seen[0]).splitlines()[0]
    assert f" {base}/external/models " in curl(account, "GET", "/external/models").splitlines()[0]


def test_a_stream_is_asked_for_as_one() -> None:
    assert "Accept: text/event-stream" in curl_of(ACCOUNT, exchange(request='{"content": "x"}', stream=True))


@pytest.mark.parametrize(
    ("values", "remark"),
    [
        ({"path": "files.example/x", "method": "GET"}, "# A link"),
        ({"path": "/external/upload", "request": "2 files: a.pdf, b.pdf"}, "# An upload"),
        ({"request": "{" + "x" * DEFAULT.told}, "# The body was longer"),
    ],
)
def test_a_command_that_cannot_run_as_it_stands_says_so(values: dict[str, str], remark: str) -> None:
    command = curl_of(ACCOUNT, exchange(**values))
    assert command.startswith(remark)
    if "files.example" in command:
        assert "CARREL" not in command
