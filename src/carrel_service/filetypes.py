"""Knows the accepted file types: extension, MIME type, and nothing else about them."""

MIME_TYPES: dict[str, str] = {
    "pdf": "application/pdf",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv",
    "json": "application/json",
    "txt": "text/plain",
    "html": "text/html",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "zip": "application/zip",
    "md": "text/markdown",
    "sql": "application/sql",
    "yml": "application/yaml",
    "yaml": "application/yaml",
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
}
"""The 21 accepted extensions, in the document's order."""


def extension(file_name: str) -> str:
    """The accepted extension in lower case and without its dot, or nothing when the type is not accepted."""
    _, dot, last = file_name.rpartition(".")
    found = last.lower()
    return found if dot and found in MIME_TYPES else ""


def mime_type(file_name: str) -> str:
    """The MIME type by extension; unknown bytes when the type is not accepted."""
    return MIME_TYPES.get(extension(file_name), "application/octet-stream")
