"""Icons of one family, tinted by token and drawn at the size that is asked for, so that they are always sharp."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from carrel.paths import resources
from carrel.ui.theme import theme


@lru_cache(maxsize=512)
def _renderer(name: str, color: str, folder: str = "icons") -> QSvgRenderer:
    svg = (resources() / folder / f"{name}.svg").read_text("utf-8").replace("currentColor", color)
    return QSvgRenderer(QByteArray(svg.encode()))


class _Engine(QIconEngine):
    """Draws the icon in the colour that its role has at the moment of painting: a new theme needs no new icons."""

    def __init__(self, name: str, role: str, on_role: str) -> None:
        super().__init__()
        self._name, self._role, self._on_role = name, role, on_role

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        side = min(rect.width(), rect.height())
        spare = rect.width() - side  # the gap before the words, see `before_words`
        left = spare if QGuiApplication.layoutDirection() == Qt.LayoutDirection.RightToLeft else 0
        box = QRectF(rect.x() + left, rect.y() + (rect.height() - side) / 2, side, side)
        _renderer(self._name, self._color(mode, state)).render(painter, box)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        if size.isEmpty():  # a button too narrow for its icon asks for none
            return QPixmap()
        pixels = QSize(round(size.width() * scale), round(size.height() * scale))
        direction = QGuiApplication.layoutDirection().name
        key = f"{self._name} {self._color(mode, state)} {pixels.width()}x{pixels.height()} {direction}"
        pixmap = QPixmap()
        if not QPixmapCache.find(key, pixmap):  # Qt asks at each paint of a button, and an SVG takes its time
            pixmap = QPixmap(pixels)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            self.paint(painter, QRect(QPoint(0, 0), pixels), mode, state)
            painter.end()
            QPixmapCache.insert(key, pixmap)
        pixmap.setDevicePixelRatio(scale)
        return pixmap

    def _color(self, mode: QIcon.Mode, state: QIcon.State) -> str:
        if mode == QIcon.Mode.Disabled:
            return theme.color("faint").name()
        return theme.color(self._on_role if state == QIcon.State.On else self._role).name()

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._role, self._on_role)


def icon(name: str, role: str = "muted", on: str = "") -> QIcon:
    """The icon `name` (a file of resources/icons) in the colour of a token; `on` is its colour when checked."""
    return QIcon(_Engine(name, role, on or role))


def before_words(pixels: int) -> QSize:
    """The size of an icon beside words: Qt puts them nearer to it than looks well, so the icon brings a gap along."""
    return QSize(theme.px(pixels + 4), theme.px(pixels))


def paint_icon(painter: QPainter, name: str, rect: QRectF, role: str = "muted") -> None:
    """Draw an icon at a place of one's own."""
    _renderer(name, theme.color(role).name()).render(painter, rect)


def paint_logo(painter: QPainter, name: str, rect: QRectF, role: str = "muted") -> None:
    """Draw a logo (a file of resources/logos) likewise."""
    _renderer(name, theme.color(role).name(), "logos").render(painter, rect)


def app_icon() -> QIcon:
    """The program's own icon."""
    return QIcon(str(resources() / "icons" / "carrel.svg"))
