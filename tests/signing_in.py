"""What a person does to sign in, for stories in the real window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from carrel.store.settings import StoredAccount
from running import RunningService
from stage import Stage


def paste(stage: Stage, name: str, text: str) -> None:
    """Put text in with Ctrl+V: what no key of the keyboard types."""
    QApplication.clipboard().setText(text)
    stage.hand.type(name, "")
    stage.hand.key(name, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)


def tell(stage: Stage, service: RunningService, prefix: str = "welcome", **instead: str) -> dict[str, str]:
    """Type an account into the form; what was typed."""
    typed = {
        "base_url": service.base_url,
        "client_id": service.client_id,
        "api_key": service.api_key,
        "secret": service.secret,
    } | instead
    for name, text in typed.items():
        if text.isascii():
            stage.hand.type(f"{prefix}.{name}", text)
        else:
            paste(stage, f"{prefix}.{name}", text)
    return typed


async def said(stage: Stage, words: str, name: str = "welcome.note") -> str:
    await stage.hand.until(lambda: words in stage.hand.words(name), f"{name} says {words!r}")
    return stage.hand.words(name)


async def connected(stage: Stage) -> None:
    await stage.hand.until(lambda: stage.desk.session and stage.hand.sees("chat.composer"), "the account is open")


def still_typed(stage: Stage) -> dict[str, str]:
    return {n: stage.hand.find(f"welcome.{n}").text() for n in ("base_url", "client_id", "api_key", "secret")}


def files_that_hold(home: Path, secrets: tuple[str, ...]) -> list[str]:
    files = (f for f in home.rglob("*") if f.is_file())
    return [str(f) for f in files for content in [f.read_bytes()] if any(s.encode() in content for s in secrets)]


def secrets_of(service: RunningService) -> tuple[str, ...]:
    return (service.client_id, service.api_key, service.secret)


async def connect(stage: Stage, service: RunningService) -> StoredAccount:
    """Sign in on the welcome page; the account that is kept then."""
    tell(stage, service)
    stage.hand.click("welcome.connect")
    await connected(stage)
    [account] = stage.desk.accounts.all
    return account
