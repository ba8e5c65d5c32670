"""Stories of a person who says where to save: under a name without an ending, and the raw events of one reply."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QLineEdit
from test_export import dialog, keep

from carrel.model import Content
from carrel.work.export.record import ndjson_of
from stage import Stage, play


def asked(stage: Stage) -> QFileDialog:
    return next(d for d in stage.window.findChildren(QFileDialog) if d.isVisible())


def test_a_name_without_an_ending_gets_that_of_its_kind(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        stage.window.presenter("chat").open("a")
        for form, ending in (("markdown", "md"), ("json", "json")):
            dialog(stage, form)
            shown = asked(stage)
            assert shown.selectedNameFilter() == f"{ending.upper()} files (*.{ending})"
            shown.findChild(QLineEdit, "fileNameEdit").setText(str(tmp_path / "mine"))
            shown.accept()
            await stage.hand.until((tmp_path / f"mine.{ending}").exists, "it is saved")

    play(tmp_path / "home", story)
    assert sorted(p.name for p in tmp_path.glob("mine*")) == ["mine.json", "mine.md"]


def test_raw_events_have_one_shape_wherever_they_are_saved(tmp_path: Path) -> None:
    place = tmp_path / "events.ndjson"
    events = [Content("Key", raw={"content": "Key"}, at=1_790_000_000.0)]

    async def story(stage: Stage) -> None:
        await keep(stage, "a", "Renewal")
        await stage.desk.session.chats._store.of("aa").journal("aa", 0, events)
        stage.window.presenter("chat").open("a")
        stage.hand.find("chat.transcript").acted.emit("aa", "details")
        await stage.hand.until(lambda: stage.hand.sees("chat.details"), "the details are shown")
        stage.hand.click("chat.details.save")
        asked(stage).filesSelected.emit([str(place)])
        asked(stage).close()
        await stage.hand.until(place.exists, "they are saved")
        stage.hand.find("chat.details").accept()

    play(tmp_path / "home", story)
    assert place.read_text("utf-8") == ndjson_of("aa", events)
    assert json.loads(place.read_text("utf-8"))["at"] == "2026-09-21T14:13:20.000+00:00"
