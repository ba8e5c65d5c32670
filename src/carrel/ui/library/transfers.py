"""Joins one queue of transfers to its list in the tray and to the status bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtWidgets import QMenu

from carrel.model.transfers import TRY_AGAIN, UNDER_WAY, Transfer
from carrel.ui.amounts import file_size
from carrel.ui.library.transferorder import Move, Shift
from carrel.ui.library.transferwords import actions, allowed, menu_words, summary
from carrel.ui.library.tray import Tray

if TYPE_CHECKING:
    from carrel.ui.presenter import Presenter
    from carrel.work.transfers import Transfers

AT_ONCE = 12
"""Files that one press opens: each may start a program."""

SHOW_EVERY = 100
"""Milliseconds between two paintings: a queue changes far more often than an eye sees."""


class QueuePresenter(QObject):
    """`key` is "uploads" or "downloads". `check` is told the row whose file shall be searched for."""

    def __init__(
        self, key: str, queue: Transfers, tray: Tray, owner: Presenter, check: Callable[[Transfer], None]
    ) -> None:
        super().__init__(tray)
        self._key, self._queue, self._tray, self._owner, self._check = key, queue, tray, owner, check
        self._list = tray.lists[key]
        self._timer = QTimer(self, singleShot=True, interval=SHOW_EVERY)
        self._timer.timeout.connect(self._show)
        for signal in (queue.added, queue.changed, queue.removed, queue.held_changed):
            owner.hear(signal, self._soon)
        self._list.acted.connect(self._act)
        self._list.menu_asked.connect(self._menu)
        self._list.moved.connect(lambda moves: self._start("move", self._move(moves)))
        tray.asked.connect(self._asked)
        self._show()

    def _soon(self, *_: object) -> None:
        if not 0 <= self._timer.remainingTime() <= SHOW_EVERY:
            self._timer.start(SHOW_EVERY)

    def _show(self) -> None:
        rows = self._queue.rows()
        moving = [row for row in rows if row.state in {"waiting", "moving"}]
        paused = [row for row in rows if row.state == "paused"]
        pause = "go_on" if self._queue.held and moving else "pause" if moving else "resume" if paused else ""
        words = summary(rows, self._queue.rate)
        if self._queue.held and moving:
            words = self.tr("Held: {why}").format(why=self._queue.held)
        self._tray.show_queue(self._key, rows, words, pause)
        self._note(len(moving))
        if any(row.state == "moving" for row in rows):
            self._timer.start(5 * SHOW_EVERY)  # the rate falls also when nothing comes

    def _note(self, moving: int) -> None:
        if not moving:
            self._owner.shell.noting.emit(self._key, "")
            return
        words = {
            "uploads": self.tr("1 upload") if moving == 1 else self.tr("{n} uploads"),
            "downloads": self.tr("1 download") if moving == 1 else self.tr("{n} downloads"),
        }[self._key].format(n=moving)
        rate = f" · {file_size(round(self._queue.rate))}/s" if self._queue.rate else ""
        self._owner.shell.noting.emit(self._key, words + rate)

    def _asked(self, key: str, what: str) -> None:
        """Something for all rows."""
        if key != self._key:
            return
        states = {
            "pause": {"waiting", "moving"},
            "resume": {"paused"},
            "cancel": UNDER_WAY,
            "retry": {"failed", "interrupted"},
        }
        ids = [row.id for row in self._queue.rows() if row.state in states.get(what, ())]
        match what:
            case "clear":
                self._start(what, self._queue.clear())
            case "go_on":
                self._queue.go_on()
            case _:
                self._let(what, ids)

    def _act(self, what: str, ids: Sequence[str]) -> None:
        """Something for some rows; each gets what its state allows."""
        rows = [row for i in ids if (row := self._queue.row(i)) is not None]
        by_action: dict[str, list[Transfer]] = {}
        for row in rows:
            if action := _action(what, row):
                by_action.setdefault(action, []).append(row)
        for action, some in by_action.items():
            self._do(action, some)

    def _do(self, action: str, rows: Sequence[Transfer]) -> None:
        match action:
            case "open":
                self._open([Path(row.path) for row in rows])
            case "folder":
                self._owner.shell.show_in_folder(Path(rows[0].path))
            case "save_as":
                self._save_as(rows[0])
            case "check":
                self._check(rows[0])
            case _:
                self._let(action, [row.id for row in rows])

    def _let(self, action: str, ids: Sequence[str]) -> None:
        """Have the queue do something with rows."""
        match action:
            case "pause":
                self._start(action, self._queue.pause(*ids))
            case "resume":
                self._start(action, self._queue.resume(*ids))
            case "cancel":
                self._start(action, self._queue.cancel(*ids))
            case "retry":
                self._start(action, self._queue.retry(*ids))
            case "dismiss":
                self._start(action, self._queue.clear(ids))

    def _open(self, places: Sequence[Path]) -> None:
        for place in places[:AT_ONCE]:
            self._owner.shell.open_file(place)
        if len(places) > AT_ONCE:
            self._owner.shell.toast(self.tr("The first {n} of them are opened.").format(n=AT_ONCE))

    def _menu(self, at: QPoint) -> None:
        ids = self._list.selected_ids()
        rows = [row for i in ids if (row := self._queue.row(i)) is not None]
        if not rows:
            return
        menu = QMenu(self._list)
        offered = list(dict.fromkeys(key for row in rows for key in allowed(row)))
        for key in offered:
            first = next(row for row in rows if key in allowed(row))
            menu.addAction(menu_words(key, first), lambda k=key: self._act(k, ids))
        if len(rows) == 1 and rows[0].direction == "down" and rows[0].state in TRY_AGAIN:
            menu.addAction(self.tr("Save as…"), lambda: self._do("save_as", rows))
        if all(row.state == "waiting" for row in rows):
            self._offer_places(menu, ids)
        if rows[0].direction == "up" or rows[0].state == "done":
            menu.addAction(self.tr("Show in folder"), lambda: self._do("folder", rows))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _offer_places(self, menu: QMenu, ids: Sequence[str]) -> None:
        """Where rows that wait can go among the others that do."""
        places: tuple[tuple[str, Shift], ...] = (
            (self.tr("First"), "first"), (self.tr("Earlier"), "earlier"),
            (self.tr("Later"), "later"), (self.tr("Last"), "last"),
        )  # fmt: skip
        for words, to in places:
            moving = menu.addAction(words, lambda t=to: self._list.shift(ids, t))
            moving.setEnabled(bool(self._list.moves(ids, to)))

    async def _move(self, moves: Sequence[Move]) -> None:
        for row_id, before in moves:
            if self._queue.row(row_id) is not None:
                await self._queue.move(row_id, before)

    def _save_as(self, row: Transfer) -> None:
        """Let a person choose another place for a download that stopped."""
        self._owner.shell.choose_target(
            self.tr("Save as"), row.name, lambda places: self._start("retry", self._queue.retry_as(row.id, places[0]))
        )

    def _start(self, what: str, work: object) -> None:
        self._owner.start_beside(f"library.{self._key}.{what}", work)


def _action(what: str, row: Transfer) -> str:
    """What a key or a press means for a row in its state; empty where it means nothing."""
    offered = allowed(row)
    if what == "main":
        return "" if row.state == "indexing" else actions(row)[0]
    wanted = {"stop": ("cancel", "dismiss"), "toggle": ("pause", "resume")}.get(what, (what,))
    return next((key for key in wanted if key in offered), "")
