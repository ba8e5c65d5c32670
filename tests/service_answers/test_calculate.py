"""Arithmetic for agents, and the refusal of everything else."""

import time

import pytest

from carrel_service.calculate import calculate


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("round(4200 * 12 * 1.2, 2)", 60480.0),
        ("-(2 ^ 10)", -1024),
        ("max(3, 4) // 2 + 7 % 4", 5),
        ("sum(0.1, 0.2, 0.3)", 0.6),
        ("sqrt(2) ** 2", 2),
    ],
)
def test_arithmetic_is_done(expression: str, value: float) -> None:
    assert calculate(expression) == pytest.approx(value)


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('x')",
        "().__class__",
        "open('x')",
        "'a' * 9",
        "9 ** 9 ** 9",
        "1e6 ** 1000 ** 2",
        "1 / 0",
        "round(1, 2, 3)",
        "True + 1",
        "(-8) ** 0.5",
        "[1, 2]",
        "1 +",
        "",
        "1" * 400,
        "(" * 200 + "1" + ")" * 200,
        "sqrt(-1)",
        "round(1.5, digits=0)",
    ],
)
def test_everything_else_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        calculate(expression)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("round(5, -10000000)", 0),
        ("round(0.1 + 0.2, 10000000)", 0.1 + 0.2),
        (f"round({10**250}, -249)", 10**250),
        (f"round({10**280}, -280)", 10**280),
    ],
)
def test_rounding_takes_no_time_however_far_it_goes(expression: str, value: float) -> None:
    started = time.process_time()
    assert calculate(expression) == value
    assert time.process_time() - started < 1
