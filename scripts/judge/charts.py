# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of a page, with the digits that are known of them; and curves as an SVG element, with a
legend in HTML below.

Points have titles, so that hovering shows their values.  Colors and fonts are those of page.css, so
that a chart follows the light and the dark form of the page.
"""
import math
from typing import List, NamedTuple, Optional, Sequence, Tuple

from .comparison import size_words
from .documents import escape

# Of a drawing, which the page scales.
WIDTH, BOTTOM = 560, 28
CURVES, NAME = 40, 299  # at most so many in a chart, and bytes of a name
COLORS, DASHES = 8, 5   # of page.css
TICKS = 7               # about so many on an axis
TICKS_MOST = 40


def is_drawn(value: float) -> bool:
    """Has it a place on a logarithmic axis, whatever the others are?"""
    return 1e-100 < value < 1e100


# --- Numbers ------------------------------------------------------------------------------------


def last_digit(value: float, known: int) -> int:
    """The power of ten of the last digit of a value of which so many are known: two at least."""
    return min(known, math.floor(math.log10(value)) - 1 if value > 0 else 0)


def last_known(width: float) -> int:
    """That of a value in the middle of an interval: two decimals if it has no width."""
    return max(math.floor(math.log10(2 * width)), -3) if width > 0 else -2


def digits(value: float, last: int) -> str:
    """The value with digits down to that one."""
    unit = 10.0 ** max(0, last)
    return "%.*f" % (max(0, -last), math.floor(value / unit + 0.5) * unit if last > 0 else value)


def number(value: float, width: float) -> str:
    """A value that lies somewhere in an interval of this width."""
    return digits(value, last_digit(value, last_known(width)))


def span(value: float, low: float, high: float) -> str:
    """An interval around a value, as "1.19-1.22" with a dash."""
    last = last_digit(value, last_known((high - low) / 2))
    return "\u2013".join(digits(end, last_digit(end, last)) for end in (low, high))


# --- Curves -------------------------------------------------------------------------------------


class Point(NamedTuple):
    """y is above 0; low and high: of the band; both y: there is none."""

    x: float
    y: float
    low: float
    high: float


class Curve(NamedTuple):
    """color, dash: from 0; how it looks."""

    name: str
    color: int
    dash: int
    points: Sequence[Point]

    def look(self) -> Tuple[int, int]:
        """The numbers of its color and its dash in page.css."""
        return self.color % COLORS, self.dash % DASHES


class Axis(NamedTuple):
    """From least to most, which are drawn at start and so much further on."""

    least: float
    most: float
    start: float
    length: float
    is_logarithmic: bool
    is_of_sizes: bool = False

    def share(self, value: float) -> float:
        """Where the value is: 0 at the least, 1 at the most."""
        if self.is_logarithmic:
            return math.log(value / self.least) / math.log(self.most / self.least)
        return (value - self.least) / (self.most - self.least)

    def at(self, value: float) -> float:
        """Where the value is drawn."""
        return self.start + self.length * self.share(value)

    def ticks(self) -> List[float]:
        """Powers of two for sizes; 1, 2 and 5 of each decade, or only decades; else equal steps."""
        ratio = self.most / self.least if self.is_logarithmic else 1
        if self.is_of_sizes:
            step = math.ceil(math.log2(ratio) / TICKS)
            first = math.ceil(math.log2(self.least) / step) * step
            ticks = [math.ldexp(1, k)
                     for k in range(first, math.floor(math.log2(self.most)) + 1, step)]
        elif ratio >= 10:
            ticks, decade = [], 10.0 ** math.floor(math.log10(self.least))
            while decade <= self.most:
                ticks += [decade * part for part in ((1,) if ratio > 1000 else (1, 2, 5))
                          if self.least <= decade * part <= self.most]
                decade *= 10
        else:
            width = round_step(self.most - self.least)
            k, ticks = math.ceil(self.least / width), []
            while k * width <= self.most:
                ticks.append(k * width)
                k += 1
        return ticks[:TICKS_MOST]


def round_step(whole: float) -> float:
    """1, 2 or 5 times a power of ten, such that about TICKS steps make the whole."""
    power = 10.0 ** math.floor(math.log10(whole / TICKS))
    part = whole / TICKS / power
    return power * next((step for step in (1, 2, 5) if part <= step), 10)


def path_of(points: Sequence[Tuple[float, float]], begin: str = "M") -> str:
    """A line through points of the drawing."""
    return "".join("%s%.1f %.1f" % ((begin if i == 0 else "L",) + point)
                   for i, point in enumerate(points))


def key_of(color: int, dash: int, text: str) -> str:
    """How a line looks, and what it is, in a legend."""
    return ('<span class="c%d"><svg class="key" viewBox="0 0 30 8"><path class="line d%d" '
            'd="M0 4H30"/></svg>%s</span> ' % (color, dash, escape(text)))


def figure_of(about: str, height: int, drawing: str, legend: str) -> str:
    """A drawing with what it shows, for those who cannot see it, and a legend in HTML."""
    return ('<figure>\n<svg class="chart" role="img" aria-label="%s" viewBox="0 0 %d %d">\n%s'
            "</svg>\n<figcaption>%s</figcaption>\n</figure>\n"
            % (escape(about), WIDTH, height, drawing, legend))


class Chart:
    """Curves with common axes.

    about: what they show, above the legend.  unit: of y, in titles of points.  x_unit: of x; None:
    it is a size in bytes, on a logarithmic axis.  joined: are points joined by lines?  margin: what
    the y axis has at least, as a band, or None.
    """

    HEIGHT, LEFT, RIGHT, TOP = 300, 52, 32, 8
    FLOOR = HEIGHT - BOTTOM

    def __init__(self, about: str, unit: str = "", x_unit: Optional[str] = None,
                 joined: bool = True, margin: Optional[Tuple[float, float]] = None) -> None:
        self.about, self.unit, self.x_unit = about, unit, x_unit
        self.joined, self.margin = joined, margin
        self.curves: List[Curve] = []

    def add(self, curve: Curve) -> None:
        """One without points is no curve."""
        if curve.points and len(self.curves) < CURVES:
            self.curves.append(curve)

    def html(self) -> str:
        """The chart as a figure; "": no two points differ in x."""
        points = [point for curve in self.curves for point in curve.points]
        if len({point.x for point in points}) < 2:
            return ""
        band = self.margin or (math.inf, 0)
        of_sizes = self.x_unit is None
        x = Axis(min(p.x for p in points), max(p.x for p in points), self.LEFT,
                 WIDTH - self.LEFT - self.RIGHT, of_sizes, of_sizes)
        y = Axis(min([band[0]] + [p.low for p in points]) / 1.03,
                 max([band[1]] + [p.high for p in points]) * 1.03, self.FLOOR,
                 self.TOP - self.FLOOR, True)
        drawing = ""
        if self.margin:
            drawing = '<path class="margin" d="M%d %.1fH%dV%.1fH%dZ"/>\n' % (
                self.LEFT, y.at(band[0]), WIDTH - self.RIGHT, y.at(band[1]), self.LEFT)
        drawing += self.axes(x, y) + "".join(self.curve(curve, x, y) for curve in self.curves)
        keys = "".join(key_of(*curve.look(), text=curve.name) for curve in self.curves)
        return figure_of(self.about, self.HEIGHT, drawing, "%s %s" % (escape(self.about), keys))

    def x_lines(self, x: Axis) -> List[float]:
        """Where lines stand."""
        return [x.at(tick) for tick in x.ticks()]

    def x_labels(self, x: Axis) -> str:
        text = '<g text-anchor="middle">'
        for tick in x.ticks():
            text += '<text x="%.1f" y="%d">%s</text>' % (
                x.at(tick), self.FLOOR + 18, size_words(tick) if x.is_of_sizes else "%g" % tick)
        return text + "</g>\n"

    def axes(self, x: Axis, y: Axis) -> str:
        lines = "".join("M%.1f %dV%d" % (at, self.TOP, self.FLOOR) for at in self.x_lines(x))
        text = '<path class="grid" d="%s"/>\n' % lines + self.x_labels(x)
        lines = "".join("M%d %.1fH%d" % (self.LEFT, y.at(tick), WIDTH - self.RIGHT)
                        for tick in y.ticks())
        text += '<path class="grid" d="%s"/>\n<g text-anchor="end">' % lines
        for tick in y.ticks():
            words = "%g" % tick if tick < 10000 else "%gk" % (tick / 1000)
            text += '<text x="%d" y="%.1f">%s</text>' % (self.LEFT - 6, y.at(tick) + 5, words)
        return text + "</g>\n"

    def curve(self, curve: Curve, x: Axis, y: Axis) -> str:
        color, dash = curve.look()
        text = '<g class="c%d">' % color
        if self.joined:
            band = path_of([(x.at(p.x), y.at(p.high)) for p in curve.points]) + \
                path_of([(x.at(p.x), y.at(p.low)) for p in reversed(curve.points)], "L")
            text += '<path class="band" d="%sZ"/><path class="line d%d" d="%s"/>\n' % (
                band, dash, path_of([(x.at(p.x), y.at(p.y)) for p in curve.points]))
        for p in curve.points:
            text += '<circle cx="%.1f" cy="%.1f" r="3.5"><title>%s</title></circle>\n' % (
                x.at(p.x), y.at(p.y), escape(self.words(curve, p)))
        return text + "</g>\n"

    def place(self, value: float) -> str:
        """In words."""
        return size_words(value) if self.x_unit is None else "%.3g %s" % (value, self.x_unit)

    def words(self, curve: Curve, p: Point) -> str:
        """"new, 8B: 1.20 us (1.19-1.22)"."""
        return "%s, %s: %s %s (%s)" % (
            curve.name, self.place(p.x), number(p.y, (p.high - p.low) / 2), self.unit,
            span(p.y, p.low, p.high))
