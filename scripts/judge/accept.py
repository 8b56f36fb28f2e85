# SPDX-License-Identifier: BSD-3-Clause
"""accept - are results within their limits?

Limits (limits.py) are held against runs, on each set of hosts.  Whatever was not looked at fails:
rows, runs and files that are missing, and limits that find large faults only.
"""
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .comparable import May, check_runs, read_one
from .documents import (ANSWER, NOTE, Case, Cell, Column, Document, Question, Suite, junit, publish,
                        wrong_in, write_refused)
from .limits import BUDGET, Limit, learn, read_limits, wide_words
from .results import Result, Variant, failure_of, shown, split_by_hosts
from .rows import Labels, RowId, same_table, table_of, wrong_data
from .rows import Cell as TableCell
from .text import (WRONG_DATA, Refused, check_writable, counted, grouped, significant,
                   some_of, within, write_file)

PASS, BEYOND, MISSING, WIDE = "pass", "FAIL", "MISSING", "wide"  # results of rows
FAILED = 2  # exit code
NAMED = 20  # at most so many failed runs


class Found(NamedTuple):
    """What a limit says of the row.  at: the number of the worst set of hosts, or of one that lacks
    the row; None: no set has it.  cell: what that set has."""

    limit: Limit
    word: str
    at: Optional[int]
    cell: TableCell


def words_beyond(of: RowId, other: RowId) -> Iterator[str]:
    """The words of a row that another one lacks: "window=64"."""
    has = other.key.split() + other.unit.split()
    return (" " + word for word in of.key.split() + of.unit.split() if word not in has)


# --- The answer ---------------------------------------------------------------------------------


class Acceptance:
    """Limits held against results.

    sets: of hosts, and how many these are.  measured: rows that count, with a cell for each set;
    by_id: and those that do not.  beyond: how many limits each set misses.  short: (id, runs, of
    how many) of the rows of which each set has half of the runs or fewer.  rows: what was found of
    each limit.  faults: sentences on what else was not as it must be.  conditions: of the limits,
    where their file says so.  busy: were they learned while others used the CPUs?
    """

    def __init__(self, path: str, limits: Sequence[Limit], conditions: Sequence[Result],
                 of: Variant, unread: Sequence[str] = (), busy: bool = False,
                 question: Question = Question()) -> None:
        self.path, self.limits, self.allow_wide = path, limits, question.allow_wide
        self.conditions, self.of, self.busy = conditions, of, busy
        self.sets = split_by_hosts(of)
        self.measured, out = table_of([s for s, _ in self.sets], May())
        self.by_id = {row.id: row for row in self.measured + out}
        self.beyond = [0] * len(self.sets)
        self.short: List[List[Tuple[RowId, int, int]]] = [[] for _ in self.sets]
        self.rows = [self.check(limit) for limit in limits]
        self.faults = wrong_data(of) + ["not judged: " + why for why in unread]
        self.faults += self.missing_runs() if len(self.sets) > 1 else []
        self.faults += [why for why in map(failure_of, of.failed) if why not in self.faults]
        # The worst that can be found, be the row there or not.
        self.is_wrong = bool(wrong_in([of], unread))

    def check(self, limit: Limit) -> Found:
        """Hold the row against its limit on every set, and note what each lacks.  Where half of its
        runs do not count, those that do say nothing of the set."""
        row = self.by_id.get(limit.id)
        lacks: Optional[int] = None
        worst: Optional[int] = None
        if row is None:
            return Found(limit, MISSING, None, TableCell([]))
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
            return Found(limit, MISSING, lacks,
                         TableCell([]) if lacks is None else row.cells[lacks])
        word = BEYOND if limit.is_worse(row.cells[worst].figure, limit.figure) else \
            WIDE if limit.wide else PASS
        return Found(limit, word, worst, row.cells[worst])

    def remark(self, found: Found) -> str:
        """By how much it is not reached, which three digits may not show; why its value is
        doubtful; and on which hosts."""
        limit, word, at, cell = found
        if at is None:
            return ""
        times, remarks = cell.figure / limit.figure, []
        percents = 100 * abs(times - 1)
        if word == BEYOND and percents >= 1000:
            remarks.append("%.0f times the limit" % times)
        elif word == BEYOND:
            remarks.append("%.*f%% %s" % (4 if percents < 0.1 else 1, percents,
                                          "below" if limit.at_least else "above"))
        if cell.lost:
            remarks.append(cell.loss())
        if cell.doubtful and word != MISSING:
            remarks.append(within(cell.doubtful, 32))
        if word in (BEYOND, MISSING) and len(self.sets) > 1:
            remarks.append("on " + self.sets[at][0].name)
        return within("; ".join(remarks), 239)

    def count(self, word: str) -> int:
        return sum(each.word == word for each in self.rows)

    def code(self) -> int:
        bad = [each for each in self.rows
               if each.word != PASS and not (each.word == WIDE and self.allow_wide)]
        return WRONG_DATA if self.is_wrong else FAILED if bad or self.faults else 0

    def verdict(self) -> str:
        wide = self.count(WIDE)
        within_limits = self.count(PASS) + wide * self.allow_wide
        counts = [(self.count(BEYOND), "beyond"), (self.count(MISSING), "missing"),
                  (wide, "with a wide limit" + " (permitted)" * self.allow_wide)]
        words = ["%d %s" % (n, what) for n, what in counts if n]
        if self.faults:
            words.append(counted(len(self.faults), "other fault"))
        if self.is_wrong:
            words.append("wrong data")
        return "accept: %s: %d of %d rows are within their limits%s" % (
            "FAILED" if self.code() else "PASSED", within_limits, len(self.rows),
            "; " + ", ".join(words) if words else "")

    def nearest(self) -> Optional[Tuple[RowId, RowId]]:
        """Of rows that only the limits have, and rows that were measured, the first two of the same
        benchmark, place and size, or else of another size."""
        pairs = [(limit.id, row.id) for limit in self.limits
                 if limit.id not in self.by_id for row in self.measured
                 if same_table(limit.id) == same_table(row.id)]
        return next((pair for pair in pairs if pair[0].bytes == pair[1].bytes),
                    pairs[0] if pairs else None)

    def missing_words(self, is_all: bool) -> str:
        """What limits and results do not have in common, where rows are missing; "": just rows."""
        pair = self.nearest()
        if pair is not None:
            of, other = pair
            if is_all or of.bytes == other.bytes:
                return "missing: %s (%s) was measured in another way. Limits:%s; results:%s" % (
                    of.benchmark, of.place, "".join(words_beyond(of, other)),
                    "".join(words_beyond(other, of)))
            return ""
        if not is_all or any(limit.id in self.by_id for limit in self.limits):
            return ""
        of = self.limits[0].id
        text = "no row with a limit was measured: %s has limits of %s (%s; %s)" % (
            self.path, of.benchmark, of.place, of.unit)
        if self.measured:
            other = self.measured[0].id
            text += "; the results are of %s (%s; %s)" % (other.benchmark, other.place, other.unit)
        return text

    def missing_runs(self) -> List[str]:
        """A sentence on each set of hosts that lacks runs which others have."""
        sentences = []
        for (s, _), lacks in zip(self.sets, self.short):
            of = grouped(lacks, lambda lack: (lack[0].benchmark, lack[1], lack[2]))
            if lacks:
                sentences.append("runs are missing on %s: %s" % (s.name, some_of(
                    ["%s has %d of %d in %s" % (*has, counted(len(rows), "row"))
                     for has, rows in of.items()], NAMED)))
        return sentences

    def remarks(self) -> List[str]:
        """What is to be known of it, besides the faults."""
        known = {limit.id for limit in self.limits}
        missing = self.count(MISSING)
        words = [self.missing_words(missing == len(self.rows))] if missing else []
        for field, form in ("environment.mpi", "%s"), ("method." + BUDGET, "rows of %s s"):
            learned, measured = (sorted({form % shown(f.field(field), 6).strip('"')
                                         for f in files if f.field(field)})
                                 for files in (self.conditions, self.of.files))
            if learned and learned != measured:
                words.append("The limits are of %s, and the results of %s." % (
                    ", ".join(learned), ", ".join(measured)))
        words.append(wide_words(sum(limit.wide for limit in self.limits), len(self.limits),
                                self.busy))
        if len(self.sets) > 1:
            beyond = ["%s (%d)" % (s.name, n) for (s, _), n in zip(self.sets, self.beyond) if n]
            if beyond:
                words.append(within("beyond limits, with rows: " + ", ".join(beyond), 799))
            words.append("%d sets of hosts; of each row the worst is shown" % len(self.sets))
        free = [row.id for row in self.measured if row.id not in known]
        if free:
            words.append("without a limit: %s, first %s" % (counted(len(free), "row"), free[0]))
        words += [self.of.crowded_words(), self.of.loaded_words()]
        return list(filter(None, words))

    def add_table(self, d: Document) -> None:
        """The limits, each with the worst set of hosts; what many rows have in common stands above
        them."""
        tables = grouped(self.limits, lambda limit: same_table(limit.id))
        labels = {table: Labels(limits) for table, limits in tables.items()}

        def place(each: Found) -> str:
            id = each.limit.id
            return "; ".join(filter(None, [id.place, " ".join(labels[same_table(id)].shared)]))

        places = grouped(self.rows, place)
        if len(places) == 1:
            d.add(NOTE, place(self.rows[0]))
        table = d.table([Column("Program", 11, left=True), Column("Row", 7, left=True),
                         Column("limit", 13), Column("measured"), Column("result", left=True)])
        for name, of in places.items():
            if len(places) > 1:
                table.group(name)
            for each in of:
                id = each.limit.id
                size = [] if id.bytes is None else [str(id.bytes)]
                own = labels[same_table(id)].of_level(id.level())
                table.row(
                    id.benchmark, " ".join(filter(None, size + [own])) or "-", str(each.limit),
                    "-" if each.word == MISSING else significant(each.cell.figure),
                    Cell(each.word, self.remark(each), None if each.word == PASS else "slower"))

    def document(self) -> Document:
        d = Document()
        self.add_table(d)
        wrong = wrong_data(self.of)  # which publish() says first
        d.add(NOTE, *self.remarks(), *(why for why in self.faults[:NAMED] if why not in wrong))
        if self.faults[NAMED:]:
            d.add(NOTE, "and %s" % counted(len(self.faults) - NAMED, "other fault"))
        d.add(ANSWER, self.verdict())
        return d

    def json(self) -> Dict[str, Any]:
        rows = [{
            "benchmark": each.limit.id.benchmark, "placement": each.limit.id.place,
            "row": each.limit.id.key, "unit": each.limit.id.unit,
            "at_least" if each.limit.at_least else "at_most": each.limit.figure,
            "wide": each.limit.wide,
            "measured": None if each.word == MISSING else each.cell.figure,
            "runs": len(each.cell.runs), "runs_lost": len(each.cell.lost),
            "hosts": None if each.at is None else self.sets[each.at][0].name,
            "result": each.word.lower(), "remark": self.remark(each) or None,
        } for each in self.rows]
        return {"suite": "Alidade", "limits": self.path, "answer": self.verdict(),
                "exit_code": self.code(), "allow_wide": self.allow_wide,
                "counts": {word.lower(): self.count(word)
                           for word in (PASS, BEYOND, MISSING, WIDE)},
                "hosts": [{"name": s.name, "beyond": n}
                          for (s, _), n in zip(self.sets, self.beyond)],
                "faults": self.faults, "remarks": self.remarks(), "rows": rows}

    def junit(self) -> str:
        kinds = {PASS: "", BEYOND: "failure", MISSING: "error",
                 WIDE: "skipped" if self.allow_wide else "error"}
        cases = [Case(each.limit.id.benchmark,
                      "%s: %s" % (each.limit.id.place, each.limit.id.key), kinds[each.word],
                      "; ".join(filter(None, [each.word, self.remark(each)])),
                      [str(each.limit) + ("" if each.word == MISSING else
                                          ", measured " + significant(each.cell.figure))])
                 for each in self.rows]
        cases += [Case("accept", why, "error", why) for why in self.faults]
        return junit([Suite("results held against " + self.path, cases, self.remarks())])


def prometheus(path: str, code: int, counts: Dict[str, int], hosts: int) -> str:
    """What a node exporter reads from a file (textfile collector)."""
    label = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    gauges = [("exit_code", "0 passed, 1 nothing could be judged, 2 failed, 3 wrong data",
               {"": code})]
    if counts:
        gauges += [("hosts", "sets of hosts that were judged", {"": hosts}),
                   ("rows", "rows with a limit, by result",
                    {',result="%s"' % word: n for word, n in counts.items()})]
    return "".join("# HELP alidade_accept_%s %s\n# TYPE alidade_accept_%s gauge\n" % (
        name, about, name) + "".join('alidade_accept_%s{limits="%s"%s} %d\n' % (
            name, label, more, n) for more, n in values.items()) for name, about, values in gauges)


def check(question: Question, path: str, words: Sequence[str]) -> int:
    """The exit code.  Errors: Refused."""
    unread: List[str] = []
    of = read_one(words, May(), unread)
    limits, conditions, busy = read_limits(path)
    how = '; to permit it, write "any" in measured_as of %s for ' % within(path, 200)
    check_runs(conditions, of.files, May(how))
    a = Acceptance(path, limits, conditions, of, unread, busy, question)
    root = a.json()
    publish(question._replace(failed=unread), a.document(), root=root, of=[of])
    if question.junit is not None:
        write_file(question.junit, a.junit())
    write_file(question.prometheus, prometheus(path, a.code(), root["counts"], len(a.sets)))
    return a.code()


def answer(question: Question, words: List[str]) -> int:
    """Answer: the exit code.  Errors: Refused."""
    if len(words) < 2:
        raise Refused("a limits file and results are needed; see --help")
    path = words[0]
    if question.learn:
        check_writable([path])
        of = read_one(words[1:], May())
        d, is_loose = learn(path, of, question)
        return publish(question, d, of=[of]) or (FAILED if is_loose else 0)
    try:
        return check(question, path, words[1:])
    except Refused as why:
        write_file(question.prometheus, prometheus(path, why.code, {}, 0))
        nothing = Acceptance(path, [], [], Variant("results"), question=question)
        write_refused(question, why, dict(nothing.json(), exit_code=why.code,
                                          answer="accept: FAILED: nothing is judged"))
        raise
