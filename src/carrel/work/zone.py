"""The time zone of this computer, by the name that the service takes."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@lru_cache(maxsize=1)
def local_zone() -> str | None:
    """An IANA name such as Europe/Berlin; None where this computer does not tell one (the service then takes UTC)."""
    for name in (os.environ.get("TZ", "").lstrip(":"), _debian_zone(), _linked_zone()):
        if name and _is_zone(name):
            return name
    return None


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _debian_zone() -> str:
    try:
        return Path("/etc/timezone").read_text("ascii").strip()
    except (OSError, ValueError):
        return ""


def _linked_zone() -> str:
    try:
        target = Path("/etc/localtime").resolve()
    except OSError:
        return ""
    return str(target).partition("zoneinfo/")[2]
