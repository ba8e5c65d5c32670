"""What every use case of one open account stands on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from carrel.paths import Paths
from carrel.store.db import Database
from carrel.store.settings import Settings
from carrel.work.tasks import Tasks

if TYPE_CHECKING:
    from carrel.api import Service
    from carrel.work.reference import Reference

BUILT_IN = "built-in"
"""The account id of the service on this computer: the same at each start, whatever its address."""


@dataclass
class Context:
    """The account's key in the store, its service (replaced when the built-in one starts anew), and the rest.

    `settings` gives the settings in force when it is called.
    """

    account_id: str
    service: Service
    db: Database
    tasks: Tasks
    paths: Paths
    reference: Reference
    settings: Callable[[], Settings] = field(default=Settings)

    @property
    def always_redacts(self) -> bool:
        """Whether the account's lock makes redaction the rule, whatever a message or a run asks."""
        return self.account_id in self.settings().always_redact
