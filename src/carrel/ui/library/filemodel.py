"""The catalog's files as a table model: it holds numbers, and asks the catalog for what is painted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QObject, Qt

from carrel.ui.library.words import added_words, folder_words, name_words, source_words, state_words
from carrel.ui.widgets.controls import as_tip

if TYPE_CHECKING:
    from carrel.work.catalog import Catalog

COLUMNS = ("name", "kind", "folder", "state", "provider", "added")


_FLAGS = (
    Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)


class FileModel(QAbstractTableModel):
    """Rows are numbers of the catalog in the order of the view."""

    def __init__(self, catalog: Catalog, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.catalog = catalog
        self.rows: Sequence[int] = ()
        self.sort_by, self.descending = "added", True
        self._titles = {
            "name": self.tr("Name"),
            "kind": self.tr("Type"),
            "folder": self.tr("Folder"),
            "state": self.tr("State"),
            "provider": self.tr("Source"),
            "added": self.tr("Added"),
        }

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex | None = None) -> int:
        return len(COLUMNS)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), COLUMNS[index.column()])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._told(index)
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tip(self._told(index))
        return None

    def _told(self, index: QModelIndex) -> str:
        """What a cell says, with what its marks mean."""
        text = self.text(index.row(), COLUMNS[index.column()])
        is_marked = COLUMNS[index.column()] == "name" and self.catalog.shared[self.rows[index.row()]]
        return self.tr("{name}, shared").format(name=text) if is_marked else text

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            arrow = ("  ↓" if self.descending else "  ↑") if COLUMNS[section] == self.sort_by else ""
            return self._titles[COLUMNS[section]] + arrow
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def title(self, column: str) -> str:
        """The column's title."""
        return self._titles[column]

    def text(self, row: int, column: str) -> str:
        """What a cell says."""
        n, catalog = self.rows[row], self.catalog
        match column:
            case "name":
                return name_words(catalog.names[n])
            case "kind":
                return catalog.kinds[n]
            case "folder":
                return folder_words(catalog.folders[n])
            case "state":
                return state_words(catalog.states[n])[0]
            case "provider":
                return source_words(catalog.providers[n])
            case _:
                return added_words(catalog.added[n])

    def id_at(self, row: int) -> str:
        """The file in a row."""
        return self.catalog.ids[self.rows[row]]

    def show_rows(self, rows: Sequence[int]) -> None:
        """Take other rows, or the same in another order."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def show_sort(self, sort_by: str, descending: bool) -> None:
        """Mark the column that the rows are sorted by."""
        self.sort_by, self.descending = sort_by, descending
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        return _FLAGS

    def mimeTypes(self) -> list[str]:
        return ["text/uri-list"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        return QMimeData()
