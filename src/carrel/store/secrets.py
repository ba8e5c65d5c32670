"""The three credentials of an account, in the system's own keychain, or in memory for this session."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

log = logging.getLogger("carrel.secrets")

TRUSTED = (
    "keyring.backends.SecretService",
    "keyring.backends.kwallet",
    "keyring.backends.macOS",
    "keyring.backends.Windows",
    "keyring.backends.libsecret",
)
"""Backends that encrypt. Others store clear text without a word, or forget."""

SERVICE = "Carrel"
PATIENCE = 5.0
"""Seconds; a keychain may stand behind an unlock prompt that nobody sees."""

NONE = "This computer has no keychain that Carrel trusts."
SILENT = "The keychain does not answer; it may be waiting to be unlocked."


@dataclass(frozen=True, repr=False)
class Credentials:
    """What the service's web app generated."""

    client_id: str
    api_key: str
    secret: str


class Secrets:
    """Reads and writes credentials; `kept_in` names the keychain, or is empty where there is none to be had."""

    def __init__(self, trusted: Sequence[str] = TRUSTED, patience: float = PATIENCE, backend: Any = None) -> None:
        """`backend` is for tests; else the keyring library's own choice is looked at when first needed."""
        self._trusted, self._patience, self._backend = tuple(trusted), patience, backend
        self._memory: dict[str, Credentials] = {}
        self._hanging: threading.Thread | None = None
        self._write_failed = ""
        self.kept_in = ""
        self.why_not = ""

    @property
    def is_silent(self) -> bool:
        """Whether the keychain has not answered, so that what it holds is not known."""
        return self.why_not == SILENT

    async def look(self) -> str:
        """Find the keychain; the sentence says why it does not keep credentials (empty where it does)."""
        if not await self._find() and self._write_failed:
            self._fail(self._write_failed)
        return self.why_not

    async def write(self, account_id: str, credentials: Credentials) -> bool:
        """Keep them; False where they are kept for this session only."""
        self._memory[account_id] = credentials
        is_safe = not await self._find() and await self._keep(account_id, credentials)
        self._write_failed = "" if is_safe else self.why_not
        return is_safe

    async def read(self, account_id: str) -> Credentials | None:
        """The credentials, or None where they are not (any more) to be had."""
        if held := self._memory.get(account_id):
            return held
        if await self._find():
            return None
        credentials = _credentials(await self._call(self._get, account_id))
        if credentials is not None:
            self._memory[account_id] = credentials
        return credentials

    async def forget(self, account_id: str) -> bool:
        """Remove them from memory and keychain; False where the keychain may have them still (`why_not` says why)."""
        self._memory.pop(account_id, None)
        if why_not := await self._find():
            return why_not == NONE
        is_gone = await self._call(self._delete_and_check, account_id)
        if is_gone is False:
            self._fail("The keychain has not let go of them.")
        return is_gone is True

    async def _find(self) -> str:
        """Choose the backend; why there is none, or empty."""
        if chosen := await self._call(self._choose):
            self.kept_in, self.why_not = chosen
        return self.why_not

    async def _keep(self, account_id: str, credentials: Credentials) -> bool:
        text = json.dumps([credentials.client_id, credentials.api_key, credentials.secret])
        is_same = await self._call(self._write_and_check, account_id, text)
        if is_same is False:
            self._fail("The keychain did not give back what it was given.")
        return is_same is True

    async def _call(self, work: Callable[..., Any], *values: str) -> Any:
        """Do `work` in a thread of its own; None where it fails or does not answer in time.

        Not in asyncio's pool: a keychain that waits for ever would take a place of it at each call, and the loop
        would wait for it at the end.
        """
        if self._hanging is not None and self._hanging.is_alive():
            return self._fail(SILENT)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[tuple[Any, str]] = loop.create_future()

        def settle(answered: tuple[Any, str]) -> None:
            if not answer.done():
                answer.set_result(answered)

        def run() -> None:
            try:
                answered = work(*values), ""
            except Exception as error:  # noqa: BLE001  # each backend raises its own; the message may quote the secret
                answered = None, type(error).__name__
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(settle, answered)

        thread = threading.Thread(target=run, name="carrel-keychain", daemon=True)
        thread.start()
        try:
            async with asyncio.timeout(self._patience):
                result, failure = await answer
        except TimeoutError:
            self._hanging = thread
            return self._fail(SILENT)
        if failure:
            log.warning("keychain: %s", failure)
            return self._fail(f"The keychain refused ({failure}).")
        return result

    def _fail(self, why_not: str) -> None:
        self.kept_in, self.why_not = "", why_not

    def _choose(self) -> tuple[str, str]:
        if self._backend is None:
            import keyring

            self._backend = keyring.get_keyring()
        for one in getattr(self._backend, "backends", [self._backend]):
            if type(one).__module__ in self._trusted:
                self._backend = one
                return str(one.name), ""
        return "", NONE

    def _write_and_check(self, account_id: str, text: str) -> bool:
        self._backend.set_password(SERVICE, account_id, text)
        if self._backend.get_password(SERVICE, account_id) == text:
            return True
        with suppress(Exception):  # whatever it holds now is of no use; it may refuse to let go of it, too
            self._backend.delete_password(SERVICE, account_id)
        return False

    def _get(self, account_id: str) -> Any:
        return self._backend.get_password(SERVICE, account_id)

    def _delete_and_check(self, account_id: str) -> bool:
        if self._backend.get_password(SERVICE, account_id) is not None:
            self._backend.delete_password(SERVICE, account_id)
        return self._backend.get_password(SERVICE, account_id) is None


def _credentials(text: Any) -> Credentials | None:
    """What a keychain's item holds, unless it is not ours."""
    try:
        held = json.loads(text or "null")
    except (TypeError, ValueError):
        return None
    if not isinstance(held, list) or len(held) != 3 or not all(isinstance(t, str) for t in held):
        return None
    return Credentials(*held)
