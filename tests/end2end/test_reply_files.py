"""Stories of files that a chat reply made: they are seen, fetched, opened, exported."""

from __future__ import annotations

from pathlib import Path

from scripted import ask, says, tell
from stage import Stage

FILES = [
    {"url": "/files/report.pdf", "filename": "report.pdf", "size": 7},
    {"url": "/files/table%20one.csv"},
    {"filename": "has no address"},
]


def test_files_without_words_are_shown_and_fetched(tmp_path: Path) -> None:
    def chips(stage: Stage) -> list[str]:
        transcript = stage.hand.find("chat.transcript")
        return [chip.words for chip in transcript.entries()[-1].files]

    async def story(stage: Stage) -> None:
        address = stage.server.url  # type: ignore[attr-defined]
        FILES[0]["url"], FILES[1]["url"] = f"{address}/files/report.pdf", f"{address}/files/table%20one.csv"
        await ask(stage, "Make two files")
        await stage.hand.until(lambda: len(chips(stage)) == 2, "both files are there")
        assert chips(stage)[0].startswith("report.pdf · 7")
        assert chips(stage)[1] == "table one.csv"
        entry = stage.hand.find("chat.transcript").entries()[-1]
        assert not entry.note
        assert [words for key, words, _ in entry.actions if key == "again"] == ["Regenerate"]
        await stage.hand.until(lambda: stage.hand.sees("transcript.file"), "they can be pressed")
        stage.hand.click("transcript.file")
        await stage.hand.until(lambda: chips(stage)[0] == "report.pdf · saved", "it was fetched")
        [row] = stage.desk.session.downloads.rows()
        assert Path(row.path).read_bytes() == b"content"  # noqa: ASYNC240
        opened: list[Path] = []
        stage.window.shell.open_file = opened.append
        stage.hand.click("transcript.file")
        assert opened == [Path(row.path)]

    files = {"/files/report.pdf": b"content"}
    tell(tmp_path, story, {"Make": says("", generated_files=FILES)}, files=files)
