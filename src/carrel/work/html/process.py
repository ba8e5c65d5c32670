"""The process that makes HTML: one JSON line in, one out, so that a hostile text can hold up nothing but this."""

from __future__ import annotations

import json
import sys

from carrel.work.html.markup import html_of, plain_html

READY = b"ready\n"


def main() -> None:
    """Answer until standard input closes."""
    sys.stdout.buffer.write(READY)
    sys.stdout.buffer.flush()
    for line in sys.stdin.buffer:
        job = json.loads(line)
        answer = json.dumps(_answer(job["text"], colours=job["colours"]))
        sys.stdout.buffer.write(answer.encode() + b"\n")
        sys.stdout.buffer.flush()


def _answer(text: str, *, colours: bool) -> str:
    try:
        return html_of(text, colours=colours, formulas=True)
    except Exception:  # noqa: BLE001  # a text from outside may break the reader in any way; it is then shown as it is
        return plain_html(text)


if __name__ == "__main__":
    main()
