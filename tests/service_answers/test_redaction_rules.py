"""What redaction finds in hard lines, and what it leaves alone; tokens; streams cut anywhere; a person's patterns."""

from pathlib import Path

import pytest

from carrel_service.db import Database
from carrel_service.redaction.findings import told_of
from carrel_service.redaction.identifiers import is_card, is_iban
from carrel_service.redaction.redactor import Numbered, Redactor
from carrel_service.redaction.streaming import StreamRedactor
from carrel_service.redaction.tokens import SCHEMA, KeptTokens
from conftest import LogWatch

# Each line with what must be found in it, as (kind, text); lines of their own, not those the rules were made from.
LINES: list[tuple[str, list[tuple[str, str]]]] = [
    ("Reach me at j.p.morel+work@mail.example.co.uk today.", [("EMAIL", "j.p.morel+work@mail.example.co.uk")]),
    ("Charge 5555 5555 5555 4444 please.", [("CARD", "5555 5555 5555 4444")]),
    ("Amex 378282246310005 was declined.", [("CARD", "378282246310005")]),
    ("Order 4111 1111 1111 1112 is late.", []),
    ("Pay GB29 NWBK 6016 1331 9268 19 by Friday.", [("IBAN", "GB29 NWBK 6016 1331 9268 19")]),
    ("Pay to fr1420041010050500013m02606 now.", [("IBAN", "fr1420041010050500013m02606")]),
    ("Reference GB29 NWBK 6016 1331 9268 18 is wrong.", []),
    ("Ring +49 30 901820 or 020 7946 0018.", [("PHONE", "+49 30 901820"), ("PHONE", "020 7946 0018")]),
    ("The fax is (212) 555-2368.", [("PHONE", "(212) 555-2368")]),
    ("Invoice 2026-118 of 2026-10-14 for 12,345.67 pounds.", []),
    ("The host 10.20.30.40 answers, fe80::1 does not.", [("IP", "10.20.30.40"), ("IP", "fe80::1")]),
    ("Version 10.20.30.4000 starts at 10:30:15.", []),
    ("She was born on 7 July 1979.", [("DATE_OF_BIRTH", "7 July 1979")]),
    ("DOB: 1979-07-07, joined 2019-01-02.", [("DATE_OF_BIRTH", "1979-07-07")]),
    ("Passport number C01X00T47 no, passport no. 925076473 yes.", [("PASSPORT", "925076473")]),
    ("SSN 219-09-9999, NI number QQ123456C invalid, AB123456C valid.",
     [("NATIONAL_ID", "219-09-9999"), ("NATIONAL_ID", "AB123456C")]),
    ("Account number 12345678, sort code 20-00-00.", [("ACCOUNT", "12345678"), ("ACCOUNT", "20-00-00")]),
    ("api_key: sk-live-0123456789abcdefABCD", [("CREDENTIAL", "sk-live-0123456789abcdefABCD")]),
    ("export AWS=AKIAIOSFODNN7EXAMPLE", [("CREDENTIAL", "AKIAIOSFODNN7EXAMPLE")]),
    ("token ghp_0123456789abcdefghijABCDEFGHIJ456789", [("CREDENTIAL", "ghp_0123456789abcdefghijABCDEFGHIJ456789")]),
    ("Authorization: Bearer abcDEF123456789.xyz", [("CREDENTIAL", "abcDEF123456789.xyz")]),
    ("postgres://carrel:t0psecret@db.internal:5432/x", [("CREDENTIAL", "t0psecret")]),
    ('"password": "Tr0ub4dor&3"', [("CREDENTIAL", "Tr0ub4dor&3")]),
    ("The password is required and the token is missing.", []),
    ("Dr. Amara Nwosu wrote to Mr Finch.", [("PERSON", "Amara Nwosu"), ("PERSON", "Finch")]),
    ("My name is Tadeusz Kowalczyk.", [("PERSON", "Tadeusz Kowalczyk")]),
    ("Yesterday Hannah van der Meer called.", [("PERSON", "Hannah van der Meer")]),
    ("It was signed by Sean O'Connor.", [("PERSON", "Sean O'Connor")]),
    ("Will the May report Mark any Grace period?", []),
    ("Brightwater Holdings Ltd sued the Bank of Ireland.",
     [("ORGANISATION", "Brightwater Holdings Ltd"), ("ORGANISATION", "Bank of Ireland")]),
    ("The Company and the Landlord agree on the Rent.", []),
    ("Our office moved from Lisbon to New Zealand.", [("PLACE", "Lisbon"), ("PLACE", "New Zealand")]),
    ("Deliver to 27b Rosemary Lane, Leeds LS1 4AP.", [("ADDRESS", "27b Rosemary Lane, Leeds LS1 4AP")]),
    ("Er wohnt Lindenstraße 7a, 10969 Berlin.", [("ADDRESS", "Lindenstraße 7a, 10969 Berlin")]),
    ("Elle habite 12 rue de Rivoli, 75004 Paris.", [("ADDRESS", "12 rue de Rivoli, 75004 Paris")]),
    ("Clause 14.2 of Section 7 applies to 300 housings.", []),
]  # fmt: skip


def test_hard_lines_are_found_and_little_else_is() -> None:
    right = missed = wrong = 0
    report = []
    for line, wanted in LINES:
        found = [(span.kind, span.text) for span in Redactor().find(line)]
        right += len(set(found) & set(wanted))
        missed += len(set(wanted) - set(found))
        wrong += len(set(found) - set(wanted))
        if set(found) != set(wanted):
            report.append(f"{line}: {found}")
    recall, precision = right / (right + missed), right / (right + wrong)
    print(f"recall {recall:.2f}, precision {precision:.2f}", *report, sep="\n")
    assert recall >= 0.9, report
    assert precision >= 0.9, report


@pytest.mark.parametrize("number", ["4012888888881881", "6011 1111 1111 1117", "3530-1113-3330-0000"])
def test_luhn_tells_a_card(number: str) -> None:
    assert is_card(number)
    assert not is_card(number[:-1] + str((int(number[-1]) + 1) % 10))


def test_the_remainder_by_97_tells_an_iban() -> None:
    assert is_iban("NL91 ABNA 0417 1643 00")
    assert not is_iban("NL91 ABNA 0417 1643 01")
    assert not is_iban("NL91")


def test_one_value_has_one_token_however_it_is_spelt() -> None:
    text = "Pay GB29 NWBK 6016 1331 9268 19 or GB29NWBK60161331926819, not DE89370400440532013000."
    assert Redactor().redact(text, Numbered()) == "Pay [IBAN_1] or [IBAN_1], not [IBAN_2]."


def test_findings_tell_where_and_what(tmp_path: Path) -> None:
    text = "Anna Berg wrote to anna@example.org."
    told = told_of(text, Numbered(), {})
    assert told.redacted == "[PERSON_1] wrote to [EMAIL_1]."
    assert [text[item["start"] : item["end"]] for item in told.items] == ["Anna Berg", "anna@example.org"]
    assert "Anna" not in told.synthetic
    assert told_of(told.synthetic, Numbered(), {}).items  # a stand-in is of the kind that it stands for


SECRETS = "Dear Ms Okafor,\nyour card 4111 1111 1111 1111 and key sk-proj-abcdefgh12345678 are safe. Anna Berg\n"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 34, 200])
def test_a_stream_is_redacted_wherever_it_is_cut(size: int) -> None:
    stream = StreamRedactor(Redactor(), Numbered())
    text = "".join(stream.feed(SECRETS[i : i + size]) for i in range(0, len(SECRETS), size)) + stream.end()
    assert text == Redactor().redact(SECRETS, Numbered())
    assert "4111 1111" not in text


def test_a_long_line_streams_by_sentences() -> None:
    stream = StreamRedactor(Redactor(), Numbered())
    told = [stream.feed("The rent of this lease is due in advance each quarter. ") for _ in range(40)]
    assert sum(bool(text) for text in told) > 2


def test_a_private_key_is_held_until_its_end() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\nabc\n-----END RSA PRIVATE KEY-----\n"
    stream = StreamRedactor(Redactor(), Numbered())
    assert "".join(stream.feed(letter) for letter in key) + stream.end() == "[CREDENTIAL_1]\n"


def test_custom_patterns_have_tokens_of_their_name() -> None:
    found = Redactor({"case number": r"\bC-\d{4}\b"}).redact("See C-1234 and C-9999.", Numbered())
    assert found == "See [CASE_NUMBER_1] and [CASE_NUMBER_2]."


def test_a_bad_pattern_is_left_out_and_costs_little_time(log_watch: LogWatch) -> None:
    log_watch.expect("redaction pattern slow took more than")
    log_watch.expect("redaction pattern broken cannot be read")
    redactor = Redactor({"slow": r"(a+)+$", "broken": "(", "fine": "zebra"})
    text = redactor.redact("a" * 5000 + "! zebra", Numbered())  # unbounded, it would outlast the universe
    assert text.endswith("! [FINE_1]")


def test_kept_tokens_stay_over_restarts_and_keep_no_secret(tmp_path: Path) -> None:
    path = tmp_path / "tokens.sqlite"
    db = Database(path, [("tokens", SCHEMA)])
    tokens = KeptTokens(db, "one")
    assert [tokens("EMAIL", text) for text in ("Anna@example.org", "b@example.org", "anna@example.org")] == [
        "[EMAIL_1]",
        "[EMAIL_2]",
        "[EMAIL_1]",
    ]
    assert KeptTokens(db, "two")("EMAIL", "b@example.org") == "[EMAIL_1]"
    db.close()
    db = Database(path, [("tokens", SCHEMA)])
    assert KeptTokens(db, "one")("EMAIL", "b@example.org") == "[EMAIL_2]"
    db.close()
    assert b"example.org" not in path.read_bytes()
