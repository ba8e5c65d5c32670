"""One service a folder: a second one waits a moment for the first to end, then says why it does not start."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from carrel_service.lock import Taken, take


def test_a_folder_that_is_held_is_refused(tmp_path: Path) -> None:
    with take(tmp_path), pytest.raises(Taken, match="another built-in service is running on this folder"):
        take(tmp_path, patience=0)
    take(tmp_path, patience=0).close()


def test_it_is_had_once_the_former_service_has_let_go_of_it(tmp_path: Path) -> None:
    former = take(tmp_path)
    letting_go = threading.Timer(0.3, former.close)
    letting_go.start()
    take(tmp_path, patience=60).close()
    letting_go.join()
