"""The floors: what may be imported where, what only one room may call, and a Qt that does not lose references."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

import carrel
from carrel.paths import resources

SOURCE = Path(carrel.__file__).parent
COLOUR = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b")

IMPORT_ALL_BELOW_UI = """
import importlib, pkgutil, sys
import carrel
names = ["carrel.paths", "carrel.log"]
for floor in ("model", "api", "store", "work"):
    package = importlib.import_module(f"carrel.{floor}")
    names += [m.name for m in pkgutil.walk_packages(package.__path__, f"carrel.{floor}.")]
for name in names:
    importlib.import_module(name)
qt = sorted(m for m in sys.modules if m.partition(".")[0] in {"PySide6", "shiboken6", "qasync"})
print(len(names), *qt)
"""


def calls(names: set[str], allowed: str) -> Iterator[str]:
    """Where one of these is called outside the one file that may."""
    for file in SOURCE.rglob("*.py"):
        place = file.relative_to(SOURCE).as_posix()
        if place == allowed:
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or ast.unparse(node.func) == "drag.exec":
                continue  # Qt has no other way to drag; it is begun by the mouse, never by a coroutine
            if getattr(node.func, "attr", getattr(node.func, "id", "")) in names:
                yield f"{place}:{node.lineno}"


def bare_tips() -> Iterator[str]:
    """Where a tool tip is given something that may be data: only sentences of ours go without `as_tip`."""
    for file in (SOURCE / "ui").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and not _is_safe_tip(node):
                yield f"{file.relative_to(SOURCE).as_posix()}:{node.lineno}"


def _is_safe_tip(call: ast.Call) -> bool:
    match ast.unparse(call.func).split(".")[-2:]:
        case [*_, "setToolTip"]:
            return _is_ours(call.args[0])
        case ["QToolTip", "showText"]:
            return _is_ours(call.args[1])
    return True


def _is_ours(words: ast.expr) -> bool:
    if isinstance(words, ast.IfExp):
        return _is_ours(words.body) and _is_ours(words.orelse)
    made_by = ast.unparse(words.func) if isinstance(words, ast.Call) else ""
    return isinstance(words, ast.Constant) or made_by in {"self.tr", "as_tip"}


def test_a_tool_tip_takes_data_only_as_plain_words() -> None:
    assert list(bare_tips()) == []


@pytest.mark.parametrize(
    ("call", "is_safe"),
    [
        ("a.b.setToolTip(self.tr('Remove'))", True),
        ("item.setToolTip('' if wide else self.tr('Remove'))", True),
        ("item.setToolTip(as_tip(name))", True),
        ("item.setToolTip(name)", False),
        ("item.setToolTip('' if wide else name)", False),
        ("item.setToolTip(self.tr('Open {name}').format(name=name))", False),
        ("QToolTip.showText(place, name, self)", False),
    ],
)
def test_the_floor_of_tool_tips_bears(call: str, is_safe: bool) -> None:
    made = ast.parse(call, mode="eval").body
    assert isinstance(made, ast.Call)
    assert _is_safe_tip(made) is is_safe


def test_nothing_below_ui_brings_qt_in() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL_BELOW_UI], capture_output=True, text=True, check=True, timeout=120
    )
    count, *qt = done.stdout.split()
    assert int(count) > 40
    assert qt == []


def test_void_calls_of_qt_do_not_lose_references_to_none() -> None:
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(10_000):
        thing.setObjectName("x")
    assert abs(sys.getrefcount(None) - before) < 100


@pytest.mark.parametrize(
    ("names", "allowed"),
    [
        ({"setStyleSheet"}, "ui/theme.py"),
        ({"create_task", "ensure_future"}, "work/tasks.py"),
        ({"exec", "exec_", "asyncSlot", "asyncClose"}, ""),
        ({"processEvents"}, "run.py"),
    ],
    ids=["style sheets are the theme's", "tasks have one owner", "no nested event loops", "one first paint"],
)
def test_only_one_room_calls(names: set[str], allowed: str) -> None:
    assert list(calls(names, allowed)) == []


def coloured(files: list[Path]) -> list[str]:
    return [f"{f.name}: {m}" for f in files for m in COLOUR.findall(f.read_text("utf-8")) if not _is_selector(f, m)]


def test_only_the_theme_names_a_colour() -> None:
    files = [f for f in (SOURCE / "ui").rglob("*.py") if f.name not in {"theme.py", "printing.py"}]
    assert coloured([*files, resources() / "theme.qss"]) == []


def test_the_printed_page_names_no_colour_either() -> None:
    assert coloured([SOURCE / "ui" / "chat" / "printing.py"]) == []


def _is_selector(file: Path, text: str) -> bool:
    """Whether `#name` in a style sheet is a widget's name that happens to be spelt in hexadecimal letters."""
    return file.suffix == ".qss" and bool(re.search(rf"^{text}\b[^;]*{{", file.read_text("utf-8"), re.MULTILINE))


def test_every_module_says_what_its_room_is_for() -> None:
    dumb = [str(f.relative_to(SOURCE)) for f in SOURCE.rglob("*.py") if not ast.get_docstring(ast.parse(f.read_text()))]
    assert dumb == []
