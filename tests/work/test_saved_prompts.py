"""Saved prompts and styles: kept, replaced, carried as a file, and what a wrong file says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from carrel.model import Account
from carrel.model.chat import Preferences
from carrel.model.prompts import Prompt
from carrel.work.session import Session
from sessions import open_session

NOWHERE = Account(base_url="http://127.0.0.1:9", client_id="c", api_key="k", secret="s")


@asynccontextmanager
async def session(home: Path, account_id: str = "tester") -> AsyncIterator[Session]:
    """A session that is never asked to send anything."""
    async with open_session(home, NOWHERE, account_id) as made:
        yield made


async def test_prompts_outlive_a_restart_and_belong_to_every_account(tmp_path: Path) -> None:
    async with session(tmp_path) as made:
        await made.prompts.save(Prompt(title="b", text="two"), Prompt(title="A", text="one"))
        [first, _] = made.prompts.all()
        await made.prompts.save(first.model_copy(update={"text": "changed"}))
    async with session(tmp_path, "another") as made:
        assert [(p.title, p.text) for p in made.prompts.all()] == [("A", "changed"), ("b", "two")]
        await made.prompts.delete(made.prompts.all()[0].id)
        assert [p.title for p in made.prompts.all()] == ["b"]


async def test_an_exported_file_comes_back_without_doubles(tmp_path: Path) -> None:
    file = tmp_path / "prompts.json"
    async with session(tmp_path / "one") as made:
        await made.prompts.save(Prompt(title="Letter", text="To {client}"))
        await made.prompts.write(file)
        assert json.loads(file.read_text("utf-8")) == {
            "carrel_prompts": 1,
            "prompts": [{"title": "Letter", "text": "To {client}"}],
        }
        assert await made.prompts.read(file) == 0
    async with session(tmp_path / "two") as made:
        assert await made.prompts.read(file) == 1
        assert made.prompts.all()[0].variables == ("client",)


async def test_a_file_of_prompts_that_cannot_be_replaced_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "prompts.json"
    file.write_text("the only copy")
    async with session(tmp_path) as made:
        await made.prompts.save(Prompt(title="Letter", text="To {client}"))
        monkeypatch.setattr("carrel.store.whole.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            await made.prompts.write(file)
    assert file.read_text() == "the only copy"
    assert not file.with_name("prompts.json.part").exists()


@pytest.mark.parametrize("content", [b"", b"[]", b'{"prompts": 3}', b"\xff\xfe", b'{"prompts": [{"title": 1}]}'])
async def test_a_file_that_is_something_else_is_refused_in_words(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content)
    async with session(tmp_path / "home") as made:
        with pytest.raises(ValueError, match=r"other\.json holds no prompts"):
            await made.prompts.read(file)
        assert made.prompts.all() == []


async def test_styles_belong_to_their_account(tmp_path: Path) -> None:
    formal, brief = Preferences(language="German", tones=("formal", "warm")), Preferences(output_style="brief")
    async with session(tmp_path) as made:
        await made.styles.save(" Letter ", formal)
        await made.styles.save("note", brief)
        await made.styles.save("note", formal)
    async with session(tmp_path) as made:
        assert made.styles.all() == {"Letter": formal, "note": formal}
        await made.styles.delete("note")
        assert list(made.styles.all()) == ["Letter"]
    async with session(tmp_path, "another") as made:
        assert made.styles.all() == {}
