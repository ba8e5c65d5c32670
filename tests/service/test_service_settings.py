"""settings.json in the data folder: read again when it changes, under the command line's options, never fatal."""

import json
import os
from pathlib import Path

import pytest

from carrel_service.settings import Settings


@pytest.fixture
def write(tmp_path):
    def write(text, at):
        path = tmp_path / "settings.json"
        path.write_text(text)
        os.utime(path, ns=(at, at))

    return write


def test_nothing_is_set_without_a_file(tmp_path):
    settings = Settings(tmp_path)
    assert (settings.models_url, settings.redaction_patterns, settings.folders) == ("", {}, ())
    assert (settings.pace, settings.rate_limit) == (200, 100)


def test_an_edit_holds_from_the_next_look_on(tmp_path, write):
    settings = Settings(tmp_path)
    write(json.dumps({"models_url": "http://127.0.0.1:11434/v1", "redaction_patterns": {"CASE": r"C-\d+"}}), 10**18)
    assert settings.models_url == "http://127.0.0.1:11434/v1"
    assert settings.redaction_patterns == {"CASE": r"C-\d+"}
    write(json.dumps({"folders": ["/papers"]}), 2 * 10**18)
    assert (settings.models_url, settings.folders) == ("", (Path("/papers"),))
    (tmp_path / "settings.json").unlink()
    assert settings.folders == ()


def test_an_option_wins_over_the_file(tmp_path, write):
    write(json.dumps({"models_url": "http://127.0.0.1:1/v1", "folders": ["/b"]}), 10**18)
    settings = Settings(tmp_path, models_url_option="http://127.0.0.1:2/v1", folder_options=(Path("/a"),))
    assert settings.models_url == "http://127.0.0.1:2/v1"
    assert settings.folders == (Path("/a"), Path("/b"))


@pytest.mark.parametrize("text", ["{", "[]", '"x"', ""])
def test_a_file_that_cannot_be_used_is_said_and_left_aside(tmp_path, write, log_watch, text):
    log_watch.expect("settings.json is not used")
    write(text, 10**18)
    assert Settings(tmp_path).models_url == ""


def test_values_of_another_kind_are_left_aside(tmp_path, write):
    write(json.dumps({"redaction_patterns": ["a"], "folders": "x", "models_url": None}), 10**18)
    settings = Settings(tmp_path)
    assert (settings.models_url, settings.redaction_patterns, settings.folders) == ("", {}, ())
