"""Folders that may be read and not written, also where the tests run as root."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def read_only(*contents: Path) -> Iterator[Path]:
    """A folder with copies of these files that this process, while the block lasts, may only read."""
    folder = Path(tempfile.mkdtemp(prefix="carrel-read-only-"))
    for file in contents:
        shutil.copy(file, folder)
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)
