"""What speaks to the user: a note on the item that it belongs to, a banner for the session, a toast, an empty state."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from carrel.ui.icons import icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, column, label, named, row, tool

SCROLL_BAR = 24
"""Pixels: more than a scroll bar takes."""


def announce(widget: QWidget, text: str) -> None:
    """Have a screen reader say it."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class Note(QFrame):
    """Words on a coloured ground, with up to a few things to do. Tones: danger, warn, info."""

    acted = Signal(str)
    closed = Signal()

    def __init__(self, object_name: str, *, banner: bool = False, closable: bool = False) -> None:
        super().__init__()
        named(self, object_name)
        self.setProperty("banner", banner)
        self._title = label("", "bold", wrap=True)
        self._text = label("", wrap=True, select=True)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(6)
        words = column(self._title, self._text, spacing=2)
        self._said: tuple[tuple[str, str], ...] = ()
        self._parts = row(spacing=10)
        self._parts.addLayout(words, 1)
        self._parts.addLayout(self._buttons)
        self._parts.setAlignment(self._buttons, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        inner = row(margins=(14, 8, 10, 8), spacing=10)
        inner.addLayout(self._parts, 1)
        self._close = tool("close", f"{object_name}.close", self.tr("Dismiss"))
        self._close.clicked.connect(self._dismiss)
        if not closable:
            self._close.hide()
        inner.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.setLayout(inner)
        self.hide()

    def say(self, tone: str, title: str, text: str = "", actions: Sequence[tuple[str, str]] = ()) -> None:
        """Show; `actions` are (key, words), told by `acted`."""
        self.setProperty("note", tone)
        self.style().unpolish(self)
        self.style().polish(self)
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._text.setText(text)
        self._text.setVisible(bool(text))
        spoken = ". ".join(part for part in (title, text) if part)
        is_news = self.isHidden() or spoken != self.accessibleName()
        self.setAccessibleName(spoken)
        self._offer(tuple(actions))
        self._fit()
        self.show()
        if is_news:
            announce(self, spoken)

    def say_error(self, error: object, actions: Sequence[tuple[str, str]] = ()) -> None:
        """Show an error value: its title, message and remedy."""
        parts = dict.fromkeys([getattr(error, "message", str(error)), getattr(error, "remedy", "")])
        title = getattr(error, "title", "")
        more = (part for part in parts if part and part.rstrip(".").casefold() != title.rstrip(".").casefold())
        text = " ".join(part if part.endswith((".", "!", "?", "…")) else f"{part}." for part in more)
        self.say("danger", title, text, actions)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """It never asks for width: the page says how wide it is, and its arrangement follows from that."""
        return QSize(0, super().minimumSizeHint().height())

    def _offer(self, actions: tuple[tuple[str, str], ...]) -> None:
        """The buttons stay while they are the same, so that a press on one meets it while the words go on changing."""
        if actions == self._said:
            return
        self._said = actions
        while taken := self._buttons.takeAt(0):
            taken.widget().hide()
            taken.widget().deleteLater()
        for key, words in actions:
            made = button(words, f"{self.objectName()}.{key}", kind="")
            made.clicked.connect(lambda _=False, k=key: self.acted.emit(k))
            self._buttons.addWidget(made, 0, Qt.AlignmentFlag.AlignTop)

    def _fit(self) -> None:
        """Where the words would have too little room beside the buttons, the buttons stand below them.

        They come back only where there is a scroll bar's width to spare: else a page whose bar comes with the one
        arrangement and goes with the other would turn from one to the other for ever.
        """
        ways = QBoxLayout.Direction
        buttons = [self._buttons.itemAt(number).widget() for number in range(self._buttons.count())]
        wide = sum(made.sizeHint().width() + self._buttons.spacing() for made in buttons)
        beside = self.width() - wide - theme.px(40)
        if self._parts.direction() == ways.TopToBottom:
            beside -= theme.px(SCROLL_BAR)
        needed = self._text.fontMetrics().horizontalAdvance(self._text.text())
        is_narrow = bool(self._said) and needed > beside and beside < theme.px(300)
        self._parts.setDirection(ways.TopToBottom if is_narrow else ways.LeftToRight)
        self._buttons.setDirection(ways.TopToBottom if is_narrow and beside < 0 else ways.LeftToRight)

    def _dismiss(self) -> None:
        self.hide()
        self.closed.emit()


class Toast(QFrame):
    """A short word at the bottom of the window, gone by itself, with at most one thing to do."""

    acted = Signal()
    STAY = 6000

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "toast")
        self._text = label("")
        self._action = button("", "toast.action")
        self._action.clicked.connect(self._act)
        self.setLayout(row(self._text, self._action, margins=(14, 8, 14, 8)))
        self._timer = QTimer(self, singleShot=True, interval=self.STAY)
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.hide()

    def say(self, text: str, action: str = "") -> None:
        """Show for a few seconds."""
        self._text.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._fit(text)
        self.adjustSize()
        self._place()
        self.show()
        self.raise_()
        self._timer.start()
        announce(self, text)

    def take_back(self, text: str) -> None:
        """These words are no longer true, or of no use."""
        if self._text.text() == text:
            self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _fit(self, text: str) -> None:
        """One line where there is room for it in the window, else several."""
        room = self.parentWidget().width() - theme.px(60) - self._action.sizeHint().width()
        needed = self._text.fontMetrics().horizontalAdvance(text)
        self._text.setWordWrap(needed > room)
        self._text.setFixedWidth(min(needed + 2, max(room, 1)))

    def _place(self) -> None:
        """Low in the window, but above what a person may be about to press there (a frame of `part` typing)."""
        parent = self.parentWidget()
        bottom = parent.height() - theme.px(48)
        for frame in parent.findChildren(QFrame):
            if frame.isVisible() and frame.property("part") == "typing":
                bottom = min(bottom, frame.mapTo(parent, QPoint(0, 0)).y() - theme.px(12))
        self.move((parent.width() - self.width()) // 2, max(0, bottom - self.height()))

    def _act(self) -> None:
        self.hide()
        self.acted.emit()


class EmptyState(QWidget):
    """Says what goes here and offers the first step."""

    acted = Signal(str)

    def __init__(self, object_name: str, icon_name: str = "") -> None:
        super().__init__()
        named(self, object_name)
        self._icon_name = icon_name
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._title = label("", "heading")
        self._text = label("", "muted", wrap=True)
        self._buttons = QHBoxLayout()
        for one in (self._title, self._text):
            one.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        box = QVBoxLayout(self)
        box.setSpacing(8)
        box.addStretch(2)
        box.addWidget(self._picture)
        box.addWidget(self._title)
        box.addWidget(self._text, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addSpacing(4)
        box.addLayout(self._buttons)
        box.addStretch(3)
        self._buttons.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        theme.changed.connect(self._draw)
        self._draw()

    def say(self, title: str, text: str = "", actions: Sequence[tuple[str, str]] = ()) -> None:
        """Change the words; `actions` are (key, words), the first one is the first step."""
        self._title.setText(title)
        self._text.setText(text)
        self._fit()
        while taken := self._buttons.takeAt(0):
            taken.widget().deleteLater()
        for number, (key, words) in enumerate(actions):
            made = button(words, f"{self.objectName()}.{key}", kind="" if number else "primary")
            made.clicked.connect(lambda _=False, k=key: self.acted.emit(k))
            self._buttons.addWidget(made)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _fit(self) -> None:
        """A layout that centres a wrapped label gives it one line: its height is its own business."""
        self._text.setFixedWidth(max(1, min(theme.px(400), self.width() - theme.px(32))))
        self._text.ensurePolished()
        self._text.setFixedHeight(max(0, self._text.heightForWidth(self._text.width())))

    def _draw(self) -> None:
        self._fit()
        if self._icon_name:
            self._picture.setPixmap(icon(self._icon_name, "faint").pixmap(theme.px(36), theme.px(36)))


def copy(text: str) -> None:
    """Put text on the clipboard."""
    QGuiApplication.clipboard().setText(text)
