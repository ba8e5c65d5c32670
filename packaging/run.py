"""Sets Carrel up and opens it on the built-in service; without a display, takes the guided tour instead."""

import os
import subprocess
import sys

from prepare import ROOT, prepare


def has_display():
    """Whether a window can be shown here."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def main():
    """Prepare, then hand over to the application; its exit code is ours."""
    python = prepare()
    if has_display():
        return subprocess.run([python, "-m", "carrel", "--built-in"] + sys.argv[1:], cwd=ROOT, check=False).returncode
    pictures = os.path.join(ROOT, "tour")
    print("There is no display here: Carrel takes its guided tour instead.", flush=True)
    offscreen = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    command = [python, "-m", "carrel", "--tour", pictures] + sys.argv[1:]
    code = subprocess.run(command, cwd=ROOT, env=offscreen, check=False).returncode
    print("Its pictures and report.json are in " + pictures)
    return code


if __name__ == "__main__":
    sys.exit(main())
