# SPDX-License-Identifier: BSD-3-Clause
"""Drawings: as figures of a page, as SVG files, which need nothing of a page, and their values as
CSV; and charts, which are curves with common axes.

Colors and lines are those of page.css in all of them.  A page follows its light and its dark form.
A file has them as attributes, since programs that put it into a paper know no variables of CSS.
Points have titles, so that hovering shows their values.  Each curve has a color, a dash and a mark
of its own, so that those that lie on each other and those that are printed in grey are told apart.
"""
import csv
import io
import math
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple
from urllib.parse import quote

from .documents import escape, style
from .text import repaired, size_words, some_of

# At 8.5 cm, the column of a paper, letters of 13 units have 8 points.
WIDTH, LETTER, COLUMN_CM = 400, 13, 8.5
COLORS, DASHES = 8, 5  # of page.css
# Paths of marks around a point, one for each color: they are open, so that those below are seen.
SHAPES = ["m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0", "m-3-3h6v6h-6Z", "m0-4l4 7h-8Z",
          "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5Z", "m-3-3l6 6m0-6l-6 6", "m0 4l4-7h-8Z",
          "m-4 0h8m-4-4v8", "m-4-2.5h8v5h-8Z"]


class Look(NamedTuple):
    """How a curve looks: numbers of its color and mark, and of its dash, from 0."""

    color: int
    dash: int

    def names(self) -> Tuple[int, int]:
        """Those in page.css."""
        return self.color % COLORS, self.dash % DASHES


RING = "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0"  # around a mark whose row is doubtful


class Key(NamedTuple):
    """An entry of a legend.  look: None: a ring.  marked: its curve has marks."""

    look: Optional[Look]
    text: str
    marked: bool = True

    def sample(self, x: float, y: float) -> str:
        """A piece of the curve from there on, 30 long."""
        if self.look is None:
            return ring_at(x + 15, y)
        color, dash = self.look.names()
        return '<g class="c%d"><path class="line d%d" d="M%g %gH%g"/>%s</g>' % (
            color, dash, x, y, x + 30,
            '<path class="dot" d="%s"/>' % shape_at(color, x + 15, y) if self.marked else "")

    def html(self) -> str:
        return '<span class="key"><svg viewBox="0 0 30 10">%s</svg>%s</span> ' % (
            self.sample(0, 5), escape(self.text))


def path_of(points: Sequence[Tuple[float, float]], begin: str = "M") -> str:
    return "".join("%s%.1f %.1f" % ((begin if i == 0 else "L",) + point)
                   for i, point in enumerate(points))


def shape_at(color: int, x: float, y: float) -> str:
    return "M%.4g %.4g%s" % (x, y, SHAPES[color])


def ring_at(x: float, y: float) -> str:
    return '<path class="ring" d="M%.4g %.4g%s"/>' % (x, y, RING)


class Drawing(NamedTuple):
    """name: of files.  about: what it shows, for a page, where the legend follows, and for those
    who cannot see it.  title: above it where there are several.  body: elements of SVG.  rows: the
    values, the headings first."""

    name: str
    about: str
    title: str
    height: int
    body: str
    keys: Sequence[Key]
    rows: Sequence[Sequence[Any]]

    def html(self) -> str:
        """A figure of a page, with its files to take away."""
        return ('<figure>\n<svg class="chart" role="img" aria-label="%s" viewBox="0 0 %d %d">\n%s'
                "</svg>\n<figcaption>%s %s%s %s</figcaption>\n</figure>\n" % (
                    escape(self.about), WIDTH, self.height, self.body, escape(self.about),
                    "".join(key.html() for key in self.keys),
                    file_link(self.name + ".svg", "image/svg+xml", svg_of([self])),
                    file_link(self.name + ".csv", "text/csv", csv_of([self]))))


def file_link(name: str, kind: str, text: str) -> str:
    """A link that has the file itself, so that the page stays one file."""
    return '<a download="%s" href="data:%s;charset=utf-8,%s">%s</a>' % (
        escape(re.sub(r"[^\w.+-]+", "-", name)), kind, quote(text, " /:;=,()!*~'"),
        name.rpartition(".")[2].upper())


def csv_of(drawings: Sequence[Drawing]) -> str:
    """The values of all, a line for each point of a curve."""
    file = io.StringIO()
    csv.writer(file).writerows(list(drawings[0].rows[:1]) +
                               [row for drawing in drawings for row in drawing.rows[1:]])
    return repaired(file.getvalue())


# --- Files of SVG -------------------------------------------------------------------------------


def looks() -> Dict[str, Dict[str, str]]:
    """Attributes of SVG for each class of page.css, in its light form."""
    text, found = style(), {}
    values = dict(re.findall(r"--(\w+):([^;}]+)", text.partition("}")[0]))
    for names, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", text.partition("@media(max")[0]):
        rule = re.sub(r"var\(--(\w+)\)", lambda m: values[m.group(1)], rule)
        for name in re.findall(r"(?:^|,)(?:\.chart )?\.(\w+)(?=,|$)", names):
            found[name] = dict(pair.split(":") for pair in rule.split(";"))
    return found


def legend_of(keys: Sequence[Key]) -> Tuple[str, int]:
    """(elements, height): the keys in as few lines as they need."""
    text, x, y = "", 0.0, 0
    for key in keys:
        # Letters are about so wide; a name that is too long for the drawing is made narrow.
        width = 48 + 0.56 * LETTER * len(key.text)
        if x and x + width > WIDTH:
            x, y = 0.0, y + LETTER + 4
        narrow = ' textLength="%d" lengthAdjust="spacingAndGlyphs"' % (WIDTH - 35)
        text += key.sample(x, y + LETTER / 2) + '<text x="%g" y="%d"%s>%s</text>\n' % (
            x + 35, y + LETTER - 2, narrow if width > WIDTH else "", escape(key.text))
        x += width
    return text, y + LETTER + 8 if keys else 0


def svg_of(drawings: Sequence[Drawing]) -> str:
    """Drawings one below the other, as a file of its own, as wide as the column of a paper.  A
    legend stands where it differs from the one above."""
    body, y = "", 4
    keys: Sequence[Key] = ()
    for drawing in drawings:
        parts: List[Tuple[str, int]] = []
        if drawings[1:]:
            parts.append(('<text x="%d" y="%d" text-anchor="middle">%s</text>\n' % (
                WIDTH / 2, LETTER, escape(drawing.title)), LETTER + 10))
        if list(drawing.keys) != list(keys):
            parts.append(legend_of(drawing.keys))
            keys = drawing.keys
        for text, height in parts + [(drawing.body, drawing.height + 4)]:
            body += '<g transform="translate(0 %d)">\n%s</g>\n' % (y, text)
            y += height
    look = looks()
    # Titles are for pages, where they are shown on hover.
    body = re.sub("><title>.*?</title></path>", "/>", body)
    body = re.sub(' class="([^"]*)"', lambda m: "".join(
        ' %s="%s"' % pair for name in m.group(1).split() for pair in look.get(name, {}).items()),
                  body)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            '<svg xmlns="http://www.w3.org/2000/svg" width="%gcm" height="%.4gcm" '
            'viewBox="0 0 %d %d">\n<title>%s</title>\n'
            '<g font-family="Helvetica, Arial, sans-serif" font-size="%d">\n%s</g>\n</svg>\n' % (
                COLUMN_CM, COLUMN_CM * y / WIDTH, WIDTH, y,
                escape("; ".join(drawing.about.rstrip(":") for drawing in drawings)), LETTER, body))


# --- Numbers of a page, with the digits that are known of them ------------------------------------


BOTTOM = 44             # of a drawing: below its lowest line
CURVES, NAME = 40, 299  # at most so many in a chart, and bytes of a name
TICKS, SIZES = 7, 5     # about so many on an axis, and on one of sizes
TICKS_MOST = 40


def is_drawn(value: float) -> bool:
    """Has it a place on a logarithmic axis, whatever the others are?"""
    return 1e-100 < value < 1e100


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
            # 1, 2 or 5 times a power of ten, such that about TICKS steps make the whole.
            part = (self.most - self.least) / TICKS
            power = 10.0 ** math.floor(math.log10(part))
            width = power * next((times for times in (1, 2, 5) if part / power <= times), 10)
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
