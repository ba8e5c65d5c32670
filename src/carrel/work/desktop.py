"""The desktop's own notifications, by the freedesktop specification, over the message bus of the person's session."""

from __future__ import annotations

import asyncio
import logging
from html import escape
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, HeaderFields, MatchRule, Message, MessageType
from jeepney import message_bus as bus
from jeepney import new_method_call as call
from jeepney.io.asyncio import DBusConnection, open_dbus_connection
from psygnal import Signal

from carrel.work.tasks import Tasks

log = logging.getLogger("carrel.desktop")

NAME = "org.freedesktop.Notifications"
SERVICE = DBusAddress("/org/freedesktop/Notifications", bus_name=NAME, interface=NAME)

PATIENCE = 5.0
"""Seconds for an answer: another program gives it, and it may have to be started first."""

APP = "carrel"
"""The name of our desktop entry and icon."""

DESKTOP_CHOOSES = -1
"""How long a notification stays is the desktop's own setting."""

_NO_BUS = (OSError, EOFError, LookupError, ValueError, RuntimeError, TimeoutError, DBusErrorResponse)
"""What jeepney raises where there is no session bus, or one that cannot be spoken to."""


class BusNotifications:
    """Connects when it is first needed; where no service answers, nothing is shown and nobody is troubled.

    `clicked` gives the key of a notification that was pressed, and the token by which its desktop lets a window come
    to the front (empty where it needs none). `looked` answers `look`.
    """

    clicked = Signal(str, str)
    looked = Signal(bool)

    def __init__(self, tasks: Tasks) -> None:
        """Its tasks are the program's."""
        self._tasks = tasks
        self._line: DBusConnection | None = None
        self._opening = asyncio.Lock()
        self._answers: dict[int, asyncio.Future[Message]] = {}
        self._numbers: dict[str, int] = {}
        self._tokens: dict[int, str] = {}

    def look(self) -> None:
        """Find out whether there is a service that shows notifications."""
        self._tasks.start("desktop.look", self._look())

    def show(self, key: str, title: str, text: str, press: str) -> None:
        """Show a notification, in place of a former one of that key; `press` names what a click does."""
        self._tasks.start(f"desktop.show.{key}", self._show(key, title, text, press))

    async def _look(self) -> None:
        self.looked.emit(await self._ask("GetCapabilities") is not None)

    async def _show(self, key: str, title: str, text: str, press: str) -> None:
        able = await self._ask("GetCapabilities")
        if able is None:
            return
        body = escape(text, quote=False) if "body-markup" in able[0] else text
        hints = {"desktop-entry": ("s", APP)}
        told = (self._numbers.get(key, 0), APP, title, body, ["default", press], hints, DESKTOP_CHOOSES)
        answer = await self._ask("Notify", "susssasa{sv}i", ("Carrel", *told))
        if answer is not None:
            self._numbers[key] = answer[0]

    async def _ask(self, method: str, signature: str = "", body: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        """What the service answers; None where there is none, it refuses, or it says nothing in time."""
        line = await self._opened()
        if line is None:
            return None
        serial = next(line.outgoing_serial)
        answer = self._answers[serial] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(PATIENCE):
                await line.send(call(SERVICE, method, signature or None, body), serial=serial)
                message = await answer
        except (OSError, EOFError, TimeoutError) as error:
            log.info("the desktop's notification service does not answer: %s", type(error).__name__)
            return None
        finally:
            self._answers.pop(serial, None)
        return message.body if message.header.message_type is MessageType.method_return else None

    async def _opened(self) -> DBusConnection | None:
        async with self._opening:
            if self._line is None:
                try:
                    async with asyncio.timeout(PATIENCE):
                        self._line = await _connected()
                except _NO_BUS as error:
                    log.info("there is no session bus for notifications: %s", type(error).__name__)
                    return None
                self._tasks.start("desktop", self._listen(self._line))
            return self._line

    async def _listen(self, line: DBusConnection) -> None:
        """Hear answers and clicks until the bus goes, or the program."""
        try:
            while True:
                self._hear(await line.receive())
        except (OSError, EOFError):
            log.info("the session bus has gone")
        finally:
            self._line = None
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(EOFError())
            line.writer.close()

    def _hear(self, message: Message) -> None:
        fields = message.header.fields
        if message.header.message_type in {MessageType.method_return, MessageType.error}:
            answer = self._answers.get(fields.get(HeaderFields.reply_serial, 0))
            if answer is not None and not answer.done():
                answer.set_result(message)
        elif fields.get(HeaderFields.interface) == NAME:
            self._happened(fields.get(HeaderFields.member, ""), *message.body)

    def _happened(self, what: str, number: int = 0, word: object = "", *_: object) -> None:
        """A signal of the service, which tells every program of every notification: ours are known by number."""
        key = next((k for k, v in self._numbers.items() if v == number), None)
        if key is None:
            return
        if what == "ActivationToken":
            self._tokens[number] = str(word)
        elif what == "ActionInvoked":
            self.clicked.emit(key, self._tokens.pop(number, ""))
        elif what == "NotificationClosed":
            del self._numbers[key]
            self._tokens.pop(number, None)


async def _connected() -> DBusConnection:
    """A connection that hears the service's signals."""
    line = await open_dbus_connection()
    try:
        await line.send(bus.AddMatch(MatchRule(type="signal", interface=NAME)))
    except BaseException:
        line.writer.close()
        raise
    return line
