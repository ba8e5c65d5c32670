"""The reference pages and their description: offline, open in a browser, and true under made-up requests."""

import re
import subprocess
import sys

import httpx
import pytest

from running import built_in_service


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    data = tmp_path_factory.mktemp("reference")
    with built_in_service(data, "--rate-limit", "1000000", "--pace", "0") as running:
        yield running


@pytest.fixture
def anyone(service):
    with httpx.Client(base_url=service.base_url, trust_env=False) as client:
        yield client


def test_the_page_opens_without_credentials_and_asks_nothing_of_others(anyone):
    page = anyone.get("/external-docs/docs")
    assert page.headers["Content-Type"].startswith("text/html")
    assert not re.search(r"(https?:)?//\w", page.text)
    linked = re.findall(r'(?:src|href)="(?!data:)([^"]+)"', page.text)
    assert len(linked) >= 3
    for link in linked:
        answer = anyone.get(f"/external-docs/{link}")
        assert answer.status_code == 200, link
        assert len(answer.content) > 1000


def test_only_the_pages_are_open(anyone):
    assert anyone.get("/external-docs/../external/models").status_code == 403
    assert anyone.get("/external-docs/assets/..%2f..%2fpyproject.toml").status_code == 404
    assert anyone.get("/external-docs/nothing").status_code == 404


@pytest.fixture
def described(anyone):
    return anyone.get("/external-docs/openapi.json").json()


def test_the_description_is_openapi_31_with_credentials_everywhere(described):
    assert described["openapi"].startswith("3.1")
    assert described["info"]["version"] == "1.0.0"
    operations = [each for path in described["paths"].values() for each in path.values()]
    assert len(operations) >= 15
    for each in operations:
        assert len(each["security"][0]) == 3
        assert "403" in each["responses"]


def test_the_description_names_errors_rates_and_the_tenant(described):
    for path, operations in described["paths"].items():
        for each in operations.values():
            if path.startswith("/api/"):
                continue
            assert "422" not in each["responses"]
            assert {"403", "429", "500"} <= set(each["responses"])
            assert "X-RateLimit-Reset" in each["responses"]["200"]["headers"]
            assert "x-tenant-id" in {parameter["name"].lower() for parameter in each["parameters"]}


def test_requests_made_up_from_the_description_meet_neither_500_nor_a_breach(service, tmp_path):
    """Whether a file is accepted depends on its name, for which a schema has no words: that check is left out."""
    headers = {**service.headers, **service.legacy_headers}
    run = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "run", f"{service.base_url}/external-docs/openapi.json",
            *(part for name, value in headers.items() for part in ("-H", f"{name}: {value}")),
            "--phases", "fuzzing", "--max-examples", "8", "--seed", "7", "--generation-database", "none",
            "--exclude-checks", "positive_data_acceptance", "--no-shrink",
        ],
        capture_output=True, text=True, timeout=500, check=False, cwd=tmp_path,
    )  # fmt: skip
    told = run.stdout
    for secret in (service.api_key, service.secret):
        told = told.replace(secret, "…")
    assert run.returncode == 0, told
    assert re.search(r"\d+ passed", told)


def test_values_within_the_description_are_accepted_by_search_and_listing(service, tmp_path):
    run = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "run", f"{service.base_url}/external-docs/openapi.json",
            *(part for name, value in service.headers.items() for part in ("-H", f"{name}: {value}")),
            "--include-path-regex", "^/external/(models|libraries|search)$", "--phases", "fuzzing",
            "--mode", "positive", "--max-examples", "40", "--seed", "7", "--generation-database", "none",
        ],
        capture_output=True, text=True, timeout=500, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout.replace(service.api_key, "…").replace(service.secret, "…")
