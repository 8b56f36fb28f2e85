# SPDX-License-Identifier: BSD-3-Clause
"""compare - is one variant faster than another, by how much, how surely?  A class, the rows of one benchmark and place
whose sizes are of one size class, is what is judged: rows of a run move together, so a run has one value for all of
them, the geometric mean of their times."""
import math
from html import escape
from itertools import groupby

from . import statistics as v
from .documents import ADVICE, ANSWER, Cell, Column, HEADING, NOTE, TITLE
from .results import (Doubtful, MISSING, Refused, check_variants, environment_differences, key_of, permitted_differences, plural,
                     same_library, same_table, table_of)


def size_words(size):
    for unit in "B KiB MiB GiB TiB PiB EiB".split():
        if size < 1024 or unit == "EiB":
            return "%.4g%s" % (size, unit)
        size /= 1024


def interval(r):
    return "-" if r.low is None else ("%.2g to %.3f" if r.low < 0.01 else "%.3f to %.3f") % (r.low, r.high)


class Row:
    """A row that both variants have.  It has no verdict: that is of its class."""

    def __init__(self, id, cells):
        self.id, self.cells = id, cells
        self.ratio = v.ratio_of(*([run.time for run in cell.runs] for cell in cells))


class Class:
    def __init__(self, c, rows, size):
        self.c, self.rows, self.size, self.id = c, rows, size, rows[0].id
        have = [{run.file for row in rows for run in row.cells[k].runs} for k in (0, 1)]
        self.runs = [len(files) for files in have]
        has = lambda file: sum(run.file is file for row in rows for cell in row.cells for run in cell.runs)
        lacking = [f for k in (0, 1) for f in c.variants[k].files if f in have[k] and has(f) < len(rows)]
        self.incomplete, self.lacking = len(lacking), lacking[0].path if lacking else None
        # Judged by the rows that all of these runs have, or else by all rows, each relative to its mean.
        full = [row for row in rows if sum(len(cell.runs) for cell in row.cells) == sum(self.runs)] or rows
        self.judged, sums = len(full), {}
        for row in full:
            runs = [run for cell in row.cells for run in cell.runs]
            middle = sum(math.log(run.time) for run in runs) / len(runs)
            for run in runs:
                sums.setdefault((run.variant == runs[0].variant, run.file), []).append(math.log(run.time) - middle)
        means = [[math.exp(sum(x) / len(x)) for (first, _), x in sums.items() if first == side] for side in (True, False)]
        self.verdict = v.Verdict(means[0], means[1], c.margin)
        self.doubtful = Doubtful((row.id, row.cells[0].doubtful or row.cells[1].doubtful) for row in rows)

    def unlike(self):
        """Rows that the class says little of: on the other side of 1, or more than one and a half times as far from it,
        beyond the margin and with 95% confidence each."""
        far = self.verdict.ratio.value ** 1.5
        low, high = min(1, far) / (1 + self.c.margin), max(1, far) * (1 + self.c.margin)
        return [row for row in self.rows if row.ratio.low is not None and not (row.ratio.low <= high and row.ratio.high >= low)]

    def label(self):
        limits = self.c.limits
        if self.c.by_row:
            return self.id.key
        if self.size is None or not limits:
            return "-"
        last = self.size == len(limits)
        return "%s %s" % ("above" if last else "to", size_words(limits[self.size - last]))

    def note(self):
        more, unlike, text = self.verdict.further, [row.ratio.value for row in self.unlike()], []
        if more:
            text.append("%s %d more run%s" % ("over" if more < 0 else "about", v.FURTHER_MAX if more < 0 else more, plural(more)))
        if self.incomplete:
            text.append("%d run%s rows; judged by %d" % (self.incomplete, plural(self.incomplete, " lacks", "s lack"), self.judged))
        if unlike:
            text.append("%d of its rows: ratio %.3g" % (len(unlike), min(unlike)) + (" to %.3g" % max(unlike) if len(unlike) > 1 else ""))
        if self.doubtful.n:
            text.append(("" if self.c.by_row else "%d of its rows: " % self.doubtful.n) + self.doubtful.why)
        return "; ".join(text)


class Comparison:
    """Variant k of the table against its first."""

    def __init__(self, variants, table, k, how):
        self.variants, self.how, self.k = (variants[0], variants[k]), how, k
        self.margin, self.limits, self.by_row = how.margin, how.limits, how.by_row
        self.level = math.ldexp(v.LEVEL, -how.look)
        check_variants(variants[0], variants[k], how.may)
        self.all = [(row.id, (row.cells[0], row.cells[k])) for rows in table for row in rows]
        self.rows = [Row(id, cells) for id, cells in self.all[:len(table[0])] if cells[0].runs and cells[1].runs]
        self.classes = [Class(self, list(rows), size) for (_, size, _), rows in groupby(self.rows, key=self.class_of)]
        v.settle([k.verdict for k in self.classes], self.margin, self.level)
        self.remarks, self.faults = [], []
        self.make_notes()
        if not self.rows:
            raise Refused("%s and %s have no row in common%s" % (self.variants[0].name, self.variants[1].name,
                                                                 "; " + self.faults[0] if self.faults else ""))

    def class_of(self, row):
        size = None if row.id.bytes is None or self.by_row else sum(row.id.bytes > limit for limit in self.limits)
        return same_table(row.id), size, row.id if self.by_row else None

    def of(self, word):
        return [k for k in self.classes if k.verdict.word == word]

    # --- What is to be said besides the verdicts

    def make_notes(self):
        a, b = self.variants
        both = lambda words: (self.remarks.append(words), self.faults.append(words))
        for s in self.variants:
            self.remarks += [text for text in self.how.remarks if text.startswith(s.name + ":")]
        gaps = [(id, cells) for id, cells in self.all if not (cells[0].runs and cells[1].runs) and
                not cells[0].fault == cells[1].fault == MISSING]
        self.lone = sum(bool(cells[0].runs or cells[1].runs) for _, cells in gaps)
        alike = {}
        for id, cells in gaps:
            alike.setdefault((same_table(id), cells[0].fault, cells[1].fault), []).append(id)
        for (table, *faults), ids in alike.items():
            why = ["%s in all runs of %s" % (fault, s.name) for fault, s in zip(faults, self.variants) if fault]
            both("not compared: %s, %s, %s%s: %s" % (*table, "%d rows, first " % len(ids) if len(ids) > 1 else "", ids[0].key, ", ".join(why)))
        silent = [f.benchmark for s in self.variants for f in s.files if not f.rows]
        seen = {id.benchmark for id, _ in gaps} | {row.id.benchmark for row in self.rows}
        for benchmark in dict.fromkeys(self.how.asked + silent):
            if benchmark not in seen:
                both("not compared: %s: no run that counts has a row of it" % benchmark)
        few = [k for k in self.classes if not k.verdict.can_tell(len(self.classes), self.level)]
        if few:
            self.faults.append("not judged: %s%s, %s, %s: %d and %d runs show no difference; each needs at least %d" % (
                "%d of %d classes, first " % (len(few), len(self.classes)) if len(few) > 1 else "", few[0].id.benchmark, few[0].id.place,
                few[0].label(), *few[0].runs, v.least_runs(len(self.classes), self.level)))
        for k in self.classes:
            if k.judged < len(k.rows):
                both("not judged: %s, %s, %s: %d of %d rows, which %d run%s lack%s, first %s" % (
                    k.id.benchmark, k.id.place, k.label(), len(k.rows) - k.judged, len(k.rows), k.incomplete, plural(k.incomplete),
                    plural(k.incomplete, "s", ""), k.lacking))
        self.remarks += permitted_differences(a, b, self.how.may)
        for s, column in (a, 0), (b, 1):
            if s.crowded():
                self.remarks.append("in %d of %d runs of %s the ranks shared CPUs (W08): their times show the scheduler, not MPI"
                                    % (s.crowded(), len(s.files), s.name))
            words = Doubtful((row.id, row.cells[column].doubtful) for row in self.rows).words(s.name)
            self.remarks += [words] if words else []
        for s in self.variants:
            wrong = [(f, row) for f in s.files for row in f.rows if row.get("verified") == "fail"]
            if wrong:
                self.faults.append("%s: wrong data: %s; wrong in %d row%s of %s" % (
                    wrong[0][0].path, key_of(wrong[0][1]), len(wrong), plural(len(wrong)), s.name))

    # --- The sentence

    def sizes(self, first, last):
        """Of neighbouring classes of one table: "to 8KiB", "above 256B to 8KiB", "at 8B"; "" for all of it."""
        table = [k for k in self.classes if same_table(k.id) == same_table(first.id)]
        if first is table[0] and last is table[-1]:
            return ""
        if self.by_row:
            if first.id.bytes is None or last.id.bytes is None:
                return first.id.key + ("" if first is last else " to " + last.id.key)
            return "at " + size_words(first.id.bytes) if first is last else "from %s to %s" % (size_words(first.id.bytes), size_words(last.id.bytes))
        words = ["without a size"] if last.size is None else []
        if first.size and first is not table[0]:
            words.append("above " + size_words(self.limits[first.size - 1]))
        if last.size is not None and last.size < len(self.limits):
            words.append("to " + size_words(min(self.limits[last.size], last.rows[-1].id.bytes)))
        return " ".join(words)

    def groups(self, word):
        """(names, sizes, classes, ratios, unlike) of tables whose classes of the same sizes have this verdict."""
        groups, tables = {}, [list(t) for _, t in groupby(self.classes, key=lambda k: same_table(k.id))]
        places = len({k.id.place for k in self.classes}) > 1
        for table in tables:
            runs = [list(g) for is_it, g in groupby(table, key=lambda k: k.verdict.word == word) if is_it]
            sizes = " and ".join(filter(None, (self.sizes(run[0], run[-1]) for run in runs)))
            if runs:
                name = table[0].id.benchmark + (" (%s)" % table[0].id.place if places else "")
                g = groups.setdefault(sizes, ([], []))
                g[0].append(name)
                g[1].extend(k for run in runs for k in run)
        weight = lambda g: (max(abs(math.log(k.verdict.ratio.value)) for k in g[1][1]), len(g[1][1]))
        return len(tables), sorted(groups.items(), key=weight, reverse=True)

    def amount(self, classes):
        least, most = (f(k.verdict.ratio.value for k in classes) for f in (min, max))
        one, end = most - least < 0.005, " on average" if any(k.unlike() for k in classes) else ""
        if most >= 2:
            return " (%.1f%s times as long%s)" % (least, "" if one else " to %.1f" % most, end)
        shares = (1 - most, 1 - least) if most < 1 else (least - 1, most - 1)
        percent = [("%.1f%%" if share < 0.1 else "%.0f%%") % (100 * share) for share in shares]
        return " (%s %s%s)" % (percent[0] if one else " to ".join(percent), "shorter" if most < 1 else "longer", end)

    def where(self, word):
        tables, groups = self.groups(word)
        parts = []
        for sizes, (names, classes) in groups[:3]:
            what = "all %d benchmarks" % tables if len(names) == tables > 2 else "%d benchmarks" % len(names) if len(names) > 4 else ", ".join(names)
            parts.append(what + (" " + sizes if sizes else "") + (self.amount(classes) if word in (v.FASTER, v.SLOWER) else ""))
        others = sum(len(classes) for _, (_, classes) in groups[3:])
        if others:
            parts.append("and %d other size class%s" % (others, plural(others, "", "es")))
        return ", ".join(parts)

    def answer(self):
        clauses = ["%s in %s" % ("the same" if word == v.SAME else word, self.where(word)) for word in (v.FASTER, v.SLOWER, v.SAME) if self.of(word)]
        text = "%s is %s" % (self.variants[1].name, "; ".join(clauses)) if clauses else ""
        if self.of(v.UNDECIDED):
            text += (". " if text else "") + "Not decided: " + self.where(v.UNDECIDED)
        return text + "."

    def later(self):
        """The variant whose runs began after the last of the other had."""
        started = [[f.started() for f in s.files] for s in self.variants]
        if any(len(t) < 2 or None in t for t in started):
            return None
        return 1 if min(started[1]) > max(started[0]) else 0 if min(started[0]) > max(started[1]) else None

    def advice(self):
        text, undecided = [], self.of(v.UNDECIDED)
        if undecided:
            what = "the undecided class" if len(undecided) == 1 else "half of the undecided classes"
            more = sorted(math.inf if k.verdict.further < 0 else k.verdict.further for k in self.classes if k.verdict.further)
            most = max(k.verdict.runs for k in self.classes)
            if not any(k.verdict.can_tell(len(self.classes), self.level) for k in self.classes):
                text.append("%d run%s of a variant cannot show a difference, however large it is; each needs at least %d."
                            % (most, plural(most), v.least_runs(len(self.classes), self.level)))
            elif more and v.median(more) < math.inf:
                text.append("About %d more run%s of each variant would probably decide %s." % (v.median(more), plural(v.median(more)), what))
            elif more:
                text.append("Over %d more runs of each variant would probably be needed to decide %s." % (v.FURTHER_MAX, what))
        far = [(abs(math.log(row.ratio.value / k.verdict.ratio.value)), row) for k in self.classes for row in k.unlike()]
        if far:
            row = max(far, key=lambda f: f[0])[1]
            text.append("A class is an average: in %s %s the ratio is %.3g. --classes rows judges each row." % (row.id.benchmark, row.id.key, row.ratio.value))
        if self.later() is not None:
            text.append("All runs of %s were made after those of %s: a difference may be the machine's. Measure both in one command to be sure."
                        % (self.variants[self.later()].name, self.variants[1 - self.later()].name))
        return " ".join(text)

    # --- The document

    def runs_of(self, k):
        counts = sorted(len(row.cells[k].runs) for row in self.rows)
        return "%d to %d runs" % (counts[0], counts[-1]) if counts[0] < counts[-1] else "%d run%s" % (counts[0], plural(counts[0]))

    def add_to(self, d, with_rows):
        benchmarks, (a, b) = len(list(groupby(self.rows, key=lambda row: same_table(row.id)))), self.variants
        d.add(TITLE, "%s (%s) compared with the baseline %s (%s): %d row%s of %d benchmark%s; margin %g%%%s" % (
            b.name, self.runs_of(1), a.name, self.runs_of(0), len(self.rows), plural(len(self.rows)), benchmarks, plural(benchmarks),
            100 * self.margin, "; significance level %g%%, as one of several interim analyses" % (100 * self.level) if self.how.look else ""))
        for line in environment_differences(a, b):
            d.add(NOTE, "differs: " + line)
        for line in list(same_library(a, b)) + self.remarks:
            d.add(NOTE, line)
        self.class_table(d)
        d.add(ANSWER, self.answer())
        d.add(ADVICE, self.advice())
        d.add(NOTE, "ratio: time relative to %s, for bandwidth rows as well; above 1 is slower. It is the geometric mean over the rows of "
                    "a class, compared run by run." % a.name)
        d.add(NOTE, "faster, slower: by more than %g%%, with at most 5%% risk that any such verdict of the table is wrong; undecided: more "
                    "runs or a quieter machine are needed." % (100 * self.margin))
        if with_rows:
            self.row_tables(d)

    def class_table(self, d):
        columns = [Column("Benchmark", 0, left=True), Column("Row" if self.by_row else "Sizes", 13, left=True)]
        columns += [] if self.by_row else [Column("Rows", 4, minor=True)]
        table = d.table(columns + [Column("Ratio", 8), Column("95% interval", 18, joined=True), Column("%.40s is" % self.variants[1].name, left=True)])
        for k in self.classes:
            table.group(k.id.place)
            cells = [k.id.benchmark, k.label()] + ([] if self.by_row else ["%d" % len(k.rows)])
            table.row(*cells, "%.3f" % k.verdict.ratio.value, interval(k.verdict.ratio), Cell(k.verdict.word, k.note(), k.verdict.word))

    def row_tables(self, d):
        for id, rows in groupby(self.rows, key=lambda row: same_table(row.id)):
            rows = list(rows)
            unit = rows[0].id.unit
            d.add(HEADING, "%s, %s: %s is better; ratio above 1: slower" % (*id, "higher" if unit == "MB/s" else "lower"))
            table = d.table([Column("Row", 33, left=True)] + [Column("%.20s(%s)" % (s.name, unit), 17) for s in self.variants] +
                            [Column("ratio", 8), Column("95% interval", 18), Column("", left=True)])
            for row in rows:
                doubt = ", ".join("%.32s in %.24s" % (cell.doubtful, s.name) for cell, s in zip(row.cells, self.variants) if cell.doubtful)
                table.row(row.id.key, *("%.2f" % cell.figure for cell in row.cells), "%.3f" % row.ratio.value, interval(row.ratio), Cell("", doubt))
        d.add(NOTE, "Each row compares the medians of the runs. Its ratio is the median over all pairs of runs, not the quotient of the columns.")

    # --- For programs

    def as_json(self):
        both = lambda r: None if r.low is None else [r.low, r.high]
        end = lambda k: self.limits[k] if k is not None and 0 <= k < len(self.limits) else None
        classes = [{
            "benchmark": k.id.benchmark, "placement": k.id.place, "sizes": k.label(),
            "above_bytes": end(k.size - 1) if k.size else None, "to_bytes": end(k.size), "rows": len(k.rows), "doubtful_rows": k.doubtful.n,
            "runs": k.runs, "ratio": k.verdict.ratio.value, "ci95": both(k.verdict.ratio), "p_holm": k.verdict.p,
            "p_beyond_margin_holm": k.verdict.p_beyond, "superiority": k.verdict.superiority, "verdict": k.verdict.word,
            "further_runs": None if k.verdict.further < 0 else k.verdict.further} for k in self.classes]
        rows = [{
            "benchmark": row.id.benchmark, "placement": row.id.place, "row": row.id.key, "bytes": row.id.bytes, "unit": row.id.unit,
            "values": [cell.figure for cell in row.cells], "doubtful": [cell.doubtful for cell in row.cells],
            "runs": [len(cell.runs) for cell in row.cells], "ratio": row.ratio.value, "ci95": both(row.ratio), "class": i}
            for i, k in enumerate(self.classes) for row in k.rows]
        return {"variants": [s.name for s in self.variants], "margin": self.margin, "significance_level": self.level,
                "rows_of_one_variant": self.lone, "remarks": self.remarks, "answer": self.answer(), "advice": self.advice() or None,
                "classes": classes, "rows": rows}

    def as_junit(self):
        lines = ['<testsuite name="%s compared with %s" tests="%d" failures="%d" errors="%d" skipped="%d">' % (
            escape(self.variants[1].name), escape(self.variants[0].name), len(self.classes) + len(self.faults), len(self.of(v.SLOWER)),
            len(self.faults), len(self.of(v.UNDECIDED)))]
        if self.remarks:
            lines += ["  <properties>"] + [' <property name="remark" value="%s"/>' % escape(r) for r in self.remarks] + ["  </properties>"]
        for k in self.classes:
            case = '  <testcase classname="%s" name="%s: %s">' % (escape(k.id.benchmark), escape(k.id.place), escape(k.label()))
            if k.verdict.word in (v.SLOWER, v.UNDECIDED):
                case += '<%s message="%s: ratio %.3f, 95%% interval %s%s"/>' % (
                    "failure" if k.verdict.word == v.SLOWER else "skipped", k.verdict.word, k.verdict.ratio.value, interval(k.verdict.ratio),
                    "; " + escape(k.note()) if k.note() else "")
            rows = ["%s: %.2f and %.2f %s, ratio %.3f, 95%% interval %s" % (row.id.key, row.cells[0].figure, row.cells[1].figure, row.id.unit,
                                                                          row.ratio.value, interval(row.ratio)) for row in k.rows]
            lines.append(case + "<system-out>%s</system-out></testcase>" % escape("\n".join(rows)))
        lines += ['  <testcase classname="compare" name="%s"><error message="not judged"/></testcase>' % escape(f) for f in self.faults]
        return "\n".join(lines + ["</testsuite>", ""])


def junit(comparisons, left_out):
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
    if left_out:
        text += '<testsuite name="variants that failed" tests="%d" failures="0" errors="%d" skipped="0">\n' % (len(left_out), len(left_out))
        text += "".join('  <testcase classname="compare" name="%s"><error message="left out, since it failed"/></testcase>\n' % escape(t) for t in left_out)
        text += "</testsuite>\n"
    return text + "".join(c.as_junit() for c in comparisons) + "</testsuites>\n"


def gate(comparisons, left_out, fail):
    """The exit code: 2 slower, 1 something was not judged; and what passes undecided is said."""
    slower, faults, open_ = 0, len(left_out), []
    for text in left_out:
        fail(text)
    for c in comparisons:
        slower += len(c.of(v.SLOWER))
        faults += len(c.faults)
        open_ += [k.verdict.ratio.high for k in c.of(v.UNDECIDED) if (k.verdict.ratio.high or 0) > 1 + c.margin]
        for text in c.faults:
            fail(text)
    n = sum(len(c.classes) for c in comparisons)
    if open_ and not slower and not faults:
        fail("the gate is passed, but %d of %d class%s undecided, and may be slower: up to %.3g times as long is not excluded"
             % (len(open_), n, plural(n, " is", "es are"), max(open_)))
    return 2 if slower else 1 if faults else 0
