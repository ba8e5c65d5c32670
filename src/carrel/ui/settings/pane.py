"""The settings pane's widgets: a list of pages, and the pages. Every setting acts at once and has a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QScrollArea, QSpinBox, QStackedWidget, QVBoxLayout, QWidget

from carrel.ui.settings.notifications import NotificationSwitches
from carrel.ui.settings.reference import ReferenceBox
from carrel.ui.theme import theme
from carrel.ui.widgets.accountform import AccountFields
from carrel.ui.widgets.controls import Switch, Tag, button, column, frame, head, label, named, row
from carrel.ui.widgets.itemlist import Item, ItemList
from carrel.work.context import BUILT_IN

WIRE_NAMES = {
    "workflow_page": "Workflow list: page number",
    "workflow_page_size": "Workflow list: items per page",
    "workflow_search": "Workflow list: search",
    "send_message": "Earlier interface, send: the message",
    "continue_message": "Earlier interface, continue: the message",
}
"""The fields of `WireNames`, and what a person reads for them."""


class SettingsPane(QWidget):
    """Speaks by signals; the presenter fills it."""

    changed = Signal(str, object)
    account_opened = Signal(str)
    account_removed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("settings.pane")
        self.pages = ItemList("settings.pages", self.tr("Settings"))
        self._stack = QStackedWidget()
        self._accounts = QVBoxLayout()
        self.form = AccountFields("settings.account")
        self.built_in = button(self.tr("Open the built-in service"), "settings.built_in")
        self.redact = Switch(self.tr("Always redact on the open account"), "settings.always_redact")
        self.redact_words = label("", "small", wrap=True)
        self.safety = label("", "small", wrap=True)
        self.theme = self._choice(
            "theme", {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        )
        self.send_with = self._choice("send_with", {"enter": self.tr("Enter"), "ctrl-enter": self.tr("Ctrl+Enter")})
        self.text_size = QSpinBox()
        self.text_size.setRange(-3, 12)
        named(self.text_size, "settings.text_size", self.tr("Text size"))
        self.text_size.valueChanged.connect(lambda v: self.changed.emit("text_size", v))
        self.notifications = NotificationSwitches()
        self.notifications.changed.connect(self.changed)
        self.downloads = QLineEdit()
        self.downloads.setReadOnly(True)
        named(self.downloads, "settings.downloads", self.tr("Downloads folder"))
        self.pick_downloads = button(self.tr("Choose…"), "settings.pick_downloads")
        self.names = {name: self._wire_name(name) for name in WIRE_NAMES}
        self.reference = ReferenceBox()
        self.reference.switched.connect(lambda on: self.changed.emit("use_reference", on))
        self.places = label("", "small", wrap=True, select=True)
        self.open_data = button(self.tr("Open the data folder"), "settings.open_data")
        self._build()

    def show_accounts(self, accounts: Sequence[tuple[str, str, str, bool]]) -> None:
        """List the kept accounts: (id, name, words about it, whether it is open)."""
        while taken := self._accounts.takeAt(0):
            taken.widget().deleteLater()
        if not accounts:
            self._accounts.addWidget(label(self.tr("No account is kept yet."), "muted"))
        for account_id, name, words, is_open in accounts:
            self._accounts.addWidget(self._account_row(account_id, name, words, is_open))

    def show_choice(self, box: QComboBox, key: str) -> None:
        """Show a choice without telling anyone."""
        box.blockSignals(True)
        box.setCurrentIndex(max(0, box.findData(key)))
        box.blockSignals(False)

    def open_page(self, key: str) -> None:
        """Show one page."""
        self.pages.select(key)
        self._turn(key)

    def _build(self) -> None:
        pages = {
            "accounts": (self.tr("Accounts"), self._accounts_page()),
            "look": (self.tr("Look"), self._look_page()),
            "chat": (self.tr("Chat"), self._chat_page()),
            "notifications": (
                self.tr("Notifications"),
                self._page(self.tr("Notifications"), self.notifications),
            ),
            "transfers": (self.tr("Transfers"), self._transfers_page()),
            "advanced": (self.tr("Advanced"), self._advanced_page()),
        }
        self._numbers = {key: number for number, key in enumerate(pages)}
        self.pages.fill([Item(key, words, strong=False) for key, (words, _) in pages.items()])
        for _, page in pages.values():
            self._stack.addWidget(page)
        self.pages.chosen.connect(self._turn)
        side = column(head(label(self.tr("Settings"), "heading"), 1), spacing=0)
        side.addWidget(self.pages, 1)
        listing = frame("column", "list", side)
        listing.setFixedWidth(theme.px(264))
        theme.follow(listing, lambda: listing.setFixedWidth(theme.px(264)))
        work = column(spacing=0)
        work.addWidget(self._stack, 1)
        body = row(listing, spacing=0)
        body.addWidget(frame("column", "work", work), 1)
        self.setLayout(body)
        self.open_page("accounts")

    def _turn(self, key: str) -> None:
        self._stack.setCurrentIndex(self._numbers[key])

    def _accounts_page(self) -> QWidget:
        return self._page(
            self.tr("Accounts"),
            self._accounts,
            row(self.built_in, 1),
            column(self.redact, self.redact_words, spacing=2),
            label(self.tr("Add an account"), "section"),
            self.form,
            self.safety,
            label(
                self.tr("Credentials are made in the account's web app, under Settings, then API, with Generate."),
                "small",
                wrap=True,
            ),
        )

    def _look_page(self) -> QWidget:
        follows = self.tr("Light and dark follow the system, or stay as you say.")
        pixels = self.tr("Pixels more or less than usual. Ctrl+plus and Ctrl+minus do the same.")
        return self._page(
            self.tr("Look"),
            self._setting(self.tr("Theme"), self.theme, follows),
            self._setting(self.tr("Text size"), self.text_size, pixels),
        )

    def _chat_page(self) -> QWidget:
        other = self.tr("The other one makes a new line; Shift+Enter always does.")
        return self._page(self.tr("Chat"), self._setting(self.tr("Send with"), self.send_with, other))

    def _transfers_page(self) -> QWidget:
        where = row(self.downloads, self.pick_downloads)
        return self._page(
            self.tr("Transfers"),
            label(self.tr("Downloads go to"), "field"),
            where,
            label(self.tr("A file that is there already is never replaced."), "small"),
        )

    def _advanced_page(self) -> QWidget:
        names = column(spacing=8)
        for name, field in self.names.items():
            names.addLayout(row(label(self.tr(WIRE_NAMES[name])), 1, field))
        return self._page(
            self.tr("Advanced"),
            label(self.tr("What the service does not say"), "section"),
            label(
                self.tr("Names of fields that the service's document leaves open. They belong to this account."),
                "small",
                wrap=True,
            ),
            names,
            self.reference,
            label(self.tr("Your data"), "section"),
            self.places,
            row(self.open_data, 1),
        )

    def _page(self, title: str, *parts: object) -> QScrollArea:
        inner = column(label(title, "heading"), *parts, 1, spacing=12, margins=(24, 20, 24, 20))
        ground = QWidget()
        ground.setProperty("clear", True)
        ground.setLayout(inner)
        ground.setMaximumWidth(theme.px(620))
        page = QScrollArea()
        page.setWidgetResizable(True)
        page.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        page.setWidget(ground)
        return page

    def _setting(self, words: str, control: QWidget, sentence: str) -> QVBoxLayout:
        control.setMinimumWidth(theme.px(180))
        line = row(label(words), 1, control)
        return column(line, label(sentence, "small", wrap=True), spacing=2)

    def _choice(self, name: str, options: dict[str, str]) -> QComboBox:
        made = QComboBox()
        named(made, f"settings.{name}", name)
        for key, words in options.items():
            made.addItem(words, key)
        made.currentIndexChanged.connect(lambda _: self.changed.emit(name, made.currentData()))
        return made

    def _wire_name(self, name: str) -> QLineEdit:
        made = QLineEdit()
        named(made, f"settings.{name}", name)
        made.setFixedWidth(theme.px(220))
        made.editingFinished.connect(lambda: self.changed.emit(name, made.text().strip()))
        return made

    def _account_row(self, account_id: str, name: str, words: str, is_open: bool) -> QWidget:
        card = frame("card", "true")
        opened = Tag(self.tr("Open"), "ok") if is_open else button(self.tr("Open"), f"settings.open.{account_id}")
        removed = button(self.tr("Remove"), f"settings.remove.{account_id}", kind="quiet")
        removed.setVisible(account_id != BUILT_IN)
        removed.clicked.connect(lambda: self.account_removed.emit(account_id))
        if not is_open:
            opened.clicked.connect(lambda: self.account_opened.emit(account_id))
        card.setLayout(
            row(
                column(label(name, "bold"), label(words, "small"), spacing=2), 1, opened, removed, margins=(14, 8, 8, 8)
            )
        )
        return card
