"""Stories of a mouse in the library: sources and folders clicked, files dragged in, and rows dragged across."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QModelIndex, QObject, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from test_library import listed

from carrel.hand import _entered_at
from stage import Stage, play

LEFT = Qt.MouseButton.LeftButton


class Mouse:
    """Files held over the window by a mouse, as the system tells of them."""

    def __init__(self, stage: Stage, path: Path) -> None:
        self._stage = stage
        self._mime = QMimeData()
        self._mime.setUrls([QUrl.fromLocalFile(str(path))])
        self._how = (Qt.DropAction.CopyAction, self._mime, LEFT, Qt.KeyboardModifier.NoModifier)

    def enter(self, name: str, at: QPoint) -> None:
        self._send(QDragEnterEvent(_entered_at(self._place(name, at)), *self._how))

    def move(self, name: str, at: QPoint) -> None:
        self._send(QDragMoveEvent(_entered_at(self._place(name, at)), *self._how))

    def drop(self, name: str, at: QPoint) -> None:
        self.enter(name, at)
        self.move(name, at)
        self._send(QDropEvent(QPointF(self._place(name, at)), *self._how))

    def _place(self, name: str, at: QPoint) -> QPoint:
        widget = self._stage.hand.find(name)
        return getattr(widget, "viewport", lambda: widget)().mapTo(self._stage.window, at)

    def _send(self, event: QDropEvent) -> None:
        QApplication.sendEvent(self._stage.window.windowHandle(), event)


def folder(stage: Stage, name: str) -> QModelIndex:
    """A folder of the tree, by its last name."""
    model = stage.hand.find("library.folders").model()
    return model.match(model.index(0, 0), 0, name, 1, Qt.MatchFlag.MatchRecursive)[0]


def middle(stage: Stage, name: str) -> QPoint:
    return stage.hand.find("library.folders").visualRect(folder(stage, name)).center()


def press(stage: Stage, name: str, at: QPoint, *, twice: bool = False) -> None:
    """Click on a place of a list, or on the same place twice."""
    viewport = stage.hand.find(name).viewport()
    QTest.mouseClick(viewport, LEFT, pos=at)
    if twice:
        QTest.mouseDClick(viewport, LEFT, pos=at)


def source(stage: Stage, title: str) -> QPoint:
    """Where a source stands."""
    sources = stage.hand.find("library.sources")
    row = [item.title for item in sources.items()].index(title)
    return sources.visualRect(sources.model().index(row, 0)).center()


def rows(stage: Stage) -> int:
    return stage.hand.find("library.table").model().rowCount()


def test_all_files_leads_back_from_a_folder(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await listed(stage)
        await stage.hand.until(lambda: not stage.desk.session.library.is_walking, "all is listed")
        await stage.hand.settle(0.4)
        everything, marked = rows(stage), stage.hand.find("library.sources").current_key
        press(stage, "library.folders", middle(stage, "Property"))
        assert 0 < rows(stage) < everything
        assert marked() == "", "what is shown is not all files"
        press(stage, "library.sources", source(stage, "All files"))
        assert rows(stage) == everything
        assert marked() == "*"
        assert not stage.hand.find("library.folders").currentIndex().isValid()
        press(stage, "library.folders", middle(stage, "Property"))
        assert rows(stage) < everything, "the folder is chosen again by one click"
        press(stage, "library.folders", middle(stage, "Property"))
        assert rows(stage) == everything, "a second click takes the choice back"
        press(stage, "library.folders", middle(stage, "Property"), twice=True)
        assert rows(stage) < everything, "a double click chooses, and does not take it back"
        press(stage, "library.sources", source(stage, "Uploaded"))
        assert 0 < rows(stage) < everything, "a source narrows the folder"
        assert marked() == "file"

    play(tmp_path / "home", story)


def test_while_files_are_dragged_the_folders_stay_in_sight(tmp_path: Path) -> None:
    (tmp_path / "annex.txt").write_text("The annex names nine lamps.")

    async def story(stage: Stage) -> None:
        await listed(stage)
        hand, tree = stage.hand, stage.hand.find("library.folders")
        mouse = Mouse(stage, tmp_path / "annex.txt")
        mouse.enter("library.table", QPoint(200, 200))
        veil: QWidget = hand.find("dropveil")
        assert veil.isVisible()
        assert hand.words("dropveil") == "Drop to upload to the library"
        sidebar = tree.mapTo(stage.window, QPoint(tree.width(), 0)).x()
        assert veil.mapTo(stage.window, QPoint(0, 0)).x() > sidebar, "the list column is not covered"
        mouse.move("library.folders", middle(stage, "Property"))
        assert veil.isVisible()
        assert hand.words("dropveil") == "Drop to upload into Contracts / Property"
        assert tree.marked == "Contracts/Property"
        stage.desk.session.library.changed.emit()
        await hand.settle(0.4)
        assert tree.marked == "Contracts/Property", "a refresh leaves the mark where it is"
        assert rows(stage) > 5, "and nothing is chosen by it"
        mouse.drop("library.folders", middle(stage, "Property"))
        assert not veil.isVisible()
        assert tree.marked == ""
        uploads = stage.desk.session.uploads
        await hand.until(lambda: [r.folder for r in uploads.rows()] == ["Contracts/Property"], "it goes there")

    play(tmp_path / "home", story)


def test_files_are_taken_beside_the_folders_and_on_the_filter(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(f"The lamp of {name}.")

    async def story(stage: Stage) -> None:
        await listed(stage)
        hand, uploads = stage.hand, stage.desk.session.uploads
        stage.window.presenter("library")._look(folder="Board")
        tree = hand.find("library.folders")
        below = QPoint(20, tree.viewport().height() - 3)
        assert not tree.indexAt(below).isValid()
        Mouse(stage, tmp_path / "one.txt").drop("library.folders", below)
        await hand.until(lambda: [r.folder for r in uploads.rows()] == ["Board"], "it goes to the shown folder")
        Mouse(stage, tmp_path / "two.txt").drop("library.filter", QPoint(100, 10))
        await hand.until(lambda: [r.name for r in uploads.rows()] == ["one.txt", "two.txt"], "both are taken")
        assert hand.find("library.filter").text() == ""

    play(tmp_path / "home", story)


def test_what_is_dragged_out_is_not_taken_back(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("A file of the library.")

    class Own(QDragEnterEvent):
        def source(self) -> QObject:
            return stage_table[0]

    stage_table: list[QObject] = []

    async def story(stage: Stage) -> None:
        await listed(stage)
        stage_table.append(stage.hand.find("library.table"))
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "own.txt"))])
        how = (Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier)
        event = Own(_entered_at(QPoint(600, 300)), *how)
        QApplication.sendEvent(stage.window, event)
        assert not event.isAccepted()
        assert not stage.hand.sees("dropveil")
        foreign = QDragEnterEvent(_entered_at(QPoint(600, 300)), *how)
        QApplication.sendEvent(stage.window, foreign)
        assert foreign.isAccepted()

    play(tmp_path / "home", story)


def drag_rows(table: QTableView, first: int, last: int) -> None:
    """Press on one row, move to another, and let go."""
    place = [table.visualRect(table.model().index(row, 0)).center() for row in range(first, last + 1)]
    QTest.mousePress(table.viewport(), LEFT, pos=place[0])
    for at in place:
        QTest.mouseMove(table.viewport(), at)
        QTest.mouseMove(table.viewport(), at + QPoint(3, 5))
    QTest.mouseRelease(table.viewport(), LEFT, pos=place[-1])


def test_a_drag_across_rows_selects_them(tmp_path: Path) -> None:
    async def story(stage: Stage) -> None:
        await listed(stage)
        table = stage.hand.find("library.table")
        dragged: list[int] = []
        table.dragged.connect(lambda: dragged.append(len(table.selected_ids())))
        drag_rows(table, 1, 3)
        assert dragged == []
        assert len(table.selected_ids()) == 3
        drag_rows(table, 2, 4)
        assert dragged == [3], "what is selected already is dragged out"

    play(tmp_path / "home", story)


def test_on_the_chat_files_are_attached_also_over_a_search_field(tmp_path: Path) -> None:
    (tmp_path / "annex.txt").write_text("The annex names nine lamps.")

    async def story(stage: Stage) -> None:
        hand, mouse = stage.hand, Mouse(stage, tmp_path / "annex.txt")
        mouse.enter("chat.search", QPoint(20, 10))
        assert hand.find("dropveil").width() > stage.window.width() - 50, "all of the window takes them"
        assert "ttach" in hand.words("dropveil")
        mouse.drop("chat.search", QPoint(20, 10))
        assert hand.find("chat.search").text() == ""
        assert stage.window.front == "chat"
        uploads = stage.desk.session.uploads
        await hand.until(lambda: [r.name for r in uploads.rows()] == ["annex.txt"], "it is uploaded")

    play(tmp_path / "home", story)
