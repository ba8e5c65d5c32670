"""The catalog reads names and columns as a person does: their types, their letters, their order."""

from __future__ import annotations

import unicodedata

import pytest

from carrel.model import LibraryFile
from carrel.store.library import Entry, entry_of
from carrel.work.catalog import Catalog, View, kind_of


def entry(file_id: str, name: str, folder: str = "", provider: str = "file") -> Entry:
    return Entry(file_id, name, folder, provider, "success", False, 0.0)


def ids(catalog: Catalog, view: View) -> str:
    return "".join(catalog.ids[n] for n in catalog.view(view))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Notes about St. Petersburg harbour", ""),
        ("Minutes 12.03.2024", ""),
        ("Dept.Administration", ""),
        (".env", ""),
        ("Lease.final.PDF", "PDF"),
        ("drawing.dwg", "DWG"),
        ("song.mp3", "MP3"),
        ("all.7z", "7Z"),
    ],
)
def test_only_an_extension_is_a_type(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize("written", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_a_name_from_a_mac_is_found_however_it_is_typed(written: str, typed: str) -> None:
    catalog = Catalog()
    catalog.put(
        [entry("a", unicodedata.normalize(written, "Übersicht.pdf"), unicodedata.normalize(written, "Verträge"))]
    )
    assert ids(catalog, View(text=unicodedata.normalize(typed, "ÜBER"))) == "a"
    assert ids(catalog, View(text=unicodedata.normalize(typed, "verträge"))) == "a"


def test_files_stand_in_the_order_of_what_is_read() -> None:
    catalog = Catalog()
    catalog.words = {"provider": {"file": "Uploaded", "drive": "Drive", "web": "Web"}.__getitem__}
    catalog.put([entry("a", "1", "zoo", "web"), entry("b", "2", "Board", "file"), entry("c", "3", "attic", "drive")])
    assert ids(catalog, View(sort_by="provider", descending=False)) == "cba"
    assert ids(catalog, View(sort_by="folder", descending=False)) == "cba"
    assert ids(catalog, View(sort_by="folder", descending=True)) == "abc"


def test_a_folder_without_a_name_is_none() -> None:
    assert entry_of(LibraryFile(id="1", folder_path=("", "X", " "))).folder == "X"
    assert entry_of(LibraryFile(id="1", folder_path=("",))).folder == ""
