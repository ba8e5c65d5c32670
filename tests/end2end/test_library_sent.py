"""Stories of uploads that have left and are not answered, and of what a dropped folder leaves out."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from carrel.ui.library.transferwords import actions
from faulty import Peer, faulty_thread, routes
from stage import Stage, play


def listing(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"total_items": len(items), "providers": {}, "page": 1, "page_size": 100, "total_pages": 1, "items": items}


async def nothing(peer: Peer) -> None:
    await peer.json(listing([]))


def test_what_has_left_says_so_and_can_be_cancelled_but_not_paused(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text("words " * 100)
    taken = threading.Event()

    async def take(peer: Peer) -> None:
        await peer.body()
        taken.set()
        await peer.gone()

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        stage.window.go("library")
        uploads, tray = stage.desk.session.uploads, stage.hand.find("library.uploads")
        await uploads.add([file])
        await stage.hand.until(taken.is_set, "the service has all of it")
        await stage.hand.until(lambda: "sent, no answer yet" in tray.plain_text(), "the row says what it waits for")
        [row] = uploads.rows()
        assert actions(row) == ("cancel",)
        QTest.mouseClick(tray.viewport(), Qt.MouseButton.LeftButton, pos=tray.place_of(row.id, "cancel"))
        await stage.hand.until(lambda: "Perhaps not sent" in tray.plain_text(), "it ends, and nobody knows how")
        assert actions(uploads.row(row.id))[0] == "retry"

    with faulty_thread(routes({"POST /external/upload": take, "GET /external/libraries": nothing})) as server:
        play(tmp_path / "home", story, built_in=False)


def test_a_link_to_a_folder_that_is_sent_anyway_is_called_so(tmp_path: Path) -> None:
    real = tmp_path / "rel" / "releases" / "v2"
    real.mkdir(parents=True)
    (real / "n.txt").write_text("x")
    (tmp_path / "rel" / "current").symlink_to(real)

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        stage.window.go("library")
        stage.desk.session.uploads.hold("for this test")
        stage.hand.drop([tmp_path / "rel"])
        await stage.hand.until(
            lambda: stage.hand.sees("toast") and "Left out: 1 folder that is sent anyway." in stage.hand.words("toast"),
            "it is told what was left out",
        )
        [row] = stage.desk.session.uploads.rows()
        assert row.folder == "rel/releases/v2"

    with faulty_thread(routes({"GET /external/libraries": nothing})) as server:
        play(tmp_path / "home", story, built_in=False)
