"""The search over all chats and runs: what is typed, what is found, and where that leads."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from carrel.ui.chat.results import Target, items_of
from carrel.ui.chat.side import ChatSide
from carrel.ui.presenter import Presenter, ShowRun
from carrel.ui.widgets.notes import announce


class Searching(QObject):
    """Joins the search field to the store. `jumped` tells a place that a person picked, and the words looked for."""

    jumped = Signal(Target, str)

    def __init__(self, owner: Presenter, side: ChatSide) -> None:
        """Listen to the field and to the results."""
        super().__init__(side)
        self._owner, self._side, self._finding = owner, side, owner.session.finding
        self._targets: dict[str, Target] = {}
        self._words = ""
        side.searched.connect(self._search)
        side.results.chosen.connect(self._go)
        side.results.taken.connect(self._go)

    def _search(self, words: str) -> None:
        self._words = words
        if words:
            self._owner.start("chat.search", self._look(words))
        else:
            self._owner.session.tasks.cancel("chat.search")
            self._targets = {}
            self._side.show_results(None)

    async def _look(self, words: str) -> None:
        found = await self._finding.everywhere(words)
        items, self._targets = items_of(found)
        nothing = "" if items else self.tr("No chat and no agent run has these words.")
        self._side.show_results(items, nothing)
        announce(self._side.results, nothing or self.tr("{n} found").format(n=len(self._targets)))

    def _go(self, key: str) -> None:
        target = self._targets.get(key)
        if target is None:
            return
        if target.run_id:
            self._owner.shell.go("agents", ShowRun(target.run_id))
        else:
            self.jumped.emit(target, self._words)
