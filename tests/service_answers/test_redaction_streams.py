"""A text that arrives in pieces is redacted as it would be whole, whatever the rule and wherever it is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest

from carrel_service.redaction.redactor import Numbered, Redactor
from carrel_service.redaction.streaming import StreamRedactor

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n\nabc. def\n-----END RSA PRIVATE KEY-----"

# A secret for each rule that reads the words before it, or that may stand over the end of a line or a sentence.
SECRETS = [
    ("hunter2-Zx9", "Password:\nhunter2-Zx9"),
    ("hunter2-Zx9", "The password is\n\n\n\n  hunter2-Zx9"),
    ("hunter2-Zx9", "api\nkey\n=\nbearer\nhunter2-Zx9"),
    ("hunter2Zx9abcdef", "Authorization: Bearer\nhunter2Zx9abcdef"),
    ("MIIEpAIBAAKCAQEA", KEY),
    ("12345678", "Account number:\n12345678"),
    ("12345678", "The account no. 12345678"),
    ("12345678", "Account\nnumber\nis\n#\n12345678"),
    ("925076473", "Passport number\n925076473"),
    ("925076473", "Passport nr. 925076473"),
    ("1 March 1980", "Date of birth:\n1 March 1980"),
    ("1 March 1980", "D.O.B. 1 March 1980"),
    ("Quillan Brathwaite", "Regards,\nQuillan Brathwaite"),
    ("Quillan Brathwaite", "Dear\n\nDr. Quillan Brathwaite"),
    ("Quillan Brathwaite", "It was Dr. Quillan Brathwaite"),
    ("Quillan Brathwaite", "It was Prof. J. R. Quillan Brathwaite"),
    ("Lindenstr. 7", "Er wohnt Lindenstr. 7"),
    ("27b Rosemary Lane. Apt. 5", "Deliver to 27b Rosemary Lane. Apt. 5, Leeds LS1 4AP"),
    ("Hartwell & Co. Holdings", "It is Hartwell & Co. Holdings"),
    ("P.O. Box 1174", "Write to P.O. Box 1174"),
    ("12 March", "See case\n12 March"),
]
PATTERNS = {"case": r"case\s12 March"}
PROSE = (
    "The rent of this lease is due in advance.\nThe tenant keeps the roof in repair, and tells the landlord of it "
    "within a week! Is the quay wall damp? It was looked at twice a year, and each time found to be sound enough.\n"
)
WHOLE = "".join(f"{PROSE}{line}{end}" for (_, line), end in zip(SECRETS, ["\n", ". ", " and "] * 7, strict=True))


def streamed(text: str, size: int) -> list[str]:
    stream = StreamRedactor(Redactor(PATTERNS), Numbered())
    return [*(stream.feed(text[i : i + size]) for i in range(0, len(text), size)), stream.end()]


@pytest.mark.parametrize(("secret", "line"), SECRETS)
@pytest.mark.parametrize("size", [1, 7])
def test_what_is_found_in_the_whole_is_found_in_the_stream(secret: str, line: str, size: int) -> None:
    for text in (f"{line}\n{PROSE}", f"{PROSE}{line}", f"{PROSE}{line}. {PROSE}"):
        told = "".join(streamed(text, size))
        assert told == Redactor(PATTERNS).redact(text, Numbered())
        assert secret not in told


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 34, 89, 233, 5000])
def test_all_of_them_in_one_text_are_found_wherever_it_is_cut(size: int) -> None:
    assert "".join(streamed(WHOLE, size)) == Redactor(PATTERNS).redact(WHOLE, Numbered())


def test_the_words_come_soon_after_they_were_said() -> None:
    """Nothing is held much longer than it must be: a sentence and sixteen words, here."""
    told = streamed(PROSE * 10, 5)
    lengths = [0]
    for piece in told[:-1]:
        lengths.append(lengths[-1] + len(piece))
    behind = [came * 5 - out for came, out in enumerate(lengths)]
    assert max(behind) < 350
    assert sum(after > before for before, after in pairwise(lengths)) > 20


def test_a_key_without_an_end_is_held_to_the_last() -> None:
    opened = KEY.removesuffix("-----END RSA PRIVATE KEY-----") + "MIIE abc. def\n" * 300
    told = streamed(PROSE + opened, 6)
    assert "MIIE" not in "".join(told)
    assert told[-1].endswith("[CREDENTIAL_1]")
