# SPDX-License-Identifier: BSD-3-Clause
"""repeat - what several runs of one program show, and what the next one will."""
import math
from statistics import mean, stdev
from typing import List, Optional, Sequence, Tuple

from .comparable import May, check_variants, differences_within, read_one
from .documents import NOTE, TITLE, Column, Document, Question, Table, publish
from .groups import Groups, drift_of, drift_words, groups_of, timed_runs
from .results import Variant, as_number, as_object, as_text
from .rows import Doubtful, Row, RowId, Run, doubtful_rows, table_of, wrong_data
from .statistics import median, next_run
from .text import Refused, decimal, grouped, repaired, version, within

REPEAT = 1   # number of the form in JSON
APART = 2    # as a factor: beyond it nothing is said of the next run
NOTES = 8    # at most so many rows with groups are named


def half_tick(run: Run) -> float:
    """Half a tick of the clock, as a share of the time of a sample: no figure is known better."""
    clock = as_object(run.file.environment.get("clock"))
    time = as_number(as_object(run.row.get("over_iterations")).get("median_us"))
    stride = as_number(run.row.get("stride"))
    if not (time > 0 and stride > 0):
        return 0.0
    return max(0.0, as_number(clock.get("tick_ns"))) / 2000 / stride / time


class RepeatedRow:
    """A row of all runs.

    value: median of the values.  spread: standard deviation by mean.  next: (by, low, high) of the
    next run, or None.  groups: of one of so many rows, or None.
    """

    def __init__(self, row: Row, rows: int) -> None:
        self.id, self.cell = row.id, row.cells[0]
        figures = [run.figure for run in self.cell.runs]
        self.next: Optional[Tuple[str, float, float]] = None
        self.groups: Optional[Groups] = None
        self.spread = self.value = 0.0
        if figures:
            self.value = median([as_number(run.row["value"]) for run in self.cell.runs])
            if len(figures) > 1 and mean(figures) > 0:
                self.spread = stdev(figures) / mean(figures)
        if self.cell.low > 0:
            self.next = next_run(figures)
            half = max(map(half_tick, self.cell.runs))
            if self.next:
                # Medians of single iterations lie on ticks, so that equal ones are not exact.
                by, low, high = self.next
                self.next = by, low / (1 + half), high * (1 + half)
            self.groups = groups_of([(run.file, run.figure) for run in self.cell.runs], rows,
                                    2 * half)

    def reach(self) -> float:
        """How far the interval reaches from the median, as a factor."""
        if not self.next:
            return math.inf
        return max(self.next[2] / self.cell.figure, self.cell.figure / self.next[1])

    def is_apart(self) -> bool:
        """Do the runs differ so much that no interval predicts the next one?"""
        if self.cell.low <= 0:
            return False
        return (self.reach() if self.next else self.cell.high / self.cell.low) > APART

    def foreseen(self) -> Optional[tuple]:
        """The interval of the next run, if something is said of it."""
        return None if self.is_apart() else self.next


class Repetition:
    """Runs of one program.

    rows: those that count; all: and those that do not.  precision, stop, failed: of the
    question.  remarks: sentences on drift, on files of runs that failed, and on other processes.
    """

    def __init__(self, of: Variant, may: May, question: Question) -> None:
        self.of, self.precision, self.stop = of, question.precision, question.stop
        self.failed = question.failed
        of.number_runs()
        counted, out = table_of([of], may)
        timed = timed_runs(of, counted, 0)
        self.drift = drift_of(timed)
        self.remarks = list(filter(None, [drift_words(of.name, timed), of.failed_runs(),
                                          of.crowded_words(), of.loaded_words()]))
        self.doubtful = doubtful_rows(counted, 0)
        self.rows = [RepeatedRow(row, len(counted)) for row in counted]
        self.all = self.rows + [RepeatedRow(row, 1) for row in out]

    def is_split(self) -> bool:
        """Does a row lack the precision that is wanted, because its runs fall into two groups?"""
        return any(row.groups and row.reach() > 1 + self.precision for row in self.rows)

    def against(self) -> List[str]:
        """What speaks against printing the figures."""
        told = ((bool(wrong_data(self.of)), "data were wrong"),
                (not any(row.next for row in self.rows), "fewer than five runs"),
                (any(row.is_apart() for row in self.rows), "runs are far apart"),
                (any(row.groups for row in self.rows), "runs fall into two groups"),
                (bool(self.drift), "the machine changed"),
                (self.of.is_half(self.of.crowded()), "ranks shared CPUs (W07, W08 or W37)"),
                (self.of.is_half(self.of.loaded()), "other processes used the CPUs (W40)"),
                (self.doubtful.n == len(self.rows), "all rows are doubtful"))
        return [why for is_so, why in told if is_so]

    def widest(self, decimals: int) -> Optional[str]:
        """The widest interval in %; None: a row has none."""
        widest = max([1.0] + [row.reach() for row in self.rows]) if self.rows else math.inf
        if widest == math.inf:
            return None
        if widest > APART:
            return ">%.0f" % (100 * (APART - 1))
        return "%.*f" % (decimals, 100 * (widest - 1))


# --- The document -------------------------------------------------------------------------------


def name_of(id: RowId) -> str:
    """A key without blanks: a known reader takes a number before a blank for a result."""
    return id.key.replace(" ", ",")


def add_groups(d: Document, r: Repetition) -> None:
    rows = [(row.id, row.groups) for row in r.rows if row.groups]
    for id, groups in rows[:NOTES]:
        d.add(NOTE, "Groups: row=%s; lower=%.4g; upper=%.4g; ratio=%.3f; changes=%d; "
              "lower-runs=%d; upper-runs=%d;" % (
                  name_of(id), groups.low, groups.high, groups.ratio(), groups.changes,
                  len(groups.lower), len(groups.upper)))
    if len(rows) > NOTES:
        d.add(NOTE, "Groups: more-rows=%d;" % (len(rows) - NOTES))
    d.add(NOTE, *dict.fromkeys("Groups: probably=%s;" % groups.cause() for _, groups in rows))


def add_row(table: Table, row: RepeatedRow) -> None:
    n, foreseen, ends = len(row.cell.runs), row.foreseen(), ["-", "-"]
    # Two decimals of 0.13 us are steps of 8%.
    digits = 4 if row.cell.figure < 10 else 2
    if foreseen:
        ends = [decimal(end, digits) for end in foreseen[1:]]
    table.row("" if row.id.bytes is None else "%d" % row.id.bytes,
              decimal(row.value, 2) if n else "-", decimal(row.cell.figure, digits) if n else "-",
              *ends, "%.2f" % (100 * row.spread) if n > 1 else "-", "%d" % n)


def add_tables(d: Document, rows: Sequence[RepeatedRow]) -> None:
    """The rows of each level together; a table begins where the unit changes."""
    levels = grouped(rows, lambda row: row.id.level())
    table = unit = None
    for level, of_level in levels.items():
        if table is None or of_level[0].id.unit != unit:
            unit = of_level[0].id.unit
            headings = ["%s(%s)" % (what, unit)
                        for what in ("Value", "Median", "Next Low", "Next High")]
            table = d.table([Column("Size", 10, left=True)] + [
                Column(heading, 17) for heading in headings + ["Spread(%)", "Runs"]])
        table.group(level)
        for row in of_level:
            add_row(table, row)


def document(r: Repetition) -> Document:
    d = Document()
    widest = r.widest(1)
    d.add(NOTE, "Repeat: runs=%d; failed=%d; interval=95%%-next-run%s%s%s;" % (
        len(r.of.files), len(r.failed) + len(r.of.failed),
        "; widest=%s%%" % widest if widest else "",
        "; wanted=%g%%" % (100 * r.precision) if r.precision > 0 else "",
        "; stop=" + within(r.stop, 40) if r.stop is not None else ""))
    # Rows of which no interval says where the next run will be.
    apart = [row for row in r.rows if row.is_apart()]
    if apart:
        most = max(apart, key=lambda row: row.cell.high / row.cell.low)
        factor = most.cell.high / most.cell.low
        d.add(NOTE, "Apart: rows=%d of %d; row=%s; runs differ by a factor of %.*f; no interval "
              "predicts the next run: look at placement (where) and at other load;" % (
                  len(apart), len(r.rows), name_of(most.id), 1 if factor < 10 else 0, factor))
    if r.doubtful.n:
        named = "".join(" row=%s;" % name_of(id) for id, _ in r.doubtful.named[:Doubtful.NAMED])
        if r.doubtful.n > Doubtful.NAMED:
            named += " more-rows=%d;" % (r.doubtful.n - Doubtful.NAMED)
        d.add(NOTE, "Doubtful: rows=%d of %d; why=%s;%s" % (r.doubtful.n, r.doubtful.rows,
                                                            r.doubtful.why, named))
    add_groups(d, r)
    if r.rows:
        against = r.against()
        d.add(NOTE, "Not for a paper: %s;" % ", ".join(against) if against else
              "For a paper: print Median, with Next Low to Next High as its error bar%s;" % (
                  ", except for doubtful rows" if r.doubtful.n else ""))
    d.add(NOTE, *("Differ: %s;" % what for what in differences_within(r.of)), r.of.failed_runs(),
          r.of.crowded_words(), r.of.loaded_words())
    if r.drift:
        d.add(NOTE, "Drift: ratio=%.3f; p=%.2g; of the last third of the runs to the first; the "
              "machine changed meanwhile;" % r.drift)
    title = as_text(r.of.files[0].method.get("title"))
    if title is not None:
        d.add(TITLE, title + (" v7.4" if title.startswith("OSU ") else ""))
    add_tables(d, r.all)
    return d


# --- For programs -------------------------------------------------------------------------------


def row_json(row: RepeatedRow) -> dict:
    foreseen, groups = row.foreseen(), row.groups
    return {
        "placement": row.id.place, "row": row.id.key, "bytes": row.id.bytes, "unit": row.id.unit,
        "runs": len(row.cell.runs), "value": float(row.value), "median": row.cell.figure,
        "min": row.cell.low, "max": row.cell.high, "spread": row.spread,
        "next_run": {"low": foreseen[1], "high": foreseen[2], "by": foreseen[0]}
        if foreseen else None,
        "groups": groups and {
            "ratio": groups.ratio(), "changes": groups.changes, "cause": groups.cause(),
            "lower": {"median": groups.low, "runs": [f.number for f in groups.lower]},
            "upper": {"median": groups.high, "runs": [f.number for f in groups.upper]}},
        "doubtful": row.cell.doubtful,
        "values": [{"run": run.file.number, "value": float(as_number(run.row["value"])),
                    "median": run.figure} for run in row.cell.runs],
    }


def as_json(r: Repetition) -> dict:
    return {
        "suite": "Alidade", "repeat": REPEAT, "version": version(),
        "benchmark": r.of.files[0].benchmark, "runs": len(r.of.files), "level": 0.95,
        "precision": r.precision or None, "stop": None if r.stop is None else repaired(r.stop),
        "failed": [{"run": run, "reason": why} for run, why in r.failed], "remarks": r.remarks,
        "rows": [row_json(row) for row in r.rows],
        "result_files": [{"run": f.number, "result": f.root} for f in r.of.files],
    }


def repetition_of(question: Question, words: List[str]) -> Repetition:
    """Of runs of one command, measured under the same conditions.  Errors: Refused."""
    may = question.may()
    of = read_one(words, may)
    first = of.files[0]
    for f in of.files[1:]:
        if f.benchmark != first.benchmark:
            raise Refused("%s is a run of %s, %s one of %s: repeat takes runs of one program"
                          % (first.path, first.benchmark, f.path, f.benchmark))
        check_variants(Variant("", [first]), Variant("", [f]), may)
    r = Repetition(of, may, question)
    if not r.rows:
        raise Refused("no row has a value")
    return r


def look_at(question: Question, words: List[str]) -> Tuple[str, bool]:
    """(the widest interval, in % of the median, or ">100" beyond, or "-" if a row has none; does a
    row lack precision because its runs fall into two groups?).  Errors: Refused."""
    r = repetition_of(question, words)
    return r.widest(2) or "-", r.is_split()


def answer(question: Question, words: List[str]) -> int:
    """Answer: the exit code.  Errors: Refused."""
    r = repetition_of(question, words)
    return publish(question, document(r), root=as_json(r), of=[r.of])
