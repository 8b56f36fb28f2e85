# SPDX-License-Identifier: BSD-3-Clause
"""The values of all pairs of ranks (pair_matrix, pair_bw) or hosts (hosts) as a table in HTML: a
cell for each pair, the darker the slower.  Of many hosts it has a cell for each pair of racks.

Cells have one hue, and their lightness is the logarithm of the value, so that equal steps are equal
ratios and the map is read without colors too.  A legend has the values of nine shades.  The
lightest is the fastest pair, the darkest the slowest, but at least 1.25 times as slow, so that a
quiet machine has pale cells.  Each cell has a title with its ranks and value; few ranks have the
values in the cells, since there are no titles on a phone.  Below are the outliers that the runs
named and the slowest pairs.
"""
import math
from typing import List, Optional, Sequence

from .charts import is_drawn, number
from .documents import escape
from .host_values import Meetings
from .results import Variant, as_list, as_number, as_object, as_text, as_whole, is_whole, shown
from .rows import Cell, RowId
from .statistics import median
from .text import counted, decimal, grouped

RANKS = 128         # more are not drawn
RUNS = 256          # that are drawn, the first ones
NUMBERS = 8         # ranks, up to which cells have values
LABELS = 8          # on each side, at most
HEIGHT = 30         # of all cells, in heights of a letter
SHADES = 9          # of page.css
SLOWEST = 5         # pairs in the list
OUTLIERS = 16       # different ones in the list
WHICH = "rank", "partner", "whole_node"  # what they are of
LEAST_RANGE = 1.25
KNOWN = 0.005       # the part of a value that is shown in a cell
US, RATES = "matrix_us", "matrix_mb_per_s"


class PairMap:
    """What several runs of as many ranks have of all pairs; there is one run at least.

    runs: "pairs" of each.  n: ranks.  unit: "us" or "MB/s".  values: from line to column, each the
    median over runs, or None.  fast, slow: of the lightest and of the darkest shade.
    """

    def __init__(self, runs: Sequence[dict], kind: str) -> None:
        self.runs, self.unit = runs, "MB/s" if kind == RATES else "us"
        matrices = [run[kind] for run in runs]
        self.n = len(matrices[0])
        self.values: List[List[Optional[float]]] = []
        for i in range(self.n):
            self.values.append([])
            for j in range(self.n):
                known = [as_number(line[j]) for line in (as_list(matrix[i]) for matrix in matrices)
                         if j < len(line)]
                those = [float(value) for value in known if is_drawn(value) and i != j]
                self.values[i].append(median(those) if those else None)
        every = [value for line in self.values for value in line if value is not None] or [0]
        low, high = min(every), max(every)
        if self.unit == "us":
            self.fast, self.slow = low, max(high, low * LEAST_RANGE)
        else:
            self.fast, self.slow = high, min(low, high / LEAST_RANGE)

    def rank(self, i: int) -> int:
        ranks = as_list(self.runs[0].get("ranks"))
        return ranks[i] if i < len(ranks) and is_whole(ranks[i]) else i

    def rank_words(self, i: int) -> str:
        """"rank 2 (host)"."""
        hosts = as_list(self.runs[0].get("hosts"))
        host = as_text(hosts[i]) if i < len(hosts) else None
        if host is not None and "ranks" not in self.runs[0]:
            return host
        return "rank %d" % self.rank(i) + ("" if host is None else " (%s)" % host)

    def pair(self, i: int, j: int) -> str:
        """"rank 0 (a) to rank 2 (b): 1.05 us", escaped."""
        value = self.values[i][j]
        return escape("%s to %s: %s" % (
            self.rank_words(i), self.rank_words(j),
            "not measured" if value is None else "%s %s" % (decimal(value, 2), self.unit)))

    # --- The table

    def label(self, i: int) -> str:
        """The number of a rank, or a host or a rack; of every second, ..."""
        step = (self.n + LABELS - 1) // LABELS
        text = str(self.rank(i)) if "ranks" in self.runs[0] else self.rank_words(i).split()[-1]
        return "<th>%s</th>" % escape(text) if i % step == 0 else "<th></th>"

    def cell(self, i: int, j: int) -> str:
        value = self.values[i][j]
        if i == j:
            return "<td></td>"
        if value is None:
            return '<td class="none" title="%s"></td>' % self.pair(i, j)
        shade = (SHADES - 1) * math.log(value / self.fast) / math.log(self.slow / self.fast)
        return '<td class="s%d" title="%s">%s</td>' % (
            math.floor(shade + 0.5), self.pair(i, j),
            number(value, KNOWN * value) if self.n <= NUMBERS else "")

    def legend(self) -> str:
        text = '<table class="heat"><tr><th>%s</th>' % self.unit
        for k in range(SHADES):
            value = self.fast * (self.slow / self.fast) ** (k / (SHADES - 1))
            text += '<td class="s%d">%s</td>' % (k, number(value, KNOWN * value))
        return text + ('</tr></table>\n<p class="note">Lines: from rank; columns: to rank. Darker '
                       "is slower; hatched: not measured.</p>\n").replace(
                           "rank", "rank" if "ranks" in self.runs[0] else "host")

    def table(self) -> str:
        every = range(self.n)
        text = '<table class="heat">\n<tr><th></th>%s</tr>\n' % "".join(map(self.label, every))
        for i in every:
            text += '<tr style="height:%.3gem">%s%s</tr>\n' % (
                HEIGHT / self.n, self.label(i), "".join(self.cell(i, j) for j in every))
        return text + "</table>\n" + self.legend()

    # --- In words

    def slowest(self) -> str:
        sign = -1 if self.unit == "us" else 1
        order = sorted((sign * value, i, j) for i, line in enumerate(self.values)
                       for j, value in enumerate(line) if value is not None)
        pairs = "".join("<li>%s</li>\n" % self.pair(i, j) for _, i, j in order[:SLOWEST])
        return "<p>Slowest pairs:</p>\n<ul>\n%s</ul>\n" % pairs

    def outlier(self, one: dict, times: int) -> str:
        """What a run says of one that so many runs named."""
        partner, host = one.get("partner"), as_text(one.get("host"))
        ratio, who = as_number(one.get("ratio")), "rank %d" % as_whole(one.get("rank"))
        if is_whole(partner):
            who = "ranks %d and %d" % (as_whole(one.get("rank")), as_whole(partner))
        text = "<li><strong>%s</strong>" % who
        if host is not None:
            is_node = one.get("whole_node") is True
            text += (" and all ranks of %s" if is_node else " (%s)") % escape(host)
        if ratio > 0:
            text += ": %.2f times typical" % (ratio if self.unit == "us" else 1 / ratio)
        return text + ", in %d of %s</li>\n" % (times, counted(len(self.runs), "run"))

    def outliers(self) -> str:
        """Those that runs named, with the number of runs of each."""
        every = [as_object(one) for run in self.runs for one in as_list(run.get("slow"))]
        alike = grouped(every, lambda one: shown([one[key] for key in WHICH])
                        if all(key in one for key in WHICH) else str(id(one)))
        if not alike:
            return "<p>No outliers.</p>\n"
        return "<p>Outliers:</p>\n<ul>\n%s</ul>\n" % "".join(
            self.outlier(same[0], len(same)) for same in list(alike.values())[:OUTLIERS])


def has_pairs(cell: Cell) -> bool:
    return any("pairs" in run.row or as_whole(run.row.get("rounds")) for run in cell.runs)


def heat_map(id: RowId, cell: Cell, v: Variant) -> str:
    """What a variant has of the row: a heading, the table, outliers and the slowest pairs; "": it
    has no values of pairs.

    Of runs of other numbers of ranks only those like the first are taken.
    """
    found = []
    for run in cell.runs:
        pairs = as_object(run.row.get("pairs")) or Meetings(run.row).map(v.racks, RANKS) or {}
        kind = RATES if RATES in pairs else US
        n = len(as_list(pairs.get(kind)))
        if n >= 2:
            found.append((kind, n, pairs))
    if not found:
        return ""
    kind, n, _ = found[0]
    text = "<h3>All pairs: %s <small>(%s)</small></h3>\n" % (escape(v.name), escape(id.key))
    if n > RANKS:
        return text + '<p class="note">%d ranks: pairs of at most %d are drawn.</p>\n' % (n, RANKS)
    pairs_of = PairMap([run for *like, run in found if like == [kind, n]][:RUNS], kind)
    if not pairs_of.fast:
        return text
    outliers = pairs_of.outliers() if "slow" in pairs_of.runs[0] else ""
    return text + pairs_of.table() + outliers + pairs_of.slowest()
