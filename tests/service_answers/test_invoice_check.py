"""An invoice's arithmetic."""

from carrel_service.invoice import amounts, check_invoice

INVOICE = """Invoice 77 of Brill
Item;Quantity;Amount
Housings;100;795.00
Freight;1;55.00

Subtotal 850.00
VAT 20 % 170.00
Total due 1,020.00
"""


def test_named_amounts_are_read() -> None:
    assert amounts(INVOICE) == {"subtotal": 850.0, "tax": 170.0, "total": 1020.0}


def test_an_invoice_that_adds_up_agrees() -> None:
    verdict = check_invoice(INVOICE, "£1,020.00")
    assert verdict.agrees
    assert len(verdict.lines) == 3


def test_each_disagreement_is_named() -> None:
    verdict = check_invoice(INVOICE.replace("795.00", "765.00"), "1000")
    assert not verdict.agrees
    assert verdict.lines[0] == "Sum of the lines and subtotal: 820.00 and 850.00 **do not agree**."
    assert "1,020.00 and 1,000.00 **do not agree**" in verdict.lines[2]


def test_a_text_without_a_total_is_not_said_to_agree() -> None:
    verdict = check_invoice("Dear customer, thank you.")
    assert not verdict.agrees
    assert verdict.lines == ("No total was found.",)
