# SPDX-License-Identifier: BSD-3-Clause
"""Charts of results, on a page and as the figure of a paper: the curves of a page, as wide as a
column, as SVG, or by matplotlib as PDF or PNG; and their values as CSV.

What has fewer than two points leaves nothing on a page.  In a figure letters have 8 points and
fonts are in the file, as publishers ask.
"""
import importlib
import io
import math
import os
import site
import sys
from typing import Any, Callable, List, Optional, Sequence, Tuple

from .charts import (BOTTOM, COLUMN_CM, NAME, WIDTH, Axis, Chart, Curve, Drawing, Key, Look, Point,
                     csv_of, is_drawn, looks, number, svg_of)
from .comparison import Comparison
from .documents import escape
from .groups import TimedRun
from .results import Variant, as_list, as_number, as_object
from .rows import Cell, Labels, Row, RowId, tables_of
from .text import Refused, decimal, grouped, within, write_file

UNITS = {"us": "\u00b5s"}  # on axes

# --- Over sizes ---------------------------------------------------------------------------------


def curves_of(rows: Sequence[Row], name: str, color: int,
              point_of: Callable[[Row], Optional[Point]]) -> List[Curve]:
    """A curve for each level of the rows, called by the name.  Curves of one level differ in their
    dashes, too, since they may lie on each other."""
    levels, labels, curves = grouped(rows, lambda row: row.id.level()), Labels(rows), []
    for at, (level, alike) in enumerate(levels.items()):
        points = [point for point in map(point_of, alike) if point and point.x > 0]
        title = ": ".join(filter(None, [name, labels.of_level(level)]))
        curves.append(Curve(within(title, NAME), Look(color, color + at), points))
    return curves


def point_at(id: RowId, y: float, low: float, high: float, doubtful: Optional[str]) -> Point:
    return Point(0.0 if id.bytes is None else float(id.bytes), y, low, high, doubtful or "")


def about_of(id: RowId) -> str:
    return "%s (%s), %s: median and range of the runs:" % (id.benchmark, id.unit, id.place)


def axis_of(id: RowId) -> str:
    return "%s (%s)" % (id.benchmark, UNITS.get(id.unit, id.unit))


def of_sizes(variants: Sequence[Variant], rows: Sequence[Row]) -> Chart:
    """Rows of one benchmark in one place: curves over sizes, and a band for the runs of each
    variant."""
    id = rows[0].id
    chart = Chart(id.benchmark, about_of(id), axis_of(id), unit=id.unit,
                  title="%s (%s)" % (id.benchmark, id.place))
    for k, v in enumerate(variants):
        def point_of(row: Row, k: int = k) -> Optional[Point]:
            cell = row.cells[k]
            return point_at(row.id, cell.figure, cell.low, cell.high, cell.doubtful) \
                if cell.runs else None

        # A figure goes where no remark does.
        for curve in curves_of(rows, v.name + " (W40)" * v.is_half(v.loaded()), k, point_of):
            chart.add(curve)
    return chart


def ratios(rows: Sequence[Row], c: Comparison) -> Chart:
    """The ratios of a comparison over sizes: a curve for each benchmark and place, the intervals as
    bands, and the margin."""
    a, b = (v.name for v in c.variants)
    are_rates = all(row.id.unit == "MB/s" for row in rows)
    chart = Chart("%s relative to %s" % (b, a),
                  "%s relative to %s: ratio of times by size, its 95%% interval, and the margin in "
                  "grey:" % (b, a), "%s relative to %s" % (within(b, 20), within(a, 20)),
                  margin=(1 / (1 + c.question.margin), 1 + c.question.margin),
                  sides=("lower bandwidth", "higher bandwidth") if are_rates else
                  ("slower", "faster"))

    doubts = {row.id: row.doubt(c.variants) for row in c.rows}

    def point_of(row: Row) -> Optional[Point]:
        ratio = c.ratios.get(row.id)
        if not ratio:
            return None
        low, high = ratio.ends() or [ratio.value] * 2
        return point_at(row.id, ratio.value, low, high, doubts[row.id])

    tables = tables_of(rows)
    benchmarks = [table[0].id.benchmark for table in tables]
    for color, table in enumerate(tables):
        name, place = table[0].id.benchmark, table[0].id.place
        if benchmarks.count(name) > 1:
            name = "%s (%s)" % (name, place)
        for curve in curves_of(table, name, color, point_of):
            chart.add(curve)
    return chart


# --- Over releases ------------------------------------------------------------------------------


class Releases(Chart):
    """Curves over releases, by their numbers; names: (MPI, version) of each."""

    HEIGHT, RIGHT = 340, 36
    FLOOR = HEIGHT - 76  # names stand on end
    APART = 17           # of two names

    def __init__(self, id: RowId, names: Sequence[Tuple[str, str]]) -> None:
        super().__init__("%s by release" % id.benchmark, about_of(id), axis_of(id), x="release",
                         unit=id.unit, x_unit="", title="%s (%s)" % (id.benchmark, id.place))
        self.names = names

    def x_labels(self, x: Axis) -> str:
        text = "<g>"
        # Of many releases some names are left out, so that none lies on the next.
        every = math.ceil(self.APART * (len(self.names) - 1) / x.length)
        for k, (_, version) in list(enumerate(self.names))[::max(1, every)]:
            at, below = x.at(k), self.FLOOR + 12
            text += '<text x="%.1f" y="%d" transform="rotate(50 %.1f %d)">%s</text>' % (
                at, below, at, below, escape(version))
        for mpi, some in grouped(range(len(self.names)), lambda k: self.names[k][0]).items():
            text += '<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (
                (x.at(some[0]) + x.at(some[-1])) / 2, self.HEIGHT - 4, escape(mpi))
        return text + "</g>\n"

    def x_lines(self, x: Axis) -> List[float]:
        return [x.at(k) for k in range(len(self.names))]

    def place(self, value: float) -> str:
        return "%s %s" % tuple(self.names[int(value)])

    x_value = place


def releases(names: Sequence[Tuple[str, str]], rows: Sequence[Row]) -> str:
    """Rows of one benchmark in one place: curves over releases, those of each MPI by themselves,
    and a band for their runs."""
    id, labels = rows[0].id, Labels(rows)
    chart = Releases(id, names)
    of_mpi = grouped(range(len(names)), lambda k: names[k][0])
    for color, row in enumerate(rows):
        for dash, (mpi, some) in enumerate(of_mpi.items()):
            chart.add(Curve("%s, %s" % (mpi, labels.of_row(row.id)), Look(color, dash), [
                Point(float(k), cell.figure, cell.low, cell.high, cell.doubtful or "")
                for k, cell in ((k, row.cells[k]) for k in some) if cell.runs]))
    return chart.html()


# --- Over time ----------------------------------------------------------------------------------


def over_time(variants: Sequence[Variant], timeline: Sequence[Sequence[TimedRun]]) -> str:
    last = max((run.seconds for runs in timeline for run in runs), default=0)
    unit, words = (1, "s") if last < 180 else (60, "minutes") if last < 3 * 3600 else \
        (3600, "hours")
    since = "time since the first run (%s)" % words
    chart = Chart("over-time", "Time of a run relative to a typical one, by %s:" % since,
                  "relative to a typical run", since, x_unit=words, joined=False)
    for k, (v, runs) in enumerate(zip(variants, timeline)):
        chart.add(Curve(v.name, Look(k, 0), [
            Point(run.seconds / unit, run.ratio, run.ratio, run.ratio) for run in runs]))
    return chart.html()


# --- The samples of a row -----------------------------------------------------------------------


class Samples:
    """How the samples of a row lie: bars on a logarithmic axis of time, and lines for the mean, the
    median and its 95% interval.

    The height of a bar is the logarithm of 1 + its samples, so that a single interruption among a
    hundred thousand iterations is seen.
    """

    HEIGHT, LEFT, TOP = 190, 8, 8
    FLOOR = HEIGHT - BOTTOM
    BARS, LEAST = 80, 10
    MEDIAN, MEAN = Look(2, 0), Look(1, 1)

    def __init__(self, times: Sequence[float]) -> None:
        """Of times above 0, in us, which differ."""
        self.axis = Axis(min(times), max(times), self.LEFT, WIDTH - 2 * self.LEFT, True)
        self.counts = [0] * self.BARS
        for us in times:
            self.counts[min(self.BARS - 1, int(self.axis.share(us) * self.BARS))] += 1

    def bars(self) -> str:
        width, most = (WIDTH - 2 * self.LEFT) / self.BARS, max(self.counts)
        text = ""
        for k, n in enumerate(self.counts):
            if n:
                top = self.FLOOR - (self.FLOOR - self.TOP) * math.log1p(n) / math.log1p(most)
                text += "M%.1f %dV%.1fh%.1fV%dZ" % (self.LEFT + k * width, self.FLOOR, top,
                                                    width * 0.85, self.FLOOR)
        return '<g class="c0"><path fill="currentColor" d="%s"/></g>\n' % text

    def interval(self, low: float, high: float) -> str:
        return '<path class="margin" d="M%.1f %dH%.1fV%dH%.1fZ"/>\n' % (
            self.axis.at(low) - 2, self.TOP, self.axis.at(high) + 2, self.FLOOR,
            self.axis.at(low) - 2)

    def line(self, us: float, look: Look) -> str:
        if not self.axis.least <= us <= self.axis.most:
            return ""
        return '<g class="c%d"><path class="line d%d" d="M%.1f %dV%d"/></g>\n' % (
            look.names() + (self.axis.at(us), self.TOP, self.FLOOR))

    def ends(self) -> str:
        least, most = (decimal(us, 2 if us < 10 else 0) for us in self.axis[:2])
        return ('<text x="%d" y="%d">%s</text><text x="%d" y="%d" text-anchor="end">%s</text>'
                '<text x="%d" y="%d" text-anchor="middle">time (%s), samples upwards</text>\n' % (
                    self.LEFT, self.FLOOR + 18, least, WIDTH - self.LEFT, self.FLOOR + 18, most,
                    WIDTH / 2, self.HEIGHT - 6, UNITS["us"]))

    def rows(self) -> List[tuple]:
        ends = [self.axis.least * (self.axis.most / self.axis.least) ** (k / self.BARS)
                for k in range(self.BARS + 1)]
        return [("from_us", "to_us", "samples")] + [
            ("%.6g" % ends[k], "%.6g" % ends[k + 1], n) for k, n in enumerate(self.counts)]


def samples(id: RowId, cell: Cell, name: str) -> str:
    """The samples that the first run of a variant of this name has of the row, in files of --raw;
    "": they are too few, or do not differ."""
    row = cell.runs[0].row if cell.runs else {}
    raw = as_list(row.get("raw_us"))
    times = [us for us in map(as_number, raw) if is_drawn(us)]
    if len(raw) < Samples.LEAST or not times or min(times) == max(times):
        return ""
    s, over = Samples(times), as_object(row.get("over_iterations"))
    ends = [as_number(end) for end in as_list(over.get("ci95_us"))]
    drawing = s.interval(*ends) if len(ends) == 2 and all(map(is_drawn, ends)) else ""
    drawing += s.bars()
    keys = []
    for what, us, look in (("Median", as_number(over.get("median_us")), s.MEDIAN),
                           ("Mean", as_number(over.get("mean_us")), s.MEAN)):
        drawing += s.line(us, look)
        keys.append(Key(look, "%s %s us" % (what, number(us, us / 100)), marked=False))
    return Drawing("samples %s %s" % (name, id.key), "%s: the samples of %s (%d), both axes "
                   "logarithmic; grey: 95%% interval of the median." % (name, id.key, len(raw)),
                   "%s, %s" % (name, id.key), s.HEIGHT, drawing + s.ends(), keys,
                   s.rows()).html()


# --- The figure of a paper ------------------------------------------------------------------------


# Of matplotlib, around a mark whose row is doubtful.
RING: Any = {"linestyle": "", "marker": "o", "markersize": 8, "markerfacecolor": "none",
             "markeredgewidth": 0.5, "clip_on": False, "in_layout": False}  # may be empty
KINDS = ("svg", "pdf", "png")
DPI, POINTS, CM = 300, 8, 2.54
MARKS = "os^Dxv+s"  # of matplotlib: near to those of SHAPES


def kind_of(path: str) -> str:
    """By its ending.  Errors: Refused, also where it cannot be drawn."""
    kind = os.path.splitext(path)[1][1:].lower()
    if kind not in KINDS:
        raise Refused("--figure '%s' ends with none of .svg, .pdf and .png" % path)
    if kind != "svg":
        need_matplotlib(path)
    return kind


def need_matplotlib(path: str) -> Any:
    """It.  Errors: Refused."""
    # Packages are found here alone; scripts/alidade leaves them out.
    site.main()
    active = os.environ.get("VIRTUAL_ENV")
    sys.path += [site.getusersitepackages()] + ([os.path.join(
        active, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")] if active else [])
    try:
        importlib.import_module("matplotlib.figure")
        return importlib.import_module("matplotlib")
    except ImportError:
        raise Refused("'%s' needs matplotlib, which %s does not have: install it for that Python, "
                      "or name a file that ends with .svg" % (path, sys.executable))


def add_curve(axes: Any, curve: Curve) -> None:
    (color, dash), look = curve.look.names(), looks()
    paint = look["c%d" % color]["color"]
    dashes = look.get("d%d" % dash, {}).get("stroke-dasharray")
    style: Any = (0, [float(part) / 2 for part in dashes.split()]) if dashes else "-"
    x = [p.x for p in curve.points]
    axes.fill_between(x, [p.low for p in curve.points], [p.high for p in curve.points],
                      color=paint, alpha=0.18, linewidth=0)
    axes.plot(x, [p.y for p in curve.points], color=paint, linestyle=style, linewidth=1,
              clip_on=False, marker=MARKS[color], markersize=3.5, markerfacecolor="none",
              markeredgewidth=0.8, label=curve.name)
    ringed = [p for p in curve.points if p.doubtful]
    axes.plot([p.x for p in ringed], [p.y for p in ringed], color=paint, **RING)


def add_chart(axes: Any, chart: Chart, titled: bool, keyed: bool) -> None:
    for curve in chart.curves:
        add_curve(axes, curve)
    if chart.doubts():
        # Why would make the legend wider than the column; the output and the CSV say it.
        axes.plot([], [], color="black", label="ringed: doubtful", **RING)
    x, y = chart.axes()
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis, of in (axes.xaxis, x), (axes.yaxis, y):
        axis.set_ticks(of.ticks())
        axis.set_ticklabels(of.words())
        axis.set_ticks([], minor=True)
    room = (x.most / x.least) ** 0.02  # for marks at both ends
    axes.set_xlim(x.least / room, x.most * room)
    axes.set_ylim(y.least, y.most)
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    axes.grid(linewidth=0.4, color="#ddd")
    if keyed:
        longest = max(len(curve.name) for curve in chart.curves)
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), frameon=False, borderaxespad=0.2,
                    ncol=max(1, 45 // (longest + 6)), handlelength=2.5, columnspacing=1.2,
                    title=chart.title if titled else None)
    elif titled:
        axes.set_title(chart.title, fontsize=POINTS, pad=4)


def painted(charts: Sequence[Chart], kind: str, path: str) -> bytes:
    matplotlib = need_matplotlib(path)
    file = io.BytesIO()
    with matplotlib.rc_context({"font.size": POINTS, "pdf.fonttype": 42, "axes.linewidth": 0.6,
                                "font.family": "sans-serif"}):
        height = COLUMN_CM * Chart.HEIGHT / WIDTH + 0.6
        figure = matplotlib.figure.Figure(
            figsize=(COLUMN_CM / CM, len(charts) * height / CM), constrained_layout=True)
        every = figure.subplots(len(charts), 1, squeeze=False)
        names: List[Key] = []
        for (axes,), chart in zip(every, charts):
            of_chart = chart.keys()
            add_chart(axes, chart, len(charts) > 1, of_chart != names)
            names = of_chart
        # Without a date, equal results make equal files.
        figure.savefig(file, format=kind, dpi=DPI,
                       metadata={"CreationDate": None} if kind == "pdf" else {})
    return file.getvalue()


def write_figure(variants: Sequence[Variant], rows: Sequence[Row], figure: Optional[str],
                 csv: Optional[str]) -> None:
    """The files that are named, of charts that are not empty.  Errors: Refused."""
    charts = [chart for chart in (of_sizes(variants, table) for table in tables_of(rows))
              if not chart.is_empty()]
    if not charts:
        raise Refused("there are no curves: no benchmark has rows of two message sizes")
    drawings = [drawing for drawing in (chart.drawing() for chart in charts) if drawing]
    if figure is not None:
        kind = kind_of(figure)
        write_file(figure, svg_of(drawings) if kind == "svg" else painted(charts, kind, figure))
    write_file(csv, csv_of(drawings))
