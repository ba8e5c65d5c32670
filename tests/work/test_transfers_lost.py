"""Uploads whose answers are lost, odd or late: nothing is called ready that is not, and nothing goes twice unasked."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from carrel.work import seeking
from faulty import Peer, faulty, routes
from inbox import LIST, UPLOAD, Inbox, notes, only, states
from sessions import open_session, until

LARGE = 5_000_000


@pytest.mark.parametrize(("answer", "named"), [("names three", 3), ("names none", 0)])
async def test_a_file_that_the_answer_does_not_name_is_not_ready(tmp_path: Path, answer: str, named: int) -> None:
    inbox = Inbox(answer)
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(notes(tmp_path, *(f"n{number}.txt" for number in range(5))))
        ended = {"done", "interrupted"}
        await until(lambda: {row.state for row in session.uploads.rows()} <= ended, "all have ended")
        rows = session.uploads.rows()
        assert [row.state for row in rows] == ["done"] * named + ["interrupted"] * (5 - named)
        assert {row.error for row in rows[named:]} == {
            "The service's answer does not name this file. Look in the library first."
        }


async def test_try_again_sends_nothing_while_the_library_cannot_be_asked(tmp_path: Path) -> None:
    inbox = Inbox("kept, lost")
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(notes(tmp_path, "a.txt"))
        await until(lambda: states(session) == {"a.txt": "interrupted"}, "the answer is lost")
        inbox.lists = False
        await session.uploads.retry(only(session).id)
        assert only(session).state == "interrupted"
        assert only(session).error.startswith("The library could not be asked, so nothing was sent again.")
        inbox.lists = True
        await session.uploads.retry(only(session).id)
        await until(lambda: states(session) == {"a.txt": "done"}, "it is found")
    assert inbox.taken == [["a.txt"]]


async def test_try_again_looks_first_after_an_answer_of_a_gateway(tmp_path: Path) -> None:
    inbox = Inbox("kept, 504")
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(notes(tmp_path, "a.txt"))
        await until(lambda: states(session) == {"a.txt": "interrupted"}, "nobody knows")
        assert only(session).error.startswith("Perhaps not sent. Look in the library first. The gateway waited")
        await session.uploads.retry(only(session).id)
        await until(lambda: states(session) == {"a.txt": "done"}, "it is found")
    assert inbox.taken == [["a.txt"]]


async def test_a_batch_that_was_cut_is_not_sent_again_by_itself(tmp_path: Path) -> None:
    files = notes(tmp_path, "a.txt", "b.txt")
    files[1].write_bytes(b"b" * 3_500_000)

    async def take(peer: Peer) -> None:
        await peer.some(1000)
        await asyncio.to_thread(files[1].write_bytes, b"changed")
        while await peer.some(1 << 20):
            pass
        peer.close()

    async with (
        faulty(routes({UPLOAD: take, LIST: Inbox().list})) as server,
        open_session(tmp_path / "home", server.account()) as session,
    ):
        await session.uploads.add(files)
        await until(lambda: set(states(session).values()) == {"interrupted"}, "both say so")
        assert "“b.txt” changed while it was sent" in only(session).error
        await until(lambda: not session.tasks.running("up:follow"), "nothing is under way")
        assert len(server.asked("/external/upload")) == 1


async def test_a_new_version_is_not_taken_for_the_former(tmp_path: Path) -> None:
    inbox = Inbox("good", "lost")
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(notes(tmp_path, "a.txt"))
        await until(lambda: states(session) == {"a.txt": "done"}, "the first is ready")
        await session.uploads.clear()
        (tmp_path / "a.txt").write_text("This is another version of it.")
        await session.uploads.add([tmp_path / "a.txt"])
        await until(lambda: states(session) == {"a.txt": "interrupted"}, "the second is lost")
        await session.uploads.retry(only(session).id)
        await until(lambda: states(session) == {"a.txt": "done"}, "it was sent when asked")
    assert inbox.taken == [["a.txt"]] * 3


async def test_a_new_version_is_not_taken_for_the_former_after_a_restart(tmp_path: Path) -> None:
    inbox = Inbox("good", "lost")
    async with faulty(inbox.table()) as server:
        async with open_session(tmp_path / "home", server.account()) as session:
            await session.uploads.add(notes(tmp_path, "a.txt"))
            await until(lambda: states(session) == {"a.txt": "done"}, "the first is ready")
            await until(lambda: not session.tasks.running("up:hash"), "its content is remembered")
            await session.uploads.clear()
            (tmp_path / "a.txt").write_text("This is another version of it.")
            await session.uploads.add([tmp_path / "a.txt"])
            await until(lambda: states(session) == {"a.txt": "interrupted"}, "the second is lost")
        async with open_session(tmp_path / "home", server.account()) as session:
            await session.uploads.retry(only(session).id)
            await until(lambda: states(session) == {"a.txt": "done"}, "it was sent when asked")
    assert inbox.taken == [["a.txt"]] * 3


async def test_try_all_again_asks_for_a_page_and_not_for_each_row(tmp_path: Path) -> None:
    inbox = Inbox(*["kept, lost"] * 2, "lost")
    files = notes(tmp_path, *(f"n{number:02}.txt" for number in range(45)))
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(files)
        await until(lambda: set(states(session).values()) == {"interrupted"}, "no answer has come")
        inbox.listed.clear()
        said: set[str] = set()
        session.uploads.changed.connect(lambda i: said.add(session.uploads.row(i).error))
        await session.uploads.retry(*(row.id for row in session.uploads.rows()))
        await until(lambda: set(states(session).values()) == {"done"}, "40 are found, and 5 are sent")
        assert "Looking whether it arrived…" in said
        assert [query for query in inbox.listed if query.get("search")] == []
    assert sorted(map(len, inbox.taken)) == [5, 5, 20, 20]


async def test_a_copy_goes_where_what_it_is_a_copy_of_does_not(tmp_path: Path) -> None:
    inbox = Inbox("refused")
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text("One and the same sentence.")
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add([tmp_path / name for name in ("a.txt", "b.txt", "c.txt")])
        wanted = {"a.txt": "failed", "b.txt": "done", "c.txt": "duplicate"}
        await until(lambda: states(session) == wanted, "the second goes in its place")
        copy = session.uploads.rows()[2]
        await until(lambda: session.uploads.row(copy.id).file_id, "the third is a copy of what the service has")
        assert session.uploads.row(copy.id).error == "It has the same content as “b.txt”."
    assert inbox.taken == [["a.txt"], ["b.txt"]]


async def test_a_copy_of_what_is_cancelled_says_so_and_is_not_sent_in_its_place(tmp_path: Path) -> None:
    inbox, told = Inbox(), []
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("One and the same sentence.")
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        session.uploads.hold("for this test")
        await session.uploads.add([tmp_path / "a.txt", tmp_path / "b.txt"])
        await until(lambda: states(session)["b.txt"] == "duplicate", "it is set aside")
        session.uploads.ended.connect(told.append)
        await session.uploads.cancel(only(session).id)
        copy = session.uploads.rows()[1]
        assert copy.error == "It has the same content as “a.txt”, which was cancelled."
        session.uploads.go_on()
        await until(lambda: not session.tasks.running("up:follow"), "all is over")
        await session.uploads.clear()
        assert states(session) == {"b.txt": "duplicate"}
        await session.uploads.retry(copy.id)
        await until(lambda: states(session) == {"b.txt": "done"}, "it is sent when asked")
    assert [batch.copies for batch in told] in ([], [0]), "nothing was there already"


async def test_a_file_that_could_not_be_indexed_is_sent_once_more(tmp_path: Path) -> None:
    inbox = Inbox()
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(notes(tmp_path, "a.txt"))
        await until(lambda: inbox.files, "it was sent")
        inbox.files[0]["state"] = "indexing_error"
        await until(lambda: states(session) == {"a.txt": "failed"}, "it could not be indexed")
        await until(lambda: not session.tasks.running("up:hash"), "its content is remembered")
        await session.uploads.retry(only(session).id)
        await until(lambda: states(session) == {"a.txt": "done"}, "it was sent once more")
    assert inbox.taken == [["a.txt"]] * 2


async def test_cancel_ends_an_upload_that_waits_for_its_answer(tmp_path: Path) -> None:
    inbox = Inbox("late")
    async with faulty(inbox.table()) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(notes(tmp_path, "a.txt", "b.txt"))
        await until(lambda: session.uploads._all_sent, "all has left")
        await session.uploads.pause(only(session).id)
        assert only(session).state == "moving", "what has left cannot be paused"
        await session.uploads.cancel(only(session).id)
        assert set(states(session).values()) == {"interrupted"}, "what shares its request has perhaps arrived too"
        assert only(session).error.startswith("Perhaps not sent. Look in the library first. It was cancelled")
        assert len(server.asked("/external/upload")) == 1


async def test_a_file_that_grew_while_it_waited_shows_its_size_and_can_be_stopped(tmp_path: Path) -> None:
    async def take(peer: Peer) -> None:
        await peer.some(1_000_000)
        await peer.gone()

    files = notes(tmp_path, "a.txt", "b.txt")
    table = {UPLOAD: take, LIST: Inbox().list}
    async with faulty(routes(table)) as server, open_session(tmp_path / "home", server.account()) as session:
        session.uploads.hold("for this test")
        await session.uploads.add(files)
        await asyncio.to_thread(files[0].write_bytes, b"a" * 40_000_000)
        session.uploads.go_on()
        await until(lambda: only(session).moved > 100_000, "it moves")
        assert only(session).size == 40_000_000
        assert len(server.asked("/external/upload")) >= 1
        await session.uploads.cancel(only(session).id)
        assert only(session).state == "cancelled"


async def test_what_waited_is_told_of_after_a_restart(tmp_path: Path) -> None:
    inbox, told = Inbox(), []
    async with faulty(inbox.table()) as server:
        account = server.account()
        async with open_session(tmp_path / "home", account) as session:
            session.uploads.hold("for this test")
            await session.uploads.add(notes(tmp_path, "a.txt", "b.txt"))
        async with open_session(tmp_path / "home", account) as session:
            session.uploads.ended.connect(told.append)
            await until(lambda: told, "it is told how they ended")
    assert told[0].ready == 2


async def test_a_page_that_is_not_in_order_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that ignores how it is to sort: then each row is searched for."""
    monkeypatch.setattr(seeking, "CLOCKS", 0.0)
    inbox = Inbox("kept, lost")
    old = datetime.fromtimestamp(time.time() - 9000, UTC).replace(tzinfo=None).isoformat()

    async def some(peer: Peer) -> None:
        if peer.seen.query.get("search"):
            await inbox.list(peer)
            return
        items = [{"id": "new", "file_name": "z.txt"}, {"id": "old", "file_name": "y.txt", "created_at": old}]
        counts = {"total_items": 999, "providers": {}, "page": 1, "page_size": 100, "total_pages": 10}
        await peer.json({**counts, "items": items})

    table = {UPLOAD: inbox.take, LIST: some}
    async with faulty(routes(table)) as server, open_session(tmp_path / "home", server.account()) as session:
        await session.uploads.add(notes(tmp_path, "a.txt", "b.txt"))
        await until(lambda: set(states(session).values()) == {"interrupted"}, "the answer is lost")
        await session.uploads.retry(*(row.id for row in session.uploads.rows()))
        await until(lambda: set(states(session).values()) == {"done"}, "both are found")
    assert inbox.taken == [["a.txt", "b.txt"]]
