"""How fast the built-in service takes in a large file, against curl into a socket that throws everything away."""

import os
import random
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service_told import memory, say

from running import built_in_service

FREELY = ("--rate-limit", "10000000")
MEGABYTE = 1_000_000


def upload_gigabyte(folder: Path) -> None:
    """One file of 10^9 bytes by curl, against curl into a socket that throws everything away."""
    big = folder / "big.zip"
    block = random.Random(1).randbytes(MEGABYTE)
    with big.open("wb") as out:
        for _ in range(1000):
            out.write(block)
    disk = max(_write_synced(folder / "copy", block) for _ in range(3))
    with _sink() as address:
        sink = max(_curl(address, big) for _ in range(3))
    with built_in_service(folder / "upload", *FREELY) as service:
        before = memory(service)
        rates = [_curl(f"{service.base_url}/external/upload", big, service.headers) for _ in range(3)]
        say("upload", f"{max(rates) / MEGABYTE:.0f} MB/s, synced to disk; {max(rates) / sink:.2f} × a socket sink,")
        say("", f"{max(rates) / disk:.2f} × writing and syncing a file of that size")
        say("", f"memory at its highest {memory(service, 'VmHWM') - before:+.0f} MB")
        service.kill()
    big.unlink()


def _write_synced(target: Path, block: bytes) -> float:
    """Bytes a second."""
    began = time.perf_counter()
    with target.open("wb") as out:
        for _ in range(1000):
            out.write(block)
        out.flush()
        os.fsync(out.fileno())
    target.unlink()
    return 1000 * len(block) / (time.perf_counter() - began)


def _curl(address: str, file: Path, headers: dict[str, str] | None = None) -> float:
    """Bytes a second."""
    shown = [part for name, value in (headers or {}).items() for part in ("-H", f"{name}: {value}")]
    told = subprocess.run(
        [
            "curl",
            "-sS",
            "-o",
            "/dev/null",
            "-w",
            "%{speed_upload} %{http_code}",
            *shown,
            "-F",
            f"files=@{file}",
            address,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    rate, status = told.stdout.split()
    assert status == "200", told
    return float(rate)


@contextmanager
def _sink() -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=_swallow, args=(listener,), daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    listener.close()


def _swallow(listener: socket.socket) -> None:
    """Read each request to the end that its Content-Length tells, then answer."""
    room = bytearray(MEGABYTE)
    while True:
        try:
            caller, _ = listener.accept()
        except OSError:
            return
        with caller:
            head = b""
            while b"\r\n\r\n" not in head:
                head += caller.recv(65536)
            head, _, body = head.partition(b"\r\n\r\n")
            found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            assert found
            left = int(found[1]) - len(body)
            if b"100-continue" in head:
                caller.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            while left > 0:
                left -= caller.recv_into(room)
            caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
