"""Joins the activity pane to the session's record of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from carrel.model import Exchange
from carrel.ui.activity import words
from carrel.ui.activity.pane import ActivityPane
from carrel.ui.activity.words import Filter
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.notes import copy
from carrel.work.curl import curl_of

if TYPE_CHECKING:
    from carrel.ui.shell import Shell
    from carrel.work.session import Session

BREATH = 100
"""Milliseconds between two paints while many requests end at once."""


class ActivityPresenter(Presenter, QObject):
    """The latest request on top; new ones are painted in batches, so that a thousand uploads cost little."""

    def __init__(self, session: Session, shell: Shell) -> None:
        QObject.__init__(self)
        Presenter.__init__(self, session, shell)
        self.pane = ActivityPane()
        self._filter = Filter()
        self._exchanges: dict[str, Exchange] = {}
        self._count = 0
        self._late = QTimer(self.pane, singleShot=True, interval=BREATH)
        self._waiting: list[str] = []
        for exchange in session.activity.exchanges:
            self._keep(exchange)
        self._connect()
        self._fill()

    def find(self) -> None:
        self.pane.focus_filter()

    def close(self) -> None:
        self._late.stop()
        super().close()

    def _connect(self) -> None:
        self.pane.filtered.connect(self._filtered)
        self.pane.chosen.connect(self._show)
        self.pane.curl_asked.connect(self._copy)
        self.pane.clear_asked.connect(self.session.activity.clear)
        self._late.timeout.connect(self._put_waiting)
        self.hear(self.session.activity.added, self._added)
        self.hear(self.session.activity.cleared, self._cleared)

    def _keep(self, exchange: Exchange) -> str:
        key = str(self._count)
        self._count += 1
        self._exchanges[key] = exchange
        while len(self._exchanges) > self.session.activity.count:
            del self._exchanges[next(iter(self._exchanges))]
        return key

    def _added(self, exchange: Exchange) -> None:
        key = self._keep(exchange)
        if self._filter.takes(exchange):
            self._waiting.append(key)
            if not self._late.isActive():
                self._late.start()

    def _put_waiting(self) -> None:
        """Put what has come on top; where that is much, fill the list anew."""
        waiting, self._waiting = self._waiting, []
        if len(waiting) > 20:
            self._fill()
            return
        for key in waiting:
            if key in self._exchanges:
                self.pane.table.put_first(words.line(key, self._exchanges[key]), len(self._exchanges))
        self.pane.show_empty("" if self.pane.table.lines() else self._why_empty())

    def _filtered(self, text: str, kind: str) -> None:
        self._filter = Filter(text, kind)
        self._fill()

    def _fill(self) -> None:
        self._waiting.clear()
        taken = [(k, e) for k, e in reversed(self._exchanges.items()) if self._filter.takes(e)]
        self.pane.table.fill([words.line(key, exchange) for key, exchange in taken])
        self.pane.show_empty("" if taken else self._why_empty())

    def _why_empty(self) -> str:
        if self._exchanges:
            return self.tr("No request fits the filter")
        return self.tr("Nothing has been asked yet")

    def _cleared(self) -> None:
        self._exchanges.clear()
        self.pane.details.show_nothing()
        self._fill()

    def _show(self, key: str) -> None:
        exchange = self._exchanges.get(key)
        if exchange is None:
            self.pane.details.show_nothing()
            return
        self.pane.details.show_request(
            f"{exchange.method} {exchange.path}",
            words.facts(exchange),
            words.headers(exchange),
            exchange.request,
            exchange.response,
        )

    def _copy(self) -> None:
        exchange = self._exchanges.get(self.pane.table.current_key())
        if exchange is not None:
            copy(curl_of(self.session.account, exchange))
            self.shell.toast(self.tr("The command is on the clipboard; it reads the credentials from variables."))
