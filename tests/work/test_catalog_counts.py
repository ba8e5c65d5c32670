"""What the catalog counts and where its files stand, as files come, change and go."""

from __future__ import annotations

import random
from collections import Counter

from carrel.store.library import Entry
from carrel.work.catalog import Catalog, View


def entry(number: int, rng: random.Random) -> Entry:
    name = f"file {number}.{rng.choice(['pdf', 'docx', 'exe', 'md'])}"
    folder = rng.choice(["", "Contracts", "Contracts/2026", "Finance"])
    return Entry(str(number), name, folder, rng.choice(["file", "drive"]), "success", False, rng.uniform(1, 1000))


def test_the_counts_are_always_those_of_what_is_there() -> None:
    rng, catalog = random.Random(7), Catalog()
    for _ in range(300):
        if rng.random() < 0.3:
            catalog.remove([str(rng.randrange(60)) for _ in range(5)])
        else:
            catalog.put(entry(rng.randrange(60), rng) for _ in range(5))
        here, counts = catalog.view(View()), catalog.counts()
        assert counts.sources == Counter(catalog.providers[n] for n in here)
        assert counts.folders == Counter(catalog.folders[n] for n in here)
        assert counts.kinds == Counter(catalog.kinds[n] for n in here)
        assert len(here) == len(catalog)


def test_what_was_counted_once_does_not_change_behind_ones_back() -> None:
    rng, catalog = random.Random(7), Catalog()
    before = catalog.counts()
    catalog.put([entry(1, rng)])
    assert before.sources == {}


def test_places_are_those_of_the_newest_first_and_leave_the_order_on_the_screen() -> None:
    rng, catalog = random.Random(7), Catalog()
    catalog.put(entry(number, rng) for number in range(200))
    catalog.remove(str(number) for number in range(0, 200, 7))
    newest = [catalog.ids[n] for n in catalog.view(View())]
    by_name = View(sort_by="name", descending=False)
    shown = catalog.view(by_name)
    order = list(catalog._sorted)
    for wanted in (["3"], ["3", "50", "no such file"], newest, ["0"]):
        assert catalog.places(wanted) == [place for place, one in enumerate(newest) if one in wanted]
    assert catalog._order == ("name", False)
    assert catalog._sorted == order == shown
