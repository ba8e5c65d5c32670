"""Puts the sample documents into a new library, once."""

from pathlib import Path

from .filetypes import extension
from .library import Library

_DONE = "samples added"


def folder() -> Path | None:
    """Beside the package when it is installed, else at the repository's root; None when neither is there."""
    here = Path(__file__).resolve().parent
    for place in (here / "samples", here.parents[1] / "resources" / "samples"):
        if place.is_dir():
            return place
    return None


def add_once(library: Library) -> None:
    """Add every sample, its subfolder as its folder path, unless this library has had them before."""
    found = folder()
    if found is None or library.fact(_DONE):
        return
    paths = [path for path in sorted(found.rglob("*")) if path.is_file() and extension(path.name)]
    # All at once, the remark too: a first start that is cut off leaves none, and the next one does not add some twice.
    library.add(
        [library.document(path.name, path.read_bytes(), path.relative_to(found).parent.parts) for path in paths], _DONE
    )
