"""A row for each rule of the service's document about access, library, search and files: said there, seen here."""

import re

import httpx
import pytest

from running import built_in_service, upload, wait_indexed

ACCEPTED = (
    "pdf", "doc", "docx", "xls", "xlsx", "csv", "json", "txt", "html", "ppt", "pptx",
    "zip", "md", "sql", "yml", "yaml", "png", "jpg", "jpeg", "gif", "webp",
)  # fmt: skip
RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with built_in_service(tmp_path_factory.mktemp("fidelity"), "--samples", "--rate-limit", "100000") as running:
        with running.client() as client:
            wait_indexed(client)
        yield running


@pytest.fixture(scope="module")
def client(service):
    with service.client() as client:
        yield client


def listing(client, **parameters):
    return client.get("/external/libraries", params=parameters)


def search(client, **body):
    return client.post("/external/search", json=body)


def scores(client, **body):
    return [result["score"] for result in search(client, **body).json()["results"]]


def error(answer):
    return answer.status_code, answer.json()["error"], set(answer.json()) == {"error", "message"}


LEASE = {"query": "when does the lease of Harbour Street end", "types": ["file"]}

ROWS = {
    "models: success and data": lambda c: set(c.get("/external/models").json()) == {"success", "data"},
    "models: the fields of a model": lambda c: all(
        set(model) == {"id", "name", "image", "group_name", "is_available"} and model["is_available"] in (True, False)
        for model in c.get("/external/models").json()["data"]
    ),
    "models: at least one, each id once": lambda c: (
        len({model["id"] for model in c.get("/external/models").json()["data"]})
        == len(c.get("/external/models").json()["data"])
        > 0
    ),
    "upload: one file or several in one request": lambda c: len(upload(c, {"p.txt": b"1", "q.txt": b"2"})) == 2,
    "upload: files is required": lambda c: (
        error(c.post("/external/upload", files=[("other", ("a.txt", b"a"))]))[0] == 400
    ),
    "upload: is multipart": lambda c: error(c.post("/external/upload", json={"files": []}))[0] == 400,
    "upload: a folder path is slash-separated": lambda c: (
        upload(c, {"in-a-folder.txt": b"x"}, "/one//two/")
        and listing(c, search="in-a-folder").json()["items"][0]["folder_path"] == ["one", "two"]
    ),
    "upload: no folder is the top": lambda c: (
        upload(c, {"at-the-top.txt": b"x"}) and listing(c, search="at-the-top").json()["items"][0]["folder_path"] == []
    ),
    "upload: other types are refused": lambda c: all(
        error(c.post("/external/upload", files=[("files", (name, b"x"))]))[0] == 400
        for name in ("a.exe", "a", "a.tar.gz", ".txt.bak", "docx", "a.svg")
    ),
    "upload: a refused file refuses its request": lambda c: (
        c.post("/external/upload", files=[("files", ("fine.txt", b"x")), ("files", ("bad.exe", b"x"))]).status_code
        == 400
        and listing(c, search="fine.txt").json()["total_items"] == 0
    ),
    "upload: POST, not PUT": lambda c: c.put("/external/upload").status_code == 405,
    "library: page starts at 1": lambda c: (
        listing(c).json()["page"] == 1 and error(listing(c, page=0)) == (400, "invalid_request", True)
    ),
    "library: page_size 40, at most 100": lambda c: (
        listing(c).json()["page_size"] == 40
        and listing(c, page_size=100).status_code == 200
        and listing(c, page_size=101).status_code == 400
    ),
    "library: search matches a name": lambda c: listing(c, search="QUAY-works").json()["total_items"] == 1,
    "library: search matches a folder": lambda c: listing(c, search="suppliers").json()["total_items"] == 2,
    "library: filter by provider": lambda c: listing(c, provider="dropbox").json()["items"] == [],
    "library: filter by folder": lambda c: (
        {item["folder_path"][0] for item in listing(c, folder_paths="Contracts").json()["items"]} == {"Contracts"}
    ),
    "library: filter by types": lambda c: (
        {item["file_name"].rsplit(".")[-1] for item in listing(c, file_types="pdf,docx").json()["items"]}
        == {"pdf", "docx"}
    ),
    "library: sorted by name, both ways": lambda c: (
        [item["id"] for item in listing(c, sort_by="file_name", sort_order="asc", page_size=100).json()["items"]]
        == [item["id"] for item in listing(c, sort_by="file_name", page_size=100).json()["items"]][::-1]
    ),
    "library: desc unless asked": lambda c: (
        listing(c, sort_by="created_at").json() == listing(c, sort_by="created_at", sort_order="desc").json()
    ),
    "library: an unknown sort is refused": lambda c: error(listing(c, sort_order="random"))[0] == 400,
    "library: the envelope": lambda c: (
        set(listing(c).json()) == {"total_items", "providers", "page", "page_size", "total_pages", "items"}
    ),
    "library: total_pages": lambda c: (
        listing(c, page_size=7).json()["total_pages"] == -(-listing(c).json()["total_items"] // 7)
    ),
    "library: providers counts": lambda c: listing(c).json()["providers"] == {"file": listing(c).json()["total_items"]},
    "library: created_at without a suffix": lambda c: all(
        re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?", item["created_at"])
        for item in listing(c).json()["items"]
    ),
    "library: the samples are all ready": lambda c: (
        {item["state"] for item in listing(c, folder_paths="Contracts").json()["items"]} == {"success"}
    ),
    "library: download_link is under this origin": lambda c: all(
        item["download_link"].startswith(str(c.base_url)) for item in listing(c).json()["items"]
    ),
    "search: success and results": lambda c: set(search(c, **LEASE).json()) == {"success", "results"},
    "search: keyword or query": lambda c: search(c, keyword="lease").json() == search(c, query="lease").json(),
    "search: one of them is required": lambda c: error(search(c, limit=3)) == (400, "invalid_request", True),
    "search: limit or top_k": lambda c: (
        len(search(c, query="the", limit=2, relative_threshold=0).json()["results"])
        == len(search(c, query="the", top_k=2, relative_threshold=0).json()["results"])
        == 2
    ),
    "search: 20 unless asked": lambda c: len(scores(c, **LEASE, relative_threshold=0)) == 20,
    "search: at most 100": lambda c: (
        search(c, query="a", limit=100).status_code == 200 and search(c, query="a", limit=101).status_code == 400
    ),
    "search: one result a file when grouped": lambda c: (
        len({hit["id"] for hit in search(c, **LEASE, group_by_file=True, relative_threshold=0).json()["results"]})
        == len(search(c, **LEASE, group_by_file=True, relative_threshold=0).json()["results"])
    ),
    "search: kinds are file, workflow, conversation": lambda c: (
        search(c, query="a", types=["file", "workflow", "conversation"]).status_code == 200
        and search(c, query="a", types=["library"]).status_code == 400
    ),
    "search: only the kinds asked for": lambda c: (
        {hit["type"] for hit in search(c, query="invoice", types=["workflow"], relative_threshold=0).json()["results"]}
        == {"workflow"}
    ),
    "search: keywords can be left out": lambda c: scores(c, **LEASE, use_bm25=False)[0] == 1,
    "search: vectors can be left out": lambda c: scores(c, **LEASE, use_vector=False)[0] == 1,
    "search: weights are 0 to 1": lambda c: all(
        search(c, query="a", **{name: value}).status_code == (200 if 0 <= value <= 1 else 400)
        for name in ("bm25_weight", "vector_weight")
        for value in (-0.01, 0, 0.5, 1, 1.01)
    ),
    "search: weights default to 0.7 and 0.3": lambda c: (
        search(c, **LEASE).json() == search(c, **LEASE, bm25_weight=0.7, vector_weight=0.3).json()
    ),
    "search: the threshold defaults to 0.7 of the best": lambda c: (
        search(c, **LEASE).json() == search(c, **LEASE, relative_threshold=0.7).json()
        and min(scores(c, **LEASE)) >= 0.7 * max(scores(c, **LEASE))
    ),
    "search: the threshold still leaves several": lambda c: len(scores(c, **LEASE)) >= 2,
    "search: best first": lambda c: scores(c, **LEASE) == sorted(scores(c, **LEASE), reverse=True),
    "search: the lease is found": lambda c: search(c, **LEASE).json()["results"][0]["title"] == "harbour-lease.pdf",
    "search: a file of a zip is named by its path": lambda c: any(
        hit["title"] == "policies.zip" and hit["content"].startswith("travel-policy.txt\n")
        for hit in search(c, query="travel policy trains flights", types=["file"]).json()["results"]
    ),
    "errors: not_found": lambda c: error(c.get("/external/nothing")) == (404, "not_found", True),
    "errors: a file that is not there": lambda c: error(c.get("/external/files/x/y.txt")) == (404, "not_found", True),
    "access: the tenant header is optional": lambda c: all(
        c.get("/external/models", headers=headers).status_code == 200 for headers in ({}, {"X-Tenant-ID": "t"})
    ),
    "access: the three headers on every answer": lambda c: all(
        name in answer.headers
        for name in RATE
        for answer in (listing(c), listing(c, page=0), c.get("/external/nothing"))
    ),
    "access: counted by key, one a request": lambda c: (
        int(listing(c).headers["X-RateLimit-Remaining"]) - int(listing(c).headers["X-RateLimit-Remaining"]) == 1
    ),
}


@pytest.mark.parametrize("rule", ROWS)
def test_the_document_holds(client, rule):
    assert ROWS[rule](client), rule


@pytest.mark.parametrize("kind", ACCEPTED)
def test_every_listed_extension_is_accepted_whatever_its_case(client, kind):
    answer = client.post("/external/upload", files=[("files", (f"Some File.{kind.upper()}", b"not really one"))])
    assert answer.status_code == 200
    assert answer.json()["data"][0]["state"] == "loading"


def test_a_missing_header_is_a_failed_check(service):
    for missing in service.headers:
        headers = {name: value for name, value in service.headers.items() if name != missing}
        answer = httpx.get(f"{service.base_url}/external/models", headers=headers, trust_env=False)
        assert error(answer) == (403, "invalid_credentials", True)


def test_header_names_have_no_case(service):
    headers = {name.lower(): value for name, value in service.headers.items()}
    assert httpx.get(f"{service.base_url}/external/models", headers=headers, trust_env=False).status_code == 200


def test_a_file_over_a_gigabyte_is_refused_and_leaves_nothing(client):
    """2^30 bytes and one more are really sent; nothing of them is kept."""
    size = 2**30 + 1
    head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="too-large.txt"\r\n\r\n'
    tail = b"\r\n--b--\r\n"

    def body():
        yield head
        left, block = size, bytes(4 * 2**20)
        while left:
            part = block[:left]
            left -= len(part)
            yield part
        yield tail

    headers = {
        "Content-Type": "multipart/form-data; boundary=b",
        "Content-Length": str(len(head) + size + len(tail)),
    }
    answer = client.post("/external/upload", content=body(), headers=headers, timeout=300)
    assert error(answer) == (400, "invalid_request", True)
    assert "1 GB" in answer.json()["message"]
    assert listing(client, search="too-large").json()["total_items"] == 0
