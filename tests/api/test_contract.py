"""Both generations of the built-in service, over a real socket, pass the contract."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from api_contract import Contract
from carrel.api import Service, connect
from carrel.model import Account, Generation
from running import RunningService, built_in_service


@pytest.fixture(scope="module")
def built_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("contract"), "--pace", "0") as running:
        yield running


def _account(running: RunningService, generation: Generation, secret: str) -> Account:
    return Account(
        base_url=running.base_url if generation == "current" else running.legacy_base_url,
        client_id=running.client_id,
        api_key=running.api_key,
        secret=secret,
        generation=generation,
    )


class _Generation(Contract):
    generation: Generation

    @pytest_asyncio.fixture
    async def service(self, built_in: RunningService) -> AsyncIterator[Service]:
        async with connect(_account(built_in, self.generation, built_in.secret)) as service:
            yield service

    @pytest_asyncio.fixture
    async def refused(self, built_in: RunningService) -> AsyncIterator[Service]:
        async with connect(_account(built_in, self.generation, "another-secret")) as service:
            yield service


class TestCurrent(_Generation):
    generation = "current"


class TestEarlier(_Generation):
    generation = "earlier"
