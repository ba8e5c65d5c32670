"""Finds letters for a PDF: its own fonts know those of Western Europe, fonts of this computer the others."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from threading import Lock
from unicodedata import category

from reportlab.lib.fonts import addMapping
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFError, TTFont

OWN = "Helvetica"
"""A font that every PDF reader has; it knows the letters of Windows-1252."""

SIGN = "\u25a1"
"""Stands for a letter that no font has; where even this has none, `_PLAIN_SIGN`."""

_PLAIN_SIGN = "[?]"

_FAMILIES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf", "DejaVuSans-BoldOblique.ttf"),
    ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf", "NotoSans-Italic.ttf", "NotoSans-BoldItalic.ttf"),
    ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf", "LiberationSans-Italic.ttf",
     "LiberationSans-BoldItalic.ttf"),
    ("arial.ttf", "arialbd.ttf", "ariali.ttf", "arialbi.ttf"),
    ("Arial.ttf", "Arial Bold.ttf", "Arial Italic.ttf", "Arial Bold Italic.ttf"),
    ("Arial Unicode.ttf",) * 4,
)  # fmt: skip
"""Families with Greek and Cyrillic that Linux, Windows and macOS have: regular, bold, italic, both."""

_MOST_FILES = 400
"""Font files that are looked into for a letter that is nowhere yet: about 10 ms each, and only once."""

_lock = Lock()
_known: dict[str, frozenset[int]] = {}
"""The letters of each font that is registered, in the order of their finding."""
_nowhere: set[str] = set()


@dataclass(frozen=True)
class Lettering:
    """The fonts of one text: `base`, and others by letter; an empty name means that no font has it."""

    base: str
    others: dict[str, str]

    @property
    def is_whole(self) -> bool:
        """Whether every letter can be printed."""
        return all(self.others.values())

    @property
    def sign(self) -> str:
        """What stands for a letter that cannot be printed."""
        return SIGN if ord(SIGN) in _known.get(self.base, ()) else _PLAIN_SIGN

    def marked(self, markup: str) -> str:
        """Markup of reportlab's with the letters in the fonts that have them, or their sign."""
        pieces = []
        for font, run in groupby(markup, lambda letter: self.others.get(letter, self.base)):
            letters = "".join(run)
            if font == self.base:
                pieces.append(letters)
            elif font:
                pieces.append(f'<font name="{font}">{letters}</font>')
            else:
                pieces.append(self.sign * len(letters))
        return "".join(pieces)

    def plain(self, text: str) -> str:
        """A text for the base font alone: other letters as signs."""
        return "".join(self.sign if letter in self.others else letter for letter in text)


PLAIN = Lettering(OWN, {})
"""For a text that is looked at with the reader's own fonts, as an SVG is."""


def lettering(text: str) -> Lettering:
    """The fonts that print a text; those of this computer are looked for when it has letters that need them."""
    letters = {letter for letter in set(text) if not letter.isspace() and category(letter) not in {"Cc", "Cf"}}
    if all(map(_is_own, letters)):
        return PLAIN
    with _lock:
        base = _family()
        return Lettering(base, _others({letter for letter in letters if not _has(base, letter)}))


def _has(font: str, letter: str) -> bool:
    return _is_own(letter) if font == OWN else ord(letter) in _known[font]


def _is_own(letter: str) -> bool:
    try:
        letter.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _others(letters: set[str]) -> dict[str, str]:
    """The first font that has it, by letter; empty where none has it."""
    others = {letter: next((name for name in _known if _has(name, letter)), "") for letter in sorted(letters)}
    left = {letter for letter, font in others.items() if not font} - _nowhere
    for place in list(_files().values())[:_MOST_FILES]:
        if not left:
            break
        font = None if place.stem in _known else _opened(place)
        found = {letter for letter in left if font and ord(letter) in font.face.charToGlyph}
        if found:
            _register(font)
            others |= dict.fromkeys(found, place.stem)
            left -= found
    _nowhere.update(left)
    return others


def _family() -> str:
    """The name of a family that knows more letters than our own; our own where there is none."""
    files = _files()
    for names in _FAMILIES:
        regular = Path(names[0]).stem
        if regular in _known:
            return regular
        if names[0] in files and (font := _opened(files[names[0]])):
            _register(font)
            _register_styles(regular, [files[name] for name in names if name in files])
            return regular
    return OWN


def _register_styles(regular: str, places: Sequence[Path]) -> None:
    """Tell reportlab the bold and italic fonts of a family, where all are there; else it stays upright and light."""
    fonts = [font for place in places if (font := _opened(place))]
    for number, font in enumerate(fonts if len(fonts) == 4 else ()):
        _register(font)
        addMapping(regular, number & 1, number >> 1, font.fontName)


def _register(font: TTFont) -> None:
    registerFont(font)
    _known[font.fontName] = frozenset(font.face.charToGlyph)


def _opened(place: Path) -> TTFont | None:
    """The font of a file, or the first of several in it; None where it is of a kind that reportlab cannot read."""
    try:
        return TTFont(place.stem, str(place))
    except (TTFError, OSError, ValueError, LookupError):
        return None


def _files() -> dict[str, Path]:
    """The TrueType files of this computer, by name."""
    found = (place for folder in folders() for place in sorted(folder.rglob("*")) if folder.is_dir())
    return {place.name: place for place in found if place.suffix.lower() in {".ttf", ".ttc"}}


def folders() -> Iterator[Path]:
    """Where this system keeps its fonts, and where a person keeps more."""
    home = Path.home()
    if sys.platform == "win32":
        yield Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"
        yield home / "AppData/Local/Microsoft/Windows/Fonts"
    elif sys.platform == "darwin":
        yield from (Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts")
    else:
        yield from (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
        yield from (home / ".local/share/fonts", home / ".fonts")
