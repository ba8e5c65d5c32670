"""Reads text in pictures, where RapidOCR or Tesseract is installed; neither is required."""

import io
import shutil
import subprocess
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

_PAGE_SECONDS = 60


@cache
def engine() -> str:
    """`rapidocr`, `tesseract`, or nothing."""
    if find_spec("rapidocr"):
        return "rapidocr"
    return "tesseract" if shutil.which("tesseract") else ""


def read(image: Any) -> str:
    """The text in a Pillow image; nothing without an engine."""
    if engine() == "rapidocr":
        return _rapidocr(image)
    return _tesseract(image) if engine() == "tesseract" else ""


def _rapidocr(image: Any) -> str:
    import numpy as np

    found = _rapidocr_reader()(np.asarray(image.convert("RGB")))
    return "\n".join(found.txts or ())


@cache
def _rapidocr_reader() -> Any:
    return import_module("rapidocr").RapidOCR()


def _tesseract(image: Any) -> str:
    content = io.BytesIO()
    image.convert("RGB").save(content, "PNG")
    run = subprocess.run(
        ["tesseract", "stdin", "stdout"],
        input=content.getvalue(),
        capture_output=True,
        timeout=_PAGE_SECONDS,
        check=False,
    )
    return run.stdout.decode("utf-8", "replace").strip()
