"""Draws the sample pictures: the floor plan of the premises and a view of them from the quay."""

import csv
import io
import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

_INK, _PAPER = (38, 44, 48), (250, 249, 245)
_SCALE, _EDGE = 36, 60  # pixels a metre, and around the plan
_DESCRIPTION, _TAKEN = 0x010E, 0x0132  # Exif tags


def _saved(picture: Image.Image, kind: str, description: str, taken: str) -> bytes:
    exif = Image.Exif()
    exif[_DESCRIPTION] = description
    exif[_TAKEN] = taken
    out = io.BytesIO()
    picture.save(out, kind, exif=exif, quality=72, method=6, optimize=True)
    return out.getvalue()


def _labelled(draw: ImageDraw.ImageDraw, room: dict[str, str]) -> None:
    left, top, right, bottom = (_EDGE + _SCALE * int(room[k]) for k in ("left", "top", "right", "bottom"))
    draw.rectangle((left, top, right, bottom), outline=_INK, width=4)
    middle = ((left + right) / 2, (top + bottom) / 2)
    words = room["room"] if right - left < 5 * _SCALE else f"{room['room']}\n{room['area']}"
    draw.multiline_text(middle, words, _INK, ImageFont.load_default(18), anchor="mm", align="center")


def floor_plan(source: Path) -> bytes:
    """The ground floor as PNG, drawn from rooms whose corners are in metres."""
    with source.open(encoding="utf-8", newline="") as lines:
        rooms = list(csv.DictReader(lines))
    width, height = (2 * _EDGE + _SCALE * max(int(r[side]) for r in rooms) for side in ("right", "bottom"))
    picture = Image.new("RGB", (width, height + 50), _PAPER)
    draw = ImageDraw.Draw(picture)
    for room in rooms:
        _labelled(draw, room)
    title = "14 Harbour Street, ground floor. Quay wall to the right, Customs Row at the foot."
    draw.text((_EDGE, height - 10), title, _INK, ImageFont.load_default(20))
    return _saved(picture.quantize(16), "PNG", f"Floor plan: {title}", "2023:03:20 10:00:00")


def _sky_and_water(draw: ImageDraw.ImageDraw, width: int, height: int) -> None:
    horizon = height * 2 // 3
    for y in range(height):
        share = y / horizon if y < horizon else (y - horizon) / (height - horizon)
        top, bottom = ((150, 176, 196), (214, 220, 218)) if y < horizon else ((86, 110, 112), (48, 68, 74))
        line = tuple(round(a + (b - a) * share) for a, b in zip(top, bottom, strict=True))
        draw.line((0, y, width, y), line)


def _house(draw: ImageDraw.ImageDraw) -> None:
    draw.polygon([(190, 190), (500, 90), (810, 190)], (88, 86, 92))
    draw.rectangle((210, 190, 790, 400), (146, 92, 74))
    for row in (215, 310):
        for left in range(245, 760, 92):
            draw.rectangle((left, row, left + 46, row + 62), (60, 74, 82), (226, 222, 212), 4)
    draw.rectangle((0, 400, 1000, 452), (128, 124, 116))  # the quay wall
    for left in range(0, 1000, 50):
        draw.line((left, 400, left, 452), (108, 104, 98), 2)
    draw.polygon([(640, 451), (662, 418), (700, 406), (738, 414), (770, 451)], (98, 95, 90))  # the damp mark


def _ripples(draw: ImageDraw.ImageDraw) -> None:
    chance = random.Random(4)  # the same ripples each time
    for _ in range(260):
        x, y = chance.randrange(1000), chance.randrange(470, 640)
        draw.line((x, y, x + chance.randrange(10, 60), y), (118, 140, 140), 1)


def site_photo(source: Path) -> bytes:
    """The view from the quay as WebP. The source is its description, which also goes into its Exif data."""
    picture = Image.new("RGB", (1000, 640))
    draw = ImageDraw.Draw(picture)
    _sky_and_water(draw, *picture.size)
    _house(draw)
    _ripples(draw)
    description = source.read_text(encoding="utf-8").strip()
    return _saved(picture.filter(ImageFilter.GaussianBlur(1.1)), "WEBP", description, "2026:10:20 11:42:00")
