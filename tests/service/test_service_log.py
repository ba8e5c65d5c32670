"""What the service's log keeps: no address that it fetched, for such a link may be signed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from running import built_in_service, wait_until

SIGNATURE = "X-Amz-Signature=TOPSECRET"


class Invoices(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"Invoice\nTotal: 100.00\n"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing is said."""


@pytest.fixture
def link() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Invoices)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/invoice.txt?{SIGNATURE}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("level", ["INFO", "DEBUG"])
def test_a_signed_link_does_not_stand_in_it(tmp_path: Path, link: str, level: str) -> None:
    with built_in_service(tmp_path / "data", "--log-level", level, "--rate-limit", "100000") as service:
        with service.client() as client:
            body = {"inputs": {"file_urls": {"invoice-files": link}}}
            run = client.post("/external/workflows/invoice-check/runs", json=body).json()["data"]
            path = f"/external/workflows/invoice-check/runs/{run['run_id']}"
            ended = ("completed", "failed")
            wait_until(lambda: client.get(path).json()["data"]["status"] in ended, "the run's end")
            assert client.get(path).json()["data"]["status"] == "completed"
        service.stop()
        assert "Signature" not in service.log()
        assert "TOPSECRET" not in service.log()
