"""The program itself, as a process: `python -m carrel` on a throw-away home, without a display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ENVIRONMENT = {
    "QT_QPA_PLATFORM": "offscreen",
    "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    "PYTHONUNBUFFERED": "1",
}


class Program:
    """`python -m carrel` on a home, offscreen."""

    def __init__(self, home: Path, *options: str) -> None:
        env = os.environ | ENVIRONMENT
        self.home = home
        command = [sys.executable, "-X", "dev", "-m", "carrel", "--home", str(home), *options]
        self.process = subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )

    def log(self) -> str:
        file = self.home / "data" / "carrel.log"
        return file.read_text("utf-8") if file.exists() else ""

    def end(self) -> tuple[int, str]:
        """Ask it to end as a desktop does; its exit code, and what it said."""
        self.process.terminate()
        out, err = self.process.communicate(timeout=60)
        said = [line for line in (out + err).splitlines() if "propagateSizeHints" not in line]  # the platform's own
        return self.process.returncode, "\n".join(said)

    def services(self) -> list[int]:
        """Process ids of built-in services on this home."""
        found = []
        for folder in Path("/proc").iterdir() if Path("/proc/self").exists() else ():
            if folder.name.isdigit():
                try:
                    words = (folder / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if b"carrel_service" in words and str(self.home / "data" / "service").encode() in words:
                    found.append(int(folder.name))
        return found
