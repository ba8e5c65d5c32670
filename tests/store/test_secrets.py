"""The keychain: which backends are trusted, what becomes of secrets where there is none, and that nothing leaks."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
from keyring.backends import chainer, fail, null

from carrel.store import secrets as room
from carrel.store.secrets import TRUSTED, Credentials, Secrets
from keychains import Alters, Chain, Clings, Forgets, Hangs, Keeps, Locks, Talks

MINE = Credentials("client-4711", "key-of-mine-0815", "secret-of-mine-1234")
HERE = ("keychains",)


def on(backend: object, trusted: tuple[str, ...] = HERE, patience: float = 5.0) -> Secrets:
    return Secrets(trusted=trusted, patience=patience, backend=backend)


def chain(*backends: object) -> Chain:
    made = Chain()
    made.backends = list(backends)  # type: ignore[misc]
    return made


def finish_keychain_threads() -> None:
    for thread in threading.enumerate():
        if thread.name.startswith("carrel-keychain"):
            thread.join(timeout=30)
            assert not thread.is_alive()


class ClearText(Keeps):
    """A backend that is not on the list, as `keyrings.alt` is not."""


ClearText.__module__ = "keyrings.alt.file"


@pytest.mark.parametrize(
    ("make", "trusted", "is_kept"),
    [
        (Keeps, HERE, True),
        (lambda: chain(ClearText(), Keeps()), HERE, True),
        (lambda: chain(ClearText()), HERE, False),
        (fail.Keyring, TRUSTED, False),
        (null.Keyring, TRUSTED, False),
        (chainer.ChainerBackend, (), False),
        (ClearText, HERE, False),
        (Forgets, HERE, False),
        (Alters, HERE, False),
        (Talks, HERE, False),
    ],
    ids=["trusted", "chain", "bad chain", "fail", "null", "empty chain", "clear text", "forgets", "alters", "talks"],
)
async def test_what_each_backend_comes_to(
    make: Callable[[], Any], trusted: tuple[str, ...], is_kept: bool, caplog: pytest.LogCaptureFixture, log_watch
) -> None:
    if make is Talks:
        log_watch.expect("keychain: RuntimeError")
    caplog.set_level(logging.DEBUG)
    backend = make()
    secrets = on(backend, trusted)
    assert await secrets.write("one", MINE) is is_kept
    assert bool(secrets.why_not) is not is_kept
    assert await secrets.read("one") == MINE  # for this session it is there in any case
    again = on(backend, trusted)
    assert await again.read("one") == (MINE if is_kept else None)
    shown = caplog.text + secrets.why_not + secrets.kept_in + repr(secrets) + repr(MINE) + repr(vars(again))
    for text in (MINE.client_id, MINE.api_key, MINE.secret):
        assert text not in shown


async def test_what_is_kept_is_one_item_an_account() -> None:
    backend = Keeps()
    await on(backend).write("one", MINE)
    await on(backend).write("two", MINE)
    assert sorted(backend.held) == [("Carrel", "one"), ("Carrel", "two")]
    assert len(backend.held["Carrel", "one"]) < 1280


@pytest.mark.parametrize("backend", [ClearText, null.Keyring, Forgets])
async def test_a_backend_that_is_not_good_enough_holds_nothing(backend: type) -> None:
    made = backend()
    await on(made).write("one", MINE)
    assert getattr(made, "held", {}) == {}


async def test_a_text_that_was_kept_wrongly_is_taken_away_again() -> None:
    backend = Alters()
    secrets = on(backend)
    await secrets.write("one", MINE)
    assert backend.held == {}
    assert "did not give back" in secrets.why_not


async def test_forget_takes_it_out_of_memory_and_keychain() -> None:
    backend = Keeps()
    secrets = on(backend)
    await secrets.write("one", MINE)
    assert await secrets.forget("one")
    assert backend.held == {}
    assert await secrets.read("one") is None
    assert await secrets.forget("one")


async def test_forget_says_that_the_keychain_keeps_them(log_watch) -> None:
    log_watch.expect("keychain: RuntimeError")
    for backend, why in ((Locks(), "refused"), (Clings(), "not let go")):
        secrets = on(backend)
        await secrets.write("one", MINE)
        assert not await secrets.forget("one")
        assert why in secrets.why_not


async def test_where_no_keychain_is_trusted_nothing_is_left_to_forget() -> None:
    secrets = Secrets(trusted=(), backend=Keeps())
    await secrets.write("one", MINE)
    assert await secrets.forget("one")
    assert await secrets.read("one") is None


@pytest.mark.parametrize("held", ["", "no json", "[1]", '{"a": 1}', "null", '["a", "b", "c", "d"]', '["a", "b", 3]'])
async def test_what_cannot_be_read_is_not_there(held: str) -> None:
    backend = Keeps()
    backend.held["Carrel", "one"] = held
    assert await on(backend).read("one") is None


async def test_a_hanging_keychain_costs_its_patience_once_and_says_so() -> None:
    backend = Hangs()
    secrets = on(backend, patience=0.05)
    try:
        assert await secrets.write("one", MINE) is False
        assert "does not answer" in secrets.why_not
        for _ in range(40):
            assert await secrets.read("another") is None
        assert backend.asked == 1  # the others do not queue behind it, nor take threads
        assert await secrets.read("one") == MINE
        assert await asyncio.to_thread(lambda: "the pool is free") == "the pool is free"
    finally:
        backend.let_go.set()


async def test_a_keychain_that_was_unlocked_after_all_is_used_again() -> None:
    backend = Hangs()
    secrets = on(backend, patience=0.05)
    assert await secrets.write("one", MINE) is False
    backend.let_go.set()
    finish_keychain_threads()
    assert await secrets.write("one", MINE)
    assert secrets.why_not == ""
    assert await on(backend).read("one") == MINE


def test_a_hanging_keychain_does_not_keep_the_program_from_ending() -> None:
    backend = Hangs()
    try:
        asyncio.run(on(backend, patience=0.01).write("one", MINE))
        waiting = [t for t in threading.enumerate() if t.name.startswith("carrel-keychain")]
        assert waiting
        assert all(t.daemon for t in waiting)
    finally:
        backend.let_go.set()


async def test_an_answer_that_comes_too_late_leaks_nothing(log_watch) -> None:
    log_watch.expect("keychain: RuntimeError")

    class TalksLate(Hangs):
        def set_password(self, service: str, name: str, text: str) -> None:
            super().set_password(service, name, text)
            raise RuntimeError(f"too late for {text}")

    TalksLate.__module__ = "keychains"
    backend = TalksLate()
    secrets = on(backend, patience=0.05)
    assert await secrets.write("one", MINE) is False
    backend.let_go.set()
    finish_keychain_threads()
    await asyncio.sleep(0)  # what the thread had still to say is heard
    assert not await secrets.write("one", MINE)
    assert "RuntimeError" in secrets.why_not


async def test_a_library_that_fails_to_choose_is_a_keychain_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, log_watch
) -> None:
    log_watch.expect("keychain: ModuleNotFoundError")
    monkeypatch.setattr("keyring.get_keyring", lambda: (_ for _ in ()).throw(ModuleNotFoundError("no_such_backend")))
    secrets = Secrets()
    assert await secrets.write("one", MINE) is False
    assert "ModuleNotFoundError" in secrets.why_not


def test_only_backends_that_encrypt_are_trusted() -> None:
    assert all(name.startswith("keyring.backends.") for name in room.TRUSTED)
    assert not {"keyring.backends.null", "keyring.backends.fail", "keyring.backends.chainer"} & set(room.TRUSTED)


async def test_what_was_not_kept_is_said_until_it_is_kept(log_watch) -> None:
    log_watch.expect("keychain: RuntimeError")
    backend = Talks()
    secrets = on(backend)
    assert not await secrets.write("one", MINE)
    assert "refused" in await secrets.look()
    assert secrets.kept_in == ""
    assert await secrets.read("another") is None
    assert "refused" in await secrets.look()
    backend.set_password = lambda *place: Keeps.set_password(backend, *place)  # type: ignore[method-assign]
    assert await secrets.write("one", MINE)
    assert await secrets.look() == ""
    assert secrets.kept_in == Keeps.name
