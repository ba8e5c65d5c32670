"""Files that the library hands over: they go into the open workflow's form, or wait until a workflow is taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from carrel.model import LibraryFile, Workflow
from carrel.ui.presenter import Document, Presenter
from carrel.ui.workflows import words
from carrel.ui.workflows.pane import WorkflowsPane


class Incoming(QObject):
    """`fill` puts files into the form that is shown, and tells how many were not there yet."""

    def __init__(self, presenter: Presenter, pane: WorkflowsPane, fill: Callable[[Sequence[LibraryFile]], int]) -> None:
        super().__init__(pane)
        self._presenter, self._pane, self._fill = presenter, pane, fill
        self._files: list[LibraryFile] = []
        self._left_out = ""
        pane.incoming.acted.connect(lambda _: self.leave())

    def take(self, documents: Sequence[Document], into: Workflow | None) -> None:
        """Take files; without a workflow they wait for one. Of which the service gave no link is said."""
        found = [(d.name, self._presenter.session.library.file(d.id)) for d in documents]
        self._files = [file for _, file in found if file is not None and file.download_link]
        self._left_out = words.left_out([name for name, file in found if file is None or not file.download_link])
        if not self._files:
            self._presenter.shell.toast(self._left_out)
        elif into is None:
            self._wait()
        else:
            self.put(into)

    def put(self, into: Workflow) -> None:
        """Put what waits into the form of this workflow; it is the one that is shown."""
        if not self._files:
            return
        added = words.added(self._fill(self._files), into)
        self._presenter.shell.toast(f"{added} {self._left_out}".strip())
        self.leave()

    def leave(self) -> bool:
        """Let go of what waits; False where nothing does."""
        waited, self._files = bool(self._files), []
        self._pane.incoming.hide()
        return waited

    def _wait(self) -> None:
        title = self.tr("Which workflow are these files for?")
        text = self.tr("{names}. Take a workflow with a click or Enter. {left_out}")
        names = words.listed([file.file_name for file in self._files])
        said = text.format(names=names, left_out=self._left_out).strip()
        self._pane.incoming.say("info", title, said, (("leave", self.tr("Cancel")),))
        self._pane.list.setFocus()
