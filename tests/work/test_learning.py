"""What a service's own description told: read once an account, kept, used at once, switched off, read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.model import Account, WorkflowQuery
from carrel.model.draft import Draft
from carrel.work.session import Session
from faulty import Faulty, Peer, faulty, routes
from running import RunningService, built_in_service
from sessions import account_of, open_session, until

PAGE, DESCRIPTION = "/external-docs/docs", "/external-docs/openapi.json"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with built_in_service(tmp_path_factory.mktemp("service"), "--pace", "0") as running:
        yield running


def read(session: Session) -> int:
    """How often the description was asked for."""
    return sum(exchange.path == DESCRIPTION for exchange in session.activity.exchanges)


async def sent_on(session: Session) -> dict:
    """What the second message of a chat sends."""
    chat_id = await session.chats.send("", Draft(text="Good morning"))
    await until(lambda: not session.chats.is_streaming(chat_id), "the first reply has ended")
    await session.chats.send(chat_id, Draft(text="And?", redact_pii=True))
    await until(lambda: not session.chats.is_streaming(chat_id), "the second reply has ended")
    return json.loads(session.activity.exchanges[-1].request)


async def test_it_is_read_once_an_account_and_used_at_the_next_connection(
    tmp_path: Path, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carrel.work.asking.local_zone", lambda: "Europe/Lisbon")
    account = account_of(service)
    async with open_session(tmp_path, account) as session:
        assert session.reference.kept is None
        assert not session.workflows.tells_status
        assert set(await sent_on(session)) == {"content", "additional_metadata"}
        assert await session.learn()
        learned = session.reference.kept.learned
        assert learned.run_status_path == "/external/workflows/{group_id}/runs/{run_id}"
        assert (learned.workflow_page, learned.workflow_search) == ("page", "search")
        assert {"content", "model", "user_timezone", "additional_metadata"} <= set(learned.continue_fields)
        assert learned.source == service.base_url + DESCRIPTION
        assert (await sent_on(session))["user_timezone"] == "Europe/Lisbon"
        assert read(session) == 1
    async with open_session(tmp_path, account) as session:
        assert session.workflows.tells_status
        assert session.reference.kept.learned == learned
        assert await session.learn()
        assert read(session) == 0
        assert await session.learn(again=True)
        assert read(session) == 1
    async with open_session(tmp_path, account, "another") as session:
        assert session.reference.kept is None


async def test_switched_off_it_is_neither_used_nor_read_and_on_again_it_is_there(
    tmp_path: Path, service: RunningService
) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        await session.learn()
        await session.change_account("use_reference", False)
        assert session.reference.kept is None
        assert not session.workflows.tells_status
        assert not await session.learn(again=True)
        await session.change_account("use_reference", True)
        assert session.workflows.tells_status
        assert read(session) == 1


async def test_what_was_read_at_another_address_is_not_used(tmp_path: Path, service: RunningService) -> None:
    async with open_session(tmp_path, account_of(service)) as session:
        await session.learn()
        with built_in_service(tmp_path / "other", "--pace", "0") as other:
            await session.reconnect(account_of(other))
            assert session.reference.kept is None
            assert await session.learn()
            assert session.reference.kept.learned.source.startswith(other.base_url)


async def test_where_it_cannot_be_read_again_what_is_known_stays(tmp_path: Path) -> None:
    told = {"paths": {"/external/workflows": {"get": {"parameters": [{"in": "query", "name": "pageNumber"}]}}}}
    gone = False

    async def page(peer: Peer) -> None:
        await peer.answer(b'<a href="openapi.json">', content_type="text/html")

    async def description(peer: Peer) -> None:
        await (peer.json({}, 404) if gone else peer.json(told))

    async def listed(peer: Peer) -> None:
        await peer.json({"data": []})

    def asked(server: Faulty) -> dict[str, str]:
        return server.seen[-1].query

    table = {f"GET {PAGE}": page, f"GET {DESCRIPTION}": description, "GET /external/workflows": listed}
    async with faulty(routes(table)) as server:
        account: Account = server.account()
        async with open_session(tmp_path, account) as session:
            assert await session.learn()
            gone = True
            assert not await session.learn(again=True)
            await session.workflows.page(WorkflowQuery(page=3))
            assert asked(server)["pageNumber"] == "3"
        async with open_session(tmp_path, account) as session:
            await session.workflows.page(WorkflowQuery(page=4))
            assert asked(server)["pageNumber"] == "4"
