"""The library in memory: sorted, filtered and changed without a service."""

from __future__ import annotations

from carrel.store.library import Entry
from carrel.work.catalog import Catalog, View, kind_of


def entry(file_id: str, name: str, folder: str = "", provider: str = "file", added: float = 0.0) -> Entry:
    return Entry(file_id, name, folder, provider, "success", False, added)


def filled() -> Catalog:
    catalog = Catalog()
    catalog.put(
        [
            entry("a", "Lease.pdf", "Contracts/Property", added=3),
            entry("b", "quote.docx", "Contracts/Suppliers", added=1),
            entry("c", "revenue.xlsx", "Finance", provider="google_drive", added=2),
            entry("d", "Contracts list.txt", "", added=4),
        ]
    )
    return catalog


def ids(catalog: Catalog, view: View) -> str:
    return "".join(catalog.ids[n] for n in catalog.view(view))


def test_the_newest_stand_first_and_any_column_sorts_both_ways() -> None:
    catalog = filled()
    assert ids(catalog, View()) == "dacb"
    assert ids(catalog, View(sort_by="name", descending=False)) == "dabc"
    assert ids(catalog, View(sort_by="name", descending=True)) == "cbad"
    assert ids(catalog, View(sort_by="folder", descending=False)) == "dabc"


def test_a_new_file_stands_by_its_name_among_those_of_its_kind_folder_or_state() -> None:
    for sort_by in ("kind", "folder", "state", "provider"):
        for descending in (False, True):
            catalog, view = Catalog(), View(sort_by=sort_by, descending=descending)
            catalog.put([entry("b", "b.pdf"), entry("d", "d.pdf")])
            assert ids(catalog, view) == "bd"
            catalog.put([entry("a", "a.pdf"), entry("c", "c.pdf")])
            assert ids(catalog, view) == "abcd"


def test_words_match_name_or_folder_without_case() -> None:
    catalog = filled()
    assert ids(catalog, View(text="contracts")) == "dab"
    assert ids(catalog, View(text="CONTRACTS lease")) == "a"
    assert ids(catalog, View(text="nothing")) == ""


def test_a_folder_shows_what_lies_below_it_but_not_its_namesakes() -> None:
    catalog = filled()
    catalog.put([entry("e", "x.pdf", "Contracts and more", added=9)])
    assert ids(catalog, View(folder="Contracts")) == "ab"
    assert ids(catalog, View(provider="google_drive")) == "c"
    assert ids(catalog, View(kinds=frozenset({"PDF", "Word"}))) == "eab"


def test_new_changed_and_removed_files_find_their_place() -> None:
    catalog = filled()
    shown = catalog.view(View())
    assert catalog.put([entry("a", "Lease.pdf", "Contracts/Property", added=3)]) == 0
    assert catalog.put([entry("a", "Lease 2.pdf", "Finance", added=9), entry("f", "new.md", added=5)]) == 2
    assert ids(catalog, View()) == "afdcb"
    catalog.remove(["c", "unknown"])
    assert ids(catalog, View()) == "afdb"
    assert len(catalog) == 4
    assert catalog.find("c") is None
    assert [catalog.ids[n] for n in shown] == list("dacb"), "a list on the screen stays right"


def test_counts_are_those_of_what_is_there() -> None:
    counts = filled().counts()
    assert counts.sources == {"file": 3, "google_drive": 1}
    assert counts.folders == {"Contracts/Property": 1, "Contracts/Suppliers": 1, "Finance": 1, "": 1}
    assert counts.kinds == {"PDF": 1, "Word": 1, "Excel": 1, "Text": 1}
    assert [kind_of(n) for n in ("a.PDF", "b.yml", "c.exe", "none")] == ["PDF", "YAML", "EXE", ""]
