"""The composer's text: it grows with what is typed, knows what a key means, and tells what is pasted."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QFocusEvent,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from carrel.ui.widgets.controls import named

LONG = 4000
"""Characters of a paste from which on it may rather be a file (issue: the composer)."""

MENTION = re.compile(r"(?:^|\s)#([^\s#]{0,80})$")
COMMAND = re.compile(r"^/(.{0,80})$")


class TextField(QPlainTextEdit):
    """Enter sends, or Ctrl+Enter, as chosen; never while an input method composes.

    `word_typed` gives the sign and the word at the cursor that a list could complete: `#` a file, `/` at the start of
    an otherwise empty line a prompt; both empty where there is none. It looks at one line only, however long the text.
    """

    entered = Signal()
    files_pasted = Signal(list)
    image_pasted = Signal(QImage)
    long_pasted = Signal(str)
    up_pressed = Signal()
    focused = Signal(bool)
    word_typed = Signal(str, str)
    MOST = 10

    def __init__(self) -> None:
        super().__init__()
        named(self, "chat.composer", self.tr("Message"))
        self.setPlaceholderText(self.tr("Ask about your documents, or drop files here"))
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)  # its words stand under the chips' edges
        self.send_with = "enter"
        self.is_composing = False
        """Whether an input method has letters that are not final yet."""
        self._word = ("", "")
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.refit())
        self.cursorPositionChanged.connect(self._look)
        self.textChanged.connect(self._look)
        self.textChanged.connect(self._take_side)
        self._lines = 2
        self._settled = QTimer(self, singleShot=True, interval=0)
        self._settled.timeout.connect(self._mind_bar)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.refit()

    def refit(self) -> None:
        """Take the height of the text: two lines at least, at most ten, fewer where the window has no room for them."""
        self._lines = max(2, min(self.MOST, int(self.document().size().height())))
        self.setMinimumHeight(self._height_of(2))
        self.setMaximumHeight(self._height_of(self._lines))
        self.updateGeometry()
        self._settled.start()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height_of(self._lines))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settled.start()

    def _take_side(self) -> None:
        """Words that run from right to left begin at the right; all of them, since Qt has one side for a plain text."""
        is_rtl = self.document().firstBlock().textDirection() == Qt.LayoutDirection.RightToLeft
        side = Qt.AlignmentFlag.AlignRight if is_rtl else Qt.AlignmentFlag.AlignLeft
        option = QTextOption(self.document().defaultTextOption())
        if option.alignment() != side:
            option.setAlignment(side)
            self.document().setDefaultTextOption(option)

    def _height_of(self, lines: int) -> int:
        return self.fontMetrics().lineSpacing() * lines + 8

    def _mind_bar(self) -> None:
        """Offer the scroll bar only where not all of it shows, once the layout has given what height there is."""
        is_whole = self._lines < self.MOST and self.height() >= self._height_of(self._lines)
        policies = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policies.ScrollBarAlwaysOff if is_whole else policies.ScrollBarAsNeeded)
        if not is_whole:
            self.ensureCursorVisible()

    def is_blank(self) -> bool:
        """Whether there is nothing but space; looks no further than the first letter."""
        block = self.document().begin()
        while block.isValid():
            if block.text().strip():
                return False
            block = block.next()
        return True

    def take_word(self, instead: str = "") -> None:
        """Put other text in the place of the sign and the word that a list has completed."""
        sign, word = self._word
        if sign:
            cursor = self.textCursor()
            cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, 1 + len(word))
            cursor.insertText(instead)
            self.setTextCursor(cursor)

    def take_out(self, text: str) -> bool:
        """Remove the first place where this text stands; False where it stands nowhere."""
        before, found, _ = self.toPlainText().partition(text)
        if found:
            cursor = self.textCursor()
            cursor.setPosition(_units(before))
            cursor.setPosition(_units(before + text), QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        return bool(found)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and self.is_composing:
            return  # the key belongs to the input method
        if is_enter and self._sends(event):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Up and self.document().isEmpty():
            self.up_pressed.emit()
        elif is_enter and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.insertPlainText("\n")
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or source.hasImage() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = [Path(u.toLocalFile()) for u in source.urls() if u.isLocalFile()] if source.hasUrls() else []
        if files:
            self.files_pasted.emit(files)
        elif source.hasImage() and not source.hasText():
            self.image_pasted.emit(QImage(source.imageData()))
        else:
            self._paste(source.text())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Words are dropped here; files and pictures are the window's, which tells what a drop does."""
        held = event.mimeData()
        is_picture = held.hasImage() and (held.hasUrls() or not held.hasText())
        if is_picture or any(url.isLocalFile() for url in held.urls()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)

    def _paste(self, text: str) -> None:
        """A long one is told as it stands here: other line ends and spaces than before."""
        begin = self.textCursor().selectionStart()
        self.insertPlainText(text)
        if len(text) > LONG:
            pasted = self.textCursor()
            pasted.setPosition(begin, QTextCursor.MoveMode.KeepAnchor)
            self.long_pasted.emit(pasted.selection().toPlainText())

    def _sends(self, event: QKeyEvent) -> bool:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held == Qt.KeyboardModifier.ControlModifier:
            return True
        return self.send_with == "enter" and held == Qt.KeyboardModifier.NoModifier

    def _look(self) -> None:
        word = self._word_here()
        if word != self._word:
            self._word = word
            self.word_typed.emit(*word)

    def _word_here(self) -> tuple[str, str]:
        cursor = self.textCursor()
        if cursor.hasSelection() or self.is_composing:
            return "", ""
        line, at = cursor.block().text(), cursor.positionInBlock()
        if at == len(line) and (found := COMMAND.match(line)):
            return "/", found[1]
        found = MENTION.search(line[max(0, at - 82) : at])
        return ("#", found[1]) if found else ("", "")


def _units(text: str) -> int:
    """How far a cursor goes over it: Qt counts what lies beyond 16 bits twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
