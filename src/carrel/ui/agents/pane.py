"""The agents pane: the runs at the left; a new run's form, or one run, at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QWidget

from carrel.ui.agents.form import RunForm
from carrel.ui.agents.runview import RunView
from carrel.ui.theme import theme
from carrel.ui.widgets.controls import ElidedLabel, button, column, frame, head, label, named, row
from carrel.ui.widgets.itemlist import Item, ItemList
from carrel.ui.widgets.listcolumn import ListColumn
from carrel.ui.widgets.notes import EmptyState, Note

WIDEST = 940


class AgentsPane(QWidget):
    """Widgets only. `acted` tells a key: new, run, again, edit, copy, and what notes offer."""

    acted = Signal(str)
    run_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        named(self, "agents", self.tr("Agents"))
        self._build()
        layout = row(self._list_column(), spacing=0)
        layout.addWidget(self._work_column(), 1)
        self.setLayout(layout)
        self._connect()
        self.show_form()

    def show_runs(self, items: Sequence[Item]) -> None:
        """List the runs."""
        self.list.fill(items)
        self._none.setVisible(not items)

    def show_form(self) -> None:
        """A new run."""
        self.list.select("")
        self._title.setText(self.tr("New run"))
        self._front(self._form_page, self._run)

    def show_run(self, run_id: str, title: str, *, has_output: bool, is_running: bool) -> None:
        """One run; the presenter fills `view`."""
        self.list.select(run_id)
        self._title.setText(title)
        ended = [self._again, self._edit] if not is_running else []
        self._front(self._run_page, *ended, *([self._copy] if has_output else []))

    def show_unsupported(self, text: str) -> None:
        """Say that the account cannot run agents."""
        self._new.hide()
        self._none.hide()
        self._title.setText(self.tr("Agents"))
        self._front(self._cannot)
        self._cannot.say(self.tr("No agents on this account"), text)

    def _front(self, page: QWidget, *buttons: QWidget) -> None:
        for one in (self._run, self._again, self._edit, self._copy):
            one.setVisible(one in buttons)
        if self._stack.currentWidget() is not page:
            self._stack.setCurrentWidget(page)

    def _build(self) -> None:
        self._new = button(self.tr("New run"), "agents.new", icon_name="plus")
        self.list = ItemList("agents.list", self.tr("Runs"))
        self._none = label(self.tr("Runs are listed here, and stay after a restart."), "muted", wrap=True)
        self._title = ElidedLabel("", "bold")
        self._title.setObjectName("agents.title")
        self._run = button(self.tr("Run"), "agents.run", kind="primary")
        self._again = button(self.tr("Run again"), "agents.again", kind="quiet", icon_name="refresh")
        self._edit = button(self.tr("Edit and run"), "agents.edit", kind="quiet", icon_name="edit")
        self._copy = button(self.tr("Copy output"), "agents.copy", kind="quiet", icon_name="copy")
        self.form, self.view = RunForm(), RunView()
        self.form_note = Note("agents.form_note")
        self._cannot = EmptyState("agents.empty", "agents")
        self._form_page = _page(column(self.form_note, self.form, spacing=12), "agents.form_page")
        self._run_page = _page(column(self.view), "agents.run_page")
        self._stack = QStackedWidget()
        for page in (self._form_page, self._run_page, self._cannot):
            self._stack.addWidget(page)

    def _list_column(self) -> ListColumn:
        self._none.setContentsMargins(14, 12, 14, 12)
        body = column(head(label(self.tr("Runs"), "heading"), 1, self._new), self._none, spacing=0)
        body.addWidget(self.list, 1)
        return ListColumn(body)

    def _work_column(self) -> QFrame:
        tools = head(self._title, self._edit, self._again, self._copy, self._run)
        tools.layout().setStretchFactor(self._title, 1)
        body = column(tools, spacing=0)
        body.addWidget(self._stack, 1)
        return frame("column", "work", body)

    def _connect(self) -> None:
        buttons = {"new": self._new, "run": self._run, "again": self._again, "edit": self._edit, "copy": self._copy}
        for key, made in buttons.items():
            made.clicked.connect(lambda _=False, k=key: self.acted.emit(k))
        self.list.chosen.connect(self.run_chosen)
        self.view.acted.connect(self.acted)


def _page(content: object, name: str) -> QScrollArea:
    """A page that scrolls, no wider than is good to read."""
    inside = QWidget()
    inside.setProperty("clear", True)
    inside.setLayout(content)
    theme.keep(inside, lambda: inside.setMaximumWidth(theme.px(WIDEST)))
    held = QWidget()
    held.setProperty("clear", True)
    outer = row(margins=(24, 16, 24, 24))
    outer.addWidget(inside, 1, Qt.AlignmentFlag.AlignTop)
    outer.addStretch(0)
    held.setLayout(outer)
    made = QScrollArea()
    made.setObjectName(name)
    made.setWidgetResizable(True)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    made.setWidget(held)
    return made
