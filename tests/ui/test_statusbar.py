"""The line at the bottom: which account, which tenant, what is under way, what is left of the minute."""

from __future__ import annotations

from types import SimpleNamespace

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from carrel.model import Account, Budget
from carrel.ui.statusbar import StatusBar
from carrel.work.activity import Activity


def words(bar: StatusBar) -> dict[str, str]:
    shown = (w for w in bar.findChildren(QLabel) if w.isVisibleTo(bar))
    return {w.objectName().removeprefix("status."): w.text() for w in shown}


def session(**values: object) -> SimpleNamespace:
    account = Account(base_url="https://service.example.com", client_id="c", api_key="k", secret="s", **values)
    activity = Activity()
    activity.budget = Budget(left=97)
    return SimpleNamespace(account=account, activity=activity)


def test_without_a_session_it_says_so_and_no_more() -> None:
    bar = StatusBar()
    assert words(bar) == {"account": "Not connected"}


def test_it_shows_account_tenant_and_what_is_left() -> None:
    bar = StatusBar()
    bar.show_session(session(name="Mine", tenant_id="acme"))
    assert words(bar) == {
        "account": "Mine",
        "tenant": "Tenant: acme",
        "budget": "97 of 100 requests left this minute",
    }
    bar.show_session(session())
    assert words(bar)["account"] == "service.example.com"
    assert words(bar)["tenant"] == "Tenant: default"


def test_the_count_follows_and_says_what_waits() -> None:
    bar = StatusBar()
    bar.show_session(session())
    bar.show_budget(Budget(limit=100, left=0, waiting=3))
    assert words(bar)["budget"] == "0 of 100 requests left this minute · 3 waiting"


def test_the_count_is_whole_again_when_the_minute_is_over() -> None:
    bar = StatusBar()
    bar.show_session(session())
    bar.show_budget(Budget(limit=50, left=3, resets_in=0.05))
    assert words(bar)["budget"] == "3 of 50 requests left this minute"
    for _ in range(400):
        if words(bar)["budget"].startswith("50 of 50"):
            break
        QTest.qWait(50)
    assert words(bar)["budget"] == "50 of 50 requests left this minute"


def test_a_count_that_is_told_later_stays_for_its_own_minute() -> None:
    bar = StatusBar()
    bar.show_session(session())
    bar.show_budget(Budget(limit=100, left=3, resets_in=0.05))
    bar.show_budget(Budget(limit=100, left=0, resets_in=0.05, waiting=2))
    QTest.qWait(300)
    assert words(bar)["budget"] == "0 of 100 requests left this minute · 2 waiting"


def test_the_count_of_an_account_that_was_left_is_not_shown() -> None:
    bar, former, now = StatusBar(), session(name="Former"), session(name="Now")
    bar.show_session(former)
    bar.show_session(now)
    former.activity.note_budget(Budget(left=1))
    assert words(bar)["budget"] == "97 of 100 requests left this minute"
    now.activity.note_budget(Budget(left=96))
    assert words(bar)["budget"] == "96 of 100 requests left this minute"


def test_what_is_under_way_comes_and_goes_by_its_key() -> None:
    bar = StatusBar()
    bar.note("uploads", "2 uploads")
    bar.note("agents", "1 agent runs")
    assert words(bar)["work"] == "2 uploads · 1 agent runs"
    bar.note("uploads", "")
    assert words(bar)["work"] == "1 agent runs"
    bar.show_session(None)
    assert words(bar) == {"account": "Not connected"}


def test_what_it_shows_is_plain_text() -> None:
    bar = StatusBar()
    bar.show_session(session(name="<b>Mine</b>", tenant_id="<i>acme</i>"))
    assert words(bar)["account"] == "<b>Mine</b>"
    assert all(w.textFormat().name == "PlainText" for w in bar.findChildren(QLabel))
    bar.show_session(session(name="A & B"))
    assert words(bar)["account"] == "A & B"
