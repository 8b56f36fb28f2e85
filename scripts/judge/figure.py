# SPDX-License-Identifier: BSD-3-Clause
"""The figure of a paper: the curves of a page, as wide as a column, as SVG, or by matplotlib as PDF
or PNG; and their values as CSV.

Letters have 8 points and fonts are in the file, as publishers ask.  Where curves lie on each other
or are printed in grey, their dashes and marks tell them apart.
"""
import importlib
import io
import os
import site
import sys
from typing import Any, List, Optional, Sequence

from . import plots
from .charts import Chart, Curve
from .drawings import COLUMN_CM, WIDTH, Key, csv_of, looks, svg_of
from .results import Variant
from .rows import Row, tables_of
from .text import Refused, write_file

# Of matplotlib, around a mark whose row is doubtful.
RING: Any = {"linestyle": "", "marker": "o", "markersize": 8, "markerfacecolor": "none",
             "markeredgewidth": 0.5, "clip_on": False}
KINDS = ("svg", "pdf", "png")
DPI, POINTS, CM = 300, 8, 2.54
MARKS = "os^Dxv+s"  # of matplotlib: near to those of drawings.SHAPES


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
    # Packages of the user's own are found here alone; scripts/alidade leaves them out.
    active = os.environ.get("VIRTUAL_ENV")
    sys.path += [site.getusersitepackages()] + ([os.path.join(
        active, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")] if active else [])
    try:
        importlib.import_module("matplotlib.figure")
        return importlib.import_module("matplotlib")
    except ImportError:
        raise Refused("'%s' needs matplotlib, which %s does not have: install it for that Python, "
                      "or name a file that ends with .svg" % (path, sys.executable))


def charts_of(variants: Sequence[Variant], rows: Sequence[Row]) -> List[Chart]:
    """Those that are not empty.  Errors: Refused."""
    charts = [chart for chart in (plots.of_sizes(variants, table) for table in tables_of(rows))
              if not chart.is_empty()]
    if not charts:
        raise Refused("there are no curves: no benchmark has rows of two message sizes")
    return charts


# --- By matplotlib ------------------------------------------------------------------------------


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
        axes.plot([], [], color="black", label=chart.doubts(), **RING)
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
        longest = max(len(key.text) for key in chart.keys())
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


def write(charts: Sequence[Chart], figure: Optional[str], csv: Optional[str]) -> None:
    """The files that are named.  Errors: Refused."""
    drawings = [drawing for drawing in (chart.drawing() for chart in charts) if drawing]
    if figure is not None:
        kind = kind_of(figure)
        write_file(figure, svg_of(drawings) if kind == "svg" else painted(charts, kind, figure))
    write_file(csv, csv_of(drawings))
