"""A folder of this computer as the second provider: taken in, followed, and never written to."""

import json
import os

import pytest

from running import built_in_service, states, upload, wait_indexed, wait_until


@pytest.fixture
def papers(tmp_path):
    folder = tmp_path / "papers"
    (folder / "2026").mkdir(parents=True)
    (folder / "lease.txt").write_text("The lease ends in May 2031.")
    (folder / "2026" / "minutes.md").write_text("The board chose Nordwind.")
    (folder / ".hidden.txt").write_text("hidden")
    (folder / "picture.svg").write_text("<svg/>")
    return folder


@pytest.fixture
def service(tmp_path, papers):
    with built_in_service(tmp_path / "data", "--folder", str(papers), "--rate-limit", "100000") as running:
        yield running


@pytest.fixture
def client(service):
    with service.client() as client:
        wait_until(lambda: len(states(client)) == 2, "the folder's two files")
        wait_indexed(client)
        yield client


def found(client, query):
    body = {"query": query, "types": ["file"], "use_vector": False}
    return client.post("/external/search", json=body).json()["results"]


def test_its_files_are_listed_under_their_provider_and_folders(client):
    page = client.get("/external/libraries", params={"sort_by": "file_name", "sort_order": "asc"}).json()
    assert page["providers"] == {"folder": 2}
    assert [(item["file_name"], item["folder_path"]) for item in page["items"]] == [
        ("lease.txt", ["papers"]),
        ("minutes.md", ["papers", "2026"]),
    ]
    assert client.get(page["items"][0]["download_link"]).text == "The lease ends in May 2031."
    assert found(client, "lease")[0]["provider"] == "folder"


def test_uploads_stand_beside_it_and_the_filter_tells_them_apart(client):
    upload(client, {"note.txt": b"A note."})
    page = client.get("/external/libraries", params={"provider": "folder"}).json()
    assert (page["total_items"], page["providers"]) == (2, {"file": 1, "folder": 2})


def test_what_is_added_changed_and_removed_is_followed(client, papers):
    (papers / "2026" / "crane.txt").write_text("The crane lifts forty tonnes.")
    wait_until(lambda: found(client, "crane"), "the added file")
    (papers / "2026" / "crane.txt").write_text("The winch was repainted.")
    wait_until(lambda: found(client, "winch") and not found(client, "crane"), "the changed file")
    (papers / "2026" / "crane.txt").rename(papers / "winch.txt")
    wait_until(lambda: [hit["title"] for hit in found(client, "winch")] == ["winch.txt"], "the renamed file")
    (papers / "winch.txt").unlink()
    wait_until(lambda: not found(client, "winch") and len(states(client)) == 2, "the removed file")


def test_a_restart_finds_what_changed_meanwhile_and_leaves_the_folder_as_it_is(tmp_path, papers, service, client):
    ids = {item["file_name"]: item["id"] for item in client.get("/external/libraries").json()["items"]}
    service.stop()
    (papers / "lease.txt").unlink()
    (papers / "quay.txt").write_text("The quay wall is damp.")
    before = {path: path.stat().st_mtime_ns for path in papers.rglob("*")}
    options = ("--folder", str(papers), "--rate-limit", "100000")
    with built_in_service(tmp_path / "data", *options) as again, again.client() as later:
        wait_until(lambda: set(states(later)) == {"minutes.md", "quay.txt"}, "the folder as it is now")
        wait_indexed(later)
        now = {item["file_name"]: item["id"] for item in later.get("/external/libraries").json()["items"]}
        assert now["minutes.md"] == ids["minutes.md"]
        assert found(later, "lease") == []
        again.stop()
    assert {path: path.stat().st_mtime_ns for path in papers.rglob("*")} == before


def test_a_folder_that_is_no_longer_given_leaves_the_library(tmp_path, service, client):
    service.stop()
    with built_in_service(tmp_path / "data") as again, again.client() as later:
        assert states(later) == {}


def test_folders_can_be_named_in_the_settings_file_and_may_overlap(tmp_path, papers):
    data = tmp_path / "other"
    data.mkdir()
    named = [str(papers), str(papers / "2026"), str(tmp_path / "missing")]
    (data / "settings.json").write_text(json.dumps({"folders": named}))
    with built_in_service(data, "--rate-limit", "100000") as running, running.client() as client:
        wait_until(lambda: set(states(client)) == {"lease.txt", "minutes.md"}, "both files, each once")
        wait_indexed(client)
        assert "missing is not a folder" in running.log()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_fails_alone(client, papers):
    (papers / "closed.txt").write_text("secret")
    (papers / "closed.txt").chmod(0)
    wait_until(lambda: states(client).get("closed.txt") == "failed", "the file that may not be read")
