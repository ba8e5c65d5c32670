"""What is looked at before an upload: types, sizes, structure, and what is left out."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from carrel.model import ACCEPTED
from carrel.work.looking import LeftOut, digest, look


def looked(*paths: Path, folder: str = "") -> tuple[dict[str, tuple[str, str]], LeftOut]:
    left_out = LeftOut()
    return {f.path.name: (f.folder, f.refused) for f in look(paths, folder, left_out)}, left_out


def test_all_twenty_one_types_are_taken_in_any_case(tmp_path: Path) -> None:
    for number, extension in enumerate(sorted(ACCEPTED)):
        (tmp_path / f"file.{extension.upper() if number % 2 else extension}").write_bytes(b"x")
    found, _ = looked(*tmp_path.iterdir())
    assert len(found) == 21
    assert {refused for _, refused in found.values()} == {""}


def test_what_the_service_would_refuse_is_named(tmp_path: Path) -> None:
    (tmp_path / "tool.exe").write_bytes(b"MZ")
    (tmp_path / "README").write_bytes(b"x")
    (tmp_path / "empty.txt").touch()
    for name, size in (("large.pdf", 2**30 + 1), ("near.pdf", 10**9 + 1), ("limit.pdf", 2**30)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    os.mkfifo(tmp_path / "pipe.txt")
    found, _ = looked(*tmp_path.iterdir(), tmp_path / "gone.txt")
    assert ".exe is not one of the 21" in found["tool.exe"][1]
    assert "without an extension" in found["README"][1]
    assert found["empty.txt"][1] == "The file is empty."
    assert "larger than 1 GB" in found["large.pdf"][1]
    assert found["near.pdf"][1] == found["limit.pdf"][1] == ""
    assert "no ordinary file" in found["pipe.txt"][1]
    assert "no such file" in found["gone.txt"][1]
    near = next(f for f in look([tmp_path / "near.pdf"], "", LeftOut()))
    assert "may refuse files over 1 GB" in near.warning


def test_a_folder_keeps_its_structure_and_what_hides_is_counted(tmp_path: Path) -> None:
    top = tmp_path / "Deals"
    (top / "North" / "Old").mkdir(parents=True)
    (top / "a.txt").write_text("a")
    (top / "North" / "Old" / "b.txt").write_text("b")
    (top / ".git").mkdir()
    (top / ".git" / "c.txt").write_text("c")
    (tmp_path / "outside.txt").write_text("d")
    (top / "link.txt").symlink_to(tmp_path / "outside.txt")
    (top / "North" / "inside.txt").symlink_to(top / "a.txt")
    (top / "North" / "circle").symlink_to(top, target_is_directory=True)
    found, left_out = looked(top, folder="Inbox")
    assert found == {
        "a.txt": ("Inbox/Deals", ""),
        "b.txt": ("Inbox/Deals/North/Old", ""),
        "inside.txt": ("Inbox/Deals/North", ""),
    }
    assert (left_out.hidden, left_out.links, left_out.repeats) == (1, 1, 1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "secret.txt").chmod(0)
    found, _ = looked(tmp_path / "secret.txt")
    assert found["secret.txt"][1] == "You are not allowed to read the file."


def test_one_content_has_one_digest(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_bytes(b"abc")
    assert digest(tmp_path / "one.txt") == digest(tmp_path / "two.txt")
    assert digest(tmp_path / "one.txt").startswith("ba7816bf")


@pytest.mark.parametrize("mark", [0x00400000, 0x00001000, 0x00040000], ids=["recall", "offline", "recall on open"])
def test_a_placeholder_of_a_cloud_is_refused_before_it_is_fetched(tmp_path: Path, mark: int) -> None:
    class Placeholder(type(Path())):  # type: ignore[misc]
        """A file as Windows describes one whose content lies in a cloud."""

        def stat(self, *, follow_symlinks: bool = True) -> SimpleNamespace:
            real = super().stat(follow_symlinks=follow_symlinks)
            return SimpleNamespace(st_mode=real.st_mode, st_size=4000, st_file_attributes=mark)

    (tmp_path / "plan.pdf").touch()
    found = next(look([Placeholder(tmp_path / "plan.pdf")], "", LeftOut()))
    assert "its content is still in the cloud" in found.refused
