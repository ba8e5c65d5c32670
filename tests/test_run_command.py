"""The command of the README: what it opens, by what it is told and where."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

PACKAGING = Path(__file__).parents[1] / "packaging"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/run.py on a machine that is ready, with a display; `asked` holds what it starts."""
    monkeypatch.syspath_prepend(str(PACKAGING))
    spec = importlib.util.spec_from_file_location("run_command", PACKAGING / "run.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    made.asked = []

    def run(words: list[str], **_: object) -> SimpleNamespace:
        made.asked.append(words[1:])
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(made, "prepare", lambda: "python")
    monkeypatch.setattr(made, "has_display", lambda: True)
    monkeypatch.setattr(made, "subprocess", SimpleNamespace(run=run))
    monkeypatch.setattr(made, "hand_over", lambda words: run(words).returncode)
    return made


def options(command: ModuleType, monkeypatch: pytest.MonkeyPatch, *given: str) -> list[str]:
    """What the application is started with."""
    monkeypatch.setattr(sys, "argv", ["run.py", *given])
    assert command.main() == 0
    [words] = command.asked
    assert words[:2] == ["-m", "carrel"]
    return words[2:]


@pytest.mark.parametrize("given", [(), ("--home", "there")])
def test_it_opens_the_built_in_service(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]
) -> None:
    assert options(command, monkeypatch, *given) == ["--built-in", *given]


@pytest.mark.parametrize("given", [("--account", "mine"), ("--account=mine",), ("--built-in",)])
def test_an_account_that_is_named_is_what_opens(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...]
) -> None:
    assert options(command, monkeypatch, *given) == list(given)


@pytest.mark.parametrize("given", ["-h", "--help"])
def test_help_is_help_also_without_a_display(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    monkeypatch.setattr(command, "has_display", lambda: False)
    assert options(command, monkeypatch, given) == ["--help"]
    assert capsys.readouterr().out == ""


def test_an_account_and_the_built_in_service_at_once_are_refused() -> None:
    words = [sys.executable, "-m", "carrel", "--built-in", "--account", "mine"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "not allowed with" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="Windows has no way to become another program")
def test_it_becomes_the_application_so_that_an_interrupt_reaches_it() -> None:
    application = [sys.executable, "-c", "import os; print(os.getpid())"]
    code = f"import sys; sys.path.insert(0, {str(PACKAGING)!r}); import run; run.hand_over({application!r})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert int(process.stdout.read()) == process.pid
