"""The walk through the service's listing, newest first: it ends early where nothing is new, and can be resumed."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from carrel.model import LibraryPage
from carrel.store.library import Walk

if TYPE_CHECKING:
    from carrel.work.library import Library


async def walk(library: Library) -> None:
    """Make the mirror what the service lists; raises `ServiceError`, and what was read by then is kept.

    A walk that an earlier session could not finish goes on where it stopped, after the newest files were read.
    """
    former = library.store.walk()
    now = Walk(time.time(), 0, 0)
    now, is_through = await _on(library, now, until_known=True)
    if is_through:
        await _end(library, now)
    elif former and former.ended_at and now.total == len(library.catalog):
        return
    else:
        begin = now if former is None or former.ended_at else replace(former, page=max(now.page, former.page - 1))
        now, is_through = await _on(library, begin)
        if is_through:
            await _end(library, now)


async def _on(library: Library, at: Walk, *, until_known: bool = False) -> tuple[Walk, bool]:
    """Read page after page; how far it came, and whether that was the end of the listing."""
    last: tuple[str, ...] = ()
    while True:
        number = at.page + 1
        page, changed = await library.page(number)
        ids = tuple(file.id for file in page.items)
        if page.total_items < at.total:  # files went away meanwhile, so others may have slipped past
            at = replace(at, started_at=0.0)
        at = replace(at, page=number, total=page.total_items)
        if not until_known:
            await library.store.put_walk(at)
        if _is_last(page, ids, last):
            return at, True
        if until_known and not changed:
            return at, False
        last = ids


def _is_last(page: LibraryPage, ids: tuple[str, ...], former: tuple[str, ...]) -> bool:
    """Whether nothing can follow; a service that gives the same page again would otherwise be read for ever."""
    return not ids or ids == former or page.page >= page.total_pages


async def _end(library: Library, walked: Walk) -> None:
    """Forget what the whole walk did not meet."""
    gone = await library.store.drop_unseen(walked.started_at)
    if gone:
        library.forget(gone)
    await library.store.put_walk(replace(walked, started_at=walked.started_at or time.time(), ended_at=time.time()))
