"""The welcome page's widgets: two cards, one for each way to begin, and the accounts that are kept already."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from carrel.ui.theme import theme
from carrel.ui.widgets.accountform import AccountFields
from carrel.ui.widgets.controls import button, column, frame, label, row
from carrel.ui.widgets.notes import Note


class WelcomePane(QScrollArea):
    """Speaks by signals; the presenter fills it."""

    account_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("welcome.pane")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows the focus of what stands on it
        self.start = button(self.tr("Start"), "welcome.start", kind="primary")
        self.note = Note("welcome.note")
        self.form = AccountFields("welcome")
        self.safety = label("", "small", wrap=True)
        self.safety.setObjectName("welcome.safety")
        self._kept = QVBoxLayout()
        self._build()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.start.setFocus()

    def show_accounts(self, accounts: Sequence[tuple[str, str]]) -> None:
        """Offer the accounts that are kept: (id, name)."""
        while taken := self._kept.takeAt(0):
            taken.widget().deleteLater()
        if accounts:
            self._kept.addWidget(label(self.tr("Your accounts"), "field"))
        for account_id, name in accounts:
            made = button(name, f"welcome.account.{account_id}", icon_name="user")
            made.clicked.connect(lambda _=False, a=account_id: self.account_chosen.emit(a))
            self._kept.addWidget(made)

    def show_starting(self, starting: bool) -> None:
        """The built-in service takes a moment."""
        self.start.setEnabled(not starting)
        self.start.setText(self.tr("Starting…") if starting else self.tr("Start"))

    def _build(self) -> None:
        here = column(
            label(self.tr("Start on this computer"), "heading"),
            label(
                self.tr(
                    "Runs the built-in service here. No account, nothing leaves this machine. "
                    "Sample documents are included."
                ),
                "muted",
                wrap=True,
            ),
            row(self.start, 1),
            self.note,
            spacing=10,
            margins=(18, 18, 18, 18),
        )
        here.addSpacing(8)
        here.addLayout(self._kept)
        here.addStretch(1)
        there = column(
            label(self.tr("Connect an account"), "heading"),
            self.form,
            self.safety,
            spacing=10,
            margins=(18, 18, 18, 18),
        )
        cards = row(spacing=16)
        cards.addWidget(frame("card", "true", here), 100)
        cards.addWidget(frame("card", "true", there), 125)
        lead = label(self.tr("Your documents, searched, discussed and put to work from one desk."), "lead", wrap=True)
        page = QWidget()
        page.setLayout(column(label("Carrel", "title"), lead, spacing=6))
        page.layout().addSpacing(16)
        page.layout().addLayout(cards)
        page.setMaximumWidth(theme.px(760))
        theme.follow(page, lambda: page.setMaximumWidth(theme.px(760)))
        ground = QWidget()
        ground.setProperty("clear", True)
        ground.setLayout(row(1, spacing=0, margins=(24, 24, 24, 24)))
        ground.layout().addWidget(page, 100, Qt.AlignmentFlag.AlignVCenter)
        ground.layout().addStretch(1)
        self.setWidget(ground)
