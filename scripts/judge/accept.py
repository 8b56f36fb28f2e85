# SPDX-License-Identifier: BSD-3-Clause
"""accept - are results within their limits?

Limits are learned from runs, written as JSON for people to edit, and held against other runs on
each set of hosts.
"""
import json
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .comparable import BOUND, May, check_runs, decides, place_of, read_one
from .documents import ANSWER, NOTE, Cell, Column, Document, Question, publish
from .results import (ABSENT, Result, Variant, as_list, as_object, as_text, as_whole, is_number,
                      read_json, rounded, split_by_hosts)
from .rows import Cell as TableCell
from .rows import Row, RowId, doubtful_rows, same_table, table_of, wrong_data
from .statistics import median, median_low, outlier_limit, two_groups
from .text import Refused, check_writable, counted, decimal, within, write_file

FORM = 1     # number of the form of a file of limits
RUNS = 5     # learning takes at least so many
NAMED = 20   # at most so many rows are named
SETS = 3     # as many sets of hosts as tell which of them differs
FAR = 1.25   # a limit so far from the median is wide, because the runs of the row differ
SLACK = 0.05


# --- Learning -----------------------------------------------------------------------------------


def cost_of(figure: float, id: RowId) -> float:
    """What is the greater the worse: of a bandwidth, the time of a unit."""
    return 1 / figure if id.unit == "MB/s" else figure


class Learned:
    """The limits of a table of one variant.

    rows: of the file.  odd: (id, why) of rows whose limits are to be looked at.  far, split: how
    many limits are wide, and of rows in two groups.  unlearned: rows without a limit.
    """

    def __init__(self, table: Tuple[List[Row], List[Row]], slack: float) -> None:
        self.rows: List[dict] = []
        self.odd: List[Tuple[RowId, str]] = []
        self.far = self.split = self.unlearned = 0
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
        if limit > middle * max(FAR, 1 + slack):
            self.far += 1
            why.append("the limit is %.1f times the median" % (limit / middle))
        if two_groups(values):
            self.split += 1
            why.append("two groups")
        if len(cell.runs) <= len(cell.lost):
            why.append(cell.loss())
        self.name(row, why)
        self.rows.append({
            "benchmark": id.benchmark, "placement": id.place, "row": id.key, "unit": id.unit,
            "at_least" if id.unit == "MB/s" else "at_most": cost_of(limit, id),
            "median": cost_of(middle, id), "runs": len(values)})


def conditions_of(of: Variant) -> List[dict]:
    """How each benchmark was measured in each place."""
    conditions: Dict[tuple, dict] = {}
    for f in of.files:
        condition = {
            "benchmark": f.benchmark,
            "method": {name: f.method[name] for name in f.method if "method." + name in decides(f)},
            "environment": {name: f.environment[name] for name in BOUND if name in f.environment}}
        if "converted_from" in f.root:
            condition["converted_from"] = f.root["converted_from"]
        conditions.setdefault((f.benchmark, place_of(f, May())), condition)
    return list(conditions.values())


def add_slower(d: Document, of: Variant) -> None:
    """Sets of hosts that make limits wide, because they are slower than the others."""
    sets = split_by_hosts(of)
    rows = table_of([s for s, _ in sets], May())[0]
    for k, (s, hosts) in enumerate(sets):
        slower = []
        for row in rows:
            costs = [cost_of(cell.figure, row.id) for cell, (_, n) in zip(row.cells, sets)
                     if n == hosts and cell.low > 0]
            own = row.cells[k]
            if len(costs) >= SETS and own.low > 0 and cost_of(own.figure, row.id) > \
                    outlier_limit(costs, median_low(costs), FAR - 1):
                slower.append(row.id)
        if slower:
            d.add(NOTE, "%s is slower than the other hosts in %s, first %s. Learn without it."
                  % (s.name, counted(len(slower), "row"), slower[0]))


def add_learned(d: Document, of: Variant, rows: Sequence[Row], learned: Learned) -> None:
    """What is to be said of limits that were learned."""
    n, doubtful = len(learned.rows), doubtful_rows(rows, 0)
    if of.crowded():
        d.add(NOTE, "In %d of %d result files the ranks shared CPUs (W08): such limits mean "
              "nothing." % (of.crowded(), len(of.files)))
    if doubtful.n:
        d.add(NOTE, "%s. Measure again before you use their limits." % doubtful.words(of.name))
    d.add(NOTE, of.failed_runs())
    d.add(NOTE, wrong_data(of))
    if learned.far:
        d.add(NOTE, "%d of %d limits are wide, because the runs of these rows differ. Measure "
              "again on a quiet machine, or set such limits by hand." % (learned.far, n))
    if learned.split:
        d.add(NOTE, "In %d of %d rows the runs fall into two groups. A good node may miss such "
              "limits: set them by hand." % (learned.split, n))
    if learned.unlearned:
        d.add(NOTE, "%s got no limit, since no run of them counts."
              % counted(learned.unlearned, "row"))
    for id, why in learned.odd[:NAMED]:
        d.add(NOTE, "  %s: %s" % (id, why))
    if len(learned.odd) > NAMED:
        d.add(NOTE, "  and %d more" % (len(learned.odd) - NAMED))


def learn(path: str, of: Variant, slack: float) -> Document:
    """Write the file of limits, and say what is to be said of it.  Errors: Refused."""
    table = table_of([of], May())
    learned = Learned(table, slack)
    root = {"alidade_limits": FORM, "learned": of.name, "measured_as": conditions_of(of),
            "rows": learned.rows}
    write_file(path, json.dumps(rounded(root, 6), indent=1, ensure_ascii=False))
    d = Document()
    d.add(NOTE, "written: " + path)
    add_slower(d, of)
    add_learned(d, of, table[0], learned)
    return d


# --- Reading limits -----------------------------------------------------------------------------


class Limit:
    """The limit of a row; at_least: it is the least figure that passes, else the greatest."""

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
        # A key begins with the size if there is one.
        digits = key[:len(key) - len(key.lstrip("0123456789"))]
        self.id = RowId(benchmark, place, int(digits) if digits else None, key, unit)
        self.figure = float(bound)

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


def read_limits(path: str) -> Tuple[List[Limit], List[Result]]:
    """(limits, how they were measured).  Errors: Refused."""
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
    return limits, conditions_in(path, root)


# --- Checking -----------------------------------------------------------------------------------


class Measured:
    """What was measured, a column for each set of hosts, and what was found of each set.

    beyond: how many limits each set misses.  short: (id, runs, of how many) of the rows of which
    each set has half of the runs or fewer.
    """

    def __init__(self, of: Variant) -> None:
        self.sets = split_by_hosts(of)
        self.rows, out = table_of([s for s, _ in self.sets], May())
        self.by_id = {row.id: row for row in self.rows + out}
        self.beyond = [0] * len(self.sets)
        self.short: List[list] = [[] for _ in self.sets]

    def find(self, id: RowId) -> Optional[Row]:
        """The row with that id and unit."""
        return self.by_id.get(id)

    def check(self, limit: Limit) -> Tuple[str, Optional[int], TableCell]:
        """Hold the row against its limit on every set, and note what each lacks: ("pass", "FAIL" or
        "MISSING", the worst set, what it has; None: it was measured on none).  Where half of its
        runs do not count, those that do say nothing of the set."""
        row = self.find(limit.id)
        lacks: Optional[int] = None
        worst: Optional[int] = None
        if row is None:
            return "MISSING", None, TableCell([])
        for k, (_, hosts) in enumerate(self.sets):
            cell = row.cells[k]
            most = max(len(other.runs) for other, (_, n) in zip(row.cells, self.sets) if n == hosts)
            if len(cell.runs) <= len(cell.lost):
                lacks = k if lacks is None and (most or cell.lost) else lacks
                continue
            self.beyond[k] += limit.is_worse(cell.figure, limit.figure)
            if 2 * len(cell.runs) <= most:
                self.short[k].append((row.id, len(cell.runs), most))
            if worst is None or limit.is_worse(cell.figure, row.cells[worst].figure):
                worst = k
        if lacks is not None or worst is None:
            return "MISSING", lacks, TableCell([]) if lacks is None else row.cells[lacks]
        is_beyond = limit.is_worse(row.cells[worst].figure, limit.figure)
        return "FAIL" if is_beyond else "pass", worst, row.cells[worst]

    def remark(self, limit: Limit, word: str, at: Optional[int], cell: TableCell) -> str:
        """By how much it is not reached, which two decimals of a time may not show; why its value
        is doubtful; and on which hosts."""
        if at is None:
            return ""
        times, remarks = cell.figure / limit.figure, []
        percents = 100 * abs(times - 1)
        if word == "FAIL" and percents >= 1000:
            remarks.append("%.0f times the limit" % times)
        elif word == "FAIL":
            remarks.append("%.*f%% %s" % (4 if percents < 0.1 else 1, percents,
                                          "below" if limit.at_least else "above"))
        if cell.lost:
            remarks.append(cell.loss())
        if cell.doubtful and word != "MISSING":
            remarks.append(within(cell.doubtful, 32))
        if word != "pass" and len(self.sets) > 1:
            remarks.append("on " + self.sets[at][0].name)
        return within("; ".join(remarks), 239)


def add_limits(d: Document, limits: Sequence[Limit], m: Measured) -> List[str]:
    """The table of limits, each with the worst set of hosts; returns a word for each."""
    table = d.table([Column("Program", 9, left=True), Column("Placement", 39, left=True),
                     Column("Row", 33, left=True), Column("limit", 21), Column("measured", 13),
                     Column("result", left=True)])
    found = []
    for limit in limits:
        word, at, cell = m.check(limit)
        figure = "-" if word == "MISSING" else decimal(cell.figure, 2)
        table.row(limit.id.benchmark, limit.id.place, limit.id.key,
                  "%s %s %s" % (">=" if limit.at_least else "<=", decimal(limit.figure, 2),
                                limit.id.unit),
                  figure, Cell(word, m.remark(limit, word, at, cell),
                               None if word == "pass" else "slower"))
        found.append(word)
    return found


def nearest(limits: Sequence[Limit], m: Measured) -> Optional[Tuple[RowId, RowId]]:
    """Of rows that only the limits have, and rows that were measured, the first two of the same
    benchmark, place and size, or else of another size."""
    pairs = [(limit.id, row.id) for limit in limits if m.find(limit.id) is None
             for row in m.rows if same_table(limit.id) == same_table(row.id)]
    return next((pair for pair in pairs if pair[0].bytes == pair[1].bytes),
                pairs[0] if pairs else None)


def words_beyond(of: RowId, other: RowId) -> Iterator[str]:
    """The words of a row that another one lacks: "window=64"."""
    has = other.key.split() + other.unit.split()
    return (" " + word for word in of.key.split() + of.unit.split() if word not in has)


def add_missing(d: Document, path: str, limits: Sequence[Limit], m: Measured,
                is_all: bool) -> None:
    """What limits and results do not have in common, where rows are missing."""
    pair = nearest(limits, m)
    if pair is not None:
        of, other = pair
        if is_all or of.bytes == other.bytes:
            d.add(NOTE, "missing: %s (%s) was measured in another way. Limits:%s; results:%s" % (
                of.benchmark, of.place, "".join(words_beyond(of, other)),
                "".join(words_beyond(other, of))))
        return
    if not is_all or any(m.find(limit.id) for limit in limits):
        return
    of = limits[0].id
    text = "no row with a limit was measured: %s has limits of %s (%s; %s)" % (
        path, of.benchmark, of.place, of.unit)
    if m.rows:
        other = m.rows[0].id
        text += "; the results are of %s (%s; %s)" % (other.benchmark, other.place, other.unit)
    d.add(NOTE, text)


def add_sets(d: Document, m: Measured) -> int:
    """Every set with rows beyond a limit, since a row names the worst alone; and those that lack
    runs, of which it returns the number."""
    beyond = ["%s (%d)" % (s.name, n) for (s, _), n in zip(m.sets, m.beyond) if n]
    if beyond:
        d.add(NOTE, within("beyond limits, with rows: " + ", ".join(beyond), 799))
    for (s, _), lacks in zip(m.sets, m.short):
        if lacks:
            id, runs, of = lacks[0]
            others = "; and in " + counted(len(lacks) - 1, "other row") if lacks[1:] else ""
            d.add(NOTE, "runs are missing: %s; %s on %s has %d of %d%s" % (
                id.benchmark, id.key, s.name, runs, of, others))
    d.add(NOTE, "%d sets of hosts; of each row the worst is shown" % len(m.sets))
    return sum(map(bool, m.short))


def check(d: Document, path: str, limits: Sequence[Limit], of: Variant) -> int:
    """The table of limits, and what is to be said of it; returns how many fail or lack runs, and
    one more if data were wrong."""
    m = Measured(of)
    found = add_limits(d, limits, m)
    missing, bad = found.count("MISSING"), len(found) - found.count("pass")
    if missing:
        add_missing(d, path, limits, m, missing == len(limits))
    d.add(ANSWER, "%d of %d rows are within their limits" % (len(limits) - bad, len(limits)))
    if len(m.sets) > 1:
        bad += add_sets(d, m)
    wrong = wrong_data(of)
    d.add(NOTE, wrong)
    bad += bool(wrong)
    known = {limit.id for limit in limits}
    free = [row.id for row in m.rows if row.id not in known]
    if free:
        d.add(NOTE, "without a limit: %s, first %s" % (counted(len(free), "row"), free[0]))
    return bad


# --- The verb -----------------------------------------------------------------------------------


def answer(question: Question, words: List[str]) -> int:
    """Answer: the exit code.  Errors: Refused."""
    if len(words) < 2:
        raise Refused("a limits file and results are needed")
    if question.slack is not None and not question.learn:
        raise Refused("--slack requires --learn")
    path = words[0]
    if question.learn:
        check_writable([path])
        slack = SLACK if question.slack is None else question.slack
        publish(question, learn(path, read_one(words[1:], May()), slack))
        return 0
    unread: List[str] = []
    of = read_one(words[1:], May(), unread)
    limits, conditions = read_limits(path)
    how = '; to permit it, write "any" in measured_as of %s for ' % within(path, 200)
    check_runs(conditions, of.files, May(how))
    d = Document()
    bad = check(d, path, limits, of) + len(unread)
    for why in unread:
        d.add(NOTE, "not judged: " + why)
    if of.failed:
        d.add(NOTE, of.failed_runs())
        bad += 1
    publish(question, d)
    return 2 if bad else 0
