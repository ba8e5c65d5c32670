"""Agent runs with a model of the person's own: its tools, its bounds, what it hands over."""

import json
from typing import Any

import httpx

from fake_models import FakeModels, said
from running import RunningService
from streamed import chat


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": function}]}


def test_an_agent_works_with_its_tools(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = [
        call("search", query="annual rent"),
        call("calculate", expression="84000 / 12"),
        call("read_file", file="supplier-quotes.txt"),
        call("write_file", name="../rent.csv", content="month,rent\n1,7000\n"),
        call("write_file", name="rent.xlsx", content="month,rent\n1,7000\n=1+1,2\n"),
        call("no_such_tool"),
        {"role": "assistant", "content": "<think>done</think>The rent is **7,000** a month (harbour-lease.md)."},
    ]
    answer = client.post("/external/agents/run", json={"prompt": "What is the rent each month?"}).json()
    assert answer["success"] is True
    assert answer["error"] is None
    assert answer["output"] == "The rent is **7,000** a month (harbour-lease.md)."
    assert [file["filename"] for file in answer["generated_files"]] == ["rent.csv", "rent.xlsx"]
    for file in answer["generated_files"]:
        content = client.get(file["url"]).content
        assert len(content) == file["size"] > 0
    results = [message["content"] for message in models.requests[-1]["messages"] if message["role"] == "tool"]
    assert "84,000 pounds" in results[0]
    assert results[1] == "7000.0"
    assert "Acme" in results[2]
    assert "There is no tool no_such_tool" in results[5]


def test_a_sheet_that_cannot_be_made_is_told_to_the_model_and_the_run_goes_on(
    client: httpx.Client, models: FakeModels
) -> None:
    models.script["small"] = [
        call("write_file", name="long.xlsx", content="name\n" + "x" * 140_000 + "\n"),
        call("write_file", name="bell.xlsx", content="name,rent\nbell\x07,1\n"),
        {"role": "assistant", "content": "Written."},
    ]
    answer = client.post("/external/agents/run", json={"prompt": "Write two sheets"}).json()
    assert answer["success"] is True
    results = [message["content"] for message in models.requests[-1]["messages"] if message["role"] == "tool"]
    assert results[0].startswith("That did not work: ")
    assert results[1].startswith("Written: bell.xlsx")


def test_an_agent_that_writes_nothing_still_hands_over_two_files(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = [{"role": "assistant", "content": "Nothing to do."}]
    answer = client.post("/external/agents/run", json={"prompt": "Check the rent"}).json()
    assert [file["filename"] for file in answer["generated_files"]] == ["check-rent.pdf", "check-rent-sources.csv"]


def test_an_agents_steps_are_bounded(client: httpx.Client, models: FakeModels) -> None:
    endless = [call("calculate", expression="1+1") for _ in range(50)]
    models.script["small"] = endless
    client.post("/external/agents/run", json={"prompt": "Never stop"})
    assert len(models.requests) == 13
    assert "tools" not in models.requests[-1]


def test_a_server_without_tools_is_given_passages_instead(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = said("From passages.")
    refuse_tools = (400, "this model does not support tools")
    models.refuse = refuse_tools

    class OnlyTools(list[dict[str, Any]]):
        """Lets the server refuse the first request only."""

        def append(self, request: dict[str, Any]) -> None:
            super().append(request)
            models.refuse = refuse_tools if "tools" in request else None

    models.requests = OnlyTools()
    answer = client.post("/external/agents/run", json={"prompt": "What is the annual rent?"}).json()
    models.requests = []
    assert answer["output"] == "From passages."


def test_a_failed_agent_says_so_in_its_result(
    client: httpx.Client, models: FakeModels, service: RunningService
) -> None:
    models.refuse = (503, "loading")
    answer = client.post("/external/agents/run", json={"prompt": "What is the rent?"})
    assert answer.status_code == 200
    assert answer.json()["success"] is False
    assert "could not go on" in answer.json()["error"]
    assert "answered 503" in service.log()


def test_in_a_chat_the_agents_steps_are_thinking(client: httpx.Client, models: FakeModels) -> None:
    models.script["small"] = [
        call("calculate", expression="2 * 21"),
        call("write_file", name="sum.txt", content="42"),
        {"role": "assistant", "content": "It is 42."},
    ]
    told = chat(client, "Add up.", additional_metadata={"agentic_mode": True, "think": True})
    assert "calculate" in told.text("thinking")
    assert told.text() == "It is 42."
    assert told.payload("done")["generated_files"][0]["filename"] == "sum.txt"
