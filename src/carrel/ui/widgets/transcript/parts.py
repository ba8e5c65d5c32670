"""What a message is made of, each with a height at a width, a way to be painted, and text that can be selected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QPalette,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from carrel.model.formulas import readable
from carrel.model.occurrences import Pattern
from carrel.model.segments import Segment
from carrel.ui.theme import theme
from carrel.ui.widgets.transcript.document import SafeDocument, show_markdown, show_plain
from carrel.ui.widgets.transcript.highlight import highlight

UNBROKEN = 5000
"""Characters without a space after which Qt's layout freezes: such text is cut into lines first."""

Spans = tuple[tuple[int, int], ...]
"""(from, to) as positions in a document."""


class TextPart:
    """A text document with a look around it: prose, code on its ground, thinking behind its bar, what a person said."""

    def __init__(self, style: str = "prose", language: str = "") -> None:
        """Styles: prose, table, code, thinking, said."""
        self.style = style
        self.language = language
        self.source = ""
        self._definitions = ""
        self.height = 0.0
        self.width = 0.0
        self.scrolled = 0.0
        """Pixels that wide code or a wide table is scrolled to the left."""
        self.differing: Spans = ()
        """What another text lacks."""
        self.focused: tuple[int, int] | None = None
        """(from, to) of the one found place that a person stands at."""
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
        self.source = source
        if self._document is not None:
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
        return self.height

    @property
    def most_scrolled(self) -> float:
        """How far it can be scrolled to the left; 0 where all of it shows."""
        return max(0.0, self._full - (self.width - 2 * self._inset_x)) if self._is_wide else 0.0

    def scroll(self, pixels: float) -> bool:
        """Scroll sideways; False where there is nothing more to show."""
        former, self.scrolled = self.scrolled, max(0.0, min(self.most_scrolled, self.scrolled + pixels))
        return self.scrolled != former

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
        self._paint_ground(painter, x, y)
        origin = self.origin(x, y)
        painter.save()
        box = QRectF(x + self._inset_x, y, self.width - 2 * self._inset_x, self.height)
        painter.setClipRect(box.intersected(clip) if self.most_scrolled else clip)
        painter.translate(origin)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = clip.translated(-origin)
        context.palette.setColor(QPalette.ColorRole.Text, self._ink())
        context.selections = [
            *(self._chosen(start, stop, "info_soft", "text") for start, stop in self.differing),
            *(self._chosen(start, stop, "warn_soft", "text") for start, stop in self.found(marked)),
            *([self._chosen(*self.focused, "warn", "surface")] if self.focused else ()),
            *([self._chosen(*selection, "accent", "on_accent")] if selection else ()),
        ]
        self.document.documentLayout().draw(painter, context)
        painter.restore()
        if self.most_scrolled:
            self._paint_bar(painter, x, y)

    def position_at(self, point: QPointF) -> int:
        """The character position nearest to a point, which is relative to the text's origin."""
        return self.document.documentLayout().hitTest(point, Qt.HitTestAccuracy.FuzzyHit)

    def link_at(self, point: QPointF) -> str:
        """The address of the link under a point, or an empty text."""
        return self.document.documentLayout().anchorAt(point)

    def word_at(self, position: int) -> tuple[int, int]:
        """From and to of the word at a position."""
        cursor = QTextCursor(self.document)
        cursor.setPosition(min(position, self.length))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
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
        self.differing = _in_units(self.document.toPlainText(), spans)

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
        return _in_units(text, [found.span() for found in wanted.finditer(text)])

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

    def _chosen(self, start: int, stop: int, ground: str, ink: str) -> QAbstractTextDocumentLayout.Selection:
        chosen = QAbstractTextDocumentLayout.Selection()
        cursor = QTextCursor(self.document)
        cursor.setPosition(min(start, self.length))
        cursor.setPosition(min(stop, self.length), QTextCursor.MoveMode.KeepAnchor)
        look = QTextCharFormat()
        look.setBackground(theme.color(ground))
        look.setForeground(theme.color(ink))
        chosen.cursor, chosen.format = cursor, look
        return chosen

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
        if self.style in {"prose", "table"} and not _is_unbroken(self.source):
            known = f"\n\n{self._definitions}" if self._definitions else ""
            show_markdown(document, readable(self.source) + known)
            return
        show_plain(document, _broken(self.source), 1.5 if self.style == "code" else 1.45)
        if self.style == "code":
            highlight(document, self.source, self.language)

    def _paint_bar(self, painter: QPainter, x: float, y: float) -> None:
        """How far it is scrolled, as a thin bar below."""
        room = self.width - 2 * self._inset_x
        wide = max(24.0, room * room / self._full)
        left = x + self._inset_x + (room - wide) * self.scrolled / self.most_scrolled
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("border"))
        painter.drawRoundedRect(QRectF(left, y + self.height - 5, wide, 4), 2, 2)

    def _paint_ground(self, painter: QPainter, x: float, y: float) -> None:
        box = QRectF(x, y, self.width, self.height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.style == "thinking":
            painter.fillRect(QRectF(x, y, 2, self.height), theme.color("border"))
        elif self.style == "code":
            painter.setPen(theme.color("border"))
            painter.setBrush(theme.color("code"))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
            if self.language:
                painter.setFont(theme.font(11.5))
                painter.setPen(theme.color("muted"))
                name = QRectF(x + theme.px(12), y + theme.px(6), self.width / 2, theme.px(20))
                painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, self.language[:40])


def _in_units(text: str, spans: Iterable[tuple[int, int]]) -> Spans:
    """Places in a text as Qt counts them."""
    if len(text) == _units(text):
        return tuple(spans)
    return tuple((_units(text[:start]), _units(text[:stop])) for start, stop in spans)


def _units(text: str) -> int:
    """A length as Qt counts it: a character beyond the first 65,536 takes two."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def part_of(segment: Segment) -> TextPart:
    """The part that shows a segment."""
    part = TextPart({"text": "prose"}.get(segment.kind, segment.kind), segment.language)
    part.show(segment.text)
    return part


def _is_unbroken(text: str) -> bool:
    return len(text) > UNBROKEN and max(map(len, text.split()), default=0) > UNBROKEN


def _broken(text: str) -> str:
    """Text in which no run without a space is longer than Qt can lay out quickly."""
    if not _is_unbroken(text):
        return text
    return "\n".join(line[i : i + 1000] for line in text.split("\n") for i in range(0, max(1, len(line)), 1000))
