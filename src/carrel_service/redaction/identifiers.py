"""Finds numbers that belong to a person: cards, accounts, telephones, passports, addresses of the network."""

import re
from collections.abc import Iterator
from ipaddress import ip_address

from .spans import Span, matched

_EMAIL = re.compile(r"[\w.+%'-]+(@[\w-]+(?:\.[\w-]+)+)?")  # each run of letters is read once, with or without an @
_DIGITS = re.compile(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?![\w])")
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?!\w)", re.IGNORECASE)
_IP = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})(?![\w:]|\.\d)", re.IGNORECASE
)
_BORN = re.compile(
    r"\b(?:born|birth(?:day|date)?|date of birth|d\.?o\.?b\.?|geboren|né[e]?)\b"
    r"(?: (?:on|is|was|am|in|the|le))*[\s:.,-]*"
    r"(\d{1,2}[./ -](?:\d{1,2}|[A-Za-z]{3,9})[./ -]\d{2,4}|\d{4}-\d{2}-\d{2}"
    r"|\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]+,? \d{4}|[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?,? \d{4})",
    re.IGNORECASE,
)
_PASSPORT = re.compile(
    r"\bpassport(?:\s+(?:number|no\.?|nr\.?|is|#)){0,4}[\s:#-]*([A-Z]{0,3}\d{6,9}[A-Z]?)\b", re.IGNORECASE
)
_NATIONAL = re.compile(
    r"(?<!\w)(?:(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}"  # United States
    r"|(?![DFIQUV])[A-Z](?![DFIQUVO])[A-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D])(?!\w)"  # United Kingdom
)
_ACCOUNT = re.compile(
    r"\b(?:account|acct|a/c|sort code|routing|konto)(?:\s+(?:number|no\.?|nr\.?|is|#)){0,4}[\s:#-]*"
    r"(\d[\d -]{4,16}\d)\b",
    re.IGNORECASE,
)
_MAY_BE_PHONE = re.compile(r"(?:\+|\(?\d)[\d\s().-]{6,}\d")
_IBAN_LENGTHS = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18
FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21
MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 TN24
TR26 UA29 VA22 VG24 XK20
"""  # the registry of ISO 13616
_IBANS = {entry[:2]: int(entry[2:]) for entry in _IBAN_LENGTHS.split()}
_REGIONS = ("GB", "US", "DE", "FR")


def identifiers(text: str) -> Iterator[Span]:
    """Every such number; cards and accounts only where their check digits agree."""
    yield from (matched("EMAIL", found, 1) for found in _EMAIL.finditer(text) if found[1])
    yield from (span for span in _all("CARD", _DIGITS, text) if is_card(span.text))
    yield from _ibans(text)
    yield from (span for span in _all("IP", _IP, text) if _is_ip(span.text))
    yield from _all("DATE_OF_BIRTH", _BORN, text, group=1)
    yield from _all("PASSPORT", _PASSPORT, text, group=1)
    yield from _all("NATIONAL_ID", _NATIONAL, text)
    yield from _all("ACCOUNT", _ACCOUNT, text, group=1)
    yield from _phones(text)


def is_card(text: str) -> bool:
    """Whether 13 to 19 digits are a payment card's number: a known first digit, and Luhn's sum."""
    digits = [int(letter) for letter in text if letter.isdigit()]
    if not 13 <= len(digits) <= 19 or digits[0] not in (2, 3, 4, 5, 6) or len(set(digits)) == 1:
        return False
    doubled = [digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def is_iban(text: str) -> bool:
    """Whether letters and digits are an IBAN: as long as its country's are, and the remainder by 97 is 1."""
    bare = re.sub(r"\s", "", text).upper()
    if len(bare) != _IBANS.get(bare[:2]):
        return False
    return int("".join(str(int(letter, 36)) for letter in bare[4:] + bare[:4])) % 97 == 1


def _ibans(text: str) -> Iterator[Span]:
    """The pattern may run on into the next words, so shorter pieces are tried until one agrees."""
    for found in _IBAN.finditer(text):
        for end in range(found.end(), found.start() + 14, -1):
            if text[end - 1].isalnum() and is_iban(text[found.start() : end]):
                yield Span("IBAN", found.start(), end, text[found.start() : end], found.start(), 1)
                break


def _phones(text: str) -> Iterator[Span]:
    if not _MAY_BE_PHONE.search(text):
        return
    import phonenumbers

    for region in _REGIONS:
        for match in phonenumbers.PhoneNumberMatcher(text, region, leniency=phonenumbers.Leniency.VALID):
            if len(re.sub(r"\D", "", match.raw_string)) >= 8:
                yield Span("PHONE", match.start, match.end, match.raw_string, match.start)


def _is_ip(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return text not in ("::", "0.0.0.0")  # these name nobody


def _all(kind: str, pattern: re.Pattern[str], text: str, group: int = 0) -> Iterator[Span]:
    return (matched(kind, found, 1, group) for found in pattern.finditer(text))
