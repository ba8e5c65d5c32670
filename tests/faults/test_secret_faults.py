"""Faults of secrets: keychains that cannot be trusted, dirty pasted keys, and a look for leaks after everything."""

from __future__ import annotations

import asyncio
import io
import logging
import threading
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from carrel.api import Limits, connect
from carrel.model import (
    Account,
    AgentRequest,
    ChatRequest,
    Exchange,
    LibraryQuery,
    SearchQuery,
    ServiceError,
    WorkflowRunRequest,
)
from carrel.store.secrets import Credentials, Secrets
from faulty import Peer, faulty

GROUP = "secrets"
KEYS = Credentials("client-of-mine", "api-key-of-mine", "secret-of-mine")


class Keychain:
    """A backend that keeps what it is given; `name` is what a person reads."""

    name = "Test keychain"

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, text: str) -> None:
        self.kept[service, name] = text

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


class Forgetful(Keychain):
    def set_password(self, service: str, name: str, text: str) -> None:
        pass


class Locked(Keychain):
    def set_password(self, service: str, name: str, text: str) -> None:
        raise RuntimeError(f"the collection is locked: {text}")


class Waiting(Keychain):
    """Waits for an unlock prompt that nobody answers, until the test ends."""

    def __init__(self) -> None:
        super().__init__()
        self.answered = threading.Event()

    def set_password(self, service: str, name: str, text: str) -> None:
        self.answered.wait(10)


OURS = (__name__,)


async def test_a_sound_keychain_keeps_them() -> None:
    keychain = Keychain()
    secrets = Secrets(OURS, backend=keychain)
    assert await secrets.write("one", KEYS)
    assert await Secrets(OURS, backend=keychain).read("one") == KEYS
    await secrets.forget("one")
    assert keychain.kept == {}


@pytest.mark.parametrize("backend", [Forgetful, Locked], ids=["null backend", "locked"])
async def test_a_keychain_that_does_not_keep(backend: type[Keychain], log_watch: Any) -> None:
    if backend is Locked:
        log_watch.expect("keychain: RuntimeError")
    keychain = backend()
    secrets = Secrets(OURS, backend=keychain)
    assert not await secrets.write("one", KEYS)
    assert await secrets.read("one") == KEYS, "for this session they are kept in memory"
    assert await Secrets(OURS, backend=keychain).read("one") is None
    assert not any("of-mine" in line for line in log_watch.seen)


async def test_a_keychain_that_waits_for_a_prompt() -> None:
    keychain = Waiting()
    secrets = Secrets(OURS, patience=0.1, backend=keychain)
    assert not await asyncio.wait_for(secrets.write("one", KEYS), 5)
    assert "unlocked" in secrets.why_not
    keychain.answered.set()


@pytest.mark.parametrize("trusted", [(), ("keyring.backends.SecretService",)], ids=["nothing", "the allow list"])
async def test_no_keychain_or_one_of_clear_text(trusted: tuple[str, ...]) -> None:
    keychain = Keychain()  # its module is on no list, as that of keyrings.alt
    secrets = Secrets(trusted, backend=keychain)
    assert not await secrets.write("one", KEYS)
    assert keychain.kept == {}
    assert secrets.why_not
    assert await secrets.read("one") == KEYS


DIRTY = [
    "key-of-mine\u201d",
    "key-of-mine\nX-Evil: 1",
    "key\tof-mine",
    "key-of-mine\x00",
    "key\u00a0of-mine",
    "ключ-of-mine",
]


@pytest.mark.parametrize("dirty", DIRTY)
@pytest.mark.parametrize("field", ["client_id", "api_key", "secret"])
def test_dirty_pasted_keys(field: str, dirty: str) -> None:
    clean = {"client_id": "c", "api_key": "k", "secret": "s"}
    with pytest.raises(ValidationError) as caught:
        Account(base_url="http://127.0.0.1:1", **clean | {field: dirty})
    words = f"{caught.value} {caught.value!r} {caught.value.errors(include_input=False)}"
    assert "of-mine" not in words
    assert field in words


def test_spaces_around_a_pasted_key_are_not_its_own() -> None:
    account = Account(base_url="http://127.0.0.1:1", client_id=" c ", api_key="\tkey-of-mine\r\n", secret="s\n")
    assert account.secrets() == ("c", "key-of-mine", "s")


def test_an_account_prints_no_secret() -> None:
    account = Account(base_url="http://127.0.0.1:1", client_id="c-of-mine", api_key="k-of-mine", secret="s-of-mine")
    for text in (repr(account), str(account), f"{account}", account.model_dump_json(exclude={"client_id"})):
        assert "of-mine" not in text


async def _good(peer: Peer) -> None:
    said: dict[str, Any] = {"items": [], "data": [], "results": []}
    if peer.seen.method == "POST":
        said["echo"] = peer.seen.headers
    await peer.json(said)


async def _refused(peer: Peer) -> None:
    await peer.json({"error": "x", "message": "No."}, 400)


async def _reset(peer: Peer) -> None:
    await peer.body()
    peer.reset()


async def _moved(peer: Peer) -> None:
    await peer.json({}, 302, headers={"Location": "http://127.0.0.1:9/?token=1"})


async def _broken(peer: Peer) -> None:
    await peer.raw(b"HTTP/1.1 200 OK\r\nbroken header\r\n\r\n")
    peer.close()


async def _bad_stream(peer: Peer) -> None:
    await peer.begin_stream()
    await peer.raw(b"event: content\ndata: {\n\n")
    peer.close()


FAULTS = [_good, _refused, _reset, _moved, _broken, _bad_stream]


async def test_no_leaks_after_everything(tmp_path: Path) -> None:
    told: list[Exchange] = []
    texts: list[str] = []
    accounts: list[Account] = []
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setLevel(logging.DEBUG)
    logging.getLogger().addHandler(handler)
    document = tmp_path / "a.txt"
    document.write_text("words")
    try:
        for fault in FAULTS:
            async with faulty(fault) as server:
                accounts.append(server.account(tenant_id="tenant-9"))
                limits = Limits(backoff=0.01, answer=1)
                async with connect(accounts[-1], observer=told.append, limits=limits) as service:
                    for verb in _verbs(service, document):
                        texts += await _words_of(verb)
    finally:
        logging.getLogger().removeHandler(handler)
    kept = {path.name: path.read_bytes() for path in files_in(tmp_path)}
    leaked = " ".join([repr(told), repr(kept), *texts, written.getvalue()])
    assert len(told) >= len(FAULTS) * 7
    assert not [secret for account in accounts for secret in account.secrets() if secret in leaked]


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def _verbs(service: Any, document: Path) -> list[Callable[[], Awaitable[Any]]]:
    async def talk() -> None:
        async for _ in service.chat(ChatRequest(content="x")):
            pass

    return [
        service.models,
        talk,
        lambda: service.library(LibraryQuery()),
        lambda: service.search(SearchQuery(keyword="x")),
        lambda: service.upload([document]),
        lambda: service.run_agent(AgentRequest(prompt="x")),
        lambda: service.queue_run("g", WorkflowRunRequest()),
        lambda: service.download("/file", document.with_name("out.pdf")),
    ]


async def _words_of(verb: Callable[[], Awaitable[Any]]) -> list[str]:
    """All the words of the error that a verb ends with, as a crash note would have them."""
    try:
        await asyncio.wait_for(verb(), 20)
    except ServiceError as error:
        parts = (error.title, error.message, error.remedy, error.details, error.code, repr(error), str(error))
        return [*parts, "".join(traceback.format_exception(error))]
    return []
