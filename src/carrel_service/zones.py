"""Time zones by name, and the present in them."""

from datetime import datetime
from zoneinfo import ZoneInfo


def is_zone(name: str) -> bool:
    """Whether `name` is an IANA time zone, such as Europe/Lisbon."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown; not a key at all; a folder of the zone files
        return False
    return True


def present(zone: str) -> datetime:
    """The present in that zone."""
    return datetime.now(ZoneInfo(zone))
