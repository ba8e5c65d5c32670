"""The door of the current interface: credentials, tenant, request rate, and the shape of every error."""

import time

import httpx
import pytest

from running import built_in_service


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with built_in_service(tmp_path_factory.mktemp("access"), "--rate-limit", "10000") as running:
        yield running


@pytest.fixture
def client(service):
    with service.client() as client:
        yield client


def test_right_credentials_open_every_door(client):
    answer = client.get("/external/models")
    assert answer.status_code == 200
    assert answer.json()["success"] is True


@pytest.mark.parametrize("header", ["X-Client-ID", "X-API-Key", "X-Secret"])
@pytest.mark.parametrize("value", ["wrong", "", "ümlaut".encode()])
def test_one_wrong_credential_is_invalid_credentials(service, header, value):
    answer = httpx.get(
        f"{service.base_url}/external/models", headers={**service.headers, header: value}, trust_env=False
    )
    assert (answer.status_code, answer.json()["error"]) == (403, "invalid_credentials")
    assert set(answer.json()) == {"error", "message"}
    assert service.api_key not in answer.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/external/models"),
        ("POST", "/external/upload"),
        ("GET", "/external/libraries"),
        ("POST", "/external/search"),
        ("GET", "/external/files/x/y.txt"),
        ("GET", "/external/files/generated/x/y.txt"),
        ("GET", "/nowhere"),
    ],
)
def test_nothing_opens_without_credentials(service, method, path):
    answer = httpx.request(method, service.base_url + path, trust_env=False)
    assert (answer.status_code, answer.json()["error"]) == (403, "invalid_credentials")


def test_current_headers_do_not_open_the_earlier_interface(service):
    answer = httpx.get(f"{service.base_url}/api/external/models", headers=service.headers, trust_env=False)
    assert answer.status_code == 403


def test_credentials_are_new_at_each_start(service, tmp_path):
    with built_in_service(tmp_path) as second:
        assert second.api_key != service.api_key
        assert second.secret != service.secret
        answer = httpx.get(f"{second.base_url}/external/models", headers=service.headers, trust_env=False)
        assert answer.status_code == 403


def test_an_unknown_path_is_not_found(client):
    answer = client.get("/external/nothing")
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_a_body_that_is_no_json_is_400(client):
    answer = client.post("/external/search", content=b"{", headers={"Content-Type": "application/json"})
    assert (answer.status_code, set(answer.json())) == (400, {"error", "message"})


def test_any_tenant_is_taken_while_there_is_one(client):
    assert client.get("/external/models", headers={"X-Tenant-ID": "acme"}).status_code == 200


def test_named_tenants_are_the_only_ones(tmp_path):
    with built_in_service(tmp_path, "--tenant", "acme") as running, running.client() as client:
        assert client.get("/external/models").status_code == 200
        assert client.get("/external/models", headers={"X-Tenant-ID": "acme"}).status_code == 200
        other = client.get("/external/models", headers={"X-Tenant-ID": "other"})
        assert (other.status_code, other.json()["error"]) == (403, "invalid_credentials")


def test_a_hundred_requests_a_minute_and_then_429(tmp_path):
    with built_in_service(tmp_path) as running, running.client() as client:
        began = time.time()
        answers = [client.get("/external/libraries") for _ in range(100)]
        assert {answer.status_code for answer in answers} == {200}
        assert {answer.headers["X-RateLimit-Limit"] for answer in answers} == {"100"}
        remaining = [int(answer.headers["X-RateLimit-Remaining"]) for answer in answers]
        assert remaining == list(range(99, -1, -1))
        reset = int(answers[-1].headers["X-RateLimit-Reset"])
        assert began < reset <= began + 62
        refused = client.get("/external/models")
        assert (refused.status_code, refused.json()["error"]) == (429, "rate_limit_exceeded")
        assert refused.headers["X-RateLimit-Remaining"] == "0"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60


def test_refused_credentials_use_up_nothing(tmp_path):
    with built_in_service(tmp_path, "--rate-limit", "2") as running, running.client() as client:
        for _ in range(5):
            httpx.get(f"{running.base_url}/external/models", trust_env=False)
        assert client.get("/external/models").headers["X-RateLimit-Remaining"] == "1"


def test_the_window_begins_anew():
    from carrel_service.access import RateLimit

    now = 1000.0
    rate = RateLimit(2, clock=lambda: now)
    assert [rate.take(), rate.take(), rate.take()] == [True, True, False]
    assert (rate.headers()["X-RateLimit-Reset"], rate.wait()) == ("1060", 60)
    now = 1060.0
    assert rate.take()
    assert rate.headers() == {
        "X-RateLimit-Limit": "2",
        "X-RateLimit-Remaining": "1",
        "X-RateLimit-Reset": "1120",
    }
