"""The blocks of a Markdown text as CommonMark and GitHub cut them: quotes, lists, code, tables, headings, paragraphs.

The `markdown` package reads blocks by older rules (no list right after a paragraph, four spaces a level, `1.` only),
so exports give it these blocks and leave it the words within them. The steps are those of CommonMark's appendix:
match the open blocks, begin new ones, else go on with a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.work.html.tables import aligns_of, cells_of
from carrel.work.html.tree import Block, is_tight

LEAVES = frozenset({"code", "heading", "rule", "table"})
"""Kinds that are whole with the line that begins them, but for code and tables, which take further lines."""

DEEPEST = 40
"""Levels of nesting; what is nested deeper is read as text of the last level."""

_FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
_UNDERLINE = re.compile(r"(=+|-+)[ \t]*$")
_MARKER = re.compile(r"([-+*])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)")


def blocks_of(text: str) -> Block:
    """The document as a tree of blocks."""
    reader = Reader()
    for line in text.removesuffix("\n").split("\n"):
        reader.take(line)
    reader.close(1)
    return reader.root


def open_fence(text: str) -> str:
    """The line that closes a fence left open at the end of a text; empty where none is."""
    reader = Reader()
    for line in text.split("\n"):
        reader.take(line)
    return reader.tip.fence if len(reader.path) == 2 else ""


class Reader:
    """Takes lines. `path` holds the open blocks: containers from the document inward, then at most one leaf.

    A `depth` counts blocks of the path: those that a line belongs to.
    """

    def __init__(self) -> None:
        self.root = Block("document")
        self.path = [self.root]
        self.left = 0
        self.starts: tuple[Callable[[str, int], str | None], ...] = (
            self._quote,
            self._heading,
            self._fence,
            self._underline,
            self._rule,
            self._item,
            self._table,
        )

    @property
    def tip(self) -> Block:
        """The innermost open block."""
        return self.path[-1]

    def take(self, raw: str) -> None:
        """Take one more line."""
        rest, depth = self._match(_untabbed(raw))
        if self.tip.kind == "code" and depth == len(self.path) - 1 and self._code_line(raw, rest, depth):
            return
        rest, depth = self._begin(rest, depth)
        if self.tip.kind in LEAVES and depth == len(self.path):
            self._note_blank(depth, is_blank=False)
        elif rest.strip():
            self._words(rest, depth)
        else:
            self._blank(depth)

    def close(self, depth: int) -> None:
        """Close what is open beyond a depth of the path."""
        while len(self.path) > depth:
            block = self.path.pop()
            if block.kind == "list":
                block.tight = is_tight(block)
            elif block.kind == "code" and not block.fence:
                while block.lines and not block.lines[-1].strip():
                    block.lines.pop()

    # The open blocks that a line belongs to

    def _match(self, line: str) -> tuple[str, int]:
        """What is left of a line without the marks of the containers that it belongs to, and their depth."""
        depth = 1
        for block in self.path[1:]:
            if block.kind == "list":
                depth += 1
                continue
            inner = _inside(block, line)
            if inner is None:
                break
            line, depth = inner, depth + 1
        while self.path[depth - 1].kind == "list":
            depth -= 1  # a list goes on with an item only
        return line, depth

    def _code_line(self, raw: str, rest: str, depth: int) -> bool:
        """Take a line into the code that is open; False where the code ends before it."""
        code = self.tip
        if not code.fence:
            if _indent(rest) < 4 and rest.strip():
                self.close(depth)
                return False
            code.lines.append(rest[4:])
        elif _indent(rest) <= 3 and _closes(rest.strip(), code.fence):
            self.close(depth)
            return True
        else:
            line = raw if depth == 1 else rest  # tabs within code are kept where nothing was taken off
            code.lines.append(line[min(_indent(line), code.level) :])
        self._note_blank(depth + 1, is_blank=not code.fence and not rest.strip())
        return True

    # New blocks

    def _begin(self, rest: str, depth: int) -> tuple[str, int]:
        """Begin all that the rest of a line begins; what is left of it then, and the depth."""
        while depth < DEEPEST and rest.strip():
            if _indent(rest) >= 4:
                if self.tip.kind != "paragraph":
                    self._open(depth, Block("code", lines=[rest[4:]]))
                    return "", len(self.path)
                break
            further = self._start(rest, depth)
            if further is None:
                break
            rest, depth = further, len(self.path)
            if self.tip.kind in LEAVES:
                break
        return rest, depth

    def _start(self, rest: str, depth: int) -> str | None:
        self.left = _indent(rest)
        for start in self.starts:
            further = start(rest.lstrip(" "), depth)
            if further is not None:
                return further
        return None

    def _open(self, depth: int, block: Block) -> None:
        """Begin a block in the container at a depth of the path."""
        self.close(depth)
        self.tip.children.append(block)
        self.path.append(block)

    def _goes_on(self, depth: int) -> bool:
        """Whether the line belongs to the paragraph that is open (and is not merely a lazy line of it)."""
        return self.tip.kind == "paragraph" and depth == len(self.path) - 1

    def _quote(self, rest: str, depth: int) -> str | None:
        if not rest.startswith(">"):
            return None
        self._open(depth, Block("quote"))
        return _without(rest[1:])

    def _heading(self, rest: str, depth: int) -> str | None:
        found = _HEADING.match(rest)
        if not found:
            return None
        words = re.sub(r"^#+$", "", (found[2] or "").strip())
        self._open(depth, Block("heading", lines=[words], level=len(found[1])))
        return ""

    def _fence(self, rest: str, depth: int) -> str | None:
        found = _FENCE.match(rest)
        if not found:
            return None
        info = (found[2] or found[4] or "").strip()
        self._open(depth, Block("code", fence=found[1] or found[3], info=info.partition(" ")[0], level=self.left))
        return ""

    def _underline(self, rest: str, depth: int) -> str | None:
        """A line of = or - right below a paragraph makes it a heading."""
        if not self._goes_on(depth) or not _UNDERLINE.match(rest):
            return None
        self.tip.kind, self.tip.level = "heading", 1 if rest.startswith("=") else 2
        return ""

    def _rule(self, rest: str, depth: int) -> str | None:
        if not _RULE.match(rest):
            return None
        self._open(depth, Block("rule"))
        return ""

    def _item(self, rest: str, depth: int) -> str | None:
        found = _MARKER.match(rest)
        if not found:
            return None
        left, after = self.left, rest[found.end() :]
        if self._goes_on(depth) and (not after.strip() or (found[2] and int(found[2]) != 1)):
            return None
        after = _untabbed(after)
        inner = 1 if not after.strip() or _indent(after) > 4 else _indent(after)
        marker = found[1] or found[3]
        held = self.path[depth] if depth < len(self.path) else None
        if held is None or held.kind != "list" or held.info != marker:
            self._open(depth, Block("list", info=marker, start=int(found[2] or 1)))
        self._open(depth + 1, Block("item", level=left + found.end() + inner))
        return after[inner:]

    def _table(self, rest: str, depth: int) -> str | None:
        """A row of dashes right below a line with as many cells."""
        if not self._goes_on(depth):
            return None
        words = self.tip.lines
        aligns, header = aligns_of(rest), cells_of(words[-1])
        if "|" not in rest + words[-1] or len(aligns) != len(header):
            return None
        words.pop()
        if not words:
            self.path[depth - 1].children.pop()
        self._open(depth, Block("table", aligns=aligns, rows=[header]))
        return ""

    # Words and blank lines

    def _words(self, rest: str, depth: int) -> None:
        tip = self.tip
        if tip.kind == "table" and depth == len(self.path) - 1:
            tip.rows.append(cells_of(rest, len(tip.aligns)))
        elif tip.kind == "paragraph":  # the next line of it, or a lazy one
            tip.lines.append(rest.lstrip())
        else:
            self._open(depth, Block("paragraph", lines=[rest.lstrip()]))
        self._note_blank(len(self.path), is_blank=False)

    def _blank(self, depth: int) -> None:
        """A blank line ends paragraphs and quotes; lists stay open, since another item may follow."""
        while depth < len(self.path) and self.path[depth].kind == "list":
            depth += 1
        self.close(depth)
        container = self.path[depth - 1]
        if container.children:
            container.children[-1].blank_after = True
        is_fresh = container.kind == "item" and not container.children
        self._note_blank(depth, is_blank=container.kind != "quote" and not is_fresh)

    def _note_blank(self, depth: int, *, is_blank: bool) -> None:
        for block in self.path[:depth]:
            block.blank_after = is_blank


def _inside(block: Block, line: str) -> str | None:
    """A line without the mark of a container; None where it does not belong to that."""
    if block.kind == "quote":
        words = line.lstrip(" ")
        return _without(words[1:]) if _indent(line) <= 3 and words.startswith(">") else None
    if block.kind != "item":
        return None
    if not line.strip():
        return "" if block.children else None
    return line[block.level :] if _indent(line) >= block.level else None


def _untabbed(line: str) -> str:
    """Tabs before the first word as spaces."""
    words = line.lstrip(" \t")
    return line[: len(line) - len(words)].expandtabs(4) + words


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _without(line: str) -> str:
    """Without the one space that belongs to a `>`."""
    line = _untabbed(line)
    return line[1:] if line.startswith(" ") else line


def _closes(line: str, fence: str) -> bool:
    return len(line) >= len(fence) and not line.strip(fence[0])
