"""What a person may set: the command line's options over `settings.json` in the data folder."""

import json
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)


@dataclass
class Settings:
    """`settings.json` may hold `models_url`, `redaction_patterns` ({name: regular expression}) and `folders`.

    The file is read again when it has changed, so an edit needs no restart; an option wins over the file.
    """

    data: Path
    pace: float = 200
    """Words a second that an answer is sent at; 0 is as fast as it can."""
    rate_limit: int = 100
    """Requests a minute of the current interface."""
    samples: bool = False
    models_url_option: str = ""
    folder_options: tuple[Path, ...] = ()
    tenants: tuple[str, ...] = ()
    """The tenants that X-Tenant-ID may name; none named means a single one, which any name selects."""
    _kept: dict[str, Any] = field(default_factory=dict, repr=False)
    _seen: int = field(default=0, repr=False)

    @property
    def models_url(self) -> str:
        """The address of an OpenAI-compatible server, such as http://127.0.0.1:11434/v1, or nothing."""
        return self.models_url_option or str(self._file().get("models_url") or "")

    @property
    def redaction_patterns(self) -> dict[str, str]:
        """The custom patterns of redaction, by the name that their tokens bear."""
        patterns = self._file().get("redaction_patterns")
        if not isinstance(patterns, dict):
            return {}
        return {str(name): pattern for name, pattern in patterns.items() if isinstance(pattern, str)}

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of this computer that are indexed in place."""
        named = self._file().get("folders")
        kept = named if isinstance(named, list) else []
        return (*self.folder_options, *(Path(str(folder)) for folder in kept))

    def _file(self) -> dict[str, Any]:
        path = self.data / "settings.json"
        try:
            changed = path.stat().st_mtime_ns
            if changed != self._seen:
                self._seen, self._kept = changed, _object(path.read_text("utf-8"))
        except FileNotFoundError:
            self._seen, self._kept = 0, {}
        except (OSError, ValueError) as error:
            log.warning("settings.json is not used: %s", error)
        return self._kept


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("it must hold one object")
    return value
