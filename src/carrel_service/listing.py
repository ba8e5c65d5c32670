"""Pages through the library: the filters, the order and the envelope of GET /external/libraries."""

from dataclasses import dataclass, replace
from typing import Literal

from .db import Database
from .library import LibraryFile, as_file

SORTS = ("created_at", "file_name", "provider", "mime_type", "state", "folder_path", "is_shared", "id")
SortOrder = Literal["asc", "desc"]


@dataclass(frozen=True)
class ListQuery:
    """The endpoint's parameters under their own names; None filters nothing."""

    page: int = 1
    page_size: int = 40
    search: str | None = None
    provider: str | None = None
    folder_paths: str | None = None
    file_types: str | None = None
    sort_by: str = "created_at"
    sort_order: SortOrder = "desc"


@dataclass(frozen=True)
class ListPage:
    """One page of files; `providers` counts what the other filters leave, by provider."""

    total_items: int
    providers: dict[str, int]
    page: int
    page_size: int
    items: list[LibraryFile]

    @property
    def total_pages(self) -> int:
        """How many pages of this size there are; none when nothing matches."""
        return -(-self.total_items // self.page_size)


def find(db: Database, query: ListQuery) -> ListPage:
    """The page that `query` asks for, and the counts of all that matches."""
    where, values = _where(query)
    everywhere, unfiltered = _where(replace(query, provider=None))
    column = "folder" if query.sort_by == "folder_path" else query.sort_by
    if query.sort_by not in SORTS:
        raise ValueError(f"sort_by must be one of {', '.join(SORTS)}")
    key = f"fold({column})" if column == "file_name" else column
    order = "ASC" if query.sort_order == "asc" else "DESC"
    with db.read() as connection:
        total = connection.execute(f"SELECT count(*) FROM files {where}", values).fetchone()[0]
        providers = connection.execute(
            f"SELECT provider, count(*) FROM files {everywhere} GROUP BY provider ORDER BY provider", unfiltered
        ).fetchall()
        rows = connection.execute(
            f"SELECT * FROM files {where} ORDER BY {key} {order}, number {order} LIMIT ? OFFSET ?",
            (*values, query.page_size, (query.page - 1) * query.page_size),
        ).fetchall()
    return ListPage(total, dict(map(tuple, providers)), query.page, query.page_size, [as_file(row) for row in rows])


def _where(query: ListQuery) -> tuple[str, list[str]]:
    conditions: list[str] = []
    values: list[str] = []
    if query.search:
        conditions.append("(instr(fold(file_name), fold(?)) OR instr(fold(folder), fold(?)))")
        values += [query.search, query.search]
    if query.provider:
        conditions.append("provider = ?")
        values.append(query.provider)
    if folder := _folder(query.folder_paths):
        conditions.append("(folder = ? OR substr(folder, 1, length(?) + 1) = ? || '/')")
        values += [folder, folder, folder]
    if types := _types(query.file_types):
        conditions.append("(" + " OR ".join("fold(file_name) LIKE ?" for _ in types) + ")")
        values += [f"%.{kind}" for kind in types]
    return ("WHERE " + " AND ".join(conditions) if conditions else ""), values


def _folder(given: str | None) -> str:
    return "/".join(part for part in (given or "").split("/") if part.strip())


def _types(given: str | None) -> list[str]:
    """Bare extensions; LIKE's own signs are taken out, no accepted type has one."""
    cleaned = (kind.strip().lstrip(".").casefold() for kind in (given or "").split(","))
    return [kind for kind in cleaned if kind.isalnum()]
