"""What counts as a variable of a saved prompt, and how it is filled."""

from __future__ import annotations

import pytest

from carrel.model.prompts import Prompt


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Sum up {document} for {client name}.", ("document", "client name")),
        ("{a}, {b}, {a}", ("a", "b")),
        ("Étude pour {société}", ("société",)),
        ('{"key": 1} {} { } {1} {a\nb}', ()),
        ("{" + "a" * 41 + "}", ()),
        ("{{twice}}", ("twice",)),
    ],
)
def test_variables_are_names_in_braces(text: str, names: tuple[str, ...]) -> None:
    assert Prompt(title="t", text=text).variables == names


def test_a_value_is_never_filled_again() -> None:
    prompt = Prompt(title="t", text="{a} and {b} and {c}")
    assert prompt.filled({"a": "{b}", "b": "two"}) == "{b} and two and {c}"
