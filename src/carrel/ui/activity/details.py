"""One request beside the list: its headers, what was sent, and what came back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from carrel.ui.widgets.codeview import CodeView, pretty
from carrel.ui.widgets.controls import ElidedLabel, button, column, label, named, row, tip
from carrel.ui.widgets.notes import EmptyState

FOLDED = 8_000
"""Characters of a body that are shown before "Show all"."""


class Body(QWidget):
    """A titled piece of code, folded where it is long; nothing is shown for an empty one."""

    def __init__(self, object_name: str, title: str, lines: int) -> None:
        super().__init__()
        self._text = ""
        self._code = CodeView(object_name, title, lines=lines)
        self._all = button(self.tr("Show all"), f"{object_name}.all", kind="quiet")
        self._all.setProperty("look", "small")
        self._all.clicked.connect(self._unfold)
        self.setLayout(column(row(label(title, "section"), 1, self._all), self._code, spacing=4))

    def show_text(self, text: str) -> None:
        """Show this, indented where it is JSON."""
        self._text = pretty(text)
        self.setVisible(bool(text))
        self._all.setVisible(len(self._text) > FOLDED)
        self._code.show_code(self._text if len(self._text) <= FOLDED else f"{self._text[:FOLDED]}\n…")

    def _unfold(self) -> None:
        self._all.hide()
        self._code.show_code(self._text)


class Details(QFrame):
    """`curl_asked` that the request shall be copied as a command."""

    curl_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "activity.details", self.tr("Details of the request"))
        self.setProperty("column", "work")
        self._title = ElidedLabel("", "bold")
        self._title.setObjectName("activity.title")
        curl = button(self.tr("Copy as cURL"), "activity.curl", kind="quiet", icon_name="copy")
        curl.setProperty("look", "small")
        curl.clicked.connect(self.curl_asked)
        self._facts = label("", "muted", wrap=True, select=True)
        self._headers = Body("activity.headers", self.tr("Request headers"), lines=12)
        self._request = Body("activity.request", self.tr("Request"), lines=24)
        self._response = Body("activity.response", self.tr("Response"), lines=40)
        top = row(self._title, curl)
        top.setStretchFactor(self._title, 1)
        inside = QWidget()
        inside.setProperty("clear", True)
        parts = (top, self._facts, self._headers, self._request, self._response, 1)
        inside.setLayout(column(*parts, spacing=10, margins=(18, 14, 18, 14)))
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        self._empty = EmptyState("activity.none", "activity")
        self._empty.say(self.tr("No request chosen"), self.tr("Choose one to see what was sent and what came back."))
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(scroll)
        self.setLayout(column(self._stack, spacing=0))

    def show_request(self, title: str, facts: str, headers: str, request: str, response: str) -> None:
        """Show a request."""
        self._title.setText(title)
        tip(self._title, title)
        self._facts.setText(facts)
        self._headers.show_text(headers)
        self._request.show_text(request)
        self._response.show_text(response)
        self._stack.setCurrentIndex(1)

    def show_nothing(self) -> None:
        """No request is chosen."""
        self._stack.setCurrentIndex(0)
