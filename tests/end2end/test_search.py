"""Stories of a person who searches, in the real window, mostly on the real built-in service."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt

from faulty import Peer, faulty_thread, routes
from running import built_in_service
from sessions import account_of
from stage import Stage, play
from stories import indexed, search

QUERY = "renewal notice served by post"


def asked(stage: Stage, path: str) -> list[dict]:
    """The bodies that were sent to a path."""
    return [json.loads(e.request) for e in stage.desk.session.activity.exchanges if e.path == path]


def test_hits_are_ranked_and_go_into_a_chat(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("search")
        await search(stage, QUERY)
        results = stage.hand.find("search.results")
        await stage.hand.until(lambda: "Contracts / Property" in results.plain_text(), "the folders are known")
        titles = [line for line in results.plain_text().splitlines() if line.endswith((".pdf", ".docx", ".zip", ".md"))]
        assert {"harbour-lease.pdf", "landlord-correspondence.docx"} <= set(titles)
        scores = [float(line) for line in results.plain_text().splitlines() if line.replace(".", "").isdigit()]
        assert scores[0] == 1.0
        assert scores == sorted(scores, reverse=True)
        assert "results in" in stage.hand.words("search.status")
        assert not stage.hand.find("search.about").isEnabled()
        results.setFocus()
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Space):
            stage.hand.key("search.results", key)
        assert stage.hand.find("search.about").text() == "Ask about 2 selected"
        stage.hand.click("search.about")
        await stage.hand.until(lambda: stage.window.front == "chat", "the chat is in front")
        stage.hand.type("chat.composer", "How must it be delivered?")
        stage.hand.click("chat.send")
        await stage.hand.until(lambda: asked(stage, "/external/conversations"), "the reply has ended")
        [body] = asked(stage, "/external/conversations")
        library = {f.id: f.file_name for f in (await stage.desk.session.search.files(""))}
        assert {library[i] for i in body["document_ids"]} <= {"harbour-lease.pdf", "landlord-correspondence.docx"}
        assert "notice" in body["quoted_text"]

    play(tmp_path, story)


def test_options_are_sent_and_asked_anew(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("search")
        await search(stage, "contract")
        assert asked(stage, "/external/search") == [{"keyword": "contract"}]
        for kind in ("file", "conversation"):
            stage.hand.click(f"search.kind.{kind}")
        stage.hand.click("search.grouped")
        await stage.hand.until(lambda: len(asked(stage, "/external/search")) == 2, "the search is asked anew")
        assert asked(stage, "/external/search")[1] == {
            "keyword": "contract",
            "types": ["workflow"],
            "group_by_file": True,
        }
        results = stage.hand.find("search.results")
        await stage.hand.until(lambda: "Contract intake" in results.plain_text(), "workflows are found")
        assert ".pdf" not in results.plain_text()

    play(tmp_path, story)


def test_an_empty_query_is_said_and_not_sent(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        stage.window.go("search")
        stage.hand.type("search.query", "   ")
        stage.hand.click("search.go")
        await stage.hand.settle()
        assert "Nothing to search for" in stage.hand.words("search.note")
        assert asked(stage, "/external/search") == []
        stage.hand.type("search.query", "lease")
        assert not stage.hand.sees("search.note")

    play(tmp_path, story)


def test_nothing_found_offers_to_look_wider(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("search")
        stage.hand.click("search.kind.file")
        stage.hand.click("search.kind.conversation")
        await search(stage, "zzyzx")
        assert "Nothing found" in stage.hand.words("search.empty")
        stage.hand.click("search.empty.wider")
        await stage.hand.until(lambda: len(asked(stage, "/external/search")) == 2, "the search is asked anew")
        assert "types" not in asked(stage, "/external/search")[1]

    play(tmp_path, story)


def test_recent_queries_are_there_after_a_restart(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("search")
        stage.hand.find("search.most").setValue(3)
        await search(stage, QUERY)

    async def second(stage: Stage) -> None:
        await indexed(stage)
        stage.window.go("search")
        assert [item.title for item in stage.hand.find("search.recent").items()] == [QUERY]
        stage.hand.find("search.recent").chosen.emit("0")
        await stage.hand.until(lambda: asked(stage, "/external/search"), "it is asked again")
        assert asked(stage, "/external/search") == [{"keyword": QUERY, "limit": 3}]
        assert stage.hand.find("search.query").text() == QUERY
        stage.hand.click("search.forget")
        await stage.hand.until(lambda: not stage.hand.find("search.recent").items(), "the queries are forgotten")

    play(tmp_path, first)
    play(tmp_path, second)


def test_a_failure_is_said_and_can_be_tried_again(tmp_path: Path) -> None:
    answers = [(400, {"error": "bad", "message": "the index is being moved"}), (200, {"success": True, "results": []})]

    async def answer(peer: Peer) -> None:
        status, body = answers.pop(0)
        await peer.json(body, status)

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        stage.window.go("search")
        stage.hand.type("search.query", "lease")
        stage.hand.click("search.go")
        await stage.hand.until(
            lambda: "being moved" in stage.hand.words("search.note"), "the service's words are shown"
        )
        stage.hand.click("search.note.again")
        await stage.hand.until(
            lambda: "Nothing found" in stage.hand.words("search.empty"), "the second answer is shown"
        )

    with faulty_thread(routes({"POST /external/search": answer})) as server:
        play(tmp_path, story, built_in=False)


def test_the_earlier_interface_says_that_it_takes_only_words(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await stage.desk.add_account(account_of(service, "earlier"))
        stage.window.go("search")
        assert not stage.hand.sees("search.balance")
        await search(stage, QUERY)
        assert asked(stage, "/api/external/semantic-search")[0]["keyword"] == QUERY
        stage.window.go("agents")
        assert "has no agents" in stage.hand.words("agents.empty")
        stage.window.go("workflows")
        assert "has no workflows" in stage.hand.words("workflows.empty")

    with built_in_service(tmp_path / "service", "--pace", "0") as service:
        play(tmp_path / "home", story, built_in=False)
