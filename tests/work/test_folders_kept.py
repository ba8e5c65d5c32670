"""A folder dropped on an account whose service keeps no folders: its files go to the top, and say so."""

from __future__ import annotations

from pathlib import Path

from carrel.work.looking import FLAT, LeftOut, look
from running import built_in_service
from sessions import account_of, open_session, until


def dropped(folder: Path) -> Path:
    """A folder with a file, one in a folder below, and one that no service takes."""
    (folder / "Deals" / "North").mkdir(parents=True)
    (folder / "Deals" / "lease.txt").write_text("The rent is 2,400 euros.")
    (folder / "Deals" / "North" / "quote.txt").write_text("The quote is 900 euros.")
    (folder / "Deals" / "tool.exe").write_bytes(b"MZ")
    return folder / "Deals"


def test_files_of_a_folder_go_to_the_top_where_no_folders_are_kept(tmp_path: Path) -> None:
    top, alone = dropped(tmp_path), tmp_path / "alone.txt"
    alone.write_text("x")
    found = {f.path.name: f for f in look([top, alone], "", LeftOut(), keeps_folders=False)}
    assert {file.folder for file in found.values()} == {""}
    assert found["lease.txt"].warning == found["quote.txt"].warning == FLAT
    assert found["alone.txt"].warning == ""
    assert ".exe" in found["tool.exe"].refused


async def test_a_folder_dropped_on_an_earlier_account_is_uploaded_flat(tmp_path: Path) -> None:
    top = dropped(tmp_path / "here")
    with built_in_service(tmp_path / "service", "--pace", "0") as service:
        async with open_session(tmp_path / "home", account_of(service, "earlier")) as session:
            await session.uploads.add([top])
            await until(lambda: all(row.state != "waiting" for row in session.uploads.rows()), "all was tried")
            rows = {row.name: row for row in session.uploads.rows()}
            assert {row.folder for row in rows.values()} == {""}
            assert "keeps no folders" in rows["lease.txt"].note
            await until(
                lambda: {row.state for row in session.uploads.rows() if row.name != "tool.exe"} <= {"done", "indexing"},
                "both are with the service",
            )
            assert rows["tool.exe"].state == "refused"
            sent = next(row for row in session.uploads.rows() if row.name == "lease.txt")
            assert sent.note == FLAT, "it is still said where the file went"
