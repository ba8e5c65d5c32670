"""Accounts: tried before they are kept, kept without their secrets, opened again, removed."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import ValidationError

from carrel import log
from carrel.api import connect
from carrel.model import Account, Generation, InvalidRequest, ServiceError, SignInNeeded
from carrel.store.secrets import Credentials, Secrets
from carrel.store.settings import SettingsFile, StoredAccount
from carrel.work.advice import advised


@dataclass(frozen=True, repr=False)
class AccountForm:
    """What a person typed, unchecked."""

    base_url: str
    client_id: str
    api_key: str
    secret: str
    tenant_id: str = ""
    generation: Generation = "current"
    name: str = ""


FIELDS = {
    "base_url": "Address",
    "client_id": "Client ID",
    "api_key": "API key",
    "secret": "Secret",
    "tenant_id": "Tenant",
}


def check(form: AccountForm) -> Account:
    """The account that the form stands for; `InvalidRequest` names the first wrong field in `code`."""
    try:
        return Account(
            base_url=form.base_url,
            client_id=form.client_id,
            api_key=form.api_key,
            secret=form.secret,
            generation=form.generation,
            tenant_id=form.tenant_id or None,
            name=form.name,
        )
    except ValidationError as error:
        raise _refusal(error, "Check what you typed") from None


def _refusal(error: ValidationError, title: str) -> InvalidRequest:
    first = error.errors(include_input=False, include_url=False)[0]
    field = str(first["loc"][0])
    words = first["msg"].removeprefix("Value error, ")
    return InvalidRequest(f"{FIELDS.get(field, field)}: {words}.", title=title, code=field, sent="no")


async def test(form: AccountForm) -> int:
    """Ask the service for its models, and give how many there are; raises `ServiceError`."""
    account = check(form)
    log.secrets.hide(account.secrets())
    try:
        async with connect(account) as service:
            return len(await service.models())
    except ServiceError as error:
        raise advised(error, account) from None


class Accounts:
    """The accounts of this home."""

    def __init__(self, settings: SettingsFile, secrets: Secrets, change: Callable[..., object] | None = None) -> None:
        """Read from these two; `change` writes settings in place of `settings.change`, and tells of it."""
        self._settings, self.secrets = settings, secrets
        self._change = change or settings.change

    @property
    def all(self) -> tuple[StoredAccount, ...]:
        """The accounts without their secrets."""
        return self._settings.value.accounts

    async def keep(self, account: Account, asked: str = "") -> tuple[str, bool]:
        """Keep an account; its id, and whether the keychain has its secrets (else: this session only).

        One that is kept already, such as the one of the id `asked` for, is signed in to again: it stays what it is,
        for its chats hang on its id.
        """
        former = await self._former(account, asked)
        account_id = former.id if former else uuid.uuid4().hex
        credentials = Credentials(
            account.client_id, account.api_key.get_secret_value(), account.secret.get_secret_value()
        )
        is_safe = await self.secrets.write(account_id, credentials)
        if former is not None:
            self._change(last_account=account_id)
            return account_id, is_safe
        stored = StoredAccount(
            id=account_id,
            name=account.name,
            base_url=account.base_url,
            generation=account.generation,
            tenant_id=account.tenant_id,
            names=account.names,
        )
        self._change(accounts=[*self.all, stored], last_account=account_id)
        return account_id, is_safe

    async def _former(self, account: Account, asked: str) -> StoredAccount | None:
        """The kept account that this one is: asked for, or of the same client, or without credentials that work."""
        alike = [a for a in self.all if _place(a) == _place(account)]
        held = {a.id: await self.secrets.read(a.id) for a in alike if a.id != asked}
        for one in alike:
            credentials = held.get(one.id)
            if one.id == asked or (credentials and credentials.client_id == account.client_id):
                return one
        for one in alike:
            if held[one.id] is None or await self._is_refused(one.id):
                return one
        return None

    async def _is_refused(self, account_id: str) -> bool:
        """Whether the service no longer takes the credentials that are kept: its key was made anew."""
        try:
            account = await self.load(account_id)
            if account is not None:
                async with connect(account) as service:
                    await service.models()
        except SignInNeeded:
            return True
        except ServiceError:
            return False
        return account is None

    async def load(self, account_id: str) -> Account | None:
        """The account with its secrets; None where the keychain does not (any more) have them.

        `InvalidRequest` where the settings hold something that is no account.
        """
        stored = self._settings.value.account(account_id)
        credentials = await self.secrets.read(account_id) if stored else None
        if stored is None or credentials is None:
            return None
        try:
            return Account(
                **stored.model_dump(exclude={"id"}),
                client_id=credentials.client_id,
                api_key=credentials.api_key,
                secret=credentials.secret,
            )
        except ValidationError as error:
            raise _refusal(error, "The account cannot be opened as it is kept") from None

    async def remove(self, account_id: str) -> bool:
        """Forget an account and its secrets; what it did stays in the journal. False where the keychain kept them."""
        is_gone = await self.secrets.forget(account_id)
        self._change(accounts=[a for a in self.all if a.id != account_id])
        return is_gone


def _place(account: Account | StoredAccount) -> tuple[str, Generation, str | None]:
    """What makes two accounts of one client the same."""
    return account.base_url, account.generation, account.tenant_id
