# SPDX-License-Identifier: BSD-3-Clause
"""A file of limits: learned from runs, written as JSON for people to edit, and read."""
import json
from typing import Any, Dict, Iterator, List, Tuple

from .comparable import BOUND, May, decides, place_of
from .documents import NOTE, Document, Question
from .results import (ABSENT, Result, Variant, as_list, as_object, as_text, as_whole, is_number,
                      read_json, rounded, split_by_hosts)
from .rows import Row, RowId, doubtful_rows, table_of, wrong_data
from .statistics import median, median_low, outlier_limit, two_groups
from .text import Refused, counted, significant, within, write_file

FORM = 1     # number of the form of a file of limits
RUNS = 5     # learning takes at least so many
NAMED = 20   # at most so many rows are named
SETS = 3     # as many sets of hosts as tell which of them differs
FAR = 1.25   # a limit this many times as slow as the median is wide, because the runs differ
BUDGET = "budget_s"  # of a row: it decides nothing, and is told where it differs
SLOWER = 0.10  # a host is slower than others if its time is longer by this, for examine, too


# --- Learning -----------------------------------------------------------------------------------


def cost_of(figure: float, id: RowId) -> float:
    """What is the greater the worse: of a bandwidth, the time of a unit."""
    return 1 / figure if id.unit == "MB/s" else figure


class Learned:
    """The limits of a table of one variant.

    rows: of the file.  odd: (id, why) of rows whose limits are to be looked at.  wide, split: how
    many limits are wide, and of rows in two groups.  unlearned: rows without a limit.  busy: did
    other processes use the CPUs in half of the runs, so that each limit is wide?
    """

    def __init__(self, table: Tuple[List[Row], List[Row]], slack: float, busy: bool) -> None:
        self.rows: List[dict] = []
        self.busy = busy
        self.odd: List[Tuple[RowId, str]] = []
        self.wide = self.split = self.unlearned = 0
        for row in table[0] + table[1]:
            n = len(row.cells[0].runs)
            if 0 < n < RUNS:
                raise Refused("%s: %s; learning limits takes at least %d"
                              % (row.id, counted(n, "run"), RUNS))
            if row.cells[0].low > 0:
                self.learn(row, slack)
            else:
                self.unlearned += 1
                self.name(row, ["no limit"])

    def name(self, row: Row, why: List[str]) -> None:
        """Name the row, if there is a reason."""
        doubtful = row.cells[0].doubtful
        why = why + ([within(doubtful, 80)] if doubtful else [])
        if why:
            self.odd.append((row.id, within(", ".join(why), 159)))

    def learn(self, row: Row, slack: float) -> None:
        id, cell, why = row.id, row.cells[0], []
        values = [cost_of(run.figure, id) for run in cell.runs]
        middle = median(values)
        limit = outlier_limit(values, middle, slack)
        # A limit at the slack is not wide, whatever its last digit.
        is_wide = limit > middle * max(FAR, 1 + slack) * (1 + 1e-9)
        if is_wide:
            why.append("the limit is %.1f times as slow as the median" % (limit / middle))
        if two_groups(values):
            self.split += 1
            why.append("two groups")
        if len(cell.runs) <= len(cell.lost):
            why.append(cell.loss())
        self.name(row, why)
        row_of_file = {
            "benchmark": id.benchmark, "placement": id.place, "row": id.key, "unit": id.unit,
            "at_least" if id.unit == "MB/s" else "at_most": cost_of(limit, id),
            "median": cost_of(middle, id), "runs": len(values)}
        # It stays in the file, so that whoever checks against it later is told, too.
        self.wide += is_wide or self.busy
        self.rows.append(dict(row_of_file, wide=True) if is_wide or self.busy else row_of_file)


def wide_words(wide: int, limits: int, busy: bool) -> str:
    """A sentence on limits that find large faults only; "": there are none."""
    if not wide:
        return ""
    why = "learned while other processes used the CPUs of ranks (W40)" if busy else \
        "more than %.0f%% slower than the median, because the runs differ" % (100 * (FAR - 1))
    return "%d of %d limits can find a small fault. %s wide: %s. Learn them again on a quiet " \
           "machine, or set them by hand and delete \"wide\"; --allow-wide permits them." % (
               limits - wide, limits, "1 is" if wide == 1 else "%d are" % wide, why)


def conditions_of(of: Variant) -> List[dict]:
    conditions: Dict[tuple, dict] = {}
    for f in of.files:
        condition = {
            "benchmark": f.benchmark,
            "method": {name: f.method[name] for name in f.method
                       if "method." + name in decides(f) or name == BUDGET},
            "environment": {name: f.environment[name] for name in BOUND + ["mpi"]
                            if name in f.environment}}
        if "converted_from" in f.root:
            condition["converted_from"] = f.root["converted_from"]
        conditions.setdefault((f.benchmark, place_of(f, May())), condition)
    return list(conditions.values())


def slower_hosts(of: Variant) -> Iterator[str]:
    """A sentence on each set of hosts that is slower than the others: limits would excuse it."""
    sets = split_by_hosts(of)
    rows = table_of([s for s, _ in sets], May())[0]
    for k, (s, hosts) in enumerate(sets):
        slower = []
        for row in rows:
            costs = [cost_of(cell.figure, row.id) for cell, (_, n) in zip(row.cells, sets)
                     if n == hosts and cell.low > 0]
            own = row.cells[k]
            if len(costs) >= SETS and own.low > 0 and cost_of(own.figure, row.id) > \
                    outlier_limit(costs, median_low(costs), SLOWER):
                slower.append(row.id)
        if slower:
            yield "%s is slower than the other hosts in %s, first %s. Learn without it." % (
                s.name, counted(len(slower), "row"), slower[0])


def learn(path: str, of: Variant, question: Question) -> Tuple[Document, bool]:
    """Write the file of limits: (what is to be said of it, would a fault pass them).
    Errors: Refused."""
    table = table_of([of], May())
    learned = Learned(table, question.slack, of.is_half(of.loaded()))
    root = {"alidade_limits": FORM, "learned": of.name, "measured_as": conditions_of(of),
            "rows": learned.rows}
    root.update({"busy": True} if learned.busy else {})
    write_file(path, json.dumps(rounded(root, 6), indent=1, ensure_ascii=False))
    slower = list(slower_hosts(of))
    faults = slower + list(filter(None, [
        of.crowded_words(), of.failed_runs(),
        "%s got no limit, since no run of them counts." % counted(learned.unlearned, "row")
        if learned.unlearned else ""]))
    d, n, doubtful = Document(), len(learned.rows), doubtful_rows(table[0], 0)
    d.add(NOTE, "written: " + path, *faults)
    if doubtful.n:
        d.add(NOTE, "%s. Measure again before you use their limits." % doubtful.words(of.name))
    d.add(NOTE, wide_words(learned.wide, n, learned.busy), of.loaded_words())
    if learned.split:
        d.add(NOTE, "In %d of %d rows the runs fall into two groups. %s" % (
            learned.split, n, "Look first whether one is that of the slower hosts." if slower else
            "A good node may miss such limits: set them by hand."))
    d.add(NOTE, *("  %s: %s" % odd for odd in learned.odd[:NAMED]))
    if len(learned.odd) > NAMED:
        d.add(NOTE, "  and %d more" % (len(learned.odd) - NAMED))
    return d, bool(faults + wrong_data(of)) or (learned.wide > 0 and not question.allow_wide)


# --- Reading limits -----------------------------------------------------------------------------


class Limit:
    """The limit of a row.

    at_least: it is the least figure that passes, else the greatest.  wide: its file says that
    it finds large faults only.
    """

    def __init__(self, row: Any) -> None:
        row = as_object(row)
        most = {"benchmark": 63, "placement": 79, "row": 159, "unit": 7}  # bytes
        texts = [row[name] for name in most
                 if isinstance(row.get(name), str) and within(row[name], most[name]) == row[name]]
        if len(texts) < len(most):
            raise Refused("lacks benchmark, placement, row or unit")
        benchmark, place, key, unit = texts
        self.at_least = "at_least" in row
        bound = row.get("at_least" if self.at_least else "at_most", ABSENT)
        if ("at_most" in row) == self.at_least or not is_number(bound) or not 0 < bound < 1e18:
            raise Refused("needs either at_most or at_least, above 0")
        if (unit == "us" and self.at_least) or (unit == "MB/s" and not self.at_least):
            raise Refused("needs at_most for a time in us, at_least for MB/s")
        self.wide = row.get("wide", False)
        if not isinstance(self.wide, bool):
            raise Refused("has a \"wide\" that is neither true nor false")
        # A key begins with the size if there is one.
        digits = key[:len(key) - len(key.lstrip("0123456789"))]
        self.id = RowId(benchmark, place, int(digits) if digits else None, key, unit)
        self.figure = float(bound)

    def __str__(self) -> str:
        return "%s %s %s" % (">=" if self.at_least else "<=", significant(self.figure),
                             self.id.unit)

    def is_worse(self, figure: float, than: float) -> bool:
        return figure < than if self.at_least else figure > than


def conditions_in(path: str, root: dict) -> List[Result]:
    """How the limits were measured, as runs without rows."""
    conditions = root.get("measured_as", [])
    if not isinstance(conditions, list):
        raise Refused("%s: measured_as is not a list" % path)
    runs = []
    for condition in map(as_object, conditions):
        method, environment = condition.get("method"), condition.get("environment")
        if as_text(condition.get("benchmark")) is None or not isinstance(method, dict) or \
                not isinstance(environment, dict):
            raise Refused("%s: measured_as lacks benchmark, method or environment" % path)
        run = Result.__new__(Result)
        run.path, run.root, run.rows = path, condition, []
        run.benchmark, run.method, run.environment = condition["benchmark"], method, environment
        runs.append(run)
    return runs


def read_limits(path: str) -> Tuple[List[Limit], List[Result], bool]:
    """(limits, how they were measured, were the CPUs busy meanwhile?).  Errors: Refused."""
    root = as_object(read_json(path))
    rows = as_list(root.get("rows"))
    if as_whole(root.get("alidade_limits")) != FORM:
        raise Refused("%s: is not a limits file" % path)
    if not rows:
        raise Refused("%s: has no rows, and so no limits" % path)
    limits = []
    for i, row in enumerate(rows):
        try:
            limits.append(Limit(row))
        except Refused as why:
            raise Refused("%s: row %d %s" % (path, i + 1, why))
    return limits, conditions_in(path, root), root.get("busy") is True
