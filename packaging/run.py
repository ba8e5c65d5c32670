"""Sets Carrel up and opens it on the built-in service; without a display, takes the guided tour instead."""

import os
import subprocess
import sys

from prepare import ROOT, has_display, prepare


def main():
    """Prepare, then hand over to the application; its exit code is ours."""
    carrel = [prepare(), "-m", "carrel"]
    options = sys.argv[1:]
    if "-h" in options or "--help" in options:
        return subprocess.run(carrel + ["--help"], cwd=ROOT, check=False).returncode
    if has_display():
        chosen = any(option.partition("=")[0] in ("--account", "--built-in") for option in options)
        return hand_over(carrel + ([] if chosen else ["--built-in"]) + options)
    pictures = os.path.join(ROOT, "tour")
    print("There is no display here: Carrel takes its guided tour instead.", flush=True)
    offscreen = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    code = subprocess.run(carrel + ["--tour", pictures] + options, cwd=ROOT, env=offscreen, check=False).returncode
    print("Its pictures and report.json are in " + pictures)
    return code


def hand_over(command):
    """Become the application where the system can, so that Ctrl+C and a kill reach it and nobody before it."""
    if os.name == "posix":
        sys.stdout.flush()
        os.chdir(ROOT)
        os.execv(command[0], command)
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
