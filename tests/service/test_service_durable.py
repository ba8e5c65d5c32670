"""What outlives the service: files, queue and index over restarts, kills, and clean ends."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import httpx
import pytest

from carrel_service.embedding import model_folder
from running import built_in_service, states, upload, wait_indexed, wait_until

FORM = "multipart/form-data; boundary=b"
NO_MODEL = {"CARREL_SEARCH_MODEL": "/nonexistent"}


def found(client, query):
    results = client.post("/external/search", json={"query": query, "types": ["file"], "relative_threshold": 0}).json()[
        "results"
    ]
    return [result["title"] for result in results]


def test_everything_is_there_after_a_restart(tmp_path):
    with built_in_service(tmp_path) as service, service.client() as client:
        ids = upload(client, {"crane.txt": b"The harbour crane lifts forty tonnes."}, "port")
        wait_indexed(client)
        service.stop()
    with built_in_service(tmp_path) as service, service.client() as client:
        item = client.get("/external/libraries").json()["items"][0]
        assert (item["id"], item["state"], item["folder_path"]) == (ids["crane.txt"], "success", ["port"])
        assert client.get(item["download_link"]).content == b"The harbour crane lifts forty tonnes."
        assert found(client, "crane tonnes") == ["crane.txt"]


@pytest.mark.parametrize("kills", [4])
def test_a_kill_at_any_moment_loses_nothing_acknowledged(tmp_path, kills):
    acknowledged = set()
    for number in range(kills):
        with built_in_service(tmp_path) as service, service.client() as client:
            for part in range(12):
                name = f"report-{number}-{part}.md"
                body = f"Report {number}-{part}. " + "The turbine was inspected and oiled. " * 200
                upload(client, {name: body.encode()})
                acknowledged.add(name)
            time.sleep(0.05 * number)
            service.kill()
    with built_in_service(tmp_path) as service, service.client() as client:
        assert set(wait_indexed(client).values()) == {"success"}
        assert set(states(client)) == acknowledged
        service.stop()
    with closing(sqlite3.connect(tmp_path / "service.sqlite")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        db.execute("INSERT INTO passages_text (passages_text) VALUES ('integrity-check')")
        for name in acknowledged:
            numbers = db.execute(
                "SELECT passages.number FROM passages JOIN files ON files.number = passages.file"
                " WHERE file_name = ? ORDER BY 1",
                (name,),
            ).fetchall()
            assert [number for (number,) in numbers] == list(range(len(numbers)))
            assert numbers
    db.close()
    assert not list((tmp_path / "incoming").iterdir())
    assert len(list((tmp_path / "files").iterdir())) == len(acknowledged)


def test_a_half_received_upload_leaves_nothing(tmp_path):
    with built_in_service(tmp_path) as service, service.client() as client:

        def body():
            yield b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n' + b"x" * 2_000_000
            service.kill()
            yield b"y" * 1_000_000

        with pytest.raises(httpx.HTTPError):
            client.post("/external/upload", content=body(), headers={"Content-Type": FORM})
    with built_in_service(tmp_path) as service, service.client() as client:
        assert states(client) == {}
        assert not list((tmp_path / "incoming").iterdir())


def test_sigterm_and_a_closed_input_end_it_cleanly(tmp_path):
    with built_in_service(tmp_path) as service:
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(timeout=20) == 0
    with built_in_service(tmp_path) as service:
        service.process.stdin.close()
        assert service.process.wait(timeout=20) == 0


def test_it_ends_cleanly_in_the_middle_of_a_stream_and_of_an_upload(tmp_path):
    with built_in_service(tmp_path, "--pace", "1") as service, service.client() as client:
        upload(client, {"lease.txt": b"The lease of the harbour office ends on 31 May 2031."})
        wait_indexed(client)

        def body():
            yield b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n' + b"x" * 100_000
            service.process.terminate()
            service.process.wait(timeout=30)
            yield b"y"

        with client.stream("POST", "/external/conversations", json={"content": "When does the lease end?"}) as reply:
            assert next(reply.iter_lines()) == "event: stream_meta"
            with service.client() as other, pytest.raises(httpx.HTTPError):
                other.post("/external/upload", content=body(), headers={"Content-Type": FORM})
        assert service.process.returncode == 0
        assert not list((tmp_path / "incoming").iterdir())


def test_a_second_service_on_the_same_folder_is_refused(tmp_path):
    with built_in_service(tmp_path):
        second = subprocess.run(
            [sys.executable, "-m", "carrel_service", "--data", str(tmp_path)],
            capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
    assert second.returncode == 1
    assert second.stdout == ""
    assert "another built-in service" in second.stderr
    assert "Traceback" not in second.stderr


def test_without_a_model_keywords_decide_and_vectors_are_made_up_for_later(tmp_path):
    texts = {"lease.txt": b"The lease ends in May 2031.", "fruit.txt": b"Bananas are yellow and sweet."}
    with built_in_service(tmp_path, env=NO_MODEL) as service, service.client() as client:
        upload(client, texts)
        assert set(wait_indexed(client).values()) == {"success"}
        assert found(client, "lease") == ["lease.txt"]
        assert found(client, "rental contract") == []
        only_vectors = {"query": "lease", "use_bm25": False}
        assert client.post("/external/search", json=only_vectors).json()["results"][0]["title"] == "lease.txt"
        service.stop()
    if not (model_folder() / "model.json").is_file():
        return  # this computer has no search model: the rest cannot be seen here
    with built_in_service(tmp_path, "--rate-limit", "10000") as service, service.client() as client:
        wait_until(lambda: found(client, "rental contract")[:1] == ["lease.txt"], "vectors made afterwards")


def test_a_folder_that_is_no_database_is_said_plainly(tmp_path):
    (tmp_path / "service.sqlite").write_bytes(b"this is no database at all" * 100)
    run = subprocess.run(
        [sys.executable, "-m", "carrel_service", "--data", str(tmp_path)],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (1, "")
    assert "cannot start" in run.stderr
    assert "Traceback" not in run.stderr
