"""How long the request limit holds back what was asked: the service has not heard of it until then."""

from __future__ import annotations

import time

from carrel.model import Budget
from carrel.ui.presenter import Presenter


class Limit:
    """Follows the request budget of the session."""

    def __init__(self, owner: Presenter) -> None:
        """Begin with what is known."""
        self._ends_at = 0.0
        self._take(owner.session.activity.budget)
        owner.hear(owner.session.activity.budget_changed, self._take)

    @property
    def seconds(self) -> float:
        """Until what waits goes on; 0 where nothing waits."""
        return max(0.0, self._ends_at - time.monotonic())

    def _take(self, budget: Budget) -> None:
        """A person's requests go first: while places are left, none of them waits."""
        is_held = budget.waiting and not budget.left
        self._ends_at = time.monotonic() + budget.resets_in if is_held else 0.0
