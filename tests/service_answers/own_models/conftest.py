"""A service with models of the person's own: a server of ours that speaks as theirs do."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from answer_documents import FILES
from fake_models import FakeModels, fake_models
from running import RunningService, built_in_service, upload, wait_indexed


@pytest.fixture(scope="module")
def models() -> Iterator[FakeModels]:
    with fake_models() as server:
        yield server


@pytest.fixture(scope="module")
def service(models: FakeModels, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    data: Path = tmp_path_factory.mktemp("own") / "data"
    data.mkdir()
    (data / "settings.json").write_text(json.dumps({"redaction_patterns": {"project": "Bluebell"}}))
    options = ("--pace", "0", "--rate-limit", "100000", "--models-url", models.url)
    with built_in_service(data, *options) as running:
        with running.client() as client:
            upload(client, FILES)
            assert set(wait_indexed(client).values()) == {"success"}
        yield running


@pytest.fixture
def client(service: RunningService, models: FakeModels) -> Iterator[httpx.Client]:
    models.requests.clear()
    models.script.clear()
    models.refuse = None
    models.ends_early = False
    models.hold.clear()
    models.broken_off.clear()
    with service.client() as client:
        yield client
