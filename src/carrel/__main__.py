"""`python -m carrel`: reads the arguments and hands them to the composition root."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(prog="carrel", description="A desktop for documents.")
    parser.add_argument("--home", type=Path, metavar="DIR", help="keep everything below DIR (the keychain excepted)")
    opened = parser.add_mutually_exclusive_group()
    opened.add_argument("--built-in", action="store_true", help="open the built-in service on this computer")
    opened.add_argument("--account", metavar="NAME", help="open this account, by its name or its address")
    parser.add_argument("--tour", type=Path, metavar="DIR", help="walk through the main job, leave pictures in DIR")
    return parser.parse_args(arguments)


def main() -> int:
    """Run; the exit code."""
    options = parse()
    from carrel.run import run

    return run(options)


if __name__ == "__main__":
    sys.exit(main())
