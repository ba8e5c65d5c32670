"""Writes archives whose bytes depend on nothing but their content."""

import io
import re
import zipfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

MADE_ON = datetime(2026, 11, 12, 9, 0)  # noqa: DTZ001  # office files and archives keep times without a zone
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def _archive(members: Iterable[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            member = zipfile.ZipInfo(name, MADE_ON.timetuple()[:6])
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return out.getvalue()


def folder(source: Path) -> bytes:
    """A zip of the files in a folder, by name."""
    return _archive((path.name, path.read_bytes()) for path in sorted(source.iterdir()))


def sealed(office_file: bytes) -> bytes:
    """The same docx, xlsx or pptx with the times of its members and of its last change fixed."""
    stamp = rb"\g<1>" + MADE_ON.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    with zipfile.ZipFile(io.BytesIO(office_file)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    return _archive(
        (name, _MODIFIED.sub(stamp, content) if name == "docProps/core.xml" else content) for name, content in members
    )
