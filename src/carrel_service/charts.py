"""Draws a table of figures as a bar chart, once for the PDF report and once as an SVG file of its own."""

from reportlab.graphics import renderSVG
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.legends import Legend
from reportlab.graphics.shapes import Drawing, String
from reportlab.lib.colors import Color, HexColor

from .figures import Table
from .fonts import PLAIN, Lettering

_WIDTH, _HEIGHT = 460, 260  # points; as wide as the report's column
_MOST_BARS = 12
_MOST_SERIES = 4
_COLOURS = ("#1f6f54", "#d98e32", "#3b6ea8", "#9a4c6b")


def chart(table: Table, title: str, letters: Lettering = PLAIN) -> Drawing:
    """A drawing of the table's first columns of numbers, a group of bars for each row; `letters` are a PDF's."""
    columns = table.numeric_columns[:_MOST_SERIES]
    drawing = Drawing(_WIDTH, _HEIGHT)
    words, font = letters.plain(title[:80]), letters.base
    drawing.add(String(_WIDTH / 2, _HEIGHT - 14, words, textAnchor="middle", fontSize=11, fontName=font))
    drawing.add(_bars(table, columns, letters))
    if len(columns) > 1:
        drawing.add(_legend([table.header[column] for column in columns], letters))
    return drawing


def svg(drawing: Drawing) -> bytes:
    """The drawing as an SVG file."""
    text: str = renderSVG.drawToString(drawing)
    return text.encode()


def _bars(table: Table, columns: list[int], letters: Lettering) -> VerticalBarChart:
    bars = VerticalBarChart()
    bars.x, bars.y, bars.width, bars.height = 56, 56, _WIDTH - 76, _HEIGHT - 90
    bars.data = [(table.numbers(column) or [])[:_MOST_BARS] for column in columns]
    bars.categoryAxis.categoryNames = [letters.plain(row[0][:18]) for row in table.rows[:_MOST_BARS]]
    bars.categoryAxis.labels.angle = 30
    bars.categoryAxis.labels.boxAnchor = "ne"
    bars.categoryAxis.labels.fontSize = bars.valueAxis.labels.fontSize = 8
    bars.categoryAxis.labels.fontName = bars.valueAxis.labels.fontName = letters.base
    values = [value for series in bars.data for value in series]
    bars.valueAxis.valueMin = min(0.0, *values)
    bars.valueAxis.valueMax = max(0.0, *values) or 1.0
    bars.valueAxis.labelTextFormat = lambda value: f"{value:,.10g}"
    for place in range(len(columns)):
        bars.bars[place].fillColor = _colour(place)
        bars.bars[place].strokeColor = None
    return bars


def _legend(names: list[str], letters: Lettering) -> Legend:
    legend = Legend()
    legend.x, legend.y = 56, 16
    legend.boxAnchor = "sw"
    legend.columnMaximum = 1
    legend.deltax = 90
    legend.alignment = "right"
    legend.fontName, legend.fontSize = letters.base, 8
    legend.colorNamePairs = [(_colour(place), letters.plain(name[:18])) for place, name in enumerate(names)]
    return legend


def _colour(place: int) -> Color:
    return HexColor(_COLOURS[place])
