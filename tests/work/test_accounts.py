"""Accounts: what was typed is checked field by field, kept without secrets, opened again, forgotten."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from carrel.model import InvalidRequest, SignInNeeded, Unreachable
from carrel.store.secrets import Secrets
from carrel.store.settings import SettingsFile
from carrel.work import accounts as room
from carrel.work.accounts import AccountForm, Accounts, check
from keychains import Forgets, Keeps
from running import built_in_service

GOOD = AccountForm(
    base_url=" https://service.example.com/ ",
    client_id=" client-4711\n",
    api_key="key-of-mine-0815 ",
    secret="\tsecret-of-mine-1234",
    tenant_id=" acme ",
    name="Mine",
)


def accounts_of(file: Path, backend: object) -> Accounts:
    settings = SettingsFile(file)

    def change(**values: object) -> None:
        settings.change(**values)
        settings.write()

    return Accounts(settings, Secrets(trusted=("keychains",), backend=backend), change)


def test_what_was_pasted_with_spaces_around_is_cleaned() -> None:
    account = check(GOOD)
    assert account.base_url == "https://service.example.com"
    assert account.secrets() == ("client-4711", "key-of-mine-0815", "secret-of-mine-1234")
    assert account.tenant_id == "acme"
    assert check(replace(GOOD, tenant_id="  ")).tenant_id is None


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("base_url", "service.example.com"),
        ("base_url", ""),
        ("base_url", "ftp://service.example.com"),
        ("base_url", "https://"),
        ("base_url", "https://[::1"),
        ("base_url", "https://host:port"),
        ("base_url", "https://user:pass-of-mine@host"),
        ("base_url", "https://two words"),
        ("client_id", ""),
        ("client_id", "client–4711"),
        ("api_key", "   "),
        ("api_key", "key-of-mine-“0815”"),
        ("api_key", "key-of-mine\n0815"),
        ("secret", "secret-of-mine-1234\x00"),
        ("tenant_id", "äcme"),
    ],
)
def test_the_first_wrong_field_is_named_and_nothing_typed_is_repeated(field: str, typed: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        check(replace(GOOD, **{field: typed}))
    error = refused.value
    assert error.code == field
    assert error.message.startswith(room.FIELDS[field])
    assert error.sent == "no"
    said = f"{error.title} {error.message} {error.remedy} {error!r} {error.__cause__!r}"
    for part in ("4711", "0815", "1234", "pass-of-mine"):
        assert part not in said


def test_a_form_shows_no_secret_when_it_is_printed() -> None:
    assert "0815" not in repr(GOOD)
    assert {f.name for f in fields(AccountForm)} >= set(room.FIELDS)


async def test_what_is_kept_opens_again_and_the_file_has_no_secret(tmp_path: Path) -> None:
    file, backend = tmp_path / "settings.json", Keeps()
    account_id, is_safe = await accounts_of(file, backend).keep(check(GOOD))
    assert is_safe
    text = file.read_text()
    assert json.loads(text)["last_account"] == account_id
    assert not any(secret in text for secret in check(GOOD).secrets())
    assert await accounts_of(file, backend).load(account_id) == check(GOOD)


async def test_without_a_keychain_it_lasts_for_this_session(tmp_path: Path) -> None:
    file, backend = tmp_path / "settings.json", Forgets()
    here = accounts_of(file, backend)
    account_id, is_safe = await here.keep(check(GOOD))
    assert not is_safe
    assert await here.load(account_id) == check(GOOD)
    again = accounts_of(file, backend)
    assert [a.name for a in again.all] == ["Mine"]
    assert await again.load(account_id) is None


async def test_remove_forgets_the_account_and_its_secrets_only(tmp_path: Path) -> None:
    file, backend = tmp_path / "settings.json", Keeps()
    here = accounts_of(file, backend)
    first, _ = await here.keep(check(GOOD))
    second, _ = await here.keep(check(replace(GOOD, tenant_id="other")))
    await here.remove(first)
    assert [a.id for a in here.all] == [second]
    assert list(backend.held) == [("Carrel", second)]
    assert await here.load(first) is None
    assert await here.load("never") is None


async def test_trying_an_account_counts_its_models(tmp_path: Path) -> None:
    with built_in_service(tmp_path) as service:
        form = AccountForm(service.base_url, service.client_id, service.api_key, service.secret)
        assert await room.test(form) > 0
        with pytest.raises(SignInNeeded):
            await room.test(replace(form, secret="not-the-secret"))
    with pytest.raises(Unreachable):
        await room.test(form)


async def test_the_same_client_is_one_account_and_keeps_its_settings(tmp_path: Path) -> None:
    here = accounts_of(tmp_path / "settings.json", Keeps())
    first, _ = await here.keep(check(GOOD))
    [kept] = here.all
    changed = kept.model_copy(update={"use_reference": False})
    here._settings.change(accounts=[changed])
    again, _ = await here.keep(check(replace(GOOD, api_key="key-of-mine-anew", name="")))
    assert again == first
    assert here.all == (changed,)
    account = await here.load(first)
    assert account.api_key.get_secret_value() == "key-of-mine-anew"
    assert not account.use_reference


async def test_another_client_of_a_service_is_another_account(tmp_path: Path) -> None:
    with built_in_service(tmp_path) as service:
        works = AccountForm(service.base_url, service.client_id, service.api_key, service.secret)
        other = replace(works, client_id="client-of-another", api_key="key-of-another")
        here = accounts_of(tmp_path / "settings.json", Keeps())
        first, _ = await here.keep(check(works))
        second, _ = await here.keep(check(other))
        assert second != first
        # What the service refuses is of no use to anyone: a new key takes its place.
        third, _ = await here.keep(check(replace(works, client_id="client-of-a-third")))
        assert third == second
        assert await here.load(first) == check(works)


async def test_the_account_that_was_asked_about_is_the_one_that_is_signed_in_to(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    here = accounts_of(file, Forgets())
    first, _ = await here.keep(check(GOOD))
    second, _ = await here.keep(check(replace(GOOD, tenant_id="other")))
    again = accounts_of(file, Forgets())
    [one, two] = again.all
    twins = [one, two.model_copy(update={"tenant_id": one.tenant_id})]
    again._settings.change(accounts=twins)
    assert (await again.keep(check(GOOD), second))[0] == second
    assert (await again.keep(check(replace(GOOD, base_url="https://elsewhere.example.com")), first))[0] not in {
        first,
        second,
    }
