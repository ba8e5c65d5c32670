"""The settings pane's widgets: a list of pages, and the pages. Every setting acts at once and has a sentence."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from carrel.ui.settings.accounts import AccountList
from carrel.ui.settings.notifications import NotificationSwitches
from carrel.ui.settings.reference import ReferenceBox
from carrel.ui.theme import theme
from carrel.ui.widgets.accountform import AccountFields
from carrel.ui.widgets.choice import Choice, Number
from carrel.ui.widgets.controls import Switch, button, column, frame, head, label, named, row
from carrel.ui.widgets.itemlist import Item, ItemList

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

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("settings.pane")
        self.pages = ItemList("settings.pages", self.tr("Settings"))
        self._stack = QStackedWidget()
        self.accounts = AccountList()
        self.form = AccountFields("settings.account")
        self._form_title = label(self.tr("Add an account"), "section")
        self.redact = Switch(self.tr("Always redact on the open account"), "settings.always_redact")
        self.redact_words = label("", "small", wrap=True)
        self.safety = label("", "small", wrap=True)
        looks = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        self.theme = self._choice("theme", self.tr("Theme"), looks)
        keys = {"enter": self.tr("Enter"), "ctrl-enter": self.tr("Ctrl+Enter")}
        self.send_with = self._choice("send_with", self.tr("Send with"), keys)
        self.text_size = Number("settings.text_size", self.tr("Text size"), -3, 12)
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

    def show_choice(self, box: Choice, key: str) -> None:
        """Show a choice without telling anyone."""
        box.blockSignals(True)
        box.setCurrentIndex(max(0, box.findData(key)))
        box.blockSignals(False)

    def open_page(self, key: str) -> None:
        """Show one page."""
        self.pages.select(key)
        self._turn(key)

    def show_form(self, again: str = "") -> None:
        """Bring the fields of an account into view; `again` names the one that is signed in to again."""
        words = self.tr("Sign in again to {name}").format(name=again) if again else self.tr("Add an account")
        self._form_title.setText(words.upper())
        page = self._stack.currentWidget()
        if isinstance(page, QScrollArea):
            page.ensureWidgetVisible(self.form)

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
            self.accounts,
            column(self.redact, self.redact_words, spacing=2),
            self._form_title,
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

    def _choice(self, name: str, words: str, options: dict[str, str]) -> Choice:
        made = Choice(f"settings.{name}", words)
        for key, option in options.items():
            made.addItem(option, key)
        made.currentIndexChanged.connect(lambda _: self.changed.emit(name, made.currentData()))
        return made

    def _wire_name(self, name: str) -> QLineEdit:
        made = QLineEdit()
        named(made, f"settings.{name}", name)
        made.setFixedWidth(theme.px(220))
        made.editingFinished.connect(lambda: self.changed.emit(name, made.text().strip()))
        return made
