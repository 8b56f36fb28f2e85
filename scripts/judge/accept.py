# SPDX-License-Identifier: BSD-3-Clause
"""accept - are results within their limits?  Limits are learned from runs, written as JSON for people to edit, and held
against other runs on each set of hosts."""
import json
import re

from .documents import ANSWER, Cell, Column, NOTE
from .results import (BOUND, Doubtful, May, MISSING, Refused, Result, RowId, as_object, check_runs, decides, is_number, level_of, place_of,
                     plural, read_json, same_table, split_by_hosts, table_of)
from .statistics import median, outlier_limit, two_groups

FORM, RUNS, NAMED, SETS, FAR = 1, 5, 20, 3, 1.25


def cost(cell, unit):
    return 1 / cell.figure if unit == "MB/s" else cell.figure


def key_of(id):
    return id.benchmark, id.place, id.key


def learn(d, files, name, slack):
    """The document of limits, and what is to be said of it."""
    counted, out = table_of([files], May())
    limits, odd, far, split = [], [], 0, 0
    for row in counted:
        id, cell = row.id, row.cells[0]
        if len(cell.runs) < RUNS:
            raise Refused("%s, %s, %s: %d run%s; learning limits takes at least %d" % (*id[:2], id.key, len(cell.runs), plural(len(cell.runs)), RUNS))
        if cell.low <= 0:
            out.append(row)
            continue
        rate = id.unit == "MB/s"
        values = [1 / run.figure if rate else run.figure for run in cell.runs]
        middle, limit, why = median(values), outlier_limit(values, slack), []
        if limit > middle * max(FAR, 1 + slack):
            far += 1
            why.append("the limit is %.1f times the median" % (limit / middle))
        if two_groups(values):
            split += 1
            why.append("two groups")
        odd += [(id, ", ".join(why + [cell.doubtful] * bool(cell.doubtful)))] if why or cell.doubtful else []
        limits.append({"benchmark": id.benchmark, "placement": id.place, "row": id.key, "unit": id.unit,
                       "at_least" if rate else "at_most": 1 / limit if rate else limit, "median": 1 / middle if rate else middle, "runs": len(values)})
    odd += [(row.id, "no limit") for row in out]
    conditions = {}
    for f in files.files:
        conditions.setdefault((f.benchmark, place_of(f, May())), {
            "benchmark": f.benchmark, "method": {field[7:]: f.field(field) for field in sorted(decides(f))},
            "environment": {name: f.environment[name] for name in BOUND if name in f.environment},
            **{name: f.root[name] for name in ["converted_from"] if name in f.root}})
    yield {"alidade_limits": FORM, "learned": name, "measured_as": list(conditions.values()), "rows": limits}
    say_slower(d, files)
    n = len(limits)
    if files.crowded():
        d.add(NOTE, "In %d of %d result files the ranks shared CPUs (W08): such limits mean nothing." % (files.crowded(), len(files.files)))
    doubtful = Doubtful((row.id, row.cells[0].doubtful) for row in counted)
    if doubtful.n:
        d.add(NOTE, "%s. Measure again before you use their limits." % doubtful.words(files.name))
    if far:
        d.add(NOTE, "%d of %d limits are wide, because the runs of these rows differ. Measure again on a quiet machine, or set such limits by hand." % (far, n))
    if split:
        d.add(NOTE, "In %d of %d rows the runs fall into two groups. A good node may miss such limits: set them by hand." % (split, n))
    if out:
        d.add(NOTE, "%d row%s got no limit, since no run of them counts." % (len(out), plural(len(out))))
    for id, why in odd[:NAMED]:
        d.add(NOTE, "  %s, %s, %s: %s" % (id.benchmark, id.place, id.key, why))
    if len(odd) > NAMED:
        d.add(NOTE, "  and %d more" % (len(odd) - NAMED))


def say_slower(d, files):
    """Sets of hosts that make limits wide, because they are slower than the others."""
    sets = split_by_hosts(files)
    rows = table_of([s for s, _ in sets], May())[0]
    for k, (s, hosts) in enumerate(sets):
        slower = []
        for row in rows:
            costs = [cost(c, row.id.unit) for c, (_, n) in zip(row.cells, sets) if n == hosts and c.runs and c.low > 0]
            mine = row.cells[k]
            if len(costs) >= SETS and mine.runs and cost(mine, row.id.unit) > outlier_limit(costs, FAR - 1):
                slower.append(row.id)
        if slower:
            d.add(NOTE, "%s is slower than the other hosts in %d row%s, first %s, %s, %s. Learn without it." % (
                s.name, len(slower), plural(len(slower)), slower[0].benchmark, slower[0].place, slower[0].key))


class Limit:
    def __init__(self, row):
        words = [as_object(row).get(name) for name in ("benchmark", "placement", "row", "unit")]
        if not all(isinstance(w, str) for w in words):
            raise Refused("lacks benchmark, placement, row or unit")
        benchmark, place, key, unit = words
        size = re.match(r"\d+", key)
        self.id = RowId(benchmark, place, int(size[0]) if size else None, key, unit)
        self.at_least = "at_least" in row
        self.figure = row.get("at_least", row.get("at_most"))
        if self.at_least == ("at_most" in row) or not is_number(self.figure) or not 0 < self.figure < 1e18:
            raise Refused("needs either at_most or at_least, above 0")
        if (unit == "us" and self.at_least) or (unit == "MB/s" and not self.at_least):
            raise Refused("needs at_most for a time in us, at_least for MB/s")

    def is_worse(self, figure, than):
        return figure < than if self.at_least else figure > than


def read_limits(path):
    root = as_object(read_json(path))
    if root.get("alidade_limits") != FORM:
        raise Refused("%s: is not a limits file" % path)
    if not root.get("rows"):
        raise Refused("%s: has no rows, and so no limits" % path)
    limits = []
    for i, row in enumerate(root["rows"]):
        try:
            limits.append(Limit(row))
        except Refused as why:
            raise Refused("%s: row %d %s" % (path, i + 1, why))
    conditions = root.get("measured_as") or []
    if not isinstance(conditions, list):
        raise Refused("%s: measured_as is not a list" % path)
    for c in conditions:
        if not (isinstance(as_object(c).get("benchmark"), str) and isinstance(c.get("method"), dict) and isinstance(c.get("environment"), dict)):
            raise Refused("%s: measured_as lacks benchmark, method or environment" % path)
    whole = lambda c: dict(c, suite="Alidade", schema=2, exit={}, rows=[], environment=dict(c["environment"], mpi=""))
    return limits, [Result(path, whole(c)) for c in conditions]


def check(d, path, limits, files):
    """The table of limits, each with the worst set of hosts; returns how many fail or lack runs."""
    sets = split_by_hosts(files)
    rows = {key_of(row.id): row for row in table_of([s for s, _ in sets], May())[0]}
    table = d.table([Column("Program", 9, left=True), Column("Placement", 39, left=True), Column("Row", 33, left=True),
                     Column("limit", 21), Column("measured", 13), Column("result", left=True)])
    beyond, short, bad, missing = [0] * len(sets), [[] for _ in sets], 0, 0
    for l in limits:
        row = rows.get(key_of(l.id))
        row = row if row and row.id.unit == l.id.unit else None
        most = {n: max(len(c.runs) for c, (_, m) in zip(row.cells, sets) if m == n) for _, n in sets} if row else {}
        lacks = worst = None
        for k, (_, n) in enumerate(sets if row else ()):
            cell = row.cells[k]
            if not cell.runs:
                lacks = k if lacks is None and most[n] else lacks
                continue
            beyond[k] += l.is_worse(cell.figure, l.figure)
            if 2 * len(cell.runs) <= most[n]:
                short[k].append((row.id, len(cell.runs), most[n]))
            worst = k if worst is None or l.is_worse(cell.figure, row.cells[worst].figure) else worst
        at = worst if lacks is None else lacks
        is_ = "MISSING" if lacks is not None or worst is None else "FAIL" if l.is_worse(row.cells[worst].figure, l.figure) else "pass"
        remarks = []
        if is_ == "FAIL":
            times = row.cells[at].figure / l.figure
            percent = 100 * abs(times - 1)
            remarks.append("%.0f times the limit" % times if percent >= 1000 else
                           "%.*f%% %s" % (4 if percent < 0.1 else 1, percent, "below" if l.at_least else "above"))
        if at is not None and row.cells[at].doubtful:
            remarks.append(row.cells[at].doubtful)
        if is_ != "pass" and at is not None and len(sets) > 1:
            remarks.append("on " + sets[at][0].name)
        table.row(l.id.benchmark, l.id.place, l.id.key, "%s %.2f %s" % (">=" if l.at_least else "<=", l.figure, l.id.unit),
                  "-" if is_ == "MISSING" else "%.2f" % row.cells[at].figure, Cell(is_, "; ".join(remarks), None if is_ == "pass" else "slower"))
        bad += is_ != "pass"
        missing += is_ == "MISSING"
    if missing:
        say_other(d, path, limits, rows, missing == len(limits))
    d.add(ANSWER, "%d of %d rows are within their limits" % (len(limits) - bad, len(limits)))
    if len(sets) > 1:
        d.add(NOTE, "beyond limits, with rows: " + ", ".join("%s (%d)" % (s.name, n) for (s, _), n in zip(sets, beyond) if n) if any(beyond) else "")
        for (s, _), lack in zip(sets, short):
            if lack:
                id, n, most = lack[0]
                d.add(NOTE, "runs are missing: %s; %s on %s has %d of %d%s" % (id.benchmark, id.key, s.name, n, most, "; and in %d other row%s" % (
                    len(lack) - 1, plural(len(lack) - 1)) if len(lack) > 1 else ""))
        bad += sum(map(bool, short))
        d.add(NOTE, "%d sets of hosts; of each row the worst is shown" % len(sets))
    known = {key_of(l.id) for l in limits}
    free = [row.id for key, row in rows.items() if key not in known]
    if free:
        d.add(NOTE, "without a limit: %d row%s, first %s, %s, %s" % (len(free), plural(len(free)), free[0].benchmark, free[0].place, free[0].key))
    return bad


def say_other(d, path, limits, rows, all):
    """What limits and results do not have in common, where rows are missing."""
    pairs = [(l.id, row.id) for l in limits if key_of(l.id) not in rows for row in rows.values() if same_table(l.id) == same_table(row.id)]
    of, is_ = next((p for p in pairs if p[0].bytes == p[1].bytes), pairs[0] if pairs else (limits[0].id, next((r.id for r in rows.values()), None)))
    words = lambda id: (id.key + " " + id.unit).split()
    if pairs and (all or of.bytes == is_.bytes):
        lacking = [" " + " ".join(w for w in words(a) if w not in words(b)) for a, b in ((of, is_), (is_, of))]
        d.add(NOTE, "missing: %s (%s) was measured in another way. Limits:%s; results:%s" % (of.benchmark, of.place, *lacking))
    elif not pairs and all:
        d.add(NOTE, "no row with a limit was measured: %s has limits of %s (%s; %s)" % (path, of.benchmark, of.place, of.unit) +
              ("; the results are of %s (%s; %s)" % (is_.benchmark, is_.place, is_.unit) if is_ else ""))
