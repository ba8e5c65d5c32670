"""Measures the built-in service against plain baselines of the same run: `python tests/bench/service.py [PART …]`.

Parts: start, upload, indexing, search, kill; all of them by default. Figures are printed, nothing is asserted but
that nothing is lost. Ratios hold from machine to machine; absolutes do not.
"""

import itertools
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from service_told import memory, processor_time, say
from service_upload import FREELY, upload_gigabyte

from running import built_in_service, upload, wait_indexed


def start(folder: Path) -> None:
    """Process start to the first answer, against a Python that only imports the web framework."""
    bare, whole = [], []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import fastapi, uvicorn"], check=True)
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        with built_in_service(folder / "start", "--samples") as service, service.client() as client:
            client.get("/external/libraries").raise_for_status()
            whole.append(time.perf_counter() - began)
            if len(whole) == 1:
                wait_indexed(client)
            service.stop()
    first, later = whole[0], statistics.median(whole[1:])
    say("start", f"{later:.2f} s to the first answer ({first:.2f} s when the samples are taken in),")
    say("", f"{later / statistics.median(bare):.1f} × importing fastapi and uvicorn")


def indexing(folder: Path) -> None:
    """Passages a second from upload to ready, text and vectors, and the processor's share when idle afterwards."""
    words = Words()
    files = {f"report-{number}.txt": words.text(1500).encode() for number in range(120)}
    with built_in_service(folder / "indexing", *FREELY) as service, service.client() as client:
        upload(client, {"first.txt": b"so that the model is loaded"})
        wait_indexed(client)
        began = time.perf_counter()
        for some in _batches(files):
            upload(client, dict(some))
        while not _all_ready(folder / "indexing"):
            time.sleep(0.05)
        took = time.perf_counter() - began
        count = _count(folder / "indexing", "passages")
        say("indexing", f"{count / took:.0f} passages a second ({count} of {len(files)} files in {took:.1f} s)")
        time.sleep(1)
        used = processor_time(service)
        time.sleep(10)
        say("idle", f"{(processor_time(service) - used) / 10:.3%} of a processor, {memory(service):.0f} MB")
        service.stop()


def _batches(files: dict[str, bytes]) -> Iterator[list[tuple[str, bytes]]]:
    items = list(files.items())
    for at in range(0, len(items), 20):
        yield items[at : at + 20]


def _all_ready(data: Path) -> bool:
    with _reading(data) as db:
        return db.execute("SELECT count(*) FROM files WHERE state = 'loading'").fetchone()[0] == 0


def _count(data: Path, table: str) -> int:
    with _reading(data) as db:
        count: int = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return count


@contextmanager
def _reading(data: Path) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(data / "service.sqlite")
    try:
        yield db
    finally:
        db.close()


def search(folder: Path) -> None:
    """Median and 95th percentile of one query over HTTP, against bare FTS5 on the same file in the same run."""
    for passages in (10_000, 100_000):
        data = folder / f"search-{passages}"
        words = _fill(data, passages)
        with built_in_service(data, *FREELY) as service, service.client() as client:
            client.post("/external/search", json={"query": "loads what is loaded late"}).raise_for_status()
            queries = [words.text(6) for _ in range(60)]

            def ask(query: str, **options: object) -> None:
                client.post("/external/search", json={"query": query, "types": ["file"], **options}).raise_for_status()

            with _reading(data) as db:
                bare = _timed(lambda query: _bare(db, query), queries)
            ways = {"keyword": {"use_vector": False}, "vector": {"use_bm25": False}, "mixed": {}}
            for name, options in ways.items():
                _tell(f"{passages:,}", name, _timed(partial(ask, **options), queries), bare)
            _tell(f"{passages:,}", "bare FTS5", bare, bare)
            say("", f"memory {memory(service):.0f} MB")
            service.stop()


def _fill(data: Path, passages: int) -> "Words":
    """A library of made-up passages of 165 words each, with made-up vectors: only the time of a search is asked."""
    import numpy as np

    from carrel_service import passage_rows
    from carrel_service.context import open_service
    from carrel_service.embedding import load
    from carrel_service.settings import Settings
    from carrel_service.vectors import packed

    words, made = Words(), np.random.default_rng(1)
    service = open_service(data, "http://127.0.0.1", Settings(data))
    model = load()
    assert model, "without the search model there is nothing to compare"
    service.library.keep_fact("search model", model.signature)
    for number in range(passages // 1000):
        service.library.add_document(f"{number}.txt", b"x")
        with service.db.write() as db:
            cuts = [passage_rows.Cut("", words.text(165)) for _ in range(1000)]
            passage_rows.write(db, number + 1, [], cuts)
            vectors = packed(made.standard_normal((1000, 384)).astype(np.float32))
            passage_rows.write_vectors(db, range(number * 1000 + 1, number * 1000 + 1001), vectors)
            db.execute("UPDATE files SET state = 'success', is_cut = 1")
    service.close()
    return words


def _bare(db: sqlite3.Connection, query: str) -> None:
    match = " OR ".join(f'"{word}"' for word in query.split())
    db.execute(
        "SELECT rowid FROM passages_text WHERE passages_text MATCH ? ORDER BY rank LIMIT 100", (match,)
    ).fetchall()


def _timed(ask: Callable[[str], None], queries: list[str]) -> list[float]:
    times = []
    for query in queries:
        began = time.perf_counter()
        ask(query)
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


def _tell(size: str, name: str, times: list[float], bare: list[float]) -> None:
    median, late = statistics.median(times), times[int(len(times) * 0.95)]
    ratio = median / statistics.median(bare)
    say("search", f"{size:>7} passages, {name:<9} {median:7.1f} ms, 95th {late:7.1f} ms, {ratio:.2f} × bare FTS5")


def kill(folder: Path) -> None:
    """Forty kills while files are taken in and indexed: what was acknowledged is there, whole, in the end."""
    data, words, chance = folder / "kill", Words(), random.Random(1)
    acknowledged: set[str] = set()
    for number in range(40):
        with built_in_service(data, *FREELY) as service, service.client() as client:
            threading.Timer(chance.uniform(0.05, 1.5), service.kill).start()
            for part in itertools.count():
                name = f"report-{number}-{part}.txt"
                try:
                    upload(client, {name: words.text(chance.randint(50, 900)).encode()})
                except Exception:  # noqa: BLE001  # the kill has come: whatever the client makes of it
                    break
                acknowledged.add(name)
    with built_in_service(data, *FREELY) as service, service.client() as client:
        while not _all_ready(data):
            time.sleep(0.2)
        listed = _listed(client)
        service.stop()
    with _reading(data) as db:
        whole = db.execute("PRAGMA integrity_check").fetchone()[0]
        db.execute("INSERT INTO passages_text (passages_text) VALUES ('integrity-check')")
        bare = db.execute("SELECT count(*) FROM passages WHERE id NOT IN (SELECT passage FROM vectors)").fetchone()[0]
        failed = db.execute("SELECT count(*) FROM files WHERE state != 'success'").fetchone()[0]
    say("kill", f"40 kills, {len(acknowledged)} files acknowledged, {len(acknowledged - listed)} lost,")
    say("", f"database {whole}, {failed} files not ready, {bare} passages without a vector")
    assert acknowledged <= listed
    assert (whole, failed) == ("ok", 0)


def _listed(client: object) -> set[str]:
    names: set[str] = set()
    for page in itertools.count(1):
        answer = client.get("/external/libraries", params={"page": page, "page_size": 100}).json()  # type: ignore[attr-defined]
        names |= {item["file_name"] for item in answer["items"]}
        if page >= answer["total_pages"]:
            return names
    raise AssertionError


class Words:
    """Words of a made-up language of 50,000, as unevenly frequent as those of a real one."""

    def __init__(self) -> None:
        self._chance = random.Random(1)
        syllables = [first + second for first in "bdfgklmnprst" for second in "aeiou"]
        self._words = ["".join(parts) for parts in itertools.islice(itertools.product(syllables, repeat=3), 50_000)]
        self._chance.shuffle(self._words)
        self._weights = list(itertools.accumulate(1 / (place + 10) for place in range(len(self._words))))

    def text(self, count: int) -> str:
        """`count` words, a sentence's end after every twelfth."""
        drawn = self._chance.choices(self._words, cum_weights=self._weights, k=count)
        return " ".join(word + ("." if place % 12 == 11 else "") for place, word in enumerate(drawn))


PARTS = {"start": start, "upload": upload_gigabyte, "indexing": indexing, "search": search, "kill": kill}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or PARTS:
        with tempfile.TemporaryDirectory(prefix="bench-") as room:
            PARTS[wanted](Path(room))
