"""Stories of files for a message that did not arrive: it is said why, and nothing goes on as if they were coming."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QLabel

from faulty import Peer
from scripted import tell
from stage import Stage


def said(stage: Stage) -> str:
    return "\n".join(label.text() for label in stage.hand.find("chat.hint").findChildren(QLabel))


async def drop(stage: Stage, folder: Path) -> None:
    files = [folder / "one.txt", folder / "two.txt"]
    for file in files:
        file.write_text(file.name)
    stage.window.presenter("chat").dropped(files)
    await stage.hand.until(lambda: "Not attached" in said(stage), "it is said that they were not attached")


def test_a_refused_upload_leaves_no_progress_behind(tmp_path: Path) -> None:
    async def refuse(peer: Peer) -> None:
        await peer.json({"error": "invalid_file", "message": "No such kind of file."}, 400)

    async def story(stage: Stage) -> None:
        await drop(stage, tmp_path)
        assert "No such kind of file." in said(stage)
        await stage.hand.until(lambda: not stage.hand.sees("chat.uploading"), "nothing is on its way any more")

    tell(tmp_path / "home", story, {}, uploads=refuse)


def test_a_file_that_the_service_does_not_name_has_a_reason(tmp_path: Path) -> None:
    uploaded = [{"id": "up1", "file_name": "one.txt", "state": "loading", "provider": "file"}]

    async def story(stage: Stage) -> None:
        await drop(stage, tmp_path)
        lines = [line for line in said(stage).splitlines() if ".txt:" in line]
        assert lines
        assert all(line.partition(": ")[2].strip() for line in lines), lines
        await stage.hand.until(lambda: not stage.hand.sees("chat.uploading"), "nothing is on its way any more")

    tell(tmp_path / "home", story, {}, uploads=uploaded)
