"""The desktop's notifications over a real message bus, with a notification service of ours behind it."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney import message_bus as bus
from jeepney.io.asyncio import DBusConnection, DBusRouter, Proxy, open_dbus_connection

from carrel.work import desktop as room
from carrel.work.desktop import NAME, BusNotifications
from carrel.work.tasks import Tasks
from sessions import until

pytestmark = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="there is no dbus-daemon to run a bus of ours")

CONFIG = """<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>"""


@pytest.fixture
def message_bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    config = tmp_path / "bus.conf"
    config.write_text(CONFIG.format(folder=tmp_path))
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True
    )
    assert daemon.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
    yield
    daemon.terminate()
    daemon.wait()
    daemon.stdout.close()


class Service:
    """A notification service: remembers what it is told, and tells what a person would press."""

    def __init__(self, line: DBusConnection, abilities: list[str]) -> None:
        self.line, self.abilities = line, abilities
        self.told: list[tuple] = []

    async def serve(self) -> None:
        while True:
            message = await self.line.receive()
            if message.header.message_type is not MessageType.method_call:
                continue
            match message.header.fields[HeaderFields.member]:
                case "GetCapabilities":
                    await self.line.send(new_method_return(message, "as", (self.abilities,)))
                case "Notify" if message.body[3] == "refuse me":
                    await self.line.send(new_error(message, f"{NAME}.Error.ExcessNotificationGeneration"))
                case "Notify":
                    self.told.append(message.body)
                    await self.line.send(new_method_return(message, "u", (message.body[1] or 40 + len(self.told),)))

    async def tell(self, signal: str, signature: str, *body: object) -> None:
        address = DBusAddress("/org/freedesktop/Notifications", interface=NAME)
        await self.line.send(new_signal(address, signal, signature, body))


@asynccontextmanager
async def service(*abilities: str) -> AsyncIterator[Service]:
    line = await open_dbus_connection()
    async with DBusRouter(line) as router:
        await Proxy(bus, router).RequestName(NAME)
    made = Service(line, list(abilities))
    serving = asyncio.ensure_future(made.serve())
    try:
        yield made
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await line.close()


@pytest.fixture
async def desktop() -> AsyncIterator[BusNotifications]:
    tasks = Tasks()
    yield BusNotifications(tasks)
    await tasks.close()


async def found(desktop: BusNotifications) -> bool:
    answers: list[bool] = []
    desktop.looked.connect(answers.append)
    desktop.look()
    await until(lambda: answers, "it is known whether there is a service")
    return answers[0]


async def test_a_notification_is_shown_replaced_and_clicked(message_bus: None, desktop: BusNotifications) -> None:
    clicks: list[tuple[str, str]] = []
    desktop.clicked.connect(lambda key, token: clicks.append((key, token)))
    async with service("body", "actions", "body-markup") as shows:
        assert await found(desktop)
        desktop.show("chat-1", "A reply is ready", "1 < 2 & <b>bold</b>", "Show")
        await until(lambda: len(shows.told) == 1, "it is shown")
        assert shows.told[0] == (
            "Carrel", 0, "carrel", "A reply is ready", "1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;", ["default", "Show"],
            {"desktop-entry": ("s", "carrel")}, -1,
        )  # fmt: skip
        await until(lambda: desktop._numbers, "its number is known")
        desktop.show("chat-1", "A reply failed", "", "Show")
        await until(lambda: len(shows.told) == 2, "it is replaced")
        assert shows.told[1][1] == 41
        await shows.tell("ActionInvoked", "us", 7, "default")  # another program's
        await shows.tell("ActivationToken", "us", 41, "a token")
        await shows.tell("ActionInvoked", "us", 41, "default")
        await until(lambda: clicks, "the click is heard")
        assert clicks == [("chat-1", "a token")]
        await shows.tell("NotificationClosed", "uu", 41, 2)
        await until(lambda: not desktop._numbers, "it is gone")
        desktop.show("chat-1", "A reply is ready", "", "Show")
        await until(lambda: len(shows.told) == 3, "it is shown anew")
        assert shows.told[2][1] == 0


async def test_markup_is_left_to_services_that_read_it(message_bus: None, desktop: BusNotifications) -> None:
    async with service("body") as shows:
        desktop.show("a", "A reply is ready", "R & D", "Show")
        await until(lambda: shows.told, "it is shown")
        assert shows.told[0][4] == "R & D"


async def test_where_nobody_shows_notifications_nothing_happens(message_bus: None, desktop: BusNotifications) -> None:
    assert not await found(desktop)
    desktop.show("a", "A reply is ready", "", "Show")
    async with service() as shows:
        desktop.show("b", "refuse me", "", "Show")
        desktop.show("c", "A service has come", "", "Show")
        await until(lambda: shows.told, "the later one is shown")
        assert {told[3] for told in shows.told} <= {"A reply is ready", "A service has come"}


async def test_a_bus_that_goes_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desktop: BusNotifications, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nothing")
    assert not await found(desktop)
    request.getfixturevalue("message_bus")
    async with service("body"):
        assert await found(desktop)


async def test_a_bus_that_goes_before_it_is_listened_to_is_connected_to_anew(
    message_bus: None, desktop: BusNotifications, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[DBusConnection] = []

    async def losing() -> DBusConnection:
        line = await open_dbus_connection()
        if not lost:
            lost.append(line)
            line.writer.close()
            monkeypatch.setattr(line, "send", refuse)
        return line

    async def refuse(*_: object, **__: object) -> None:
        raise ConnectionResetError("reset by peer")

    monkeypatch.setattr(room, "open_dbus_connection", losing)
    async with service("body"):
        assert not await found(desktop)
        assert lost[0].writer.is_closing()
        assert desktop._line is None
        assert await found(desktop)


@pytest.mark.parametrize("address", [None, "", "nonsense", "tcp:host=localhost,port=1"])
async def test_without_a_session_bus_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, desktop: BusNotifications, address: str | None
) -> None:
    if address is None:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    else:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    assert not await found(desktop)
    desktop.show("a", "A reply is ready", "", "Show")
    assert os.environ.get("DBUS_SESSION_BUS_ADDRESS") == address
