"""Joins the dialog that picks library files to a presenter's session."""

from __future__ import annotations

from collections.abc import Callable

from carrel.model import LibraryFile, ServiceError
from carrel.ui.presenter import Presenter
from carrel.ui.widgets.filepicker import FilePicker


def pick_files(presenter: Presenter, title: str, then: Callable[[list[LibraryFile]], None]) -> FilePicker:
    """Open the dialog over the presenter's pane; `then` gets the files that were taken, and is not called on Cancel."""
    dialog = FilePicker(presenter.pane.window(), title)

    async def look(words: str) -> None:
        try:
            files = await presenter.session.search.files(words)
        except ServiceError as error:
            dialog.show_error(error.title, error.message)
        else:
            dialog.show_files(files)

    dialog.asked.connect(lambda words: presenter.start("filepicker", look(words)))
    dialog.finished.connect(lambda: presenter.session.tasks.cancel("filepicker"))
    dialog.picked.connect(then)
    dialog.open()
    return dialog
