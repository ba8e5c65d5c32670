"""The guided tour as a user starts it: every step well, a picture of each, of every pane in both themes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from carrel.ui.window import PLACES

VERBS = {"library", "upload", "search", "question", "follow-up", "stop", "agent", "download", "workflow", "theme"}


def test_the_tour_walks_through_the_main_job(tmp_path: Path) -> None:
    folder = tmp_path / "tour"
    command = [sys.executable, "-m", "carrel", "--tour", str(folder), "--home", str(tmp_path / "home")]
    offscreen = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=offscreen, capture_output=True, text=True, timeout=600, check=False)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    assert [step["saw"] for step in report["steps"] if not step["ok"]] == []
    assert report["ok"]
    assert done.returncode == 0
    assert {step["name"] for step in report["steps"]} >= VERBS
    pictures = {step["picture"] for step in report["steps"]}
    pictures |= {f"pane-{p.key}-{t}.png" for p in PLACES for t in ("light", "dark")}
    assert all((folder / picture).stat().st_size > 10_000 for picture in pictures)
    assert "Traceback" not in done.stderr
