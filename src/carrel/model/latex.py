"""A formula as one line of Unicode that means the same: raised and lowered letters, brackets around what had a line.

The library reads LaTeX and knows its signs; it drops the groups, so that `2^{n+1}` would come out as 2^n+1. What groups
stand for is put here: scripts, fractions, roots, rows.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

from pylatexenc import latex2text, latexwalker, macrospec

_SCRIPT = re.compile(r"(?<!\\)([_^])\s*(\\[A-Za-z]+\s*\{[^{}]*\}|)")
"""A script's mark; what it raises may be a macro with an argument, which LaTeX would want in braces."""

_RELATION = re.compile(r"\s*([=≠≈≡≤≥<>≪≫∈∉⊂⊆→⇒⇔←↦±∓])\s*")

_FACTOR = re.compile(r"(?:[^\W_]|√|\([^()]*\))+")
"""What stands above a line without brackets: a word, a number, a product of letters and of what has brackets."""

_UNIT = re.compile(r"\d+(?:[.,]\d+)?|[d∂√]?[^\W\d_][⁰-⁹²³¹₀-₉]*|[^\W\d_]{3,}|[^\W\d_]*\([^()]*\)")
"""What stands below a line or under a root without them: less, since a/2b could be read as half of ab."""

_BLOCKS = ((0x02B0, 0x0300), (0x1D2C, 0x1DC0), (0x2C7C, 0x2C7E), (0xB2, 0xBA), (0x2070, 0x20A0))
"""Where Unicode keeps its raised and lowered letters; of two of a kind, the one of the later block is taken."""

_ROWS = (
    "align",
    "align*",
    "aligned",
    "array",
    "cases",
    "eqnarray",
    "equation",
    "gather",
    "gather*",
    "gathered",
    "matrix",
    "smallmatrix",
    "split",
    "vmatrix",
    "Vmatrix",
)

_AROUND = {"vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖")}
"""What stands around the rows; the library puts brackets around those of other matrices."""


def one_line(source: str) -> str:
    """The formula, its rows apart by semicolons. Raises what the library raises for one that it cannot read."""
    walker = latexwalker.LatexWalker(_SCRIPT.sub(_macro, source), latex_context=_grammar(), tolerant_parsing=True)
    nodes, _, _ = walker.get_latex_nodes()
    spaces = {"between-macro-and-chars": False, "between-latex-constructs": True, "after-comment": False}
    reader = latex2text.LatexNodes2Text(
        latex_context=_meanings(), math_mode="text", keep_comments=True, strict_latex_spaces=spaces
    )
    return _tidy(reader.nodelist_to_text(nodes))


def _macro(mark: re.Match[str]) -> str:
    name = r"\raised" if mark[1] == "^" else r"\lowered"
    return f"{name}{{{mark[2]}}}" if mark[2] else f"{name} "


def _tidy(text: str) -> str:
    return " ".join(_RELATION.sub(r" \1 ", text).split())


@cache
def _grammar() -> Any:
    """The library's grammar, with the macros that are ours or that it does not know."""
    context = latexwalker.get_default_latex_context_db()
    one, two = ("raised", "lowered", "operatorname", "boxed"), ("dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom")
    macros = [macrospec.std_macro(name, "{") for name in one] + [macrospec.std_macro(name, "{{") for name in two]
    context.add_context_category("carrel", macros=macros, prepend=True)
    return context


@cache
def _meanings() -> Any:
    """What each of them says."""
    context = latex2text.get_default_latex_context_db()
    says: dict[str, Any] = dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), _fraction)
    says |= dict.fromkeys(("binom", "dbinom", "tbinom"), _choice)
    says |= {"sqrt": _root, "raised": _raised, "lowered": _lowered, "operatorname": "%s", "boxed": "%s"}
    context.add_context_category(
        "carrel",
        macros=[latex2text.MacroTextSpec(name, simplify_repl=said) for name, said in says.items()],
        environments=[latex2text.EnvironmentTextSpec(name, simplify_repl=_rows) for name in _ROWS],
        specials=[latex2text.SpecialsTextSpec("&", "\t")],
        prepend=True,
    )
    return context


def _arguments(node: Any, l2tobj: Any) -> list[str]:
    return [_tidy(l2tobj.nodelist_to_text([one])) if one is not None else "" for one in node.nodeargd.argnlist]


def _fraction(node: Any, l2tobj: Any) -> str:
    above, below = _arguments(node, l2tobj)[-2:]
    return f"{_bracketed(above, _FACTOR)}/{_bracketed(below, _UNIT)}"


def _choice(node: Any, l2tobj: Any) -> str:
    return "C({}, {})".format(*_arguments(node, l2tobj)[-2:])


def _root(node: Any, l2tobj: Any) -> str:
    degree, under = _arguments(node, l2tobj)
    return f"{_script(degree, '^') if degree else ''}√{_bracketed(under, _UNIT)}"


def _raised(node: Any, l2tobj: Any) -> str:
    return _script(_arguments(node, l2tobj)[0], "^")


def _lowered(node: Any, l2tobj: Any) -> str:
    return _script(_arguments(node, l2tobj)[0], "_")


def _rows(node: Any, l2tobj: Any) -> str:
    between = ", " if node.environmentname == "cases" else " "
    lines = l2tobj.nodelist_to_text(node.nodelist).split("\n")
    rows = (between.join(cell.strip() for cell in line.split("\t") if cell.strip()) for line in lines)
    left, right = _AROUND.get(node.environmentname, ("", ""))
    return left + "; ".join(row for row in rows if row) + right


def _bracketed(text: str, bare: re.Pattern[str]) -> str:
    return text if bare.fullmatch(text) else f"({text})"


def _script(text: str, mark: str) -> str:
    """Raised or lowered letters where all of them exist; else the mark, and brackets around more than one letter."""
    close = text.replace(" ", "")
    letters = _letters(mark)
    if close and all(letter in letters for letter in close):
        return "".join(letters[letter] for letter in close)
    return mark + (text if len(text) == 1 else f"({text})")


@cache
def _letters(mark: str) -> dict[str, str]:
    """What Unicode has raised (`^`) or lowered (`_`), by the plain letter; a star, a prime, a degree are so already."""
    kind = "<super>" if mark == "^" else "<sub>"
    found = {plain: letter for letter, how, plain in _decompositions() if how == kind}
    found["-"] = found["−"]
    return found | ({"*": "*", "′": "′", "'": "′", "∘": "°", "°": "°", "†": "†"} if mark == "^" else {})


def _decompositions() -> Iterator[tuple[str, str, str]]:
    """(letter, how it differs, the plain letter) of all that differs from one letter."""
    for begin, end in _BLOCKS:
        for code in range(begin, end):
            how, *plain = unicodedata.decomposition(chr(code)).split()[:3] or [""]
            if len(plain) == 1:
                yield chr(code), how, chr(int(plain[0], 16))
