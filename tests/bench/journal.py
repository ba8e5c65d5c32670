"""What a crash takes from a reply: a process that chats is killed forty times. Run: python tests/bench/journal.py

Each time the process is killed at another moment of its stream. What its home holds afterwards must begin like what
it had shown, and end at most 250 ms before the kill.
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from carrel.model import Account
from carrel.model.draft import Draft
from carrel.paths import paths
from carrel.store.chats import ChatStore
from carrel.store.db import open_database
from carrel.store.settings import Settings
from carrel.work.session import Session
from running import built_in_service, wait_indexed
from sessions import account_of

KILLS = 40
GOAL = 0.25
QUESTION = "What do we have to do to renew the Harbour Street lease, and what do the handbook and the policies say?"


async def chat(home: Path, account: Account) -> None:
    """The process that will be killed: asks, and prints what it shows each time that grows."""
    where = paths(home)
    db, _ = open_database(where.database, where.backups)
    session = await Session("bench", account, db, where, Settings).open()
    session.chats.reply_changed.connect(lambda *told: print(len(told[2].text), flush=True))
    await session.chats.send("", Draft(text=QUESTION))
    await asyncio.sleep(60)


def victim(home: Path, account: Account) -> subprocess.Popen[str]:
    """Start it."""
    secrets = [account.client_id, account.api_key.get_secret_value(), account.secret.get_secret_value()]
    command = [sys.executable, __file__, str(home), account.base_url]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write("\n".join(secrets) + "\n")
    process.stdin.flush()
    return process


async def kept(home: Path) -> tuple[str, float]:
    """What the home holds of the reply, and when its last event had come."""
    where = paths(home)
    db, notice = open_database(where.database, where.backups)
    assert not notice, notice
    store = ChatStore(db, "bench")
    await store.recover(time.time())
    [reply] = [m.reply for m in store.messages(store.chats()[0].id) if m.role == "assistant"]
    assert reply.state in {"interrupted", "complete"}, reply.state
    await db.close()
    return reply.text, reply.ended_at or 0.0


def killed_once(home: Path, account: Account) -> tuple[int, str, float]:
    """Letters shown before the kill, the text that is kept, and seconds between its end and the kill."""
    process = victim(home, account)
    assert process.stdout is not None
    shown = 0
    deadline = time.monotonic() + random.uniform(0.05, 1.5)
    while line := process.stdout.readline():
        shown = int(line)
        if time.monotonic() > deadline and shown:
            break
    at = time.time()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    text, ended = asyncio.run(kept(home))
    return shown, text, at - ended


def main() -> None:
    """Kill it forty times."""
    random.seed(7)
    lost: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        built_in_service(Path(folder) / "service", "--samples", "--pace", "60", "--rate-limit", "100000") as service,
    ):
        with service.client() as client:
            wait_indexed(client)
        account = account_of(service)
        texts = []
        for number in range(KILLS):
            shown, text, gap = killed_once(Path(folder) / f"home-{number}", account)
            assert len(text) >= shown, f"{shown} letters were shown, {len(text)} are kept"
            texts.append(text)
            lost.append(gap)
        whole = max(texts, key=len)
        assert all(whole.startswith(text) for text in texts), "a kept reply is not the beginning of the reply"
    print(
        f"{KILLS} kills: nothing shown was lost, none corrupt; the kept text ends at most {1000 * max(lost):.0f} ms "
        f"before the kill, median {1000 * sorted(lost)[KILLS // 2]:.0f} ms (goal: {1000 * GOAL:.0f} ms)"
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        client_id, api_key, secret = (sys.stdin.readline().strip() for _ in range(3))
        asyncio.run(
            chat(Path(sys.argv[1]), Account(base_url=sys.argv[2], client_id=client_id, api_key=api_key, secret=secret))
        )
    else:
        main()
