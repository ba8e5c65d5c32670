"""Checks an invoice's arithmetic: its lines against its subtotal, tax and total, and the amount expected."""

import re
from dataclasses import dataclass

from .figures import Table, number, tables

_AMOUNT = re.compile(r"[£$€]?\s?\d[\d,.]*\d|\d")
_NAMED = {
    "subtotal": re.compile(r"\b(?:sub-?\s?total|net(?: total| amount)?)\b", re.IGNORECASE),
    "tax": re.compile(r"\b(?:vat|tax|gst)\b", re.IGNORECASE),
    "total": re.compile(r"\b(?:total(?: due)?|amount due|balance due|grand total)\b", re.IGNORECASE),
}
_LINE_TOTAL = re.compile(r"\b(?:amount|total|price|net)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Verdict:
    """Whether everything that could be compared agrees, and a line for each comparison."""

    agrees: bool
    lines: tuple[str, ...]


def check_invoice(text: str, expected: str = "") -> Verdict:
    """Compare what the invoice says with itself and with `expected` (an amount as text, or nothing)."""
    named = amounts(text)
    lines: list[str] = []
    agrees = True

    def compare(what: str, one: float | None, other: float | None) -> None:
        nonlocal agrees
        if one is None or other is None:
            return
        same = abs(one - other) < 0.01
        agrees = agrees and same
        lines.append(f"{what}: {one:,.2f} and {other:,.2f} {'agree' if same else '**do not agree**'}.")

    summed = line_sum(text)
    net = named.get("subtotal")
    compare("Sum of the lines and subtotal", summed, net)
    if net is not None and "tax" in named:
        compare("Subtotal with tax and total", net + named["tax"], named.get("total"))
    elif net is None:
        compare("Sum of the lines and total", summed, named.get("total"))
    compare("Total and the amount expected", named.get("total"), number(expected) if expected else None)
    if "total" not in named:
        return Verdict(False, (*lines, "No total was found."))
    return Verdict(agrees, tuple(lines) or (f"The total is {named['total']:,.2f}; nothing to compare it with.",))


def amounts(text: str) -> dict[str, float]:
    """Subtotal, tax and total as the text names them: the last amount of the last line that bears the name."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        name = next((name for name, pattern in _NAMED.items() if pattern.search(line)), None)
        values = [number(amount) for amount in _AMOUNT.findall(re.sub(r"\d+(?:\.\d+)?\s*%", "", line))]
        if name and values and values[-1] is not None:
            found[name] = values[-1]
    return found


def line_sum(text: str) -> float | None:
    """The sum of the column of line amounts in the invoice's table, or None without such a table."""
    for table in tables(text):
        column = _amount_column(table)
        if column is not None:
            return sum(
                number(row[column]) or 0.0
                for row in table.rows
                if not any(pattern.search(" ".join(row)) for pattern in _NAMED.values())
            )
    return None


def _amount_column(table: Table) -> int | None:
    """The last column of numbers whose heading speaks of an amount."""
    named = [column for column in table.numeric_columns if _LINE_TOTAL.search(table.header[column])]
    return named[-1] if named else None
