"""A service folder with its samples indexed, made once in a run and copied for each story: indexing takes its time."""

from __future__ import annotations

import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from running import built_in_service, wait_indexed


def put_samples(folder: Path) -> None:
    """Make `folder` what a service with the samples leaves behind once all of them can be found."""
    shutil.copytree(Path(_made().name) / "service", folder)


@lru_cache(maxsize=1)
def _made() -> tempfile.TemporaryDirectory[str]:
    made = tempfile.TemporaryDirectory(prefix="carrel-samples-")
    with built_in_service(Path(made.name) / "service", "--samples") as service:
        with service.client() as client:
            wait_indexed(client)
        service.stop()
    return made
