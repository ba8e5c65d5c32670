"""Files that a chat reply made: they go through the download queue as all files do, each by itself."""

from __future__ import annotations

from carrel.model import GeneratedFile
from carrel.model.transfers import TRY_AGAIN, Transfer
from carrel.work.downloads import Downloads


def origin_of(message_id: str, url: str) -> str:
    """What the download of a file of a reply says of who asked."""
    return f"reply:{message_id}:{url}"


def message_of(origin: str) -> str:
    """The reply that a download is for; empty where it is for something else."""
    kind, _, rest = origin.partition(":")
    return rest.partition(":")[0] if kind == "reply" else ""


def transfer_of(downloads: Downloads, message_id: str, file: GeneratedFile) -> Transfer | None:
    """How far the download of a file is; None where none was asked for. One that is whole counts when cleared too."""
    origin = origin_of(message_id, file.url)
    rows = downloads.rows(origin)
    return rows[-1] if rows else downloads.whole(origin)


async def fetch(downloads: Downloads, message_id: str, file: GeneratedFile) -> None:
    """Save a file, or go on where that stopped."""
    held = transfer_of(downloads, message_id, file)
    if held is not None and held.state in TRY_AGAIN:
        await downloads.retry(held.id)
    else:
        await downloads.fetch(file.url, file.filename, size=file.size, origin=origin_of(message_id, file.url))
