"""The settings file: replaced whole, tolerant of what does not fit, kept where it cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carrel.store.settings import Settings, SettingsFile, StoredAccount
from unprivileged import read_only

MINE = StoredAccount(id="one", name="Mine", base_url="https://service.example.com", tenant_id="acme")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.json"


def written(file: Path, text: str | bytes) -> SettingsFile:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return SettingsFile(file)


def test_without_a_file_all_is_as_it_comes_and_nothing_is_written(file: Path) -> None:
    assert SettingsFile(file).value == Settings()
    assert not file.parent.exists()


def kept(settings: SettingsFile, **values: object) -> None:
    """Change and write."""
    settings.change(**values)
    settings.write()


def test_what_is_changed_is_there_at_the_next_start(file: Path) -> None:
    kept(SettingsFile(file), theme="dark", accounts=[MINE], last_account="one")
    again = SettingsFile(file).value
    assert again.theme == "dark"
    assert again.account("one") == MINE
    assert again.account("another") is None


def test_a_change_leaves_the_rest(file: Path) -> None:
    settings = SettingsFile(file)
    settings.change(text_size=2)
    settings.change(theme="light", window={"geometry": "abc"})
    assert settings.value == Settings(text_size=2, theme="light", window={"geometry": "abc"})


@pytest.mark.parametrize(
    "broken",
    ["", "{", "[1, 2]", "null", '"dark"', b"\xff\xfe\x00", "[" * 200_000, '{"theme": "dark"} and more'],
    ids=["empty", "cut", "list", "null", "text", "not utf-8", "deep", "more"],
)
def test_a_broken_file_is_kept_beside_and_told(file: Path, broken: str | bytes, log_watch) -> None:
    log_watch.expect("settings cannot be read")
    settings = written(file, broken)
    assert settings.value == Settings()
    aside = file.with_name("settings.json.unreadable")
    assert aside.read_bytes() == (broken.encode() if isinstance(broken, str) else broken)
    kept(settings, theme="dark")
    assert SettingsFile(file).value.theme == "dark"
    assert aside.exists()


def test_unknown_settings_are_left_out_without_a_word(file: Path) -> None:
    held = {"theme": "dark", "of_a_later_version": True}
    assert written(file, json.dumps(held)).value == Settings(theme="dark")


def test_values_that_do_not_fit_are_left_out_one_by_one(file: Path, log_watch) -> None:
    for name in ("theme", "text_size", "window", "send_with"):
        log_watch.expect(f"the setting {name} does not fit")
    held = {
        "theme": "pink",
        "text_size": "huge",
        "window": ["a"],
        "send_with": None,
        "downloads": "/somewhere",
        "accounts": [MINE.model_dump()],
    }
    assert written(file, json.dumps(held)).value == Settings(downloads="/somewhere", accounts=(MINE,))


def test_one_bad_account_does_not_cost_the_others(file: Path, log_watch) -> None:
    log_watch.expect("accounts")
    bad = {"id": "two", "generation": "the next"}
    held = {"accounts": [MINE.model_dump(), bad, "no account"], "theme": "dark"}
    settings = written(file, json.dumps(held)).value
    assert settings.accounts == (MINE,)
    assert settings.theme == "dark"


def test_a_write_that_fails_leaves_the_former_file_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = SettingsFile(file)
    kept(settings, theme="dark")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        kept(settings, theme="light")
    monkeypatch.undo()
    assert SettingsFile(file).value.theme == "dark"
    assert settings.value.theme == "light"  # it acts in this session
    kept(settings, text_size=1)
    assert SettingsFile(file).value == Settings(theme="light", text_size=1)


def test_a_value_out_of_range_is_refused_and_not_written(file: Path) -> None:
    settings = SettingsFile(file)
    kept(settings, theme="dark")
    before = file.read_bytes()
    with pytest.raises(ValueError, match="theme"):
        settings.change(theme="pink")
    settings.write()
    assert file.read_bytes() == before
    assert settings.value.theme == "dark"


def test_no_part_file_stays(file: Path) -> None:
    kept(SettingsFile(file), theme="dark")
    assert [f.name for f in file.parent.iterdir()] == ["settings.json"]


def test_a_broken_file_that_cannot_be_moved_does_not_keep_the_window_shut(file: Path, log_watch) -> None:
    log_watch.expect("settings cannot be read")
    file.parent.mkdir()
    file.write_text("{")
    with read_only(file) as folder:
        settings = SettingsFile(folder / file.name)
        assert settings.value == Settings()
        with pytest.raises(PermissionError):
            kept(settings, theme="dark")
        assert settings.value.theme == "dark"


def test_an_accounts_secrets_have_no_place_in_the_file(file: Path) -> None:
    held = MINE.model_dump() | {"api_key": "key-0815", "secret": "secret-1234", "client_id": "client-4711"}
    settings = written(file, json.dumps({"accounts": [held]}))
    kept(settings, theme="dark")
    text = file.read_text()
    assert "key-0815" not in text
    assert "secret-1234" not in text
    assert "client-4711" not in text


def test_a_refused_value_is_written_by_the_next_try_though_nothing_more_was_changed(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = SettingsFile(file)
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        kept(settings, theme="light")
    monkeypatch.undo()
    settings.write()
    assert SettingsFile(file).value.theme == "light"
