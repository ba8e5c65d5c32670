"""Reads pictures: their text by OCR where an engine is installed, else their name, size and own remarks."""

from pathlib import Path
from typing import Any

from . import ocr

_REMARKS = {270: "Description", 315: "Artist", 33432: "Copyright", 272: "Camera", 306: "Date", 36867: "Taken"}
"""EXIF tags that say something in words."""

_EXIF_DETAILS = 0x8769


def read(path: Path, name: str) -> str:
    """What the picture is, its remarks, and the text in it. Raises what Pillow does for a broken one."""
    from PIL import Image

    with Image.open(path) as image:
        kind, (width, height) = image.format or "unknown", image.size
        lines = [f"{name}: {kind} picture, {width} × {height} pixels", *_remarks(image)]
        if ocr.engine():
            lines.append(ocr.read(image))
    return "\n".join(filter(None, lines))


def _remarks(image: Any) -> list[str]:
    exif = image.getexif()
    found = {**exif, **exif.get_ifd(_EXIF_DETAILS)}
    return [f"{label}: {str(found[tag]).strip()}" for tag, label in _REMARKS.items() if str(found.get(tag, "")).strip()]
