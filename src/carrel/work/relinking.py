"""The address of a library's file as it is now: a signed link expires, and the service gives another when asked."""

from __future__ import annotations

import time

from carrel.model import LibraryFile, LibraryQuery, ServiceError
from carrel.model.transfers import Transfer
from carrel.store.library import LibraryRows
from carrel.work.context import Context

ORIGIN = "library:"
"""The origin of a download of a library's file begins with this; the file's id follows."""


def file_of(row: Transfer, context: Context) -> LibraryFile | None:
    """The file that a download is of, as the service listed it last."""
    if not row.origin.startswith(ORIGIN):
        return None
    return _rows(context).file(row.origin.removeprefix(ORIGIN))


async def asked_anew(file: LibraryFile, context: Context) -> LibraryFile | None:
    """The file as the service lists it now; None where it gives no other link than the one that works no longer."""
    query = LibraryQuery(page_size=100, search=file.file_name, sort_by="created_at", sort_order="desc")
    try:
        page = await context.service.library(query)
    except ServiceError:
        return None
    now = next((one for one in page.items if one.id == file.id), None)
    if now is None or now.download_link in {"", file.download_link}:
        return None
    await _rows(context).put([now], time.time())
    return now


def _rows(context: Context) -> LibraryRows:
    return LibraryRows(context.db, context.account_id)
