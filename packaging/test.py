"""Sets Carrel up and runs every check: lint, format, types, import contracts, tests. Arguments go to pytest."""

import os
import subprocess
import sys

from prepare import ROOT, prepare

CHECKS = (
    ("lint", ["-m", "ruff", "check", "."]),
    ("format", ["-m", "ruff", "format", "--check", "."]),
    ("types", ["-m", "mypy"]),
    ("import contracts", ["-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]),
)


def main():
    """Run all checks even where one fails; the exit code says whether any did."""
    python = prepare()
    offscreen = dict(os.environ, QT_QPA_PLATFORM="offscreen", PYTHONUNBUFFERED="1")
    failed = []
    for name, command in CHECKS:
        print("== " + name, flush=True)
        if subprocess.run([python] + command, cwd=ROOT, env=offscreen, check=False).returncode:
            failed.append(name)
    print("== tests", flush=True)
    code = subprocess.run([python, "-m", "pytest"] + sys.argv[1:], cwd=ROOT, env=offscreen, check=False).returncode
    if code:
        failed.append("tests" if code > 0 else "tests (ended by signal %d)" % -code)
    if failed:
        print("Failed: " + ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
