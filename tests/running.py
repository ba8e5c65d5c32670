"""Starts the built-in service as a real process, for tests that speak to it over a real socket."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

_TROUBLE = (" ERROR ", " CRITICAL ", "Traceback (most recent call last)", "Exception ignored")


@dataclass
class RunningService:
    """A service that answers. `expected` holds parts of log lines that are trouble, but wanted by the test."""

    base_url: str
    legacy_base_url: str
    client_id: str
    api_key: str = field(repr=False)
    secret: str = field(repr=False)
    process: "subprocess.Popen[str]" = field(repr=False)
    log_file: Path
    expected: list[str] = field(default_factory=list)

    @property
    def headers(self) -> dict[str, str]:
        """The current interface's credentials."""
        return {"X-Client-ID": self.client_id, "X-API-Key": self.api_key, "X-Secret": self.secret}

    @property
    def legacy_headers(self) -> dict[str, str]:
        """The earlier interface's credentials."""
        return {"client-id": self.client_id, "private-key": self.api_key, "secret": self.secret}

    def client(self, **options: Any) -> httpx.Client:
        """A plain HTTP client with the current interface's credentials."""
        return httpx.Client(base_url=self.base_url, headers=self.headers, timeout=30, trust_env=False, **options)

    def log(self) -> str:
        """What the service has written to standard error so far."""
        return self.log_file.read_text("utf-8", "replace")

    def stop(self) -> int:
        """End it the way a desktop does, and return its exit status."""
        self.process.terminate()
        return self.process.wait(timeout=30)

    def kill(self) -> None:
        """End it the way a power cut does."""
        self.process.kill()
        self.process.wait(timeout=30)


@contextmanager
def built_in_service(data: Path, *options: str, env: dict[str, str] | None = None) -> Iterator[RunningService]:
    """A service on `data`; at the end it is killed, and trouble in its log fails the caller."""
    handle, name = tempfile.mkstemp(suffix=".log", prefix="service-")
    log_file = Path(name)
    with os.fdopen(handle, "w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "carrel_service", "--data", str(data), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, **(env or {})},
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, f"the service did not start:\n{log_file.read_text()}"
        service = RunningService(**json.loads(line), process=process, log_file=log_file)
        yield service
        trouble = _trouble(service)
        assert not trouble, "the service logged trouble:\n" + "\n".join(trouble)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        log_file.unlink()


def wait_until(holds: Callable[[], Any], what: str, seconds: float = 60) -> Any:
    """Poll until `holds()` is true and return what it gave; the time is only there to end a broken test."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds:.0f} s in vain: {what}")


def upload(client: httpx.Client, files: dict[str, bytes], folder: str = "") -> dict[str, str]:
    """Upload files by name; returns their ids by name."""
    parts = [("files", (name, content)) for name, content in files.items()]
    answer = client.post("/external/upload", files=parts, data={"folder_paths": folder})
    assert answer.status_code == 200, answer.text
    return {item["file_name"]: item["id"] for item in answer.json()["data"]}


def states(client: httpx.Client) -> dict[str, str]:
    """Every file's state, by file name, for libraries of one page."""
    items = client.get("/external/libraries", params={"page_size": 100}).json()["items"]
    return {item["file_name"]: item["state"] for item in items}


def wait_indexed(client: httpx.Client, seconds: float = 120) -> dict[str, str]:
    """Wait until nothing is loading, ever more patiently to spare the request budget; returns the states."""
    end, pause = time.monotonic() + seconds, 0.1
    while "loading" in (now := states(client)).values():
        assert time.monotonic() < end, f"still loading: {now}"
        time.sleep(pause)
        pause = min(pause * 1.3, 2.0)
    return now


def _trouble(service: RunningService) -> list[str]:
    lines = [line for line in service.log().splitlines() if any(sign in line for sign in _TROUBLE)]
    return [line for line in lines if not any(wanted in line for wanted in service.expected)]
