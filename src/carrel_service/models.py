"""The bodies of the current interface's library and search, checked and described by the same types."""

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from .asking import whole
from .library import LibraryFile


class ErrorBody(BaseModel):
    """Every error of the current interface."""

    error: str = Field(description="code, such as `invalid_credentials`", examples=["not_found"])
    message: str = Field(description="for people")


class Model(BaseModel):
    """A model that the `model` field of a request may name."""

    id: str
    name: str
    image: str
    group_name: str
    is_available: bool


class Models(BaseModel):
    """Answer of GET /external/models."""

    success: bool
    data: list[Model]


class UploadedFile(BaseModel):
    """A file that was just taken in."""

    id: str
    file_name: str
    state: str = Field(description="`loading` until it is indexed, then `success` or `failed`")
    provider: str


class Uploaded(BaseModel):
    """Answer of POST /external/upload."""

    message: str
    data: list[UploadedFile]


class LibraryItem(BaseModel):
    """A file of the library."""

    id: str
    file_name: str
    provider: str = Field(description="`file` for uploads, `folder` for folders of this computer")
    mime_type: str
    state: str = Field(description="`loading`, `success`, or `failed`")
    download_link: str = Field(description="needs the same credentials as every other request")
    created_at: str = Field(description="UTC, without a suffix")
    folder_path: list[str]
    is_shared: bool

    @classmethod
    def of(cls, file: LibraryFile, download_link: str) -> "LibraryItem":
        """The item of a stored file."""
        return cls(
            id=file.id,
            file_name=file.file_name,
            provider=file.provider,
            mime_type=file.mime_type,
            state=file.state,
            download_link=download_link,
            created_at=file.created_at,
            folder_path=list(file.folder_path),
            is_shared=file.is_shared,
        )


class LibraryPage(BaseModel):
    """Answer of GET /external/libraries."""

    total_items: int
    providers: dict[str, int] = Field(description="files by provider, among all that match the other filters")
    page: int
    page_size: int
    total_pages: int
    items: list[LibraryItem]


class LibraryParameters(BaseModel):
    """The query parameters of GET /external/libraries."""

    page: Annotated[int, Query(ge=1, le=2**31)] = 1
    page_size: Annotated[int, Query(ge=1, le=100)] = 40
    search: str | None = Field(None, description="matches file name or folder path")
    provider: str | None = None
    folder_paths: str | None = Field(None, description="a folder, slash-separated; its subfolders are included")
    file_types: str | None = Field(None, description="comma-separated extensions")
    sort_by: Literal["created_at", "file_name", "provider", "mime_type", "state", "folder_path", "is_shared", "id"] = (
        "created_at"
    )
    sort_order: Literal["asc", "desc"] = "desc"


Count = Annotated[int, Field(ge=1, le=100), BeforeValidator(whole)]
Kind = Literal["file", "workflow", "conversation"]


def _given(name: str) -> dict[str, Any]:
    return {"required": [name], "properties": {name: {"type": "string"}}}


class SearchRequest(BaseModel):
    """Body of POST /external/search. `query` and `keyword` are one field, `top_k` and `limit` another."""

    model_config = ConfigDict(strict=True, json_schema_extra={"anyOf": [_given("keyword"), _given("query")]})

    keyword: str | None = Field(None, description="required, under this name or `query`", pattern=r"\S")
    query: str | None = Field(None, description="the same as `keyword`", pattern=r"\S")
    limit: Count | None = Field(None, description="20 when neither it nor `top_k` is given")
    top_k: Count | None = Field(None, description="the same as `limit`")
    group_by_file: bool = Field(False, description="merge the passages of one file into one result")
    types: list[Kind] | None = Field(None, description="kinds to search; all when absent or empty")
    use_bm25: bool = True
    use_vector: bool = True
    bm25_weight: float = Field(0.7, ge=0, le=1)
    vector_weight: float = Field(0.3, ge=0, le=1)
    relative_threshold: float = Field(0.7, ge=0, le=1, description="least score, as a fraction of the best result's")

    @model_validator(mode="after")
    def _has_words(self) -> "SearchRequest":
        if not (self.keyword or self.query):
            raise ValueError("keyword (or query) is required")
        return self

    @property
    def text(self) -> str:
        """What to search for."""
        return self.keyword or self.query or ""

    @property
    def most(self) -> int:
        """How many results to give."""
        return self.limit or self.top_k or 20


class SearchResult(BaseModel):
    """A passage, or a workflow or conversation that matches."""

    id: str = Field(description="for `library`, the file's id")
    title: str
    content: str
    type: str = Field(description="`library`, `workflow` or `conversation`")
    provider: str
    score: float = Field(description="1 for the best passage")


class SearchResults(BaseModel):
    """Answer of POST /external/search."""

    success: bool
    results: list[SearchResult]
