"""The look as values: colour tokens in light and dark, sizes, and the palette and style sheet filled from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from carrel.paths import resources


@dataclass(frozen=True, slots=True)
class Tokens:
    """Every colour there is; nothing else in the program names one."""

    window: str
    surface: str
    sunken: str
    border: str
    text: str
    muted: str
    faint: str
    accent: str
    accent_soft: str
    on_accent: str
    warn: str
    warn_soft: str
    danger: str
    danger_soft: str
    info: str
    info_soft: str
    code: str


LIGHT = Tokens(
    window="#F6F5F2",
    surface="#FFFFFF",
    sunken="#EFEDE8",
    border="#E1DED7",
    text="#1F1E1B",
    muted="#6A675F",
    faint="#9A968C",
    accent="#1F6F54",
    accent_soft="#E2EFE9",
    on_accent="#FFFFFF",
    warn="#9A5B00",
    warn_soft="#FBF0DC",
    danger="#B3261E",
    danger_soft="#FBE7E5",
    info="#2458C5",
    info_soft="#E6EDFB",
    code="#F3F1EC",
)

DARK = Tokens(
    window="#1C1C1B",
    surface="#242423",
    sunken="#171716",
    border="#363633",
    text="#ECEAE4",
    muted="#A5A198",
    faint="#77736B",
    accent="#58B994",
    accent_soft="#1E362D",
    on_accent="#0F1F18",
    warn="#E0A84E",
    warn_soft="#3A2E17",
    danger="#F08A80",
    danger_soft="#3F2220",
    info="#8BB0F5",
    info_soft="#1F2B42",
    code="#1B1B1A",
)

BASE = 13
"""Pixels of ordinary text where the system asks for no larger one."""


class Theme(QObject):
    """The tokens in force; `changed` when light, dark or the text size changes."""

    changed = Signal()

    def __init__(self) -> None:
        """Light until `start`."""
        super().__init__()
        self.tokens = LIGHT
        self.base = BASE
        self._choice = "system"
        self._grow = 0
        self._system_px = BASE
        self._started = False

    def start(self, choice: str = "system", grow: int = 0) -> None:
        """Dress the application, and follow the system from now on."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.setStyle("Fusion")
        app.setFont(_face(app.font()))
        self._system_px = max(BASE, QFontInfo(app.font()).pixelSize())
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_changed)
        self._started = True
        self.choose(choice, grow)

    def choose(self, choice: str, grow: int | None = None) -> None:
        """Take `system`, `light` or `dark`; `grow` adds pixels to all text."""
        self._choice = choice
        self._grow = self._grow if grow is None else max(-3, min(12, grow))
        if self._started:
            self._dress()

    def follow(self, thing: QObject, refit: Callable[[], object]) -> None:
        """Call `refit` at each change, for as long as `thing` lives: a plain lambda would outlive its widget."""
        connection = self.changed.connect(refit)
        thing.destroyed.connect(lambda: QObject.disconnect(connection))

    def keep(self, thing: QObject, fit: Callable[[], object]) -> None:
        """As `follow`, and call `fit` now: for a size that is set once and has to grow with the text."""
        fit()
        self.follow(thing, fit)

    @property
    def dark(self) -> bool:
        """Whether the dark tokens are in force."""
        return self.tokens is DARK

    @property
    def grow(self) -> int:
        """Pixels added to all text by the user."""
        return self._grow

    def color(self, role: str) -> QColor:
        """The colour of a token."""
        return QColor(getattr(self.tokens, role))

    def px(self, size: float) -> int:
        """A size of the design (at 13 px text), scaled to the text in force."""
        return round(size * self.base / BASE)

    def font(self, size: float = BASE, *, bold: bool = False, mono: bool = False) -> QFont:
        """A font of a size of the design, in pixels at 13 px text."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont) if mono else QFont(QApplication.font())
        font.setPixelSize(max(8, self.px(size)))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        return font

    def _system_changed(self) -> None:
        if self._choice == "system":
            self._dress()

    def _dress(self) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self.base = self._system_px + self._grow
        hints = QGuiApplication.styleHints()
        wanted = {"light": LIGHT, "dark": DARK}.get(self._choice)
        self.tokens = wanted or (DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT)
        font = QFont(app.font())
        font.setPixelSize(self.base)
        app.setFont(font)
        app.setPalette(_palette(self.tokens))
        app.setStyleSheet(style_sheet(self.tokens, self.base))
        self.changed.emit()


def style_sheet(tokens: Tokens, base: int = BASE) -> str:
    """`resources/theme.qss` with its names filled in."""
    sizes = {f"px{n}": f"{round(n * base / BASE)}px" for n in (4, 6, 8, 10, 12, 13, 14, 15, 16, 18, 20, 24, 26, 30, 38)}
    sizes |= {"px11h": f"{round(11.5 * base / BASE)}px", "px11": f"{round(11 * base / BASE)}px"}
    icons = (resources() / "icons").as_posix()
    return Template((resources() / "theme.qss").read_text("utf-8")).substitute(asdict(tokens) | sizes, icons=icons)


def _face(font: QFont) -> QFont:
    """The system's own face; where there is no desktop to choose one, a good one that is installed."""
    generic = font.family().lower() in {"sans serif", "sans", "sans-serif", ""}
    if generic and "Inter" in QFontDatabase.families():
        font.setFamily("Inter")
    return font


def _palette(tokens: Tokens) -> QPalette:
    roles = QPalette.ColorRole
    palette = QPalette()
    for role, name in {
        roles.Window: "window",
        roles.WindowText: "text",
        roles.Base: "surface",
        roles.AlternateBase: "sunken",
        roles.Text: "text",
        roles.PlaceholderText: "muted",
        roles.Button: "surface",
        roles.ButtonText: "text",
        roles.BrightText: "danger",
        roles.ToolTipBase: "surface",
        roles.ToolTipText: "text",
        roles.Highlight: "accent",
        roles.HighlightedText: "on_accent",
        roles.Link: "accent",
        roles.LinkVisited: "accent",
        roles.Mid: "border",
        roles.Light: "surface",
        roles.Dark: "border",
    }.items():
        palette.setColor(role, QColor(getattr(tokens, name)))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(tokens.faint))
    return palette


theme = Theme()
"""The one theme of this process."""
