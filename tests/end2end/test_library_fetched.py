"""Stories of files that are fetched: several at once, a picture that is looked at, and one that was broken off."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from test_library_browsing import listed
from test_library_to_workflow import choose

from faulty import Peer, faulty_thread, routes
from keychains import Keeps
from stage import Stage, play
from stories import indexed

SIZE = 6 << 20


def test_several_files_are_fetched_at_once(tmp_path: Path) -> None:
    names = ("harbour-lease.pdf", "memo-quay-works.txt", "floor-plan.png")

    async def story(stage: Stage) -> None:
        await indexed(stage)
        await choose(stage, *names)
        stage.hand.click("library.download")
        folder = stage.desk.session.downloads.folder
        for name in names:
            await stage.hand.until((folder / name).exists, f"{name} is there")
        await stage.hand.until(lambda: "3 of 3 done" in stage.hand.words("library.summary"), "the tray says so")
        rows = stage.hand.words("library.downloads")
        assert all(name in rows for name in names)

    play(tmp_path, story)


def test_a_picture_is_looked_at(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        await choose(stage, "floor-plan.png")
        stage.hand.key("library.table", Qt.Key.Key_Return)
        await stage.hand.until(lambda: stage.hand.sees("library.preview.picture"), "the picture is shown")
        shown = stage.hand.find("library.preview.picture").pixmap()
        assert not shown.isNull()
        assert shown.width() <= stage.hand.find("library.details").width()

    play(tmp_path, story)


def test_a_download_that_was_broken_off_goes_on_by_its_own_word(tmp_path: Path) -> None:
    asked: list[str] = []
    content = bytes(range(256)) * (SIZE // 256)

    async def library(peer: Peer) -> None:
        page = {"total_items": 1, "providers": {}, "page": 1, "page_size": 100, "total_pages": 1}
        await peer.json({**page, "items": [listed(1, "plan.bin")]})

    async def file(peer: Peer) -> None:
        span = peer.seen.headers.get("range", "")
        asked.append(span)
        begin = int(span.removeprefix("bytes=").rstrip("-") or 0)
        head = {"content-length": str(SIZE - begin), "accept-ranges": "bytes", "etag": '"1"'}
        if begin:
            head["content-range"] = f"bytes {begin}-{SIZE - 1}/{SIZE}"
        await peer.head(206 if begin else 200, head)
        await peer.raw(content[begin : SIZE if begin else SIZE // 2])
        if not begin:
            await peer.gone()

    async def first(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        await choose(stage, "plan.bin")
        stage.hand.click("library.download")
        downloads = stage.desk.session.downloads
        await stage.hand.until(
            lambda: downloads.rows() and downloads.rows()[0].moved >= SIZE // 2, "half of it is here"
        )

    async def second(stage: Stage) -> None:
        assert await stage.desk.open_account(stage.desk.settings.accounts[0].id)
        stage.window.go("library")
        await stage.hand.settle(0.3)
        downloads = stage.desk.session.downloads
        assert [row.state for row in downloads.rows()] == ["interrupted"]
        assert len(asked) == 1, "nothing goes on by itself"
        tray = stage.hand.find("library.downloads")
        assert tray.isVisible()
        assert "“Go on” takes it up from there" in stage.hand.words("library.downloads")
        QTest.mouseClick(
            tray.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(tray.place_of(tray.rows()[0].id, "retry"))
        )
        await stage.hand.until((downloads.folder / "plan.bin").exists, "the file is there")
        assert await asyncio.to_thread((downloads.folder / "plan.bin").read_bytes) == content
        assert asked[-1].startswith("bytes=")

    with faulty_thread(routes({"GET /external/libraries": library, "GET /external/files/1": file})) as server:
        keychain = Keeps()
        play(tmp_path, first, built_in=False, keychain=keychain)
        play(tmp_path, second, built_in=False, keychain=keychain)
