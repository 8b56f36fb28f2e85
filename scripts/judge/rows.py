# SPDX-License-Identifier: BSD-3-Clause
"""Rows of results: which row it is, what its figure is, and a table of the rows of all runs."""
import math
import re
from itertools import groupby
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple

from .comparable import May, place_of
from .results import (Result, Variant, as_list, as_number, as_object, as_text, as_whole, equal,
                      failure_of, is_number, is_of_wrong_data, is_whole)
from .statistics import median
from .text import Refused, counted, grouped, natural, plural, size_words, within

# Fields that made a row another one, besides size, type and window, before programs said so.
LEVELS = ("queue_depth peers compute_percent buffers reuse_percent entries threads "
          "sender_compute_us rounds").split()
MISSING = "missing"


class RowId(NamedTuple):
    """Which row it is: of a benchmark and place; bytes: of the message, or None; key: "8 float
    window=64"; unit: one of UNITS."""

    benchmark: str
    place: str
    bytes: Optional[int]
    key: str
    unit: str

    def __str__(self) -> str:
        """"latency, 2 ranks, same-numa, H-H, 8 MPI_CHAR ranks=2"."""
        return "%s, %s, %s" % (self.benchmark, self.place, self.key)

    def is_rate(self) -> bool:
        """Is more of it better?"""
        return self.unit == "MB/s"

    def level(self) -> str:
        """What tells a row from others of its size: the key without the size."""
        return self.key if self.bytes is None else self.key.partition(" ")[2]


def same_table(id: RowId) -> Tuple[str, str]:
    return id.benchmark, id.place


def row_order(id: RowId) -> tuple:
    """By which rows are sorted."""
    return (id.benchmark, natural(id.place), -1 if id.bytes is None else id.bytes,
            natural(id.key))


def key_of(row: dict) -> str:
    """The key of a row, which the program wrote: its size, type, operation, and what else makes it
    another one.  Files from before rows had one get the same."""
    if isinstance(row.get("row"), str):
        return within(row["row"], 159)
    words = [str(row["bytes"])] if is_whole(row.get("bytes")) else []
    for name, most in ("datatype", 20), ("operation", 40):
        if row.get(name):
            words.append(within(row[name], most))
    for name, least in [("window", 2)] + [(n, -math.inf) for n in LEVELS] + [("ranks", 1)]:
        if is_whole(row.get(name)) and row[name] >= least:
            words.append("%s=%d" % (name, row[name]))
    return within(" ".join(words), 159)


def tables_of(rows: Sequence[Any]) -> List[list]:
    """Rows, or anything else with the id of one: neighbours of one table together."""
    return [list(table) for _, table in groupby(rows, key=lambda row: same_table(row.id))]


class Labels:
    """Short names of the rows of one table: their sizes, and of what else is in their keys what
    tells them apart; common: the rest, in words, without what the place says."""

    def __init__(self, rows: Sequence[Any]) -> None:
        words = [row.id.level().split(" ") for row in rows]
        self.shared = [word for word in words[0] if all(word in of_row for of_row in words)]
        ranks = "ranks=" + rows[0].id.place.partition(" ranks")[0]
        self.common = ", ".join(word for word in self.shared if word != ranks)

    def of_level(self, level: str) -> str:
        return " ".join(word for word in level.split(" ") if word not in self.shared)

    def of_row(self, id: RowId) -> str:
        size = "" if id.bytes is None else size_words(id.bytes)
        return " ".join(filter(None, [size, self.of_level(id.level())])) or id.key


# --- The figure of a row ------------------------------------------------------------------------


def ten_digits(figure: float) -> float:
    """Figures that are equal are equal runs, so digits that a division made up are cut."""
    if figure == 0 or not math.isfinite(figure):
        return figure
    unit = 10.0 ** (math.floor(math.log10(abs(figure))) - 9)
    return math.floor(figure / unit + 0.5) * unit


def figure_of(row: dict) -> float:
    """The row's "median", in its unit; of a file from before rows had one, what it would be."""
    if is_number(row.get("median")):
        return float(row["median"])
    value, over = as_number(row["value"]), row.get("over_iterations")
    mean = as_number(as_object(row.get("over_ranks")).get("mean_us"))
    times = as_number(as_object(over).get("median_us")) / mean if mean > 0 else 0
    # Guidelines and impact had medians as values.
    if times <= 0 or "guideline" in row or "impact" in row:
        return float(value)
    return ten_digits(value / times if row.get("unit") == "MB/s" else value * times)


def time_of(row: dict, figure: float) -> float:
    """The figure as a time in seconds, of a bandwidth that of a megabyte: greater is slower."""
    if row.get("unit") == "MB/s":
        return 1 / figure if figure else math.inf
    return figure * (1 if row.get("unit") == "s" else 1e-6)


def is_meant(row: dict) -> bool:
    # Nothing in no time is no bandwidth.  Earlier versions had passes of --duration, which are no
    # runs of their own.
    return row.get("unit", "") is not None and as_whole(row.get("pass")) <= 1 and \
        not (row.get("unit") == "MB/s" and as_number(row.get("bytes")) == 0)


def fault_of(row: dict, time: float) -> Optional[str]:
    """Why it cannot be compared, as "suspect"; None: it can."""
    if row.get("verified") == "fail":
        return "wrong data"
    if as_list(row.get("suspect")):
        return "suspect"
    # From a picosecond to thirty years: what is outside was not measured.
    value = row["value"]
    good = is_number(value) and 1e-12 < time < 1e9 and abs(value) < 1e18
    return None if good else "without a value"


class Run:
    """A row of one run, measured or left out; variant: the number of its variant."""

    def __init__(self, file: Result, row: dict, place: str, variant: int) -> None:
        self.file, self.row, self.variant = file, row, variant
        self.figure = figure_of(row)
        self.time = time_of(row, self.figure)
        self.fault = "left out" if "because" in row else fault_of(row, self.time)
        self.id = RowId(file.benchmark, place, row.get("bytes"), key_of(row),
                        within(as_text(row.get("unit")) or "", 7))


# --- The table ----------------------------------------------------------------------------------


def common_reason(runs: Sequence[Run]) -> Optional[str]:
    """Why the runs of a row are doubtful: the reason that most give, if half of them have one."""
    reasons = [as_list(run.row["doubtful"]) for run in runs if "doubtful" in run.row]
    if 2 * sum(map(bool, reasons)) < len(runs):
        return None
    words = [word for each in reasons for word in each if isinstance(word, str)]
    return max(words, key=words.count) if words else None


class Cell:
    """What the runs of a variant have of a row.

    runs: those that count.  lost: why each of the others does not.  fault: why none does, or None.
    figure: their median, low and high:
    the least and greatest, all in the unit of the row.  doubtful: a reason.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = [run for run in runs if run.fault is None]
        self.lost = [run.fault for run in runs if run.fault is not None]
        self.fault = None if self.runs else self.lost[0] if self.lost else MISSING
        figures = [run.figure for run in self.runs]
        self.figure = median(figures) if figures else 0.0
        self.low, self.high = (min(figures), max(figures)) if figures else (0.0, 0.0)
        self.doubtful = common_reason(self.runs)

    def loss(self) -> str:
        """"7 of 8 runs do not count: suspect"; "": all count."""
        n = len(self.lost)
        return "%d of %d runs do%s not count: %s" % (
            n, n + len(self.runs), plural(n, "es", ""),
            ", ".join(sorted(set(self.lost)))) if n else ""


class Row(NamedTuple):
    """cells: one for each variant."""

    id: RowId
    cells: Sequence[Cell]


def runs_of(variants: Sequence[Variant], may: May) -> List[Run]:
    """All rows of all runs that are meant to be compared.  Errors: Refused."""
    runs = []
    for k, v in enumerate(variants):
        for f in v.files:
            place = place_of(f, may)
            of_file = [Run(f, row, place, k) for row in f.rows + f.left_out if is_meant(row)]
            # It would count as two runs.
            for id, alike in grouped(of_file, lambda run: run.id).items():
                if alike[1:]:
                    raise Refused("%s: has the row %s twice: it was edited, or two results were "
                                  "joined" % (f.path, id.key))
            runs += of_file
    # If the number of ranks may differ, rows of all ranks become one row; those of some keep it.
    for run in runs if "environment.ranks" in may.fields else ():
        if equal(run.row.get("ranks"), run.file.environment.get("ranks")):
            run.id = run.id._replace(key=re.sub("ranks=.*", "ranks=all", run.id.key))
    return runs


def table_of(variants: Sequence[Variant], may: May) -> Tuple[List[Row], List[Row]]:
    """The rows that count in some run, sorted, and those that count in none."""
    met = grouped(runs_of(variants, may), lambda run: run.id)
    counted: List[Row] = []
    out: List[Row] = []
    for group in sorted(met.values(), key=lambda runs: row_order(runs[0].id)):
        group.sort(key=lambda run: (run.variant, run.fault is not None))
        cells = [Cell([run for run in group if run.variant == k]) for k in range(len(variants))]
        (counted if any(cell.runs for cell in cells) else out).append(Row(group[0].id, cells))
    return counted, out


class Doubtful:
    """Doubtful rows, marked so by the benchmark: a verdict that rests on them says so.

    rows: how many there are in all.  n: how many are doubtful.  why: the reasons, each once.
    """

    NAMED = 3

    def __init__(self, marked: Iterable[Tuple[RowId, Optional[str]]]) -> None:
        every = list(marked)
        self.named = [(id, why) for id, why in every if why is not None]
        self.rows, self.n, self.why = len(every), len(self.named), ""
        for _, why in self.named:
            if why not in self.why:
                self.why += (", " if self.why else "") + within(why, 32)

    def words(self, of: str) -> str:
        """A sentence on the rows of a variant; "": none is doubtful."""
        if self.n == 0:
            return ""
        first = ", ".join("%s %s" % (id.benchmark, id.key) for id, _ in self.named[:self.NAMED])
        more = ", and %d more" % (self.n - self.NAMED) if self.n > self.NAMED else ""
        return "%d of %d rows of %s say%s little of the machine (%s): %s%s" % (
            self.n, self.rows, of, plural(self.n, "s", ""), self.why, first, more)


def doubtful_rows(rows: Iterable[Row], k: int) -> Doubtful:
    """Of those that count in variant number k."""
    return Doubtful((row.id, row.cells[k].doubtful) for row in rows if row.cells[k].runs)


def wrong_data(v: Variant) -> List[str]:
    """Sentences on the rows in which data were wrong, and on runs that failed because of that."""
    wrong = [(f, row) for f in v.files for row in f.rows if row.get("verified") == "fail"]
    return ["%s: wrong data: %s; wrong in %s of %s" % (
        f.path, key_of(row), counted(len(wrong), "row"), v.name) for f, row in wrong[:1]] + \
        list(filter(is_of_wrong_data, map(failure_of, v.failed)))
