"""What one running service owns; routes find it in `app.state.service`."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypedDict

from . import lock
from .background import Background
from .db import Database
from .files import GeneratedFiles
from .folders import Folders
from .index import Index
from .library import Library
from .schema import MIGRATIONS
from .search import Search
from .settings import Settings


class ModelItem(TypedDict):
    """An item of GET /external/models."""

    id: str
    name: str
    image: str
    group_name: str
    is_available: bool


@dataclass
class Service:
    """The parts, made once by `open_service` and closed by the application's lifespan."""

    base_url: str
    settings: Settings
    db: Database
    library: Library
    index: Index
    folders: Folders
    search: Search
    files: GeneratedFiles
    """Generated files, to be put there for `account`."""
    held: BinaryIO
    """The folder's lock, held as long as this is open."""
    background: Background = field(default_factory=Background)
    run_places: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, 2))
    """What workflow runs wait for: so many are worked through at a time."""
    list_models: Callable[[], Awaitable[Sequence[ModelItem]]] = field(init=False)
    """The models that can be named now; what answers puts its list here (`answers.begin`)."""
    account: str = "account"
    """The owner of everything here: credentials change at each start, the account behind them does not."""

    def close(self) -> None:
        """Stop indexing, close the database and let go of the folder; what was in hand stays queued."""
        self.folders.stop()
        self.index.stop()
        self.db.close()
        self.held.close()


def open_service(data: Path, base_url: str, settings: Settings) -> Service:
    """Open the data folder. Raises OSError or sqlite3.DatabaseError when it cannot be used."""
    held = lock.take(data)
    db = Database(data / "service.sqlite", MIGRATIONS)
    library = Library(db, data)
    index = Index(db, library)
    return Service(
        base_url=base_url,
        settings=settings,
        db=db,
        library=library,
        index=index,
        folders=Folders(db, library, index, settings.folders),
        search=Search(db, index),
        files=GeneratedFiles(db, data, base_url),
        held=held,
    )
