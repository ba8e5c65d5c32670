"""Headings of a reply stand below that of its speaker, whatever way they are written."""

from __future__ import annotations

import pytest

from carrel.work.html.headings import below


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# One\n\ntext\n\n## Two", "### One\n\ntext\n\n#### Two"),
        ("## Two\n\n##### Five", "### Two\n\n###### Five"),
        ("# One\n\n##### Five\n\n###### Six", "### One\n\n###### Five\n\n###### Six"),
        ("### Three\n\n###### Six", "### Three\n\n###### Six"),
        ("Title\n=====\n\nPart\n---\ntext", "### Title\n\n#### Part\ntext"),
        ("Two\n  lines\n===", "### Two lines"),
        ("- # In a list\n\n> Quoted\n> ===", "- ### In a list\n\n> ### Quoted"),
        ("# One\n\n```sh\n# comment\n```\n\n    # code", "### One\n\n```sh\n# comment\n```\n\n    # code"),
        ("```\n# never closed", "```\n# never closed"),
        ("#hashtag and `# code`\n\n\\# no\n\n---", "#hashtag and `# code`\n\n\\# no\n\n---"),
        ("#\n# Next #", "###\n### Next #"),
        ("", ""),
    ],
)
def test_headings_move_down_together(text: str, told: str) -> None:
    assert below(text, 2) == told
