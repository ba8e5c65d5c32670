"""Links that a workflow run is given: fetched over redirects, as far as a first address could go, and no further."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Self

import httpx
import pytest

from carrel_service.context import Service, open_service
from carrel_service.outward import led_to
from carrel_service.settings import Settings
from carrel_service.workflow_files import fetch
from faulty import Peer, faulty, routes

OUT_THERE = "https://8.8.8.8/a"  # never asked: an address needs no resolving


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = open_service(tmp_path, "http://127.0.0.1:1", Settings(tmp_path))
    yield made
    made.close()


async def lease(peer: Peer) -> None:
    await peer.answer(b"The lease of Pier 4 runs for ten years.", content_type="text/plain")


def leads(*targets: str):
    """A server whose `/0` leads to the first target, `/1` to the second, and so on."""

    def redirect(target: str):
        async def handler(peer: Peer) -> None:
            await peer.head(302, {"location": target, "content-length": "0"})

        return handler

    table = {f"GET /{number}": redirect(target) for number, target in enumerate(targets)}
    return routes(table | {"GET /lease.txt": lease})


async def test_a_redirect_is_followed(service: Service) -> None:
    async with faulty(leads("/1", "lease.txt")) as server:
        file_id = await fetch(service, f"{server.url}/0", ("In",))
    assert service.library.path(file_id).read_text() == "The lease of Pier 4 runs for ten years."


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("http://[x", "Invalid IPv6"),
        ("file:///etc/passwd", "only http"),
        ("ftp://127.0.0.1/x", "only http"),
        ("/0", "one redirect to the next"),
    ],
)
async def test_a_redirect_that_leads_nowhere_is_refused(service: Service, target: str, why: str) -> None:
    async with faulty(leads(target)) as server:
        with pytest.raises(OSError, match=why):
            await fetch(service, f"{server.url}/0", ())
    assert list(service.library.incoming.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "location", "why"),
    [
        (OUT_THERE, "https://127.0.0.1/admin", "another network"),
        (OUT_THERE, "//localhost:8080/", "another network"),
        (OUT_THERE, "https://[::1]/", "another network"),
        (OUT_THERE, "https://192.168.1.1/", "another network"),
        (OUT_THERE, "https://169.254.169.254/latest/meta-data/", "another network"),
        (OUT_THERE, "http://8.8.4.4/", "unsafe"),
        (OUT_THERE, "javascript:alert(1)", "only http"),
    ],
)
async def test_a_server_out_there_leads_nobody_into_this_network(url: str, location: str, why: str) -> None:
    with pytest.raises(OSError, match=why):
        await led_to(url, location)


async def test_from_one_server_out_there_to_another_is_fine() -> None:
    assert await led_to(OUT_THERE, "https://8.8.4.4/b") == "https://8.8.4.4/b"
    assert await led_to("http://127.0.0.1/a/b", "../c") == "http://127.0.0.1/c"


async def test_what_is_larger_than_may_be_uploaded_is_given_up(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel_service.workflow_files.MOST_BYTES", 10)
    async with faulty(leads()) as server:
        with pytest.raises(OSError, match="larger"):
            await fetch(service, f"{server.url}/lease.txt", ())
    assert list(service.library.incoming.iterdir()) == []


def test_the_description_says_what_is_accepted_without_effect(client: httpx.Client) -> None:
    described = client.get("/external-docs/openapi.json").json()
    schemas = described["components"]["schemas"]
    said = [
        (name, field)
        for name, schema in schemas.items()
        for field, held in schema.get("properties", {}).items()
        if field in {"web_search", "agent_id"} and "accepted without effect" in held.get("description", "")
    ]
    assert sorted(field for _, field in said) == ["agent_id", "agent_id", "web_search", "web_search"]
    assert "**web_search** and **agent_id** are accepted without effect" in described["info"]["description"]


async def test_what_is_no_address_is_refused(service: Service) -> None:
    with pytest.raises(OSError, match="Invalid IPv6"):
        await fetch(service, "http://[x/lease.txt", ())


class Told:
    """An open file that tells which threads write it."""

    def __init__(self, out: IO[bytes], threads: list[threading.Thread]) -> None:
        self._out = out
        self._threads = threads

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, data: bytes) -> int:
        self._threads.append(threading.current_thread())
        return self._out.write(data)


async def test_the_loop_does_not_wait_for_the_disk(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    opened, sync = Path.open, os.fsync

    def told(handle: int) -> None:
        threads.append(threading.current_thread())
        sync(handle)

    monkeypatch.setattr(Path, "open", lambda path, *given: Told(opened(path, *given), threads))
    monkeypatch.setattr(os, "fsync", told)
    async with faulty(leads()) as server:
        await fetch(service, f"{server.url}/lease.txt", ("In",))
    assert len(threads) == 3  # the words, the file, and the folder that it was moved to
    assert threading.main_thread() not in threads
