"""A small OpenAI-compatible server over a real socket: what it answers is scripted by the test, what it got is kept."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeModels:
    """`script` maps a model id to what it says next: raw delta objects to stream, or messages to give whole."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self._server = server
        self.models = ["small", "large"]
        self.script: dict[str, list[Any]] = {}
        self.requests: list[dict[str, Any]] = []
        self.broken_off = threading.Event()
        self.hold = threading.Event()
        self.refuse: tuple[int, str] | None = None
        self.ends_early = False

    @property
    def url(self) -> str:
        """The base address, such as http://127.0.0.1:1234/v1."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def prompts(self) -> str:
        """Everything that was ever sent to a model, as one text."""
        return json.dumps([request["messages"] for request in self.requests], ensure_ascii=False)


@contextmanager
def fake_models() -> Iterator[FakeModels]:
    """The server, ended with the block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    server.fake = FakeModels(server)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.fake
    finally:
        server.fake.hold.set()
        server.shutdown()
        thread.join()
        server.server_close()


def said(*chunks: str, **fields: str) -> list[dict[str, Any]]:
    """Deltas that say these chunks; further fields, such as `reasoning`, come first."""
    return [{key: value} for key, value in fields.items()] + [{"content": chunk} for chunk in chunks]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        fake: FakeModels = self.server.fake
        self._json(200, {"object": "list", "data": [{"id": model} for model in fake.models]})

    def do_POST(self) -> None:
        fake: FakeModels = self.server.fake
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fake.requests.append(request)
        if fake.refuse:
            self._json(fake.refuse[0], {"error": {"message": fake.refuse[1]}})
        elif request["stream"]:
            self._stream(fake, fake.script[request["model"]])
        else:
            message = fake.script[request["model"]].pop(0)
            self._json(200, {"choices": [{"message": message}]})

    def _stream(self, fake: FakeModels, deltas: Sequence[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for delta in deltas:
                if "hold" in delta:
                    self._beat_until_free(fake)
                elif "raw" in delta:
                    self._send(delta["raw"])
                else:
                    self._send("data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}) + "\n\n")
            if not fake.ends_early:
                self._send('data: {"choices": [], "usage": {"total_tokens": 7}}\n\n')
                self._send("data: [DONE]\n\n")
        except OSError:
            fake.broken_off.set()

    def _beat_until_free(self, fake: FakeModels) -> None:
        """A model that is thinking: nothing but comments, until the test lets it go or the caller leaves."""
        while not fake.hold.wait(0.02):
            self._send(": waiting\n\n")

    def _send(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()

    def _json(self, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
