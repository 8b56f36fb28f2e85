# SPDX-License-Identifier: BSD-3-Clause
"""repeat - what several runs of one program show, and what the next one will."""
import json
import math
from itertools import groupby
from statistics import mean, stdev

from .documents import Column, NOTE, TITLE
from .results import Doubtful, May, Refused, Variant, check_variants, level_of, table_of
from .statistics import median, next_run, two_groups

APART, NOTES = 2, 8  # beyond that factor nothing is said of the next run


class Row:
    def __init__(self, row):
        self.id, self.cell = row.id, row.cells[0]
        figures, self.next, self.groups, self.spread, self.value = [r.figure for r in self.cell.runs], None, None, 0, 0
        if figures:
            self.value = median([r.row["value"] for r in self.cell.runs])
            self.spread = stdev(figures) / mean(figures) if len(figures) > 1 and mean(figures) > 0 else 0
        if figures and self.cell.low > 0:
            self.next, self.groups = next_run(figures), two_groups(figures)

    def reach(self):
        return max(self.next[2] / self.cell.figure, self.cell.figure / self.next[1]) if self.next else math.inf

    def is_apart(self):
        return self.cell.low > 0 and (self.reach() if self.next else self.cell.high / self.cell.low) > APART

    def is_upper(self, run):
        return run.figure > math.sqrt(self.groups[1] * self.groups[2])

    def changes(self):
        return sum(self.is_upper(a) != self.is_upper(b) for a, b in zip(self.cell.runs, self.cell.runs[1:]))


class Repetition:
    def __init__(self, files, may, precision=0, stop=None, failed=()):
        self.files, self.precision, self.stop, self.failed = files, precision, stop, failed
        files.number_runs()
        counted, out = table_of([files], may)
        self.rows, self.all = [Row(row) for row in counted], [Row(row) for row in counted + out]
        if not self.rows:
            raise Refused("no row has a value")

    def widest(self, decimals):
        widest = max(row.reach() for row in self.rows)
        return None if widest == math.inf else ">%.0f" % (100 * (APART - 1)) if widest > APART else "%.*f" % (decimals, 100 * (widest - 1))

    def add_to(self, d):
        name = lambda id: id.key.replace(" ", ",")
        widest, apart = self.widest(1), [row for row in self.rows if row.is_apart()]
        d.add(NOTE, "Repeat: runs=%d; failed=%d; interval=95%%-next-run%s%s%s;" % (
            len(self.files.files), len(self.failed), "; widest=%s%%" % widest if widest else "",
            "; wanted=%g%%" % (100 * self.precision) if self.precision > 0 else "", "; stop=%.40s" % self.stop if self.stop else ""))
        if apart:
            most = max(apart, key=lambda row: row.cell.high / row.cell.low)
            factor = most.cell.high / most.cell.low
            d.add(NOTE, "Apart: rows=%d of %d; row=%s; runs differ by a factor of %.*f; no interval predicts the next run: look at placement "
                        "(where) and at other load;" % (len(apart), len(self.rows), name(most.id), factor < 10, factor))
        doubtful = Doubtful((row.id, row.cell.doubtful) for row in self.rows)
        if doubtful.n:
            d.add(NOTE, "Disturbed: rows=%d of %d; why=%s;%s%s" % (doubtful.n, doubtful.rows, doubtful.why, "".join(
                " row=%s;" % name(id) for id, _ in doubtful.named[:3]), " more-rows=%d;" % (doubtful.n - 3) if doubtful.n > 3 else ""))
        grouped = [row for row in self.rows if row.groups]
        for row in grouped[:NOTES]:
            lower, a, b = row.groups
            d.add(NOTE, "Groups: row=%s; lower=%.4g; upper=%.4g; ratio=%.3f; changes=%d; lower-runs=%d; upper-runs=%d;" % (
                name(row.id), a, b, b / a, row.changes(), lower, len(row.cell.runs) - lower))
        if len(grouped) > NOTES:
            d.add(NOTE, "Groups: more-rows=%d;" % (len(grouped) - NOTES))
        title = self.files.files[0].method.get("title")
        d.add(TITLE, title + (" v7.4" if title.startswith("OSU ") else "") if title else "")
        for unit, rows in groupby(self.all, key=lambda row: row.id.unit):
            self.table(d, unit, list(rows))

    def table(self, d, unit, rows):
        columns = ["%s(%s)" % (h, unit) for h in ("Value", "Median", "Next Low", "Next High")] + ["Spread(%)", "Runs"]
        table = d.table([Column("Size", 10, left=True)] + [Column(h, 17) for h in columns])
        levels = dict.fromkeys(level_of(row.id) for row in rows)
        for level in levels:
            table.group(level)
            for row in (row for row in rows if level_of(row.id) == level):
                n, known = len(row.cell.runs), row.next and not row.is_apart()
                figure = lambda x: "%.*f" % (4 if row.cell.figure < 10 else 2, x)
                table.row("" if row.id.bytes is None else str(row.id.bytes), "%.2f" % row.value if n else "-", figure(row.cell.figure) if n else "-",
                          figure(row.next[1]) if known else "-", figure(row.next[2]) if known else "-",
                          "%.2f" % (100 * row.spread) if n > 1 else "-", str(n))

    def as_json(self):
        def groups(row):
            if not row.groups:
                return None
            side = lambda which: {"median": row.groups[1 + which], "runs": [r.file.number for r in row.cell.runs if row.is_upper(r) == which]}
            return {"ratio": row.groups[2] / row.groups[1], "changes": row.changes(), "lower": side(False), "upper": side(True)}
        rows = [{"placement": row.id.place, "row": row.id.key, "bytes": row.id.bytes, "unit": row.id.unit, "runs": len(row.cell.runs),
                 "value": row.value, "median": row.cell.figure, "min": row.cell.low, "max": row.cell.high, "spread": row.spread,
                 "next_run": {"low": row.next[1], "high": row.next[2], "by": row.next[0]} if row.next and not row.is_apart() else None,
                 "groups": groups(row), "doubtful": row.cell.doubtful,
                 "values": [{"run": r.file.number, "value": r.row["value"], "median": r.figure} for r in row.cell.runs]} for row in self.rows]
        failed = [{"run": int(text.split(":")[0] or 0), "reason": text.split(":", 1)[-1].strip()} for text in self.failed]
        return {"suite": "Alidade", "repeat": 1, "version": "0.3.0", "benchmark": self.files.files[0].benchmark, "runs": len(self.files.files), "level": 0.95,
                "precision": self.precision or None, "stop": self.stop, "failed": failed, "rows": rows,
                "result_files": [{"run": f.number, "result": f.root} for f in self.files.files]}


def check_one_program(files, may):
    first = files.files[0]
    for f in files.files[1:]:
        if f.benchmark != first.benchmark:
            raise Refused("%s is a run of %s, %s one of %s: repeat takes runs of one program" % (first.path, first.benchmark, f.path, f.benchmark))
        check_variants(Variant("", [first]), Variant("", [f]), may)
