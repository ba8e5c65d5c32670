"""Routes of the current interface that are about the library: models, upload, listing, search, files."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import FileResponse

from . import listing, uploads
from .context import Service
from .errors import ApiError
from .models import (
    LibraryItem,
    LibraryPage,
    LibraryParameters,
    Model,
    Models,
    SearchRequest,
    SearchResult,
    SearchResults,
    Uploaded,
    UploadedFile,
)
from .results import results

router = APIRouter()

_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "string", "contentMediaType": "application/octet-stream"},
                            "description": "up to 1 GB each, with a file name of an accepted extension",
                        },
                        "folder_paths": {"type": "string", "description": "a slash-separated folder path"},
                    },
                }
            }
        },
    }
}


def service_of(request: Request) -> Service:
    """The running service, for routes: `Annotated[Service, Depends(service_of)]`."""
    service: Service = request.app.state.service
    return service


Running = Annotated[Service, Depends(service_of)]


@router.get("/external/models", tags=["models"])
async def models(service: Running) -> Models:
    """The models that can be named in requests."""
    return Models(success=True, data=[Model(**item) for item in await service.list_models()])


@router.post("/external/upload", tags=["library"], openapi_extra=_FORM)
async def upload(request: Request, service: Running) -> Uploaded:
    """Take files in; they are queued, and searchable once their state is `success`."""
    files = await uploads.receive(request, service.library)
    data = [
        UploadedFile(id=file.id, file_name=file.file_name, state=file.state, provider=file.provider) for file in files
    ]
    noun = "file" if len(files) == 1 else "files"
    return Uploaded(message=f"{len(files)} {noun} uploaded and queued for indexing", data=data)


@router.get("/external/libraries", tags=["library"])
def libraries(service: Running, parameters: Annotated[LibraryParameters, Query()]) -> LibraryPage:
    """One page of the library's files."""
    page = listing.find(service.db, listing.ListQuery(**parameters.model_dump()))
    return LibraryPage(
        total_items=page.total_items,
        providers=page.providers,
        page=page.page,
        page_size=page.page_size,
        total_pages=page.total_pages,
        items=[LibraryItem.of(file, service.library.link(service.base_url, file)) for file in page.items],
    )


@router.post("/external/search", tags=["search"])
def search(service: Running, request: SearchRequest) -> SearchResults:
    """Search by keyword and by meaning. Without a search model on this computer, keywords decide alone."""
    found = [SearchResult(**result) for result in results(service.search, request)]
    return SearchResults(success=True, results=found)


@router.get("/external/files/generated/{file_id}/{name}", tags=["files"], response_class=FileResponse)
def generated_file(service: Running, file_id: str, name: str) -> FileResponse:
    """A file that an agent or a workflow made, to its owner. Ranges are served."""
    found = service.files.find(service.account, file_id)
    if found is None or found[1] != name or not found[0].is_file():
        raise ApiError(404, "no such file")
    return _download(*found)


@router.get("/external/files/{file_id}/{name}", tags=["files"], response_class=FileResponse)
def library_file(service: Running, file_id: str, name: str) -> FileResponse:
    """A file of the library, where `download_link` points. Ranges are served."""
    file = service.library.get(file_id)
    if file is None or file.file_name != name or not service.library.path(file_id).is_file():
        raise ApiError(404, "no such file")
    return _download(service.library.path(file_id), name, file.mime_type)


def _download(path: object, name: str, mime_type: str | None = None) -> FileResponse:
    return FileResponse(str(path), media_type=mime_type, filename=name, headers={"X-Content-Type-Options": "nosniff"})
