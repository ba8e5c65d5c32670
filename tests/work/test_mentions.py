"""Files whose name holds a word: the order they come in, and that others get their turn meanwhile."""

from __future__ import annotations

import asyncio

from carrel.store.library import Entry
from carrel.work.catalog import Catalog
from carrel.work.mentions import SLICE, files_named


def catalog(*names: str) -> Catalog:
    made = Catalog()
    made.put(Entry(f"id-{n}", name, "Deals", "file", "success", False, float(n)) for n, name in enumerate(names))
    return made


async def test_what_begins_with_the_word_goes_first_then_the_newest() -> None:
    held = catalog("lease.pdf", "old-lease.pdf", "Lease 2.pdf", "note.txt", "new-LEASE.pdf")
    found = await files_named(held, "lease")
    assert [f.name for f in found] == ["Lease 2.pdf", "lease.pdf", "new-LEASE.pdf", "old-lease.pdf"]
    assert (found[0].id, found[0].folder) == ("id-2", "Deals")


async def test_an_empty_word_gives_the_newest() -> None:
    held = catalog(*(f"{n}.txt" for n in range(30)))
    assert [f.name for f in await files_named(held, "", most=3)] == ["29.txt", "28.txt", "27.txt"]


async def test_what_is_gone_is_not_offered_and_hides_nothing() -> None:
    held = catalog(*(f"{n}.txt" for n in range(SLICE + 10)))
    held.remove(f"id-{n}" for n in range(SLICE // 2))
    held.remove([f"id-{SLICE + 9}"])
    found = await files_named(held, "", most=3)
    assert [f.name for f in found] == [f"{SLICE + n}.txt" for n in (8, 7, 6)]


async def test_others_get_their_turn_between_slices() -> None:
    held = catalog(*(f"{n}.txt" for n in range(5 * SLICE + 1)))
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    watching = asyncio.create_task(other())
    found = await files_named(held, f"{5 * SLICE}")
    watching.cancel()
    assert [f.name for f in found] == [f"{5 * SLICE}.txt"]
    assert turns >= 5


async def test_files_that_go_away_meanwhile_do_no_harm() -> None:
    held = catalog(*(f"{n}.txt" for n in range(2 * SLICE)))
    looking = asyncio.create_task(files_named(held, ".txt"))
    await asyncio.sleep(0)
    held.remove([f"id-{n}" for n in range(2 * SLICE - 10)])
    assert len(await looking) == 8
