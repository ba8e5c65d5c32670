"""The time zone by the name that the service takes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.work import zone as room
from carrel.work.zone import local_zone


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No zone from this computer, and none remembered."""
    monkeypatch.delenv("TZ", raising=False)
    monkeypatch.setattr(room, "_debian_zone", lambda: "")
    monkeypatch.setattr(room, "_linked_zone", lambda: "")
    local_zone.cache_clear()
    yield
    local_zone.cache_clear()


@pytest.mark.parametrize("told", ["Europe/Berlin", ":Europe/Berlin"])
def test_the_environment_comes_first(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", told)
    monkeypatch.setattr(room, "_linked_zone", lambda: "Asia/Tokyo")
    assert local_zone() == "Europe/Berlin"


@pytest.mark.parametrize("told", ["CET-1CEST,M3.5.0,M10.5.0/3", "/etc/localtime", "../../etc/passwd", "No/Such", "\0"])
def test_what_is_no_name_of_a_zone_is_passed_over(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "\0" not in told:  # no environment holds one
        monkeypatch.setenv("TZ", told)
    monkeypatch.setattr(room, "_debian_zone", lambda: told)
    monkeypatch.setattr(room, "_linked_zone", lambda: "Asia/Tokyo")
    assert local_zone() == "Asia/Tokyo"


def test_a_computer_that_tells_nothing_has_none() -> None:
    assert local_zone() is None


def test_the_systems_link_is_read_as_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(Path, "resolve", lambda _: Path("/usr/share/zoneinfo/America/Argentina/Salta"))
    assert room._linked_zone() == "America/Argentina/Salta"
    monkeypatch.setattr(Path, "resolve", lambda _: Path("/etc/localtime"))
    assert room._linked_zone() == ""
