"""Heights of many things in a row: where one begins, and which one is at a place, in logarithmic time."""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """A Fenwick tree over heights in pixels."""

    def __init__(self, heights: Iterable[float] = ()) -> None:
        """Take the first heights, in order."""
        self._own = list(heights)
        self._tree = [0.0] * (len(self._own) + 1)
        for place, height in enumerate(self._own, 1):
            self._tree[place] += height
            above = place + (place & -place)
            if above < len(self._tree):
                self._tree[above] += self._tree[place]

    def __len__(self) -> int:
        return len(self._own)

    def __getitem__(self, index: int) -> float:
        return self._own[index]

    def append(self, height: float) -> None:
        """Add one at the end."""
        self._own.append(height)
        place = len(self._own)
        low = place & -place
        self._tree.append(self.top(place - 1) - self.top(place - low) + height)

    def set(self, index: int, height: float) -> float:
        """Change one; gives by how much it grew."""
        growth = height - self._own[index]
        if growth:
            self._own[index] = height
            place = index + 1
            while place < len(self._tree):
                self._tree[place] += growth
                place += place & -place
        return growth

    def top(self, index: int) -> float:
        """Where the one at `index` begins; with the count as index, where the last one ends."""
        total = 0.0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    @property
    def total(self) -> float:
        """Where the last one ends."""
        return self.top(len(self._own))

    def at(self, y: float) -> int:
        """The index of the one that covers `y`; the nearest one outside."""
        place, step = 0, 1 << len(self._own).bit_length()
        while step:
            beyond = place + step
            if beyond < len(self._tree) and self._tree[beyond] <= y:
                place = beyond
                y -= self._tree[beyond]
            step >>= 1
        return max(0, min(place, len(self._own) - 1))
