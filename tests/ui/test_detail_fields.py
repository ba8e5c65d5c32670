"""The fields of a file in the details: each is told apart by name, by whoever looks and whoever listens."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit, QTextBrowser
from pytestqt.qtbot import QtBot

from carrel.model import LibraryFile
from carrel.ui.library.detailfields import Fields

FILE = LibraryFile.model_validate(
    {
        "id": "a-long-id-without-any-place-to-break-at",
        "file_name": "lease.pdf",
        "folder_path": ["Contracts"],
        "download_link": "https://files.example/download/a-long-id-without-any-place",
        "summary": "A lease of Verwaltungsgemeinschaftsvorsitzender and others",
        "pages": 4,
    }
)


def test_a_field_that_can_be_reached_says_what_it_is(qtbot: QtBot) -> None:
    made = Fields()
    qtbot.addWidget(made)
    made.show_file(FILE)
    edits = {e.objectName(): e.accessibleName() for e in made.findChildren(QLineEdit)}
    assert edits == {"library.details.field.id": "Id", "library.details.field.link": "Link"}
    prose = made.findChild(QTextBrowser)
    assert (prose.objectName(), prose.accessibleName()) == ("library.details.field.summary", "summary")
    folder = made.findChild(QLabel, "library.details.field.folder")
    assert folder.accessibleName() == "Folder: Contracts"
    assert made.findChild(QLabel, "library.details.field.pages").accessibleName() == "pages: 4"
