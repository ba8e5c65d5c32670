"""Logos: a model shows its maker's, told by the logo file name or the vendor group; what nobody supplied has none."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from carrel.model.models import Model
from carrel.paths import resources
from carrel.ui.icons import paint_logo
from carrel.ui.logos import OTHER_NAMES, logo_of
from carrel.ui.theme import theme

SUPPLIED = sorted(file.stem for file in (resources() / "logos").glob("*.svg"))


@pytest.mark.parametrize(
    ("image", "group", "expected"),
    [
        ("reader.svg", "Built-in", "reader"),
        ("openai.svg", "", "openai"),
        ("OpenAI-logo.png", "", "openai"),
        ("gpt4.png", "", "openai"),
        ("claude-3.webp", "Anthropic", "claude"),
        ("static/logos/mistral_ai.svg", "", "mistral"),
        ("x-ai.png", "", "xai"),
        ("logo-17.svg", "Amazon Bedrock", "aws"),
        ("", "Google Gemini", "gemini"),
        ("deepseek", "", "deepseek"),
        ("", "", ""),
        ("house.svg", "House models", ""),
        ("../../icons/trash.svg", "", ""),
        ("metal.svg", "", ""),
    ],
)
def test_a_models_logo(image: str, group: str, expected: str) -> None:
    assert logo_of(Model(id="m", image=image, group_name=group)) == expected


def test_every_other_name_leads_to_a_logo_that_is_supplied() -> None:
    assert set(OTHER_NAMES.values()) <= set(SUPPLIED)
    assert not set(OTHER_NAMES) & set(SUPPLIED)


@pytest.mark.parametrize("name", SUPPLIED)
def test_a_logo_is_drawn_in_the_theme(name: str) -> None:
    image = QImage(96, 96, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    with QPainter(image) as painter:
        paint_logo(painter, name, QRectF(0, 0, 96, 96), "text")
    pixels = [image.pixelColor(x, y) for x in range(96) for y in range(96)]
    solid = {p.name() for p in pixels if p.alpha() == 255}
    assert solid == {theme.color("text").name()}
