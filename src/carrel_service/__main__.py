"""Starts the built-in service: `python -m carrel_service --data DIR`."""

import argparse
import asyncio
import json
import logging
import os
import socket
import sqlite3
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: see vectors.py

from .access import Credentials
from .app import create_app
from .context import open_service
from .server import LoopbackServer
from .settings import Settings


def main() -> int:
    """Serve until SIGTERM, or until standard input closes. Returns the exit status."""
    options = _options()
    logging.basicConfig(level=options.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for noisy in ("httpx", "httpcore"):
        logging.getLogger(noisy).setLevel(logging.WARNING)  # their INFO writes whole addresses, signed links too
    # Named as TCP, or asyncio leaves Nagle's algorithm on and every answer comes 40 ms late.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", options.port))
        base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        service = open_service(options.data, base_url, _settings(options))
    except (OSError, sqlite3.Error) as error:
        print(f"The built-in service cannot start: {error}", file=sys.stderr)
        return 1
    credentials = Credentials.new()
    started = {
        "base_url": base_url,
        "legacy_base_url": base_url,
        "client_id": credentials.client_id,
        "api_key": credentials.api_key,
        "secret": credentials.secret,
    }
    server = LoopbackServer(create_app(service, credentials), lambda: print(json.dumps(started), flush=True))
    asyncio.run(server.serve(sockets=[listener]))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="carrel_service", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder for the database and the files")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes any free one")
    parser.add_argument("--samples", action="store_true", help="begin a new library with the sample documents")
    parser.add_argument("--pace", type=float, default=200, help="words a second of an answer; 0: as fast as it can")
    parser.add_argument("--rate-limit", type=int, default=100, help="requests a minute")
    parser.add_argument("--models-url", default="", help="an OpenAI-compatible server, such as .../v1")
    parser.add_argument("--folder", type=Path, action="append", default=[], help="index this folder in place")
    parser.add_argument("--tenant", action="append", default=[], help="a tenant that X-Tenant-ID may name")
    parser.add_argument("--log-level", default="INFO", choices=["DEBUG", "INFO", "WARNING", "ERROR"])
    return parser.parse_args()


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        data=options.data,
        pace=options.pace,
        rate_limit=options.rate_limit,
        samples=options.samples,
        models_url_option=options.models_url,
        folder_options=tuple(folder.resolve() for folder in options.folder),
        tenants=tuple(options.tenant),
    )


if __name__ == "__main__":
    sys.exit(main())
