"""The row under the text: attach, model, switches, options, Send and Stop. Narrow windows leave the words away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QToolButton, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.controls import button, chip, literal, row, tool

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

BETWEEN = 6
GAP = " "
"""What a chip's icon and its word have between them beyond the few pixels that Qt gives them."""


class Tools(QWidget):
    """Holds the buttons; the composer connects them."""

    def __init__(self) -> None:
        super().__init__()
        self.clip = tool("attach", "chat.attach", self.tr("Attach files"))
        self.model = chip("", "chat.model", icon_name="down", tip=self.tr("Which model answers"))
        self.model.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self.model.setIconSize(QSize(theme.px(12), theme.px(12)))
        self.switches = {n: chip(GAP + w, f"chat.{n}", icon_name=i, checkable=True) for n, (w, i) in SWITCHES.items()}
        self.options = chip("", "chat.options", icon_name="settings", checkable=True)
        self.options.setAccessibleName(self.tr("Options"))
        self.options.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.options.setToolTip(self.tr("Language, style, tones, character, agent; not keeping the chat"))
        self.send = button(self.tr("Send"), "chat.send", kind="primary", icon_name="send")
        self.stop = button(self.tr("Stop"), "chat.stop", kind="primary", icon_name="stop")
        self.stop.setToolTip(self.tr("Stop receiving; the service may go on"))
        self.queue = button(self.tr("Send next"), "chat.queue")
        self.queue.setToolTip(self.tr("Send it when the reply has ended"))
        for made in self.switches.values():
            made.setAccessibleName(made.text().strip())
        self._full: dict[QToolButton, int] = {}
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

    def show_model(self, label: str) -> None:
        """Name the model in force."""
        self.model.setText(literal(label if len(label) <= 24 else label[:23] + "…"))
        self.model.setAccessibleName(self.tr("Model: {name}").format(name=label))
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
            made.setToolTip(f"{words}. {ignored}" if unsure else words)
        if locked:
            self.switches["redact_pii"].setToolTip(self.tr("This account always redacts: Settings, Accounts"))

    def sizeHint(self) -> QSize:
        return QSize(self._width(with_words=True), self.send.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width(with_words=False), self.send.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _width(self, *, with_words: bool) -> int:
        """Pixels that all takes, the switches with their words or only with their icons."""
        others = [self.clip, self.model, self.options, self.queue, self.send, self.stop]
        widths = [made.sizeHint().width() for made in others if not made.isHidden()]
        switches = [made for made in self.switches.values() if not made.isHidden()]
        widths += [self._full_width(made) if with_words else theme.px(30) for made in switches]
        return sum(widths) + BETWEEN * len(widths)

    def _full_width(self, made: QToolButton) -> int:
        """What a switch takes with its word, measured once for each size of text."""
        if made not in self._full:
            style = made.toolButtonStyle()
            made.ensurePolished()
            made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self._full[made] = made.sizeHint().width()
            made.setToolButtonStyle(style)
        return self._full[made]

    def _measure(self) -> None:
        self._full.clear()
        self._fit()

    def _fit(self) -> None:
        fits = self.width() >= self._width(with_words=True)
        beside, alone = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
        for made in self.switches.values():
            made.setToolButtonStyle(beside if fits else alone)
