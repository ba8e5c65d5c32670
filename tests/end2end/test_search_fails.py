"""The story of a person whose second search fails: what the first one found is still there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from faulty import Peer, faulty_thread, routes
from stage import Stage, play

FOUND = {
    "success": True,
    "results": [
        {"id": "f1", "title": "harbour-lease.pdf", "content": "The lease ends.", "score": 0.9, "type": "file"},
        {"id": "f2", "title": "handbook.pdf", "content": "Of leases.", "score": 0.8, "type": "file"},
    ],
}


def test_what_was_found_before_stays(tmp_path: Path) -> None:
    answers = [(200, FOUND), (400, {"error": "down", "message": "the index is away"}), (200, {"results": []})]

    async def answer(peer: Peer) -> None:
        status, body = answers.pop(0)
        await peer.json(body, status)

    async def story(stage: Stage) -> None:
        hand = stage.hand
        await stage.desk.add_account(server.account())
        stage.window.go("search")
        stage.window.activateWindow()
        hand.type("search.query", "lease")
        hand.click("search.go")
        await hand.until(lambda: "2 results in" in hand.words("search.status"), "two are found")
        hand.find("search.results").tick(1)
        hand.type("search.query", "contract")
        hand.click("search.go")
        await hand.until(lambda: hand.sees("search.note"), "the failure is said")
        assert hand.words("search.status") == "2 results from before, for “lease”"
        assert "handbook.pdf" in hand.find("search.results").plain_text()
        assert hand.find("search.results").isVisible()
        assert hand.find("search.results").ticked() == [1]
        hand.find("search.note.again").setFocus()
        hand.click("search.note.again")
        assert QApplication.focusWidget() is hand.find("search.query")
        await hand.until(lambda: "Nothing found" in hand.words("search.empty"), "the third answer is shown")

    with faulty_thread(routes({"POST /external/search": answer})) as server:
        play(tmp_path, story, built_in=False)
