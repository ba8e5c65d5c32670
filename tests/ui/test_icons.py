"""Icons: every one renders, in the colour of its role, at exactly the pixels that are asked for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmapCache

from carrel.paths import resources
from carrel.ui.icons import app_icon, icon, paint_icon
from carrel.ui.theme import theme

NAMES = sorted(f.stem for f in (resources() / "icons").glob("*.svg") if f.stem != "carrel")


def ink(image: QImage) -> set[str]:
    """The colours of the pixels that are fully covered."""
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {p.name() for p in pixels if p.alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
def test_it_is_drawn_at_the_pixels_of_the_screen(name: str, scale: float) -> None:
    pixmap = icon(name, "text").pixmap(QSize(16, 16), scale)
    side = round(16 * scale)
    assert (pixmap.width(), pixmap.height()) == (side, side)
    assert pixmap.devicePixelRatio() == scale
    drawn = pixmap.toImage()
    covered = [(x, y) for x in range(side) for y in range(side) if drawn.pixelColor(x, y).alpha()]
    assert covered
    wide = max(x for x, _ in covered) - min(x for x, _ in covered)
    high = max(y for _, y in covered) - min(y for _, y in covered)
    assert max(wide, high) >= side * 0.4  # it fills its place: it was not drawn small, or twice scaled


@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
def test_it_is_drawn_anew_and_not_stretched(scale: float) -> None:
    side = round(16 * scale)
    direct = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    direct.fill(0)
    painter = QPainter(direct)
    paint_icon(painter, "search", QRectF(0, 0, side, side), "text")
    painter.end()
    shown = icon("search", "text").pixmap(QSize(16, 16), scale).toImage()
    shown.setDevicePixelRatio(1)
    assert shown.convertToFormat(direct.format()) == direct


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_it_takes_the_colour_of_its_role_when_it_is_painted(choice: str) -> None:
    made = icon("stop", "danger")
    made.pixmap(QSize(24, 24))
    theme.choose(choice)
    assert ink(made.pixmap(QSize(24, 24)).toImage()) == {theme.color("danger").name()}


def test_checked_and_disabled_have_colours_of_their_own() -> None:
    made = icon("stop", "muted", on="accent")
    on = made.pixmap(QSize(24, 24), QIcon.Mode.Normal, QIcon.State.On).toImage()
    off = made.pixmap(QSize(24, 24), QIcon.Mode.Disabled, QIcon.State.Off).toImage()
    assert ink(on) == {theme.color("accent").name()}
    assert ink(off) == {theme.color("faint").name()}


def test_no_icon_names_a_colour_of_its_own() -> None:
    for name in NAMES:
        svg = (resources() / "icons" / f"{name}.svg").read_text("utf-8")
        assert "currentColor" in svg, name
        assert "#" not in svg, name


def test_a_name_that_is_not_there_is_a_mistake_of_ours() -> None:
    with pytest.raises(FileNotFoundError):
        paint_icon(QPainter(), "no-such-icon", QRectF())


def test_the_programs_own_icon_is_there() -> None:
    assert not app_icon().pixmap(QSize(64, 64)).isNull()


def test_it_is_drawn_once_for_a_size_and_a_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    QPixmapCache.clear()
    first = icon("stop", "danger").pixmap(QSize(24, 24), 1.5)
    monkeypatch.setattr("carrel.ui.icons._renderer", lambda *_: pytest.fail("it was drawn again"))
    again = icon("stop", "danger").pixmap(QSize(24, 24), 1.5)
    assert again.devicePixelRatio() == 1.5
    assert again.toImage() == first.toImage()
