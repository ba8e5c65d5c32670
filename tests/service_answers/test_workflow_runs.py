"""Workflows: the list, queueing, the steps that are really done, and the documents they leave."""

import time
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from running import RunningService, built_in_service, upload, wait_indexed, wait_until

INVOICE = b"""Invoice 77 of Brill
Item;Quantity;Amount
Housings;100;795.00
Freight;1;55.00

Subtotal 850.00
VAT 20 % 170.00
Total due 1,020.00
"""


def queue(client: httpx.Client, group_id: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/external/workflows/{group_id}/runs", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def finished(client: httpx.Client, run: dict[str, Any]) -> dict[str, Any]:
    """The run's last state."""

    def state() -> dict[str, Any] | None:
        time.sleep(0.1)
        path = f"/external/workflows/{run['group_id']}/runs/{run['run_id']}"
        data = client.get(path).json()["data"]
        return data if data["status"] in ("completed", "failed") else None

    return wait_until(state, "the run's end")


def result(client: httpx.Client, run: dict[str, Any]) -> str:
    """The document that a completed run left in the library."""
    state = finished(client, run)
    assert (state["status"], state["queue_status"], state["error"]) == ("completed", "done", None)
    items = client.get("/external/libraries", params={"folder_paths": "Workflow results"}).json()["items"]
    item = next(item for item in items if item["id"] == state["result_file_id"])
    assert item["folder_path"] == ["Workflow results"]
    return client.get(item["download_link"]).text


def link(client: httpx.Client, name: str) -> str:
    items = client.get("/external/libraries", params={"search": name}).json()["items"]
    return next(item["download_link"] for item in items if item["file_name"] == name)


def test_three_workflows_are_supplied(client: httpx.Client) -> None:
    page = client.get("/external/workflows").json()
    assert [item["group_id"] for item in page["data"]] == ["contract-intake", "folder-digest", "invoice-check"]
    assert page["pagination"] == {"current_page": 1, "page_size": 20, "total_items": 3, "total_pages": 1}
    fields = {"group_id", "workflow_id", "title", "description", "purpose_type", "version", "first_step_id"}
    assert set(page["data"][0]) == fields | {"updated_at"}


def test_the_list_is_paged_and_searched(client: httpx.Client) -> None:
    page = client.get("/external/workflows", params={"page": 2, "page_size": 2}).json()
    assert len(page["data"]) == 1
    assert page["pagination"] == {"current_page": 2, "page_size": 2, "total_items": 3, "total_pages": 2}
    found = client.get("/external/workflows", params={"search": "INVOICE sums"}).json()
    assert [item["group_id"] for item in found["data"]] == ["invoice-check"]


def test_a_queued_run_echoes_what_was_sent(client: httpx.Client) -> None:
    run_id = f"mine-{uuid.uuid4().hex}"
    user = {"id": "7", "email": "x@example.org", "name": "X"}
    run = queue(client, "folder-digest", run_id=run_id, external_user=user)
    assert (run["run_id"], run["external_user"]) == (run_id, user)
    assert (run["status"], run["queue_status"]) == ("queued", "pending")
    assert (run["workflow_id"], run["current_step_id"]) == ("folder-digest-v1", "digest-scope")
    again = queue(client, "folder-digest", run_id=run_id)
    assert again["queue_id"] == run["queue_id"]
    refused = client.post("/external/workflows/invoice-check/runs", json={"run_id": run_id})
    assert refused.status_code == 400


def test_a_digest_quotes_the_files_of_its_folder(client: httpx.Client) -> None:
    form = {"digest-scope": {"folder": "Contracts", "topic": "annual rent", "colour": "green"}}
    text = result(client, queue(client, "folder-digest", inputs={"form_inputs": form}))
    assert "### harbour-lease.md" in text
    assert "### supplier-quotes.txt" in text
    assert "84,000 pounds" in text


def test_values_may_be_keyed_by_step_group(client: httpx.Client) -> None:
    form = {"digest-scope-group": {"folder": "Contracts"}}
    assert "# Digest of Contracts" in result(client, queue(client, "folder-digest", inputs={"form_inputs": form}))


def test_missing_inputs_are_empty(client: httpx.Client) -> None:
    assert "# Digest of the whole library" in result(client, queue(client, "folder-digest"))


def test_an_invoice_is_checked_and_what_was_agreed_is_found(client: httpx.Client) -> None:
    upload(client, {"invoice-77.txt": INVOICE}, "Invoices")
    inputs = {
        "form_inputs": {"invoice-details": {"supplier": "Brill", "number": "77", "expected_amount": 1000}},
        "file_urls": {"invoice-files": link(client, "invoice-77.txt")},
    }
    text = result(client, queue(client, "invoice-check", inputs=inputs))
    assert "**Look again.**" in text
    assert "1,020.00 and 1,000.00 **do not agree**" in text
    assert "*(supplier-quotes.txt)*" in text
    assert "- expected_amount: 1000" in text


@pytest.mark.parametrize("shape", ["one", "several", "named"])
def test_a_contracts_questions_are_answered_from_its_files(client: httpx.Client, shape: str) -> None:
    url = link(client, "harbour-lease.md")
    urls: Any = {"one": url, "several": [url], "named": {"contract": url}}[shape]
    inputs = {
        "form_inputs": {"contract-details": {"title": "Harbour lease", "counterparty": "Saltgate"}},
        "file_urls": {"contract-files-group": urls},
    }
    text = result(client, queue(client, "contract-intake", inputs=inputs, executor_timezone=60))
    assert "- counterparty: Saltgate" in text
    assert "harbour-lease.md" in text
    assert "84,000 pounds" in text
    assert "30 September 2027" in text


def test_a_file_that_cannot_be_fetched_fails_the_run_in_plain_words(client: httpx.Client) -> None:
    inputs = {"file_urls": {"invoice-files": "http://127.0.0.1:9/nothing.pdf"}}
    state = finished(client, queue(client, "invoice-check", inputs=inputs))
    assert (state["status"], state["queue_status"]) == ("failed", "failed")
    assert "http://127.0.0.1:9/nothing.pdf could not be fetched" in state["error"]
    assert state["current_step_id"] == "invoice-files"


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "not a url"])
def test_only_web_addresses_are_fetched(client: httpx.Client, url: str) -> None:
    state = finished(client, queue(client, "invoice-check", inputs={"file_urls": {"invoice-files": url}}))
    assert "only http and https" in state["error"]


def test_workflows_and_conversations_are_searched(client: httpx.Client) -> None:
    found = client.post("/external/search", json={"query": "contract intake", "types": ["workflow"]}).json()
    assert (found["results"][0]["id"], found["results"][0]["type"]) == ("contract-intake", "workflow")


VERSION = """
group_id: report
version: {version}
published: {published}
title: Report {version}
tenants: {tenants}
steps:
  - {{id: only, kind: form, fields: [{{name: a}}]}}
  - {{id: note, kind: write, name: Report, template: "{version}: {{only.a}} {{only.b}} {{gone.x}}"}}
"""


@pytest.fixture(scope="module")
def versioned(tmp_path_factory: pytest.TempPathFactory) -> Any:
    data: Path = tmp_path_factory.mktemp("versions")
    folder = data / "workflows"
    folder.mkdir()
    for version, published in ((1, True), (2, True), (3, False)):
        text = VERSION.format(version=version, published=published, tenants="[]")
        (folder / f"report-{version}.yaml").write_text(text)
    secret = VERSION.format(version=1, published=True, tenants="[alpha]").replace("group_id: report", "group_id: alpha")
    (folder / "alpha.yaml").write_text(secret)
    draft = VERSION.format(version=1, published=False, tenants="[]").replace("group_id: report", "group_id: draft")
    (folder / "draft.yaml").write_text(draft)
    (folder / "broken.yaml").write_text("steps: [")
    (folder / "odd.yaml").write_text("group_id: odd\ntitle: Odd\nsteps: [{id: a, kind: dance}]")
    with built_in_service(data, "--rate-limit", "10000") as service:
        yield service


def test_the_newest_published_version_is_listed_and_queued(versioned: RunningService) -> None:
    with versioned.client() as client:
        listed = {item["group_id"]: item for item in client.get("/external/workflows").json()["data"]}
        assert (listed["report"]["version"], listed["report"]["workflow_id"]) == (2, "report-v2")
        assert {"draft", "broken", "odd", "alpha"} & set(listed) == set()
        form = {"only": {"b": "kept"}}
        assert result(client, queue(client, "report", inputs={"form_inputs": form})) == "2:  kept "
        assert "left out" in versioned.log()


def test_without_a_published_version_there_is_nothing_to_run(versioned: RunningService) -> None:
    with versioned.client() as client:
        for group_id in ("draft", "nothing"):
            answer = client.post(f"/external/workflows/{group_id}/runs", json={})
            assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_a_workflow_of_other_tenants_is_neither_listed_nor_run(versioned: RunningService) -> None:
    with versioned.client() as client:
        answer = client.post("/external/workflows/alpha/runs", json={})
        assert (answer.status_code, answer.json()["message"]) == (403, "workflow access denied")
        client.headers["X-Tenant-ID"] = "alpha"
        assert "alpha" in {item["group_id"] for item in client.get("/external/workflows").json()["data"]}
        assert queue(client, "alpha")["status"] == "queued"


def test_all_that_is_queued_is_done(client: httpx.Client) -> None:
    runs = [
        queue(client, "folder-digest", inputs={"form_inputs": {"digest-scope": {"folder": str(n)}}}) for n in range(9)
    ]
    assert [finished(client, run)["status"] for run in runs] == ["completed"] * 9
    wait_indexed(client)
