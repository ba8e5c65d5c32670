"""The file of a download in the making: what the disk refuses leaves no claim on the name."""

from __future__ import annotations

from pathlib import Path

import pytest

from carrel.api.partial import Partial


def test_a_place_that_cannot_be_opened_is_free_for_the_next_try(tmp_path: Path) -> None:
    place = tmp_path / "report.pdf"
    in_the_way = tmp_path / "report.pdf.part"
    in_the_way.mkdir()
    refused = Partial(place, "http://127.0.0.1/report")
    with pytest.raises(OSError):  # noqa: PT011  # each system has its own words
        refused.begin()
    refused.leave()
    in_the_way.rmdir()
    again = Partial(place, "http://127.0.0.1/report")
    again.begin()
    again.append(b"whole")
    assert again.finish() == place
    again.leave()
    assert [file.name for file in tmp_path.iterdir()] == ["report.pdf"]
