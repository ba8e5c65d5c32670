"""Finds people, organisations and places by rules: titles, given names, words before a name, endings of firms."""

import re
from collections.abc import Iterator

from .name_lists import FIRM_ENDINGS, GIVEN_NAMES, LONE_GIVEN_NAMES, PLACES, TITLES
from .spans import Span, matched

_CAP = r"(?:[A-ZÀ-ÖØ-Þ](?:[a-zß-öø-ÿ]+|['’][A-Z][a-z]+)(?:[-'’][A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+)*(?:[A-Z][a-z]+)?)"
_PARTICLE = r"(?:van|von|de|del|della|der|den|di|da|la|le|bin|al)[ \t]+"
_NAME = rf"{_CAP}(?:[ \t]+[A-Z]\.)?(?:[ \t]+(?:{_PARTICLE}){{0,2}}{_CAP}){{0,2}}"
_TITLED = re.compile(rf"\b{TITLES}\.?[ \t]+((?:[A-Z]\.[ \t]*)*{_NAME})")
_NAMED = re.compile(rf"\b{_NAME}")
_CUED = re.compile(
    r"(?:\b(?:[Mm]y name is|[Nn]ame|[Cc]ontact|[Ss]igned(?: by)?|[Aa]ttn|[Aa]ttention|[Dd]ear|[Rr]egards|[Ss]incerely"
    rf"|[Pp]atient|[Cc]ustomer|[Ee]mployee|[Tt]enant|[Cc]ardholder)\b(?:[ \t]*[:,])?\s+(?:{TITLES}\.?[ \t]+)?)({_NAME})"
)
_FIRM = re.compile(
    rf"\b(?!(?:The|This|That|Our|Your|A|An)\b)(?:{_CAP}|[A-Z]{{2,}})(?:[ \t]+(?:&|and|of|{_CAP}|[A-Z]{{2,}})){{0,4}}"
    rf"[ \t]+(?:& Co\.?[ \t]+)?{FIRM_ENDINGS}(?![a-z])"
)
_SEAT = re.compile(rf"\b(?:University|Bank|Ministry|Institute|City|Council) of (?:the )?{_CAP}(?:[ \t]+{_CAP})?")
_PLACE = re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, PLACES)) + r")(?![\w-])")
_STREET = re.compile(
    rf"(?<![\w.])\d{{1,4}}[A-Za-z]?(?:[-–]\d{{1,4}})?,?[ \t]+(?:{_CAP}[ \t]+){{1,3}}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Square|Sq|Place|Pl|Way|Terrace|Close|Crescent"
    r"|Boulevard|Blvd|Quay|Row|Wharf|Hill|Gardens|Park|Parade|Mews|Embankment)\b\.?"
    rf"(?:,?[ \t]+(?:Apt|Apartment|Flat|Suite|Unit)\.?[ \t]*\w+)?(?:,[ \t]+{_CAP}(?:[ \t]+{_CAP})?)?"
    r"(?:,?[ \t]+(?:[A-Z]{2}[ \t]+\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?[ \t]\d[A-Z]{2}))?"
)
_STRASSE = re.compile(
    r"\b[A-ZÄÖÜ][\wäöüß-]{0,60}(?:straße|strasse|str\.|weg|platz|allee|gasse)[ \t]+\d{1,4}[a-z]?"
    rf"(?:,?[ \t]+\d{{5}}[ \t]+{_CAP})?"
)
_RUE = re.compile(
    r"\b\d{1,4}(?:[ \t](?:bis|ter))?,?[ \t]+(?:rue|avenue|boulevard|place|chemin|via|calle)[ \t]+"
    rf"(?:(?:de|du|des|la|le|les|l['’]|d['’])[ \t]*)*{_CAP}(?:[ \t-]{_CAP})*(?:,?[ \t]+\d{{5}}[ \t]+{_CAP})?",
)
_POSTCODE = re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?!\w)")
_BOX = re.compile(r"\bP\.?O\.? Box \d+", re.IGNORECASE)
_NOT_NAMES = frozenset(
    ("sir", "madam", "team", "all", "customer", "service", "number", "date", "name", "support", "the", "street", "road")
)


def names(text: str) -> Iterator[Span]:
    """Every name and postal address that the rules tell."""
    for pattern in (_STREET, _STRASSE, _RUE, _POSTCODE, _BOX):
        yield from (matched("ADDRESS", found) for found in pattern.finditer(text))
    for pattern in (_FIRM, _SEAT):
        yield from (matched("ORGANISATION", found) for found in pattern.finditer(text))
    yield from _people(text)
    yield from (matched("PLACE", found, 4) for found in _PLACE.finditer(text))


def _people(text: str) -> Iterator[Span]:
    for pattern in (_TITLED, _CUED):
        for found in pattern.finditer(text):
            if not {word.casefold() for word in found[1].split()} & _NOT_NAMES:
                yield matched("PERSON", found, 3, 1)
    for found in _NAMED.finditer(text):
        yield from _given(found)


def _given(found: re.Match[str]) -> Iterator[Span]:
    """The part of a run of capitalised words that begins with a given name: `Yesterday Anna Berg` is Anna Berg."""
    words = list(re.finditer(r"\S+", found[0]))
    for place, word in enumerate(words):
        alone = place == len(words) - 1
        first = re.split(r"[-'’]", word[0].casefold())[0]
        if first in (LONE_GIVEN_NAMES if alone else GIVEN_NAMES):
            start, end = found.start() + word.start(), found.end()
            yield Span("PERSON", start, end, found.string[start:end], found.start(), 3)
            return
