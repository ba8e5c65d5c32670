"""Stories of a person who queues workflow runs, in the real window, on the real built-in service or a faulty one."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox

from faulty import Faulty, Handler, Peer, faulty_thread, routes
from stage import Stage, play
from stories import indexed, take

LIST, QUEUE = "GET /external/workflows", "POST /external/workflows/g-12/runs"


async def open_workflow(stage: Stage, title: str) -> None:
    """Go to the pane and choose a workflow by its title."""
    stage.window.go("workflows")
    listed = stage.hand.find("workflows.list")
    await stage.hand.until(listed.items, "the workflows are listed")
    key = next(item.key for item in listed.items() if item.title == title)
    listed.select(key)
    listed.chosen.emit(key)
    await stage.hand.settle()


def shown(stage: Stage) -> dict:
    return json.loads(stage.hand.find("workflows.json").toPlainText())


def runs(stage: Stage) -> str:
    return stage.hand.words("workflows.runs")


def listing(version: int = 7, first: str = "intake_form") -> dict:
    item = {"group_id": "g-12", "workflow_id": f"w{version}", "title": "Contract intake", "version": version}
    told = {"current_page": 1, "page_size": 40, "total_items": 1, "total_pages": 1}
    return {"data": [item | {"first_step_id": first}], "pagination": told}


def serving(queue: Handler, *, lists: list[dict] | None = None) -> Handler:
    """A service with one workflow; `lists` are its listings, one after the other, the last one for good."""
    left = lists or [listing()]

    async def answer(peer: Peer) -> None:
        await peer.json(left.pop(0) if len(left) > 1 else left[0])

    return routes({LIST: answer, QUEUE: queue})


async def queued(peer: Peer) -> None:
    await peer.body()
    await peer.json({"data": {"run_id": peer.seen.json()["run_id"], "status": "queued", "queue_status": "pending"}})


def test_a_filled_form_is_queued_runs_and_is_remembered(tmp_path: Path) -> None:
    async def first(stage: Stage) -> None:
        await indexed(stage)
        hand = stage.hand
        await open_workflow(stage, "Contract intake")
        hand.type("workflows.step.0.field.0.name", "title")
        hand.type("workflows.step.0.field.0.value", "Harbour lease")
        hand.click("workflows.step.0.library")
        await take(stage, "harbour-lease.pdf")
        step = shown(stage)["inputs"]["form_inputs"]
        assert list(step.values()) == [{"title": "Harbour lease"}]
        hand.click("workflows.queue")
        await hand.until(lambda: "run_" in runs(stage), "the run is listed with its id")
        await hand.until(lambda: "completed" in runs(stage), "the run is completed")
        run = stage.desk.session.workflows.runs("contract-intake")[0]
        assert run.answer.queue_status in runs(stage)
        assert run.run_id in hand.words("workflows.run_facts")
        names = [f.file_name for f in await stage.desk.session.search.files("Contract intake")]
        assert any("Harbour lease" in name for name in names), "its result is in the library"

    async def second(stage: Stage) -> None:
        await open_workflow(stage, "Contract intake")
        assert shown(stage)["inputs"]["form_inputs"]["contract-details"] == {"title": "Harbour lease"}
        assert stage.desk.session.account.base_url in shown(stage)["inputs"]["file_urls"]["contract-details"]
        assert "completed" in runs(stage)
        assert not stage.hand.sees("workflows.note")

    play(tmp_path, first)
    play(tmp_path, second)


def test_form_and_json_follow_each_other(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await open_workflow(stage, "Folder digest")
        code = hand.find("workflows.json")
        code.setFocus()
        body = {"executor_timezone": 90, "inputs": {"form_inputs": {"digest-scope": {"folder": "HR", "deep": True}}}}
        code.setPlainText(json.dumps(body))
        name = lambda: hand.find("workflows.step.0.field.1.name").text()  # noqa: E731
        await hand.until(lambda: name() == "deep", "the form follows")
        assert hand.find("workflows.step.0.field.1.kind", QComboBox).currentData() == "yes-no"
        assert hand.find("workflows.zone").text() == "+90"
        hand.type("workflows.step.0.field.0.value", "Finance")
        assert shown(stage)["inputs"]["form_inputs"]["digest-scope"] == {"folder": "Finance", "deep": True}
        code.setFocus()
        code.setPlainText('{"executor_timezone": }')
        hand.click("workflows.queue")
        assert "not JSON" in hand.words("workflows.json_error")
        assert "Nothing was sent" in hand.words("workflows.note")
        assert stage.desk.session.workflows.runs("folder-digest") == []
        hand.click("workflows.curl")
        assert "$CARREL_SECRET" in QGuiApplication.clipboard().text()

    play(tmp_path, story)


def test_a_wrong_field_is_said_where_it_is_and_not_sent(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await open_workflow(stage, "Invoice check")
        hand.type("workflows.step.0.field.0.name", "expected_amount")
        kind = hand.find("workflows.step.0.field.0.kind", QComboBox)
        kind.setCurrentIndex(kind.findData("number"))
        kind.activated.emit(kind.currentIndex())
        hand.type("workflows.step.0.field.0.value", "many")
        hand.find("workflows.zone").setText("Nowhere/City")
        hand.click("workflows.queue")
        words = hand.words("workflows.form")
        assert "many is not a number" in words
        assert "time zone is not known" in words
        assert stage.desk.session.workflows.runs("invoice-check") == []

    play(tmp_path, story)


def test_the_list_is_searched_by_the_service(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await open_workflow(stage, "Contract intake")
        stage.hand.type("workflows.search", "digest")
        titles = lambda: [item.title for item in stage.hand.find("workflows.list").items()]  # noqa: E731
        await stage.hand.until(lambda: titles() == ["Folder digest"], "only the digest is listed")
        stage.hand.type("workflows.search", "nothing of the kind")
        await stage.hand.until(lambda: titles() == [], "nothing is listed")

    play(tmp_path, story)


def test_a_refused_run_shows_the_services_words(tmp_path: Path) -> None:
    async def refuse(peer: Peer) -> None:
        await peer.json({"error": "not_found", "message": "no active published workflow found"}, 404)

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        await open_workflow(stage, "Contract intake")
        stage.hand.click("workflows.queue")
        await stage.hand.until(lambda: "404" in runs(stage), "the run is listed as refused")
        assert "no active published workflow found" in stage.hand.words("workflows.run_note")

    with faulty_thread(serving(refuse)) as server:
        play(tmp_path, story, built_in=False)


def test_a_lost_reply_is_tried_again_with_the_same_id(tmp_path: Path) -> None:
    answers = [lost, queued]

    async def next_one(peer: Peer) -> None:
        await answers.pop(0)(peer)

    async def story(stage: Stage) -> None:
        await stage.desk.add_account(server.account())
        await open_workflow(stage, "Contract intake")
        stage.hand.type("workflows.run_id", "nightly-0412")
        stage.hand.click("workflows.queue")
        await stage.hand.until(lambda: "not confirmed" in runs(stage), "it is sent, not confirmed")
        assert "Sent, not confirmed" in stage.hand.words("workflows.run_note")
        stage.hand.click("workflows.run_note.again")
        await stage.hand.until(lambda: "pending" in runs(stage), "it is queued")
        assert sent_ids(server) == ["nightly-0412", "nightly-0412"]
        stage.hand.click("workflows.queue")
        await stage.hand.until(lambda: stage.hand.sees("workflows.note"), "the id is taken")
        assert "Nothing was sent" in stage.hand.words("workflows.note")
        assert len(sent_ids(server)) == 2
        assert "names no way to ask" in stage.hand.words("workflows.request_page")

    with faulty_thread(serving(next_one)) as server:
        play(tmp_path, story, built_in=False)


async def lost(peer: Peer) -> None:
    await peer.body()
    peer.reset()


def sent_ids(server: Faulty) -> list[str]:
    return [seen.json()["run_id"] for seen in server.asked("/external/workflows/g-12/runs")]


def test_a_workflow_that_has_changed_since_the_form_was_kept_is_said(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        hand = stage.hand
        await stage.desk.add_account(server.account())
        await open_workflow(stage, "Contract intake")
        hand.type("workflows.step.0.field.0.name", "counterparty")
        hand.type("workflows.step.0.field.0.value", "Acme")
        hand.click("workflows.queue")
        await hand.until(lambda: "pending" in runs(stage), "it is queued")
        hand.type("workflows.search", "intake")
        await hand.until(lambda: hand.find("workflows.list").items()[0].note == "v8", "the new version is listed")
        await open_workflow(stage, "Contract intake")
        words = hand.words("workflows.note")
        assert "The version was 7 and is now 8." in words
        assert "The first step was intake_form and is now details." in words
        hand.click("workflows.note.move")
        assert shown(stage)["inputs"]["form_inputs"] == {"details": {"counterparty": "Acme"}}
        await hand.settle(0.3)
        await open_workflow(stage, "Contract intake")
        assert not hand.sees("workflows.note")

    with faulty_thread(serving(queued, lists=[listing(), listing(8, "details")])) as server:
        play(tmp_path, story, built_in=False)


def test_the_list_is_paged_by_what_the_reply_says(tmp_path: Path) -> None:
    async def pages(peer: Peer) -> None:
        page = int(peer.seen.query.get("page", "1"))
        items = [{"group_id": f"g-{page}-{n}", "title": f"Page {page}, workflow {n}"} for n in range(20)]
        told = {"current_page": page, "page_size": 20, "total_items": 60, "total_pages": 3}
        await peer.json({"data": items, "pagination": told})

    async def story(stage: Stage) -> None:
        hand = stage.hand
        await stage.desk.add_account(server.account())
        stage.window.go("workflows")
        listed = hand.find("workflows.list")
        await hand.until(listed.items, "the first page is listed")
        assert listed.items()[0].title == "Page 1, workflow 0"
        assert "20 a page" in hand.words("workflows.list_note")
        assert not hand.find("workflows.page_back").isEnabled()
        hand.click("workflows.page_forth")
        await hand.until(lambda: listed.items()[0].title == "Page 2, workflow 0", "the second page is listed")

    with faulty_thread(routes({LIST: pages})) as server:
        play(tmp_path, story, built_in=False)
