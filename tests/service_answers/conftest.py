"""One service for all tests of answers that leave it as it was, with a few known documents in it."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from answer_documents import FILES
from running import RunningService, built_in_service, upload, wait_indexed


@pytest.fixture(scope="session")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    data: Path = tmp_path_factory.mktemp("answers") / "data"
    with built_in_service(data, "--pace", "0", "--rate-limit", "100000") as service:
        with service.client() as client:
            upload(client, FILES, "Contracts")
            assert set(wait_indexed(client).values()) == {"success"}
        yield service


@pytest.fixture
def client(answering: RunningService) -> Iterator[httpx.Client]:
    with answering.client() as client:
        yield client


@pytest.fixture
def ids(client: httpx.Client) -> dict[str, str]:
    """The documents' ids, by file name."""
    items = client.get("/external/libraries", params={"page_size": 100}).json()["items"]
    return {item["file_name"]: item["id"] for item in items}
