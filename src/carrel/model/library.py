"""Files of the library: the listing, its filters, and what may be uploaded (document: Library file)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, Literal

from pydantic import Field, field_validator

from carrel.model.shapes import Answer, Request

FILE_KINDS: Mapping[str, tuple[str, ...]] = {
    "PDF": ("pdf",),
    "Word": ("doc", "docx"),
    "Excel": ("xls", "xlsx"),
    "PowerPoint": ("ppt", "pptx"),
    "Text": ("txt", "md", "html"),
    "CSV": ("csv",),
    "JSON": ("json",),
    "SQL": ("sql",),
    "YAML": ("yml", "yaml"),
    "Image": ("png", "jpg", "jpeg", "gif", "webp"),
    "Archive": ("zip",),
}
"""What a person calls a file, and the extensions that it stands for."""

ACCEPTED = frozenset(extension for kind in FILE_KINDS.values() for extension in kind)
"""The 21 extensions that the service takes (document: POST /external/upload)."""

WARN_SIZE = 10**9
MOST_SIZE = 2**30
"""Bytes. The document says "1 GB per file": 10⁹ is warned about, 2³⁰ is refused."""

StateKind = Literal["indexing", "ready", "failed", "other"]


class LibraryFile(Answer):
    """One file of the library, or one item of an upload's answer (then without link, date and folder)."""

    id: str
    file_name: str = ""
    provider: str = "file"
    mime_type: str = ""
    state: str = ""
    download_link: str = ""
    created_at: str = ""
    folder_path: tuple[str, ...] = ()
    is_shared: bool = False

    @field_validator("folder_path", mode="before")
    @classmethod
    def _segments(cls, value: Any) -> Any:
        """A path in one string, as upload takes it, is as good as its segments."""
        return tuple(part for part in value.split("/") if part) if isinstance(value, str) else value

    @property
    def added(self) -> datetime | None:
        """`created_at` as an aware time; the service gives no zone, so it is taken as UTC."""
        try:
            when = datetime.fromisoformat(self.created_at)
        except ValueError:
            return None
        return when if when.tzinfo else when.replace(tzinfo=UTC)

    @property
    def extension(self) -> str:
        """Lower case, without the dot; empty where there is none."""
        return PurePath(self.file_name).suffix.lstrip(".").lower()

    @property
    def state_kind(self) -> StateKind:
        """How `state` is shown."""
        return state_kind(self.state)


class LibraryPage(Answer):
    """One page of the listing (document: Library page envelope); `providers` counts the files of each source."""

    total_items: int = 0
    providers: Mapping[str, int] = Field(default_factory=dict)
    page: int = 1
    page_size: int = 40
    total_pages: int = 1
    items: tuple[LibraryFile, ...] = ()


class LibraryQuery(Request):
    """What to list; each field is a query parameter of GET /external/libraries."""

    page: int = Field(1, ge=1)
    page_size: int = Field(40, ge=1, le=100)
    search: str | None = None
    provider: str | None = None
    folder_paths: str | None = None
    file_types: str | None = None
    sort_by: str | None = None
    sort_order: Literal["asc", "desc"] | None = None


def state_kind(state: str) -> StateKind:
    """What a state means, as far as it is known: the full set is not documented, so any string is accepted."""
    name = state.lower()
    if name == "loading":
        return "indexing"
    if name == "success":
        return "ready"
    return "failed" if "fail" in name or "error" in name else "other"
