"""Finds keys and passwords: by the prefixes that issuers use, by the words before them, within URLs."""

import re
from collections.abc import Iterator

from .spans import Span

_PREFIXED = re.compile(
    r"(?<![\w-])(?:"
    r"sk-[\w-]{16,}|sk_(?:live|test)_\w{16,}|pk_(?:live|test)_\w{16,}|rk_live_\w{16,}|whsec_\w{16,}"
    r"|gh[pousr]_\w{30,}|github_pat_\w{22,}|glpat-[\w-]{18,}"
    r"|A(?:KIA|SIA)[A-Z0-9]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,}"
    r"|xox[abeprs]-[\w-]{10,}|hf_\w{30,}|npm_\w{30,}|pypi-[\w-]{30,}|dop_v1_\w{30,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"
    r")"
)
_NAMED = re.compile(
    r"""(?ix)(?<![a-z])
    (?:pass(?:word|wd|phrase|code)?|pwd|pin|secret|token|bearer|api[_\s-]?key|access[_\s-]?key|secret[_\s-]?key
      |private[_\s-]?key|client[_\s-]?secret|auth(?:orization)?[_\s-]?token|kennwort|passwort)
    (?:["']?\s*(?:[:=]|=>|\bis\b)\s*(?:bearer\s+)?["']?|\s+(?=\S*\d))
    (?P<value>[^\s"',;]{4,})"""
)
_BEARER = re.compile(r"\bBearer\s+([\w.~+/-]{12,}=*)")
_IN_URL = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@]*:([^\s/@]+)@", re.IGNORECASE)
_BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)


def credentials(text: str) -> Iterator[Span]:
    """Every key or password, without the words that name it."""
    for pattern, group in ((_BLOCK, 0), (_PREFIXED, 0), (_BEARER, 1), (_IN_URL, 1), (_NAMED, "value")):
        for found in pattern.finditer(text):
            value = found[group].rstrip(".)]}>")
            if not _is_a_word(value, named=pattern is _NAMED):
                start = found.start(group)
                yield Span("CREDENTIAL", start, start + len(value), value, found.start(), 0)


def _is_a_word(value: str, *, named: bool) -> bool:
    """`password: required` names no password; real ones mix kinds of characters or are digits."""
    return named and (len(value) < 4 or (value.isalpha() and (value.islower() or value.istitle())))
