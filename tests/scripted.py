"""A service that says what a story wants: the first word of a message names what is done with it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from desktops import Recorder
from faulty import Peer, faulty_thread
from stage import Stage, play

Script = Callable[[Peer], Awaitable[None]]

MODELS = [
    {"id": "aster-l", "name": "Aster Large", "group_name": "Aster", "is_available": True},
    {"id": "gone", "name": "Gone Model", "group_name": "Aster", "is_available": False},
]


def says(text: str, *, step: int = 60, **done: Any) -> Script:
    """A whole reply, in pieces; `done` holds further fields of its end."""

    async def script(peer: Peer) -> None:
        conversation = await begin(peer)
        for start in range(0, len(text), step):
            await peer.event("content", {"content": text[start : start + step]})
        await peer.event("done", {"conversation_id": conversation, "message_id": "m1"} | done)
        peer.close()

    return script


def refuses(status: int, headers: dict[str, str] | None = None, **body: str) -> Script:
    """An error in place of a stream."""

    async def script(peer: Peer) -> None:
        await peer.json(body, status, headers=headers)

    return script


def held(release: asyncio.Event | None = None, text: str = "") -> Script:
    """A stream that begins, says a text, and then nothing until it is closed."""

    async def script(peer: Peer) -> None:
        await begin(peer)
        if text:
            await peer.event("content", {"content": text})
        await peer.gone()

    return script


def silent() -> Script:
    """A request that is taken, and not answered."""

    async def script(peer: Peer) -> None:
        await peer.body()
        await peer.gone()

    return script


_numbers = itertools.count(1)


async def begin(peer: Peer) -> str:
    """The first events of a stream; gives the conversation's id."""
    tail = peer.seen.path.rpartition("/")[2]
    conversation = tail if peer.seen.path.count("/") == 3 else f"c{next(_numbers)}"
    await peer.begin_stream()
    await peer.event("stream_meta", {"run_id": "r1", "conversation_id": conversation})
    await peer.event("message_start", {"message_id": f"m{next(_numbers)}", "user_message_id": f"u{next(_numbers)}"})
    return conversation


def tell(
    home: Path,
    story: Callable[[Stage], Awaitable[None]],
    scripts: dict[str, Script],
    *,
    files: dict[str, bytes] | None = None,
    uploads: Sequence[dict[str, Any]] | Script = (),
    desktop: Recorder | None = None,
) -> None:
    """Play a story on an account of such a service. `files` are what can be downloaded, by path; `uploads` what an
    upload is answered with.
    """

    async def answer(peer: Peer) -> None:
        path, body = peer.seen.path, await peer.body()
        if path == "/external/models":
            await peer.json({"success": True, "data": MODELS})
        elif path == "/external/libraries":
            page = {"page": 1, "page_size": 100, "total_pages": 1}
            await peer.json({"total_items": 0, "providers": {"file": 0}, "items": []} | page)
        elif path == "/external/upload":
            await (uploads(peer) if callable(uploads) else peer.json({"message": "ok", "data": list(uploads)}))
        elif path.startswith("/external/conversations"):
            word = (json.loads(body)["content"].split() or [""])[0]
            await (scripts.get(word) or says("Served in writing."))(peer)
        elif path in (files or {}):
            await peer.answer((files or {})[path], content_type="application/octet-stream")
        else:
            await peer.json({"error": "not_found", "message": "No such thing."}, 404)

    with faulty_thread(answer) as server:

        async def inner(stage: Stage) -> None:
            await stage.desk.add_account(server.account(name="Scripted"))
            await stage.hand.until(lambda: stage.hand.sees("chat.composer"), "the chat is open")
            await stage.hand.until(lambda: stage.desk.session.models.all, "the models are known")
            stage.server = server  # type: ignore[attr-defined]
            await story(stage)

        play(home, inner, built_in=False, desktop=desktop)


async def ask(stage: Stage, text: str, *, wait: bool = True) -> None:
    """Send a message, and wait for the end of its reply."""
    hand, chats = stage.hand, stage.desk.session.chats
    before = sum(len(chats.messages(line.id)) for line in chats.lines())
    hand.find("chat.composer").setPlainText(text)
    hand.click("chat.send")

    def written() -> bool:
        return sum(len(chats.messages(line.id)) for line in chats.lines()) > before

    await hand.until(written, "the message is written")
    if wait:
        open_id = stage.window.presenter("chat").conversation
        await hand.until(lambda: open_id.chat_id and not chats.is_streaming(open_id.chat_id), "the reply has ended")
        await hand.until(lambda: hand.sees("chat.send"), "another message can be sent")
