"""The three credentials of an account, in the system's own keychain, or in memory for this session."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
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
        self.kept_in = ""
        self.why_not = ""

    async def look(self) -> str:
        """Find the keychain; the sentence says why there is none (empty where there is one)."""
        try:
            async with asyncio.timeout(self._patience):
                self.kept_in, self.why_not = await asyncio.to_thread(self._choose)
        except TimeoutError:
            self.kept_in, self.why_not = "", "The keychain does not answer; it may be waiting to be unlocked."
        return self.why_not

    async def write(self, account_id: str, credentials: Credentials) -> bool:
        """Keep them; False where they are kept for this session only."""
        self._memory[account_id] = credentials
        if await self.look():
            return False
        text = json.dumps([credentials.client_id, credentials.api_key, credentials.secret])
        return await self._call(self._write_and_check, account_id, text) is True

    async def read(self, account_id: str) -> Credentials | None:
        """The credentials, or None where they are not (any more) to be had."""
        if held := self._memory.get(account_id):
            return held
        if await self.look():
            return None
        text = await self._call(self._get, account_id)
        try:
            self._memory[account_id] = credentials = Credentials(*json.loads(text or "null"))
        except (TypeError, ValueError):
            return None
        return credentials

    async def forget(self, account_id: str) -> None:
        """Remove them from memory and keychain."""
        self._memory.pop(account_id, None)
        if not await self.look():
            await self._call(self._delete, account_id)

    async def _call(self, work: Any, *values: str) -> Any:
        try:
            async with asyncio.timeout(self._patience):
                return await asyncio.to_thread(work, *values)
        except TimeoutError:
            self.why_not = "The keychain does not answer; it may be waiting to be unlocked."
        except Exception as error:  # noqa: BLE001  # each backend raises its own; the message may quote the secret
            log.warning("keychain: %s", type(error).__name__)
            self.why_not = f"The keychain refused ({type(error).__name__})."
        self.kept_in = ""
        return None

    def _choose(self) -> tuple[str, str]:
        if self._backend is None:
            import keyring

            self._backend = keyring.get_keyring()
        for one in getattr(self._backend, "backends", [self._backend]):
            if type(one).__module__.startswith(self._trusted):
                self._backend = one
                return str(one.name), ""
        return "", "This computer has no keychain that Carrel trusts."

    def _write_and_check(self, account_id: str, text: str) -> bool:
        self._backend.set_password(SERVICE, account_id, text)
        return bool(self._backend.get_password(SERVICE, account_id) == text)

    def _get(self, account_id: str) -> Any:
        return self._backend.get_password(SERVICE, account_id)

    def _delete(self, account_id: str) -> None:
        if self._backend.get_password(SERVICE, account_id) is not None:
            self._backend.delete_password(SERVICE, account_id)
