"""The row under the text: attach, model, switches, options, Send and Stop. Narrow windows leave words away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLayout, QToolButton, QWidget

from carrel.ui.icons import before_words, icon
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import as_tip, button, chip, literal, restyle, row, tool

SWITCHES = {
    "think": ("Think", "think"),
    "web_search": ("Web", "web"),
    "agentic_mode": ("Steps", "agents"),
    "redact_pii": ("Redact", "shield"),
    "compare": ("Compare", "compare"),
}
"""The draft's field (compare is none), the word on its chip, its icon."""

TIPS = {
    "think": "Have the model think at length before it answers",
    "web_search": "Let the service look on the web; the service does so unless told otherwise",
    "agentic_mode": "Let the model work in several steps",
    "redact_pii": "Replace personal data before a model sees it",
    "compare": "Ask two models the same",
}

BETWEEN, TIGHT = 4, 1
"""Pixels between two buttons; the fewer where not even Send has room for its word."""

LONGEST, SHORT, NARROWEST = 24, 104, 56
"""Letters of a model's name that are seen; pixels that its chip keeps before others lose their words; and at last."""

GAP = " "
"""What a chip's icon and its word have between them beyond the few pixels that Qt gives them."""


class Tools(QWidget):
    """Holds the buttons; the composer connects them."""

    def __init__(self) -> None:
        super().__init__()
        self.clip = tool("attach", "chat.attach", self.tr("Attach files"))
        self.model = chip("", "chat.model", icon_name="down")
        self.model.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.model.setIconSize(QSize(theme.px(12), theme.px(12)))
        self.switches = {n: chip(GAP + w, f"chat.{n}", icon_name=i, checkable=True) for n, (w, i) in SWITCHES.items()}
        self.options = chip("", "chat.options", icon_name="settings", checkable=True)
        self.options.setAccessibleName(self.tr("Options"))
        self.options.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.options.setProperty("look", "words")
        self.options.setToolTip(self.tr("Language, style, tones, character, agent; not keeping the chat"))
        self.send = button(self.tr("Send"), "chat.send", kind="primary", icon_name="send")
        self.stop = button(self.tr("Stop"), "chat.stop", kind="primary", icon_name="stop")
        self.stop.setToolTip(self.tr("Stop receiving; the service may go on"))
        self.queue = button(self.tr("Send next"), "chat.queue")
        self.queue.setToolTip(self.tr("Send it when the reply has ended"))
        for made in self.switches.values():
            made.setAccessibleName(made.text().strip())
        self._sides = (self.queue, self.send, self.stop)
        self._said = {made: made.text() for made in self._sides}
        self._label = ""
        self._needed: dict[tuple[QAbstractButton, bool], int] = {}
        held = row(
            self.clip,
            self.model,
            *self.switches.values(),
            self.options,
            1,
            self.queue,
            self.send,
            self.stop,
            spacing=BETWEEN,
        )
        held.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setLayout(held)
        self.say_tips(unsure=False, locked=False)
        theme.changed.connect(self._measure)

    def show_switches(self, names: Sequence[str]) -> None:
        """Show only these."""
        for name, made in self.switches.items():
            made.setVisible(name in names)
        self._fit()

    def show_model(self, label: str, *, tip: str = "") -> None:
        """Name the model in force; a `tip` says what is the matter with it."""
        if bool(self.model.property("wrong")) != bool(tip):
            self.model.setProperty("wrong", bool(tip))
            self.model.setIcon(icon("warn", "warn") if tip else icon("down"))
        self._label = label if len(label) <= LONGEST else label[: LONGEST - 1] + "…"
        self.model.setText(literal(self._label))
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=label))
        self.model.setToolTip(as_tip(tip or self.tr("Which model answers: {name}").format(name=label)))
        self._fit()

    def show_state(self, *, streaming: bool, has_text: bool) -> None:
        """Offer Stop while a reply is under way, and to put a message in line behind it; else Send."""
        self.stop.setVisible(streaming)
        self.queue.setVisible(streaming and has_text)
        self.send.setVisible(not streaming)
        self.send.setEnabled(has_text)
        self._fit()

    def say_tips(self, *, unsure: bool, locked: bool) -> None:
        """Say what each switch does; `unsure` marks what the service may ignore after the first message."""
        ignored = self.tr("After a chat's first message the service may ignore this.")
        for name, made in self.switches.items():
            words = self.tr(TIPS[name])
            made.setToolTip(as_tip(f"{words}. {ignored}" if unsure else words))
        if locked:
            self.switches["redact_pii"].setToolTip(self.tr("This account always redacts: Settings, Accounts"))

    def sizeHint(self) -> QSize:
        return QSize(self._width(switches=True, sides=True), self._high())

    def minimumSizeHint(self) -> QSize:
        spare = max(0, self.model.sizeHint().width() - theme.px(NARROWEST))
        return QSize(self._width(switches=False, sides=False) - spare, self._high())

    def _high(self) -> int:
        return max(self.send.sizeHint().height(), self.clip.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _width(self, *, switches: bool, sides: bool) -> int:
        """Pixels that all takes where the switches, and the buttons beside them, have their words or only icons."""
        always = (made for made in (self.clip, self.model, self.options) if not made.isHidden())
        widths = [min(made.sizeHint().width(), made.maximumWidth()) for made in always]
        widths += [self._needs(made, switches) for made in self.switches.values() if not made.isHidden()]
        widths += [self._needs(made, sides) for made in self._sides if not made.isHidden()]
        return sum(widths) + (BETWEEN if sides else TIGHT) * len(widths)

    def _needs(self, made: QAbstractButton, with_words: bool) -> int:
        """What a button takes, measured once for each size of text."""
        if (made, with_words) not in self._needed:
            had_words = _has_words(made)
            made.ensurePolished()
            self._dress(made, with_words)
            self._needed[made, with_words] = made.sizeHint().width()
            self._dress(made, had_words)
        return self._needed[made, with_words]

    def _measure(self) -> None:
        """The text has another size, and the icons with it."""
        self._needed.clear()
        _size_icons((self.clip,), 15)
        _size_icons((*self.switches.values(), self.options), 14)
        _size_icons((self.model,), 12)
        for made in self._sides:
            self._dress(made, _has_words(made))
        self._fit()

    def _fit(self) -> None:
        """Without room the model loses some letters first, then the switches their words, then Send and Stop; then the
        model more letters.
        """
        self._show_name(self._label, has_arrow=True)
        spare = max(0, self.model.sizeHint().width() - theme.px(SHORT))
        switches = self.width() + spare >= self._width(switches=True, sides=True)
        sides = self.width() + spare >= self._width(switches=False, sides=True)
        for made in self.switches.values():
            self._dress(made, switches)
        for made in self._sides:
            self._dress(made, sides)
        self.layout().setSpacing(BETWEEN if sides else TIGHT)
        over = self._width(switches=switches, sides=sides) - self.width()
        if over > 0:
            self._shorten(self.model.sizeHint().width() - over)

    def _shorten(self, width: int) -> None:
        """As much of the model's name as there is room for; where that is next to nothing, its arrow goes too."""
        words = self.model.fontMetrics()
        for has_arrow in (True, False):
            self._show_name(self._label, has_arrow=has_arrow)
            room = width - (self.model.sizeHint().width() - words.horizontalAdvance(self._label))
            if room >= theme.px(NARROWEST):
                break
        room = max(theme.px(20), room)
        self._show_name(words.elidedText(self._label, Qt.TextElideMode.ElideRight, room), has_arrow=has_arrow)

    def _show_name(self, words: str, *, has_arrow: bool) -> None:
        styles = Qt.ToolButtonStyle
        self.model.setText(literal(words))
        self.model.setToolButtonStyle(styles.ToolButtonTextBesideIcon if has_arrow else styles.ToolButtonTextOnly)

    def _dress(self, made: QAbstractButton, with_words: bool) -> None:
        if isinstance(made, QToolButton):
            if with_words != _has_words(made):
                beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
                made.setToolButtonStyle(beside if with_words else alone)
                made.setProperty("look", None if with_words else "words")  # room for words that are not there
                restyle(made)
            return
        made.setText(self._said[made] if with_words else "")
        if made is self.queue:
            made.setIcon(QIcon() if with_words else icon("clock"))
        if made.property("look") != (look := None if with_words else "small"):
            made.setProperty("look", look)
            restyle(made)
        made.setIconSize(before_words(15) if with_words else QSize(theme.px(15), theme.px(15)))


def _has_words(made: QAbstractButton) -> bool:
    if isinstance(made, QToolButton):
        return made.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    return bool(made.text())


def _size_icons(buttons: Sequence[QAbstractButton], pixels: int) -> None:
    for made in buttons:
        made.setIconSize(QSize(theme.px(pixels), theme.px(pixels)))
