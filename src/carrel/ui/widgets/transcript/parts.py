"""What a message is made of, each with a height at a width, a way to be painted, and text that can be selected."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAbstractTextDocumentLayout, QColor, QPainter, QPalette, QTextCursor, QTextDocument

from carrel.model.formulas import readable
from carrel.model.occurrences import Pattern
from carrel.model.segments import Segment
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript.document import LIST_STEP, Link, SafeDocument, broken, is_unbroken, show_plain
from carrel.ui.widgets.transcript.dressing import show_markdown
from carrel.ui.widgets.transcript.grounds import paint_ground, paint_inner, paint_thumb
from carrel.ui.widgets.transcript.highlight import append_code, highlight
from carrel.ui.widgets.transcript.marks import Spans, in_units, mark

BAR = 4
"""Pixels of the bar below wide code; the strip that can be pressed is three times as high."""


class TextPart:
    """A text document with a look around it: prose, code on its ground, thinking behind its bar, what a person said."""

    def __init__(self, style: str = "prose", language: str = "", depth: int = 0, column: int = 0) -> None:
        """Styles: prose, table, code, thinking, said. `depth` and `column` as a segment has them."""
        self.style = style
        self.language = language
        self.depth, self.column = depth, column
        self.source = ""
        self._definitions = ""
        self.height = 0.0
        self.width = 0.0
        self.scrolled = 0.0
        """Pixels that wide code or a wide table is scrolled to the left."""
        self.is_held = False
        """Whether its bar is held by the mouse."""
        self.differing: Spans = ()
        """What another text lacks."""
        self.focused: tuple[int, int] | None = None
        """(from, to) of the one found place that a person stands at."""
        self.link: Link | None = None
        """The link that the keyboard stands at."""
        self._full = 0.0
        self._found: tuple[Pattern | None, str, Spans] = (None, "", ())
        self._document: QTextDocument | None = None

    @property
    def document(self) -> QTextDocument:
        """The text, laid out when it is first needed."""
        if self._document is None:
            self._document = self._read()
        return self._document

    def show(self, source: str) -> bool:
        """Take other text; False where it is the same."""
        if source == self.source and self._document is not None:
            return False
        former, self.source = self.source, source
        if self._document is not None:
            if self.style == "code" and former and source.startswith(former) and not is_unbroken(source):
                append_code(self._document, source, len(former), self.language)
            else:
                self._fill(self._document)
        return True

    def define(self, definitions: str) -> bool:
        """Take the lines that give its links their addresses and stand elsewhere; False where they are the same."""
        if definitions == self._definitions:
            return False
        self._definitions = definitions
        if self._document is not None:
            self._fill(self._document)
        return True

    def lay_out(self, width: float) -> float:
        """The height at a width, in pixels."""
        self.width = width
        room = max(40.0, width - 2 * self._inset_x)
        self.document.setTextWidth(room)
        self._full = max(room, self.document.size().width(), self.document.idealWidth() if self._is_wide else 0.0)
        if self._full > room + 1:
            self.document.setTextWidth(self._full)
        self.scrolled = min(self.scrolled, self.most_scrolled)
        self.height = self.document.size().height() + self._inset_top + self._inset_bottom
        if self.style == "prose" and self.document.isEmpty():  # nothing but where the links elsewhere lead
            self.height = 0.0
        return self.height

    @property
    def shift(self) -> float:
        """Pixels that it stands to the right, as it is within list items."""
        return float(self.depth * theme.px(LIST_STEP))

    @property
    def most_scrolled(self) -> float:
        """How far it can be scrolled to the left; 0 where all of it shows."""
        return max(0.0, self._full - (self.width - 2 * self._inset_x)) if self._is_wide else 0.0

    def scroll(self, pixels: float) -> bool:
        """Scroll sideways; False where there is nothing more to show."""
        former, self.scrolled = self.scrolled, max(0.0, min(self.most_scrolled, self.scrolled + pixels))
        return self.scrolled != former

    def thumb(self) -> QRectF:
        """The bar that shows how far it is scrolled, from the part's corner; empty where all of it shows."""
        if not self.most_scrolled:
            return QRectF()
        room = self.width - 2 * self._inset_x
        wide = max(24.0, room * room / self._full)
        left = self._inset_x + (room - wide) * self.scrolled / self.most_scrolled
        return QRectF(left, self.height - BAR - 2, wide, BAR)

    def is_on_bar(self, point: QPointF) -> bool:
        """Whether a point, from the part's corner, is where the bar can be pressed."""
        return self.most_scrolled > 0 and self.height - 3 * BAR <= point.y() <= self.height

    def pull(self, pixels: float) -> bool:
        """Scroll as far as the bar takes it when it is drawn so far; False where there is nothing more to show."""
        room = self.width - 2 * self._inset_x - self.thumb().width()
        return room > 0 and self.scroll(pixels * self.most_scrolled / room)

    def origin(self, x: float, y: float) -> QPointF:
        """Where the text begins when the part is at (x, y)."""
        return QPointF(x + self._inset_x - self.scrolled, y + self._inset_top)

    def ideal_width(self) -> float:
        """The width that the text would take on one line, its insets included. It has to be laid out after that."""
        self.document.setTextWidth(-1)
        self.width = 0.0
        return self.document.idealWidth() + 2 * self._inset_x + 1

    def paint(
        self,
        painter: QPainter,
        at: QPointF,
        clip: QRectF,
        selection: tuple[int, int] | None,
        marked: Pattern | None = None,
    ) -> None:
        """Paint at a place; only what `clip` shows is drawn. `selection` is (from, to), `marked` is marked."""
        x, y = at.x(), at.y()
        paint_ground(painter, QRectF(x, y, self.width, self.height), self.style, self.language)
        origin = self.origin(x, y)
        painter.save()
        box = QRectF(x + self._inset_x, y, self.width - 2 * self._inset_x, self.height)
        painter.setClipRect(box.intersected(clip) if self.most_scrolled else clip)
        painter.translate(origin)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = clip.translated(-origin)
        paint_inner(painter, self.document, context.clip)
        context.palette.setColor(QPalette.ColorRole.Text, self._ink())
        context.palette.setColor(QPalette.ColorRole.WindowText, theme.color("border"))  # of a rule
        context.selections = [
            *(mark(self.document, start, stop, "info_soft", "text") for start, stop in self.differing),
            *(mark(self.document, start, stop, "warn_soft", "text") for start, stop in self.found(marked)),
            *([mark(self.document, *self.focused, "warn", "surface")] if self.focused else ()),
            *([mark(self.document, *selection, "accent", "on_accent")] if selection else ()),
            *([mark(self.document, *self.link[:2], "accent", "on_accent")] if self.link else ()),
        ]
        painter.setBrush(Qt.BrushStyle.NoBrush)  # Qt fills a task's box with whatever brush it finds, over its cross
        self.document.documentLayout().draw(painter, context)
        painter.restore()
        if self.most_scrolled:
            paint_thumb(painter, self.thumb().translated(x, y), held=self.is_held)

    def position_at(self, point: QPointF) -> int:
        """The character position nearest to a point, which is relative to the text's origin."""
        return self.document.documentLayout().hitTest(point, Qt.HitTestAccuracy.FuzzyHit)

    def link_at(self, point: QPointF) -> str:
        """The address of the link under a point, or an empty text."""
        return self.document.documentLayout().anchorAt(point)

    def around(self, position: int, what: QTextCursor.SelectionType) -> tuple[int, int]:
        """From and to of the word or the paragraph at a position."""
        cursor = QTextCursor(self.document)
        cursor.setPosition(min(position, self.length))
        cursor.select(what)
        return cursor.selectionStart(), cursor.selectionEnd()

    @property
    def length(self) -> int:
        """The last position in the text."""
        return max(0, self.document.characterCount() - 1)

    def selected_text(self, start: int, stop: int) -> str:
        """The plain text between two positions."""
        cursor = QTextCursor(self.document)
        cursor.setPosition(max(0, min(start, self.length)))
        cursor.setPosition(max(0, min(stop, self.length)), QTextCursor.MoveMode.KeepAnchor)
        return cursor.selection().toPlainText()

    def differ(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark what another text lacks; `spans` count the characters of the plain text."""
        self.differing = in_units(self.document.toPlainText(), spans)

    def found(self, wanted: Pattern | None) -> Spans:
        """(from, to) of all places where it stands; looked up once for a text."""
        if wanted is None:
            return ()
        if self._found[:2] != (wanted, self.source):
            self._found = wanted, self.source, self.found_once(wanted)
        return self._found[2]

    def found_once(self, wanted: Pattern) -> Spans:
        """As `found`, of what nobody will ask again."""
        text = self.document.toPlainText()
        return in_units(text, [found.span() for found in wanted.finditer(text)])

    def box(self, position: int) -> QRectF:
        """Where a character stands, from the text's origin; no wider than nothing."""
        block = self.document.findBlock(position)
        top = self.document.documentLayout().blockBoundingRect(block).topLeft()
        line = block.layout().lineForTextPosition(position - block.position())
        if not line.isValid():
            return QRectF(top.x(), top.y(), 0, theme.px(20))
        return QRectF(top.x() + line.cursorToX(position - block.position())[0], top.y() + line.y(), 0, line.height())

    def reveal(self, position: int) -> None:
        """Scroll sideways so far that a character shows."""
        room = self.width - 2 * self._inset_x
        x = self.box(position).x()
        if not self.scrolled <= x <= self.scrolled + room - theme.px(60):
            self.scrolled = max(0.0, min(self.most_scrolled, x - room / 3))

    @property
    def _is_wide(self) -> bool:
        return self.style in {"code", "table"}

    @property
    def _inset_x(self) -> float:
        return float(theme.px({"code": 12, "thinking": 14}.get(self.style, 0)))

    @property
    def _inset_top(self) -> float:
        return float(theme.px(30 if self.language else 10)) if self.style == "code" else 0.0

    @property
    def _inset_bottom(self) -> float:
        return float(theme.px(10)) if self.style == "code" else 8.0 if self.most_scrolled else 0.0

    def _ink(self) -> QColor:
        return theme.color("muted" if self.style == "thinking" else "text")

    def _read(self) -> QTextDocument:
        size = {"code": 12.0, "thinking": 11.5, "said": 13.0, "table": 13.0}.get(self.style, 14.0)
        document = SafeDocument(size, mono=self.style == "code", wrap=not self._is_wide)
        self._fill(document)
        return document

    def _fill(self, document: QTextDocument) -> None:
        if self.style in {"prose", "table"} and not is_unbroken(self.source):
            known = f"\n\n{self._definitions}" if self._definitions else ""
            show_markdown(document, readable(self.source) + known)
            return
        show_plain(document, broken(self.source), 1.5 if self.style == "code" else 1.45)
        if self.style == "code":
            highlight(document, self.source, self.language)


def style_of(segment: Segment) -> str:
    """The style of a part that shows a segment."""
    return {"text": "prose"}.get(segment.kind, segment.kind)


def part_of(segment: Segment) -> TextPart:
    """The part that shows a segment."""
    part = TextPart(style_of(segment), segment.language, segment.depth, segment.column)
    part.show(segment.text)
    return part
