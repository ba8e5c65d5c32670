"""Tells what ended while nobody looked at it: on the desktop, or in the window where that is in front."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from carrel.model import Reply
from carrel.model.transfers import Batch
from carrel.ui.presenter import ShowChat, ShowRun, ShowUploads
from carrel.work.agents import AgentRun

if TYPE_CHECKING:
    from psygnal import SignalInstance

    from carrel.ui.window import Window
    from carrel.work.desk import Desk
    from carrel.work.session import Session
    from carrel.work.tasks import Tasks


class Desktop(Protocol):
    """What shows a word outside the window; see `BusNotifications`, which is one."""

    clicked: SignalInstance
    looked: SignalInstance

    def look(self) -> None:
        """Find out whether this desktop shows notifications; `looked` tells."""

    def show(self, key: str, title: str, text: str, press: str) -> None:
        """Show a notification in place of a former one of that key."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Something that ended: which setting lets it be told, where it can be seen, and what is said.

    Of one `key` the desktop shows one notification at a time. Without an `intent` the pane itself is enough.
    """

    key: str
    setting: str
    pane: str
    intent: ShowChat | ShowRun | ShowUploads | None
    title: str
    text: str

    @property
    def words(self) -> str:
        """All of it in one line."""
        return f"{self.title}: {self.text}" if self.text else self.title


class Notices(QObject):
    """Listens to one session at a time. `found` tells, once it is known, whether the desktop shows notifications."""

    found = Signal(bool)

    def __init__(self, desk: Desk, window: Window, desktop: Desktop | None = None) -> None:
        """`desktop` is this system's own unless another one is given."""
        super().__init__(window)
        self._desk, self._window = desk, window
        self._desktop = desktop or own_desktop(desk.tasks)
        self._session: Session | None = None
        self._heard: tuple[tuple[SignalInstance, Callable[..., None]], ...] = ()
        self._told: dict[str, Ended] = {}
        self._toasted: Ended | None = None
        window.shell.front_changed.connect(self._look_again)
        self._desktop.clicked.connect(self._clicked)
        self._desktop.looked.connect(self.found.emit)

    def look(self) -> None:
        """Ask whether the desktop shows notifications; `found` tells."""
        self._desktop.look()

    def follow(self, session: Session | None) -> None:
        """Tell of this session from now on, and of no other."""
        for signal, slot in self._heard:
            signal.disconnect(slot, missing_ok=True)
        self._told.clear()
        self._session, self._heard = session, ()
        if session is not None:
            self._heard = (
                (session.chats.reply_ended, self._reply_ended),
                (session.agents.ended, self._run_ended),
                (session.uploads.ended, self._uploads_ended),
            )
        for signal, slot in self._heard:
            signal.connect(slot)

    def _reply_ended(self, chat_id: str, _: str, reply: Reply) -> None:
        titles = {
            "complete": self.tr("A reply is ready"),
            "failed": self.tr("A reply failed"),
            "interrupted": self.tr("A reply broke off"),
        }
        chats = self._session.chats if self._session else None
        if chats is None or reply.state not in titles or chats.is_streaming(chat_id):
            return  # stopped by hand, or the other one of two is still under way
        chat = chats.chat(chat_id)
        text = chat.title if chat and chats.is_kept(chat_id) else ""
        self._tell(Ended(chat_id, "notify_replies", "chat", ShowChat(chat_id), titles[reply.state], text))

    def _run_ended(self, run: AgentRun) -> None:
        titles = {
            "done": self.tr("An agent run is done"),
            "failed": self.tr("An agent run failed"),
            "timed-out": self.tr("An agent run reached its time limit"),
            "interrupted": self.tr("An agent run broke off"),
        }
        if run.state in titles:
            self._tell(Ended(run.id, "notify_agents", "agents", ShowRun(run.id), titles[run.state], run.title))

    def _uploads_ended(self, batch: Batch) -> None:
        title = self.tr("Uploads have failed") if batch.failed and not batch.ready else self.tr("Uploads have ended")
        counts = (
            (batch.ready, self.tr("1 file is ready"), self.tr("{n} files are ready")),
            (batch.failed, self.tr("1 failed"), self.tr("{n} failed")),
            (batch.copies, self.tr("1 was there already"), self.tr("{n} were there already")),
        )
        said = [one if count == 1 else many.format(n=count) for count, one, many in counts if count]
        pane, intent = ("chat", None) if batch.for_messages else ("library", ShowUploads())
        self._tell(Ended("uploads", "notify_uploads", pane, intent, title, " · ".join(said)))

    def _tell(self, ended: Ended) -> None:
        if self._desk.session is not self._session or not getattr(self._desk.settings, ended.setting):
            return  # the session is being closed, and its work is broken off with it
        if not self._window.is_in_front:
            self._told[ended.key] = ended
            self._desktop.show(ended.key, ended.title, ended.text, self.tr("Show"))
        elif not self._window.shows(ended.pane, ended.intent):
            self._toasted = ended
            self._window.shell.toast(
                ended.words, self.tr("Show"), lambda: self._window.shell.go(ended.pane, ended.intent)
            )

    def _look_again(self) -> None:
        """What a word leads to is in front by now: the word goes."""
        told = self._toasted
        if told is not None and self._window.shows(told.pane, told.intent):
            self._toasted = None
            self._window.toast.take_back(told.words)

    def _clicked(self, key: str, token: str) -> None:
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt spends it when the window asks to come to the front
        self._window.to_front()
        ended = self._told.get(key)
        if ended is not None:
            self._window.shell.go(ended.pane, ended.intent)


def own_desktop(tasks: Tasks) -> Desktop:
    """What this system has."""
    if sys.platform in {"win32", "darwin"}:
        from carrel.ui.trayicon import TrayIcon

        return TrayIcon()
    from carrel.work.desktop import BusNotifications

    return BusNotifications(tasks)
