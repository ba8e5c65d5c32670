"""What is remembered of the wire: the latest requests, bounded by their number and by their size."""

from __future__ import annotations

import pytest

from carrel.model import Exchange
from carrel.work import activity as room
from carrel.work.activity import Activity


def exchange(name: str, size: int = 0) -> Exchange:
    return Exchange("POST", f"/{name}", 1.0, 0.1, request="x" * (size // 2), response="y" * (size - size // 2))


def paths(activity: Activity) -> list[str]:
    return [one.path for one in activity.exchanges]


def test_the_oldest_go_where_all_are_too_large_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 1000)
    activity = Activity()
    for name, size in (("a", 400), ("b", 400), ("c", 200)):
        activity.note(exchange(name, size))
    assert paths(activity) == ["/a", "/b", "/c"]
    activity.note(exchange("d", 500))
    assert paths(activity) == ["/c", "/d"]
    activity.note(exchange("e", 5000))
    assert paths(activity) == ["/e"]
    activity.note(exchange("f", 10))
    assert paths(activity) == ["/f"]
    assert activity.count == 1


def test_no_more_than_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "KEPT", 2)
    activity = Activity()
    for name in "abc":
        activity.note(exchange(name))
    assert paths(activity) == ["/b", "/c"]


def test_what_was_cleared_counts_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST", 1000)
    activity = Activity()
    activity.note(exchange("a", 900))
    activity.clear()
    activity.note(exchange("b", 500))
    activity.note(exchange("c", 500))
    assert paths(activity) == ["/b", "/c"]
