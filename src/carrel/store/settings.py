"""Settings and accounts (without their secrets), in one JSON file that is replaced whole."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from carrel.model import Generation, WireNames
from carrel.store.whole import write_whole

log = logging.getLogger("carrel.settings")


class StoredAccount(BaseModel):
    """An account as the settings hold it: all but the secrets, which lie in the keyring under `id`."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str = ""
    base_url: str
    generation: Generation = "current"
    tenant_id: str | None = None
    names: WireNames = WireNames()
    use_reference: bool = True


class Settings(BaseModel):
    """All settings; a value that cannot be read falls back to what stands here."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    theme: Literal["system", "light", "dark"] = "system"
    text_size: int = 0
    send_with: Literal["enter", "ctrl-enter"] = "enter"
    reduce_motion: bool = False
    accounts: tuple[StoredAccount, ...] = ()
    last_account: str = ""
    always_redact: tuple[str, ...] = ()
    """The ids of accounts whose messages are always redacted."""
    window: Mapping[str, str] = {}
    downloads: str = ""
    save_agent_files: bool = False
    notify_replies: bool = True
    notify_agents: bool = True
    notify_uploads: bool = True
    panes: Mapping[str, Any] = {}
    """What panes remember of their own looks (column widths, splitters), by pane."""

    def account(self, account_id: str) -> StoredAccount | None:
        """The stored account of that id."""
        return next((a for a in self.accounts if a.id == account_id), None)


class SettingsFile:
    """The settings in force, and the file that shall hold them; what is changed is in force at once."""

    def __init__(self, file: Path) -> None:
        """Read `file`; what is missing or broken becomes the default, and a broken file is kept beside."""
        self.file = file
        self.told = ""
        """What a person must know of how it was read; empty where it went well."""
        self.value = self._written = self._read()
        self._writing = threading.Lock()

    def change(self, **values: object) -> Settings:
        """Set some values; `write` keeps them. ValueError for one that does not fit: then nothing is set."""
        self.value = Settings.model_validate({**self.value.model_dump(), **values})
        return self.value

    def write(self) -> None:
        """Write what is not in the file yet, in a thread; OSError where the disk refuses: the next try has it all."""
        with self._writing:
            value = self.value
            if value == self._written:
                return
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.file, value.model_dump_json(indent=2))
            self._written = value

    def _read(self) -> Settings:
        try:
            held = json.loads(self.file.read_text("utf-8"))
        except FileNotFoundError:
            return Settings()
        except (OSError, ValueError, RecursionError):
            held = None
        if not isinstance(held, dict):
            return self._set_aside()
        return _tolerant(held)

    def _set_aside(self) -> Settings:
        kept = self.file.with_name(self.file.name + ".unreadable")
        log.warning("settings cannot be read; kept as %s", kept.name)
        try:
            self.file.replace(kept)
        except OSError:  # where it may not be moved it may not be written either, so it stays
            kept = self.file
        self.told = f"They begin anew, without the accounts that they held. What was in the file is kept as {kept}."
        return Settings()


def _tolerant(held: dict[str, Any]) -> Settings:
    """Drop, one by one, the values that do not fit; of a list only those of its entries."""
    while True:
        try:
            return Settings.model_validate(held)
        except ValidationError as error:
            wrong = {(str(e["loc"][0]), _entry(held, e["loc"])) for e in error.errors()}
        for name, entry in sorted(wrong, key=lambda w: -w[1]):  # from the last entry on, so that places stay right
            log.warning("the setting %s does not fit and is left out", name)
            if entry >= 0:
                del held[name][entry]
            else:
                held.pop(name, None)


def _entry(held: dict[str, Any], place: tuple[int | str, ...]) -> int:
    """Which entry of a list an error is about; -1 where it is about the whole value."""
    is_list = len(place) > 1 and isinstance(held.get(str(place[0])), list)
    return place[1] if is_list and isinstance(place[1], int) else -1
