"""The messages of one chat as rows: all have a height, the ones near the view have a layout, the rest are stubs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from carrel.ui.theme import theme
from carrel.ui.widgets.transcript.entry import Entry, Stub
from carrel.ui.widgets.transcript.heights import Heights
from carrel.ui.widgets.transcript.message import MessageView

KEPT = 60
"""Messages that stay laid out; the rest keep only their height."""

Load = Callable[[str], Entry]


class Rows:
    """Rows at one width. A row is loaded when it comes near the view, and forgotten when many others did since."""

    def __init__(self) -> None:
        """No rows, at a width to be set."""
        self.width = 0.0
        self.ids: list[str] = []
        self._stubs: list[Stub] = []
        self._numbers: dict[str, int] = {}
        self._load: Load | None = None
        self._live: dict[str, Entry] = {}
        self._views: OrderedDict[str, MessageView] = OrderedDict()
        self._heights = Heights()

    def __len__(self) -> int:
        return len(self.ids)

    def fill(self, stubs: Sequence[Stub], load: Load) -> None:
        """Take other rows; `load` gives the entry of one by its id."""
        self._stubs, self._load = list(stubs), load
        self.ids = [s.id for s in stubs]
        self._numbers = {entry_id: n for n, entry_id in enumerate(self.ids)}
        self._live.clear()
        self.restart()

    def restart(self) -> None:
        """Lay out anew: other fonts, other colours, another width."""
        self._views.clear()
        self._heights = Heights(self._estimates())

    def put(self, entry: Entry) -> int:
        """Show a new state of a row, or a new row at the end; its number."""
        self._live[entry.id] = entry
        number = self._numbers.get(entry.id)
        if number is None:
            number = self._numbers[entry.id] = len(self.ids)
            self.ids.append(entry.id)
            self._stubs.append(Stub(entry.id, entry.role, len(entry.text)))
            self._heights.append(self._estimate(self._stubs[-1]))
        elif view := self._views.get(entry.id):
            view.show(entry)
            self._heights.set(number, view.lay_out(self.width))
        return number

    def settle(self, entry_id: str) -> None:
        """A row will not change any more: what it shows can be loaded again."""
        self._live.pop(entry_id, None)

    def number(self, entry_id: str) -> int | None:
        """The place of a row."""
        return self._numbers.get(entry_id)

    def entry(self, number: int) -> Entry:
        """What a row shows."""
        entry_id = self.ids[number]
        if view := self._views.get(entry_id):
            return view.entry
        return self._entry(entry_id)

    def view(self, number: int) -> MessageView:
        """The layout of a row, made when it is missing."""
        entry_id = self.ids[number]
        view = self._views.get(entry_id)
        if view is None:
            view = self._views[entry_id] = MessageView(self._entry(entry_id))
            while len(self._views) > KEPT:
                self._views.popitem(last=False)
        else:
            self._views.move_to_end(entry_id)
        self._heights.set(number, view.lay_out(self.width))
        return view

    def laid_out(self, entry_id: str) -> MessageView | None:
        """The layout of a row, where it has one."""
        return self._views.get(entry_id)

    def height(self, number: int) -> float:
        """As far as it is known."""
        return self._heights[number]

    def top(self, number: int) -> float:
        """Where a row begins, from the top of the first."""
        return self._heights.top(number)

    def at(self, y: float) -> int:
        """The number of the row that covers y."""
        return self._heights.at(y)

    @property
    def total(self) -> float:
        """Where the last row ends."""
        return self._heights.total

    def _entry(self, entry_id: str) -> Entry:
        live = self._live.get(entry_id)
        if live is not None:
            return live
        assert self._load is not None, "fill() comes first"
        return self._load(entry_id)

    def _estimates(self) -> Iterable[float]:
        return map(self._estimate, self._stubs)

    def _estimate(self, stub: Stub) -> float:
        letters = max(20.0, self.width / (theme.base * 0.53))
        lines = 1 + stub.length / letters
        return theme.base / 13 * (50 + 23 * lines + (60 if stub.role == "assistant" else 0))
