"""A service that takes uploads and lists them, with answers that are lost, odd or late."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from carrel.work.session import Session
from faulty import Peer, routes

UPLOAD, LIST = "POST /external/upload", "GET /external/libraries"


class Inbox:
    """Takes files and lists them; `answers` say, one after another, what becomes of the next uploads."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.files: list[dict[str, Any]] = []
        self.taken: list[list[str]] = []
        self.listed: list[dict[str, str]] = []
        self.lists = True
        self.go = asyncio.Event()

    def table(self) -> Any:
        return routes({UPLOAD: self.take, LIST: self.list})

    async def take(self, peer: Peer) -> None:
        how = self.answers.pop(0) if self.answers else "good"
        if how == "late":
            await peer.body()
            await self.go.wait()
        new = [self._item(name) for name in names_of(await peer.body())]
        self.taken.append([item["file_name"] for item in new])
        if how != "lost":
            self.files = new[::-1] + self.files
        match how:
            case "lost" | "kept, lost":
                peer.reset()
            case "kept, 504":
                await peer.json({"message": "The gateway waited in vain."}, 504)
            case "refused":
                self.files = self.files[len(new) :]
                await peer.json({"error": "bad_file", "message": "It is damaged."}, 400)
            case "names none":
                await peer.json({"message": "ok", "data": []})
            case "names three":
                await peer.json({"message": "ok", "data": new[:3]})
            case _:
                await peer.json({"message": "ok", "data": new})

    async def list(self, peer: Peer) -> None:
        self.listed.append(peer.seen.query)
        if not self.lists:
            await peer.json({"message": "The listing is out of order."}, 500)
            return
        wanted = peer.seen.query.get("search", "")
        items = [file for file in self.files if wanted in file["file_name"]]
        counts = {"total_items": len(items), "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
        await peer.json({**counts, "items": items})

    def _item(self, name: str) -> dict[str, Any]:
        number = sum(map(len, self.taken)) + sum(file["file_name"] == name for file in self.files)
        now = datetime.now(UTC).replace(tzinfo=None).isoformat()
        fields = {"state": "success", "provider": "file", "created_at": now}
        return {"id": f"id-{number}-{name}", "file_name": name, **fields}


def names_of(body: bytes) -> list[str]:
    return [part.split(b'"')[0].decode() for part in body.split(b'filename="')[1:]]


def notes(folder: Path, *names: str) -> list[Path]:
    for name in names:
        (folder / name).write_text(f"This is {name}.")
    return [folder / name for name in names]


def states(session: Session) -> dict[str, str]:
    return {row.name: row.state for row in session.uploads.rows()}


def only(session: Session) -> Any:
    return session.uploads.rows()[0]
