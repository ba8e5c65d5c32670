"""The window: rail, panes, status bar; it shows one session at a time and hands keys and drops to the pane in front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QPaintEvent,
)
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from carrel.ui.banner import Banner
from carrel.ui.dropping import Dropping
from carrel.ui.dropveil import DropVeil
from carrel.ui.keys import Keys
from carrel.ui.preloading import Preloading
from carrel.ui.presenter import Presenter, Upload
from carrel.ui.rail import Place, Rail
from carrel.ui.shell import Shell
from carrel.ui.statusbar import StatusBar
from carrel.ui.widgets.controls import column, row
from carrel.ui.widgets.notes import EmptyState, Toast

if TYPE_CHECKING:  # what the first paint does not need is imported after it
    from carrel.ui.notices import Desktop, Notices
    from carrel.ui.welcome.presenter import WelcomePresenter
    from carrel.work.desk import Desk, Notice

PLACES = (
    Place("chat", "Chat", "carrel.ui.chat.presenter", "ChatPresenter"),
    Place("library", "Library", "carrel.ui.library.presenter", "LibraryPresenter"),
    Place("search", "Search", "carrel.ui.search.presenter", "SearchPresenter"),
    Place("agents", "Agents", "carrel.ui.agents.presenter", "AgentsPresenter"),
    Place("workflows", "Workflows", "carrel.ui.workflows.presenter", "WorkflowsPresenter"),
    Place("activity", "Activity", "carrel.ui.activity.presenter", "ActivityPresenter", at_end=True),
    Place("settings", "Settings", "carrel.ui.settings.presenter", "SettingsPresenter", at_end=True),
)


class Window(QMainWindow):
    """One window; it can be painted before there is a desk, and does everything else on the desk that it is given."""

    closing = Signal()

    desk: Desk
    notices: Notices

    def __init__(self, geometry: str = "") -> None:
        """`geometry` is where it stood last time, as `closeEvent` wrote it down."""
        super().__init__()
        self.shell = Shell(self)
        self.setObjectName("window")
        self.setWindowTitle("Carrel")
        self.setAcceptDrops(True)
        self.setMinimumSize(720, 480)
        self._presenters: dict[str, Presenter] = {}
        self._front = ""
        self.is_painted = False
        """Whether it has been on the screen."""
        self._welcomer: WelcomePresenter | None = None
        self._opening: EmptyState | None = None
        self._after_toast: Callable[[], None] | None = None
        self._preloading = Preloading((place.module for place in PLACES), self)
        self._build()
        self._connect()
        if not geometry or not self.restoreGeometry(QByteArray.fromBase64(geometry.encode())):
            self.resize(1280, 800)

    def attach(self, desk: Desk, desktop: Desktop | None = None) -> None:
        """Show this desk from now on; `desktop` shows notifications in place of the system's own."""
        from carrel.ui.notices import Notices

        self.desk = self.shell.desk = desk
        self.notices = self.shell.notices = Notices(desk, self, desktop)
        desk.session_changed.connect(self.show_session)
        desk.noticed.connect(self.say)
        desk.cleared.connect(self.banner.clear)
        desk.tasks.failed.connect(self._bug)

    @property
    def in_front(self) -> Presenter | None:
        """The presenter of the pane in front; None on the welcome page."""
        return self._presenters.get(self._front)

    @property
    def front(self) -> str:
        """The key of the pane in front; empty on the welcome page."""
        return self._front

    def presenter(self, key: str) -> Presenter:
        """The presenter of a pane, made when it is first asked for; a session must be open."""
        if key not in self._presenters:
            place = next(p for p in PLACES if p.key == key)
            session = self.desk.session
            assert session is not None, "no session is open"
            made: Presenter = getattr(import_module(place.module), place.presenter)(session, self.shell)
            self._presenters[key] = made
            self._stack.addWidget(made.pane)
        return self._presenters[key]

    def go(self, key: str, intent: object = None) -> None:
        """Bring a pane to the front."""
        if self.desk.session is None:
            return
        presenter = self.presenter(key)
        if self._front and self._front != key:
            self._presenters[self._front].left()
        self._stack.setCurrentWidget(presenter.pane)
        self._front = key
        self.rail.point(key)
        presenter.shown()
        if intent is not None:
            presenter.accept(intent)
        self.shell.front_changed.emit()

    def show_session(self) -> None:
        """Show the desk's session: its panes, or the welcome page where there is none."""
        self._drop_panes()
        session = self.desk.session
        self.notices.follow(session)
        self.status.show_session(session)
        self.rail.setVisible(session is not None)
        if session is None:
            self._stack.setCurrentWidget(self._welcome_page())
            return
        session.tasks.failed.connect(self._bug)
        self.go("chat")
        self._preloading.start()

    def escape(self) -> None:
        """Esc: the page in front takes it, or the banner."""
        page = self.in_front or self._welcomer
        if page is None or not page.escape():
            self.banner.escape()

    def show_opening(self, title: str, text: str = "", actions: Sequence[tuple[str, str]] = ()) -> EmptyState:
        """Say what is waited for before there is a session; the page tells which of the actions is taken."""
        if self._opening is None:
            self._opening = EmptyState("opening")
            self._stack.addWidget(self._opening)
        self._opening.say(title, text, actions)
        self._stack.setCurrentWidget(self._opening)
        return self._opening

    @property
    def is_in_front(self) -> bool:
        """Whether a person works with it, or with one of its dialogs."""
        is_active = QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive
        return is_active and not self.isMinimized()

    def to_front(self) -> None:
        """Come to the front, as far as the desktop allows it."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)  # it stays maximised where it was
        self.show()
        self.raise_()
        self.activateWindow()

    def shows(self, pane: str, intent: object = None) -> bool:
        """Whether that pane is in front, and shows what the intent is about."""
        return pane == self._front and (intent is None or self._presenters[pane].shows(intent))

    def say(self, notice: Notice) -> None:
        """Show a banner."""
        if notice.key == "built-in":
            self.status.show_ended(notice.tone != "info")
        self.banner.show_notice(notice)

    def _build(self) -> None:
        self.rail = Rail(PLACES)
        self.rail.hide()
        self._stack = QStackedWidget()
        self.banner = Banner()
        self.status = StatusBar()
        middle = row(self.rail, spacing=0)
        middle.addWidget(self._stack, 1)
        shell = QWidget()
        shell.setObjectName("shell")
        body = column(self.banner, spacing=0)
        body.addLayout(middle, 1)
        body.addWidget(self.status)
        shell.setLayout(body)
        self.setCentralWidget(shell)
        self.toast = Toast(shell)
        self._drops = Dropping(self, DropVeil(shell), lambda: self.in_front, self.shell)

    def _connect(self) -> None:
        self.rail.chosen.connect(self.go)
        self.shell.going.connect(self.go)
        self.shell.toasting.connect(self._toast)
        self.shell.dropping.connect(self._upload)
        self.shell.noting.connect(self.status.note)
        self.toast.acted.connect(lambda: self._after_toast and self._after_toast())
        self.banner.pressed.connect(self._banner_pressed)
        Keys(self, PLACES)

    def _welcome_page(self) -> QWidget:
        if self._welcomer is None:
            from carrel.ui.welcome.presenter import WelcomePresenter

            self._welcomer = WelcomePresenter(self.desk, self.shell)
            self._stack.addWidget(self._welcomer.pane)
        else:
            self._welcomer.refresh()
        return self._welcomer.pane

    def _drop_panes(self) -> None:
        for presenter in self._presenters.values():
            presenter.close()
            self._stack.removeWidget(presenter.pane)
            presenter.pane.deleteLater()
        self.toast.hide()  # what it offers to undo has gone with them
        self._presenters.clear()
        self._front = ""

    def _toast(self, text: str, action: str, then: Callable[[], None] | None) -> None:
        self._after_toast = then
        self.toast.say(text, action)

    def _banner_pressed(self, key: str) -> None:
        if key == "restart-built-in":
            self.desk.tasks.start("built-in", self.desk.restart_built_in())

    def _bug(self, name: str, error: BaseException) -> None:
        from carrel.work.desk import Notice

        self.say(
            Notice(
                "bug",
                "danger",
                self.tr("Carrel made a mistake"),
                self.tr("Something of ours failed ({what}: {kind}). Your work is kept; the log says more.").format(
                    what=name, kind=type(error).__name__
                ),
            )
        )

    # Files dragged onto the window

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._drops.move(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._drops.move(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drops.leave()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drops.drop(event)

    def _upload(self, paths: list[Path], folder: str) -> None:
        self.go("library", Upload(tuple(paths), folder))

    # Size, place, end

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.is_painted:
            QTimer.singleShot(0, self._shown)

    def _shown(self) -> None:
        self.is_painted = True

    def closeEvent(self, event: QCloseEvent) -> None:
        held = dict(self.desk.settings.window) | {"geometry": self.saveGeometry().toBase64().toStdString()}
        self.desk.change_settings(window=held)
        event.ignore()  # the program closes what is open first, then the window
        self.closing.emit()
