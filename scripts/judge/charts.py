# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of a page, with the digits that are known of them; and curves with common axes.

Points have titles, so that hovering shows their values.  Each curve has a color, a dash and a mark
of its own, so that those that lie on each other and those that are printed in grey are told apart.
"""
import math
from typing import List, NamedTuple, Optional, Sequence, Tuple

from .documents import escape
from .drawings import WIDTH, Drawing, Key, Look, path_of, ring_at, shape_at
from .text import size_words, some_of

BOTTOM = 44             # of a drawing: below its lowest line
CURVES, NAME = 40, 299  # at most so many in a chart, and bytes of a name
TICKS, SIZES = 7, 5     # about so many on an axis, and on one of sizes
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
    return "%.*f" % (max(0, -last), round(value, -last) if last > 0 else value)


def number(value: float, width: float) -> str:
    """A value that lies somewhere in an interval of this width."""
    return digits(value, last_digit(value, last_known(width)))


def span(value: float, low: float, high: float) -> str:
    """An interval around a value, as "1.19-1.22" with a dash."""
    last = last_digit(value, last_known((high - low) / 2))
    return "\u2013".join(digits(end, last_digit(end, last)) for end in (low, high))


# --- Curves -------------------------------------------------------------------------------------


class Point(NamedTuple):
    """y is above 0; low and high: of the band; both y: there is none.  doubtful: why it is, or
    ""."""

    x: float
    y: float
    low: float
    high: float
    doubtful: str = ""


class Curve(NamedTuple):
    name: str
    look: Look
    points: Sequence[Point]


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
        return self.start + self.length * self.share(value)

    def ticks(self) -> List[float]:
        """Powers of two for sizes; 1, 2 and 5 of each decade, or only decades; else equal steps."""
        ratio = self.most / self.least if self.is_logarithmic else 1
        if self.is_of_sizes:
            step = math.ceil(math.log2(ratio) / SIZES)
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

    def words(self) -> List[str]:
        """Of the ticks: thousands as such, unless all of them are short."""
        if self.is_of_sizes:
            return [size_words(tick) for tick in self.ticks()]
        units = [(1e9, "G"), (1e6, "M"), (1e3, "k")] if self.most >= 1e4 else []
        return ["%g%s" % next(((tick / unit, name) for unit, name in units if tick >= unit),
                              (tick, "")) for tick in self.ticks()]


def round_step(whole: float) -> float:
    """1, 2 or 5 times a power of ten, such that about TICKS steps make the whole."""
    power = 10.0 ** math.floor(math.log10(whole / TICKS))
    part = whole / TICKS / power
    return power * next((step for step in (1, 2, 5) if part <= step), 10)


class Chart:
    """Curves with common axes.

    name: of files of it.  about: what the curves show.  y, x: the titles of the axes.  unit: of y,
    in titles of points.  x_unit: of x; None: it is a size in bytes, on a logarithmic axis.  title:
    tells the chart from others of a figure.  joined: are points joined by lines?  margin: what the
    y axis has at least, as a band around 1, or None.  sides: words for points above 1, and below.
    """

    HEIGHT, LEFT, RIGHT, TOP = 270, 58, 24, 8
    FLOOR = HEIGHT - BOTTOM

    def __init__(self, name: str, about: str, y: str, x: str = "message size", unit: str = "",
                 x_unit: Optional[str] = None, title: str = "", joined: bool = True,
                 margin: Optional[Tuple[float, float]] = None,
                 sides: Sequence[str] = ()) -> None:
        self.name, self.about, self.title = name, about, title
        self.y, self.x, self.unit, self.x_unit = y, x, unit, x_unit
        self.joined, self.margin, self.sides = joined, margin, sides
        self.curves: List[Curve] = []

    def add(self, curve: Curve) -> None:
        """One without points is no curve."""
        if curve.points and len(self.curves) < CURVES:
            self.curves.append(curve)

    def is_empty(self) -> bool:
        """Do no two points differ in x?"""
        return len({point.x for curve in self.curves for point in curve.points}) < 2

    def axes(self) -> Tuple[Axis, Axis]:
        """x and y."""
        points = [point for curve in self.curves for point in curve.points]
        band = self.margin or (math.inf, 0)
        of_sizes = self.x_unit is None
        return (Axis(min(p.x for p in points), max(p.x for p in points), self.LEFT,
                     WIDTH - self.LEFT - self.RIGHT, of_sizes, of_sizes),
                Axis(min([band[0]] + [p.low for p in points]) / 1.03,
                     max([band[1]] + [p.high for p in points]) * 1.03, self.FLOOR,
                     self.TOP - self.FLOOR, True))

    def drawing(self) -> Optional[Drawing]:
        """None: the chart is empty."""
        if self.is_empty():
            return None
        x, y = self.axes()
        body = self.halves(y) + self.grid(x, y) + "".join(
            self.drawn(curve, x, y) for curve in self.curves)
        rows: List[tuple] = [("chart", "curve", "bytes" if self.x_unit is None else self.x,
                              "value", "low", "high", "doubtful")]
        rows += [(self.title or self.y, curve.name, self.x_value(p.x)) + tuple(
            "%.10g" % value for value in (p.y, p.low, p.high)) + (p.doubtful,)
            for curve in self.curves for p in curve.points]
        return Drawing(self.name, self.about, self.title, self.HEIGHT, body,
                       self.keys(), rows)

    def doubts(self) -> str:
        """"ringed: doubtful (disturbed)"; "": no point is."""
        why = dict.fromkeys(p.doubtful for curve in self.curves for p in curve.points if p.doubtful)
        return "ringed: doubtful (%s)" % some_of(list(why), 2) if why else ""

    def keys(self) -> List[Key]:
        doubts = self.doubts()
        return [Key(curve.look, curve.name) for curve in self.curves] + \
            ([Key(None, doubts)] if doubts else [])

    def html(self) -> str:
        """The chart as a figure; "": it is empty."""
        drawing = self.drawing()
        return drawing.html() if drawing else ""

    # --- Parts of the drawing

    def halves(self, y: Axis) -> str:
        text, right = "", WIDTH - self.RIGHT
        if self.sides:
            for name, begin, end in (("above", self.TOP, y.at(1)), ("below", y.at(1), self.FLOOR)):
                text += '<path class="%s" d="M%d %.1fH%dV%.1fH%dZ"/>\n' % (
                    name, self.LEFT, begin, right, end, self.LEFT)
            for words, at, anchor in zip(self.sides, (self.TOP, self.FLOOR), ("start", "end")):
                text += ('<text text-anchor="%s" transform="translate(%d %d) rotate(90)">%s</text>'
                         "\n" % (anchor, right + 7, at, escape(words)))
        if self.margin:
            text += '<path class="margin" d="M%d %.1fH%dV%.1fH%dZ"/>\n' % (
                self.LEFT, y.at(self.margin[0]), right, y.at(self.margin[1]), self.LEFT)
        return text

    def x_lines(self, x: Axis) -> List[float]:
        return [x.at(tick) for tick in x.ticks()]

    def x_labels(self, x: Axis) -> str:
        labels = "".join('<text x="%.1f" y="%d">%s</text>' % (x.at(tick), self.FLOOR + 18, words)
                         for tick, words in zip(x.ticks(), x.words()))
        return '<g text-anchor="middle">%s<text x="%.1f" y="%d">%s</text></g>\n' % (
            labels, x.start + x.length / 2, self.HEIGHT - 6, escape(self.x))

    def grid(self, x: Axis, y: Axis) -> str:
        lines = "".join("M%.1f %dV%d" % (at, self.TOP, self.FLOOR) for at in self.x_lines(x))
        lines += "".join("M%d %.1fH%d" % (self.LEFT, y.at(tick), WIDTH - self.RIGHT)
                         for tick in y.ticks())
        labels = "".join('<text x="%d" y="%.1f">%s</text>' % (self.LEFT - 6, y.at(tick) + 5, words)
                         for tick, words in zip(y.ticks(), y.words()))
        return ('<path class="grid" d="%s"/>\n%s<g text-anchor="end">%s</g>\n<text '
                'text-anchor="middle" transform="translate(13 %.1f) rotate(-90)">%s</text>\n' % (
                    lines, self.x_labels(x), labels, (self.TOP + self.FLOOR) / 2, escape(self.y)))

    def drawn(self, curve: Curve, x: Axis, y: Axis) -> str:
        color, dash = curve.look.names()
        text = '<g class="c%d">' % color
        if self.joined:
            band = path_of([(x.at(p.x), y.at(p.high)) for p in curve.points]) + \
                path_of([(x.at(p.x), y.at(p.low)) for p in reversed(curve.points)], "L")
            text += '<path class="band" d="%sZ"/><path class="line d%d" d="%s"/>\n' % (
                band, dash, path_of([(x.at(p.x), y.at(p.y)) for p in curve.points]))
        for p in curve.points:
            text += '<path class="dot" d="%s"><title>%s</title></path>\n' % (
                shape_at(color, x.at(p.x), y.at(p.y)), escape(self.words(curve, p)))
            if p.doubtful:
                text += ring_at(x.at(p.x), y.at(p.y)) + "\n"
        return text + "</g>\n"

    def x_value(self, value: float) -> str:
        """For programs."""
        return "%.10g" % value

    def place(self, value: float) -> str:
        """In words."""
        return size_words(value) if self.x_unit is None else "%.3g %s" % (value, self.x_unit)

    def words(self, curve: Curve, p: Point) -> str:
        """"new, 8B: 1.20 us (1.19-1.22); disturbed"."""
        return "%s, %s: %s (%s)%s" % (
            curve.name, self.place(p.x),
            " ".join(filter(None, [number(p.y, (p.high - p.low) / 2), self.unit])),
            span(p.y, p.low, p.high), "; " + p.doubtful if p.doubtful else "")
