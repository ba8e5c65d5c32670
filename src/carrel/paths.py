"""Where Carrel keeps things: settings, data and caches, all below one folder when `--home` is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of one home; none is made before it is needed."""

    config: Path
    data: Path
    cache: Path
    downloads: Path

    @property
    def settings(self) -> Path:
        """The settings file (JSON, no secrets)."""
        return self.config / "settings.json"

    @property
    def database(self) -> Path:
        """The journal: chats, runs, transfers, the library's mirror."""
        return self.data / "carrel.sqlite"

    @property
    def backups(self) -> Path:
        """Copies of the database, newest kept."""
        return self.data / "backups"

    @property
    def service(self) -> Path:
        """What the built-in service keeps."""
        return self.data / "service"

    @property
    def log(self) -> Path:
        """The rotating log."""
        return self.data / "carrel.log"

    @property
    def lock(self) -> Path:
        """Held by the one process that uses this home."""
        return self.data / "carrel.lock"


def paths(home: Path | None = None) -> Paths:
    """The folders of `home`, or the system's own for this user."""
    if home is not None:
        home = home.expanduser().absolute()
        return Paths(home / "config", home / "data", home / "cache", home / "downloads")
    dirs = platformdirs.PlatformDirs("carrel", appauthor=False)
    return Paths(
        Path(dirs.user_config_dir),
        Path(dirs.user_data_dir),
        Path(dirs.user_cache_dir),
        Path(dirs.user_downloads_dir) / "Carrel",
    )


def resources() -> Path:
    """Icons, theme and samples: beside the package when installed, else at the top of the repository."""
    packaged = Path(__file__).parent / "resources"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "resources"
