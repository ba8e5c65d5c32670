"""Upload, listing, download and search of the current interface, over a real socket."""

import re

import pytest

from running import built_in_service, states, upload, wait_indexed

NOTES = {
    "lease.txt": b"The lease of the harbour office ends on 31 May 2031. The rent is 4,200 euros a month.",
    "minutes.md": b"# Minutes\n\nThe board chose the supplier Nordwind for packaging material.",
    "people.csv": b"name,role\nAda Lind,accountant\nBo Falk,warehouse manager\n",
    "travel.html": b"<html><head><style>p{}</style></head><body><p>Trains before planes.</p></body></html>",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with built_in_service(tmp_path_factory.mktemp("library"), "--rate-limit", "100000") as running:
        with running.client() as client:
            upload(client, NOTES, "firm/papers")
            upload(client, {"Ärger.txt": "Überfällige Rechnung über 300 Euro".encode()})
            assert set(wait_indexed(client).values()) == {"success"}
        yield running


@pytest.fixture
def client(service):
    with service.client() as client:
        yield client


def listed(client, **parameters):
    answer = client.get("/external/libraries", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(page):
    return [item["file_name"] for item in page["items"]]


def test_upload_answers_with_the_documented_fields(client):
    answer = client.post("/external/upload", files=[("files", ("a.txt", b"one")), ("files", ("b.txt", b"two"))])
    assert answer.status_code == 200
    assert set(answer.json()) == {"message", "data"}
    for item, name in zip(answer.json()["data"], ["a.txt", "b.txt"], strict=True):
        assert (item["file_name"], item["state"], item["provider"]) == (name, "loading", "file")
        assert set(item) == {"id", "file_name", "state", "provider"}
    wait_indexed(client)


def test_a_listed_file_has_the_documented_fields(client):
    item = listed(client, search="lease")["items"][0]
    assert set(item) == {
        "id", "file_name", "provider", "mime_type", "state", "download_link", "created_at", "folder_path", "is_shared",
    }  # fmt: skip
    assert (item["provider"], item["mime_type"], item["is_shared"]) == ("file", "text/plain", False)
    assert item["folder_path"] == ["firm", "papers"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}", item["created_at"])


def test_pages(client):
    page = listed(client, page_size=2, sort_by="file_name", sort_order="asc", folder_paths="firm")
    assert (page["total_items"], page["total_pages"], page["page"], page["page_size"]) == (4, 2, 1, 2)
    assert names(page) == ["lease.txt", "minutes.md"]
    assert page["providers"] == {"file": 4}
    second = listed(client, page=2, page_size=2, sort_by="file_name", sort_order="asc", folder_paths="firm")
    assert names(second) == ["people.csv", "travel.html"]
    assert listed(client, page=9, page_size=2)["items"] == []


def test_page_size_is_forty_unless_given(client):
    assert listed(client)["page_size"] == 40


def test_search_matches_name_or_folder_whatever_the_case(client):
    assert names(listed(client, search="LEASE")) == ["lease.txt"]
    assert names(listed(client, search="ärger")) == ["Ärger.txt"]
    assert len(names(listed(client, search="papers"))) == 4
    assert listed(client, search="%")["items"] == []


def test_filters(client):
    assert listed(client, provider="drive")["items"] == []
    assert listed(client, provider="drive")["providers"]["file"] >= 5
    assert names(listed(client, file_types="csv,.MD", sort_by="file_name")) == ["people.csv", "minutes.md"]
    assert len(names(listed(client, folder_paths="firm"))) == 4
    assert len(names(listed(client, folder_paths="firm/papers/"))) == 4
    assert names(listed(client, folder_paths="fir")) == []


def test_newest_first_unless_asked_otherwise(client):
    newest = [item["created_at"] for item in listed(client)["items"]]
    assert newest == sorted(newest, reverse=True)
    oldest = [item["created_at"] for item in listed(client, sort_order="asc")["items"]]
    assert oldest == sorted(newest)


@pytest.mark.parametrize(
    "parameters",
    [
        {"page": 0},
        {"page": "x"},
        {"page_size": 0},
        {"page_size": 101},
        {"sort_order": "up"},
        {"sort_by": "size; DROP TABLE files"},
    ],
)
def test_parameters_out_of_range_are_refused(client, parameters):
    answer = client.get("/external/libraries", params=parameters)
    assert (answer.status_code, set(answer.json())) == (400, {"error", "message"})


def test_a_file_is_downloaded_with_the_credentials_whole_or_in_part(client):
    link = listed(client, search="lease")["items"][0]["download_link"]
    whole = client.get(link)
    assert whole.content == NOTES["lease.txt"]
    assert "lease.txt" in whole.headers["Content-Disposition"]
    part = client.get(link, headers={"Range": "bytes=4-8"})
    assert (part.status_code, part.content) == (206, NOTES["lease.txt"][4:9])
    assert client.get(link + "x").status_code == 404


def test_a_name_that_is_no_plain_ascii_is_downloaded_too(client):
    link = listed(client, search="ärger")["items"][0]["download_link"]
    assert client.get(link).content.decode() == "Überfällige Rechnung über 300 Euro"


def test_search_finds_the_passage_in_its_file(client):
    answer = client.post("/external/search", json={"query": "when does the lease of the office end"}).json()
    assert answer["success"] is True
    best = answer["results"][0]
    assert set(best) == {"id", "title", "content", "type", "provider", "score"}
    assert (best["title"], best["type"], best["provider"], best["score"]) == ("lease.txt", "library", "file", 1.0)
    assert "31 May 2031" in best["content"]
    assert best["id"] == listed(client, search="lease")["items"][0]["id"]


def test_either_name_of_query_and_limit(client):
    by_query = client.post("/external/search", json={"query": "supplier", "top_k": 1, "relative_threshold": 0})
    by_keyword = client.post("/external/search", json={"keyword": "supplier", "limit": 1, "relative_threshold": 0})
    assert by_query.json() == by_keyword.json()
    assert len(by_query.json()["results"]) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"query": ""},
        {"query": "  "},
        {"query": "x", "limit": 0},
        {"query": "x", "top_k": 101},
        {"query": "x", "bm25_weight": 1.1},
        {"query": "x", "vector_weight": -0.1},
        {"query": "x", "relative_threshold": 2},
        {"query": "x", "types": ["picture"]},
        {"query": "x", "use_bm25": "maybe"},
        {"query": 7},
        [],
    ],
)
def test_search_refuses_what_is_out_of_range(client, body):
    answer = client.post("/external/search", json=body)
    assert (answer.status_code, set(answer.json())) == (400, {"error", "message"})


def test_relative_threshold_is_measured_against_the_best(client):
    everything = client.post("/external/search", json={"query": "office rent", "relative_threshold": 0}).json()
    scores = [result["score"] for result in everything["results"]]
    assert scores == sorted(scores, reverse=True)
    half = client.post("/external/search", json={"query": "office rent", "relative_threshold": 0.5}).json()
    assert [result["score"] for result in half["results"]] == [score for score in scores if score >= 0.5]


def test_query_signs_mean_nothing_to_the_index(client):
    for query in ['"lease', "lease AND", "NEAR(", "lease*", "-lease", "text:lease", "(", "lease'; --"]:
        assert client.post("/external/search", json={"query": query}).status_code == 200


def test_other_kinds_alone_hold_no_files(client):
    results = client.post("/external/search", json={"query": "lease", "types": ["workflow"]}).json()["results"]
    assert "library" not in {result["type"] for result in results}


def test_html_is_indexed_without_its_markup(client):
    assert states(client)["travel.html"] == "success"
    found = client.post("/external/search", json={"query": "trains before planes"}).json()["results"][0]
    assert found["content"] == "Trains before planes."


def test_many_passages_of_one_file_are_merged_on_demand(client):
    chapters = [f"Chapter {n}. The crane number {n} was inspected. " + "Nothing else happened. " * 60 for n in range(4)]
    upload(client, {"cranes.txt": "\n\n".join(chapters).encode()})
    wait_indexed(client)
    query = {"query": "crane inspected", "relative_threshold": 0}
    apart = client.post("/external/search", json=query).json()["results"]
    merged = client.post("/external/search", json={**query, "group_by_file": True}).json()["results"]
    assert [result["title"] for result in apart].count("cranes.txt") > 1
    assert [result["title"] for result in merged].count("cranes.txt") == 1
    content = next(result["content"] for result in merged if result["title"] == "cranes.txt")
    places = [content.find(f"crane number {n}") for n in range(4)]
    assert places == sorted(places)
    assert -1 not in places
