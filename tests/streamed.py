"""Reads a chat stream of the built-in service event by event, as any client would see it on the wire."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

Event = tuple[str, dict[str, Any]]


@dataclass
class Streamed:
    """A whole stream, in its order."""

    events: list[Event] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The event names, runs of the same one told once."""
        return [name for i, (name, _) in enumerate(self.events) if i == 0 or self.events[i - 1][0] != name]

    def payload(self, name: str) -> dict[str, Any]:
        """The payload of the first event of that name."""
        return next(payload for found, payload in self.events if found == name)

    def text(self, name: str = "content", message_id: str | None = None) -> str:
        """The joined chunks, of one message or of all."""
        return "".join(
            payload["content"]
            for found, payload in self.events
            if found == name and message_id in (None, payload.get("message_id"))
        )

    def count(self, name: str) -> int:
        """How many events of that name came."""
        return sum(found == name for found, _ in self.events)

    @property
    def conversation_id(self) -> str:
        """The conversation, as the first event names it."""
        return str(self.payload("stream_meta")["conversation_id"])


def events(response: httpx.Response) -> Iterator[Event]:
    """The events of an open stream, as they come."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def chat(client: httpx.Client, content: str, conversation_id: str = "", **body: Any) -> Streamed:
    """Send a message, in a new conversation or in that one, and read the stream to its end."""
    path = f"/external/conversations/{conversation_id}".rstrip("/")
    with client.stream("POST", path, json={"content": content, **body}) as response:
        if response.status_code != 200:
            response.read()
        assert response.status_code == 200, response.text
        assert response.headers["content-type"].startswith("text/event-stream")
        return Streamed(list(events(response)))
