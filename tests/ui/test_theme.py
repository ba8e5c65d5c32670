"""The look: every text can be read on every ground it stands on, sizes scale, light and dark follow the system."""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from carrel.paths import resources
from carrel.ui.theme import BASE, DARK, LIGHT, Tokens, style_sheet, theme

GROUNDS = ("window", "surface", "sunken", "code")
SOFT = ("accent_soft", "warn_soft", "danger_soft", "info_soft")
PAIRS = [
    *((ink, ground) for ink in ("text", "muted", "accent", "warn", "danger", "info") for ground in (*GROUNDS, *SOFT)),
    ("on_accent", "accent"),
    ("surface", "text"),  # the toast
]
QSS = (resources() / "theme.qss").read_text("utf-8")


def brightness(color: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(ink: str, ground: str) -> float:
    """How many to one (WCAG 2.2)."""
    light, dark = sorted((brightness(ink), brightness(ground)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def rules() -> list[tuple[str, str]]:
    """The style sheet's rules: what for, and what."""
    bare = re.sub(r"/\*.*?\*/", "", QSS, flags=re.DOTALL)
    return [(selector.strip(), body) for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", bare)]


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_can_be_read_on_its_ground(tokens: Tokens, ink: str, ground: str) -> None:
    assert contrast(getattr(tokens, ink), getattr(tokens, ground)) >= 4.5


def test_the_measure_itself_is_right() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


def test_the_style_sheet_puts_no_ink_on_a_ground_that_is_not_measured() -> None:
    for selector, body in rules():
        ink = re.search(r"(?:^|[;\s])color: \$(\w+)", body)
        ground = re.search(r"background(?:-color)?: \$(\w+)", body)
        if ink and ground and ":disabled" not in selector:
            assert (ink[1], ground[1]) in PAIRS, selector


def test_faint_is_for_what_need_not_be_read() -> None:
    inked = [selector for selector, body in rules() if re.search(r"(?:^|[;\s])color: \$faint", body)]
    assert inked
    assert all(":disabled" in part for selector in inked for part in selector.split(","))


def test_the_two_sets_of_tokens_are_whole_and_differ() -> None:
    for field in fields(Tokens):
        assert re.fullmatch("#[0-9A-F]{6}", getattr(LIGHT, field.name))
        assert getattr(LIGHT, field.name) != getattr(DARK, field.name)


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
@pytest.mark.parametrize("base", [10, 13, 17, 25])
def test_the_style_sheet_is_filled_whole(tokens: Tokens, base: int) -> None:
    filled = style_sheet(tokens, base)
    assert "$" not in filled
    assert f"font-size: {base}px" in filled
    used = set(re.findall(r"\$\{?([a-z_]+)\b", QSS)) & set(asdict(tokens))
    assert all(getattr(tokens, name) in filled for name in used)


@pytest.mark.parametrize(
    ("grow", "size", "pixels"), [(0, 13, 13), (0, 76, 76), (-3, 13, 10), (4, 26, 34), (12, 13, 25)]
)
def test_sizes_scale_with_the_text(grow: int, size: float, pixels: int) -> None:
    theme.choose("light", grow)
    assert theme.base == BASE + grow
    assert theme.px(size) == pixels
    assert QApplication.font().pixelSize() == theme.base
    assert theme.font(size).pixelSize() == pixels


def test_text_grows_within_bounds() -> None:
    theme.choose("light", 99)
    assert theme.grow == 12
    theme.choose("light", -99)
    assert theme.grow == -3
    assert theme.font(1).pixelSize() == 8


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_a_choice_dresses_all_at_once(choice: str, app: QApplication) -> None:
    told: list[bool] = []
    theme.changed.connect(lambda: told.append(theme.dark))
    theme.choose(choice)
    tokens = DARK if choice == "dark" else LIGHT
    assert told == [choice == "dark"]
    assert theme.tokens is tokens
    assert app.palette().color(QPalette.ColorRole.Window).name().upper() == tokens.window
    assert tokens.accent in app.styleSheet()


def test_it_follows_the_system_at_once_and_a_choice_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    system = [Qt.ColorScheme.Light]
    asked = SimpleNamespace(styleHints=lambda: SimpleNamespace(colorScheme=lambda: system[0]))
    monkeypatch.setattr("carrel.ui.theme.QGuiApplication", asked)  # the offscreen platform has no scheme to set

    def turn(scheme: Qt.ColorScheme) -> None:
        system[0] = scheme
        QGuiApplication.styleHints().colorSchemeChanged.emit(scheme)

    theme.choose("system")
    assert not theme.dark
    turn(Qt.ColorScheme.Dark)
    assert theme.dark
    turn(Qt.ColorScheme.Light)
    assert not theme.dark
    theme.choose("light")
    turn(Qt.ColorScheme.Dark)
    assert not theme.dark
    theme.choose("system")
    assert theme.dark
