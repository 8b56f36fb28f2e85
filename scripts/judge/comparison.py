# SPDX-License-Identifier: BSD-3-Clause
"""Two variants, compared: rows, size classes with verdicts, and what is to be said of them.

A class, the rows of one benchmark and place whose sizes are of one size class, is what is judged:
rows of a run move together, so a run has one value for all of them, the geometric mean of their
times.
"""
import math
import re
from itertools import groupby
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import statistics
from .comparable import check_variants, differences_within, permitted_differences
from .documents import Question
from .groups import Groups, drift_words, groups_of, timed_runs
from .results import Result, Variant
from .rows import MISSING, Cell, Doubtful, Row, RowId, is_meant, same_table, wrong_data
from .statistics import FASTER, SAME, SLOWER, UNDECIDED, WORDS, Ratio
from .text import (Refused, counted, decimal, grouped, plural, size_words, some_of, three_digits,
                   within)

TableRow = Row
STRETCHES = 6    # of sizes that disagree are named, at most
MIXED = "mixed"  # of a class; its average and each of its rows have one of WORDS
VERDICTS = WORDS + (MIXED,)

# --- What is asked -------------------------------------------------------------------------------


def sizes(name: str, text: str) -> Optional[List[int]]:
    """Where size classes end, in bytes, sorted; None: "rows", a class for each row.  name: of the
    option that has the text.  Errors: Refused."""
    if text == "rows":
        return None

    def refuse(why: str) -> Refused:
        return Refused("--%s '%s' %s" % (name, text, why))

    limits = set()
    for word in filter(None, re.split("[, \t\r\n]", text)):
        size = re.match(r"([0-9]+)(?:\^([0-9]+)|([kKmMgGtT]))?\Z", word)
        if not size:
            raise refuse("is not a size (examples: 8, 64K, 2^20, 1:4M, :64K, 8:8; a list of sizes: "
                         "--sizes=1,2,4)")
        number, power, unit = size.groups()
        bytes = int(number) ** min(int(power), 64) if power else \
            int(number) << 10 * ("KMGT".index(unit.upper()) + 1 if unit else 0)
        if bytes >= 1 << 63:
            raise refuse("is larger than this machine can address")
        limits.add(bytes)
    if not limits or len(limits) > 16:
        raise refuse("has too many sizes" if limits else "names no size")
    return sorted(limits)


# --- Words --------------------------------------------------------------------------------------


def interval(ratio: Ratio) -> str:
    """"0.981 to 1.020"; "-": too few runs."""
    return " to ".join(decimal(end, 3) for end in ratio.ends() or []) or "-"


def span_of(ratios: Iterable[float]) -> str:
    """"ratio 0.5 to 2", "ratio 2"."""
    every = sorted(ratios)
    return "ratio " + " to ".join(dict.fromkeys(map(three_digits, [every[0], every[-1]])))


# --- Rows and classes ---------------------------------------------------------------------------


class ComparedRow:
    """A row that both variants have.  Its verdict, one of all rows of the table, says only whether
    its class is mixed: a class is judged."""

    def __init__(self, id: RowId, cells: Tuple[Cell, Cell], margin: float) -> None:
        self.id, self.cells = id, cells
        a, b = ([run.time for run in cell.runs] for cell in cells)
        self.verdict = statistics.Verdict(a, b, margin)
        self.ratio = self.verdict.ratio

    def runs(self) -> int:
        """Of both variants."""
        return len(self.cells[0].runs) + len(self.cells[1].runs)

    def doubt(self, variants: Sequence[Variant]) -> str:
        """"wide in old, wide in new"; "": neither cell is doubtful."""
        return ", ".join("%s in %s" % (within(cell.doubtful, 32), within(v.name, 24))
                         for cell, v in zip(self.cells, variants) if cell.doubtful)


class Class:
    """Rows that are judged together.

    verdict: of the average, which word() may contradict.  runs: how many each variant has.
    incomplete: how many runs lack rows; lacking: the first such.
    judged: by how many rows the class is judged.
    """

    def __init__(self, c: "Comparison", rows: List[ComparedRow], size: Optional[int]) -> None:
        self.c, self.rows, self.size, self.id = c, rows, size, rows[0].id
        met: List[Dict[Result, int]] = [{}, {}]
        for row in rows:
            for has, cell in zip(met, row.cells):
                for run in cell.runs:
                    has[run.file] = has.get(run.file, 0) + 1
        self.runs = [len(has) for has in met]
        lacking = [f for has, v in zip(met, c.variants) for f in v.files
                   if has.get(f, 0) not in (0, len(rows))]
        self.incomplete, self.lacking = len(lacking), lacking[0].path if lacking else None
        # By the rows that all of these runs have, or else by all rows.
        full = [row for row in rows if row.runs() == sum(self.runs)] or rows
        self.judged = len(full)
        self.values = self.means(full)
        a, b = ([value for _, value in values] for values in self.values)
        self.verdict = statistics.Verdict(a, b, c.question.margin)
        self.doubtful = Doubtful((row.id, row.cells[0].doubtful or row.cells[1].doubtful)
                                 for row in rows)

    def means(self, rows: Sequence[ComparedRow]) -> List[List[Tuple[Result, float]]]:
        """Of each run of both variants the geometric mean of its rows, each relative to the middle
        between both variants: where runs lack rows, the variant with more runs of a row would draw
        a mean over all of them towards itself."""
        sums: List[Dict[Result, List[float]]] = [{}, {}]
        for row in rows:
            middle = sum(math.log(run.time) / len(cell.runs) / 2
                         for cell in row.cells for run in cell.runs)
            for of, cell in zip(sums, row.cells):
                for run in cell.runs:
                    of.setdefault(run.file, []).append(math.log(run.time) - middle)
        return [[(f, math.exp(sum(of[f]) / len(of[f]))) for f in v.files if f in of]
                for of, v in zip(sums, self.c.variants)]

    def groups(self) -> List[Optional[Groups]]:
        """Of the runs of both variants, if more runs would not decide it: it is undecided, and its
        interval is not beyond the margin, which a better p would then call a difference."""
        _, low, high = self.verdict.ratio
        edge = 1 + self.c.question.margin
        if self.word() != UNDECIDED or low > edge or high < 1 / edge:
            return [None, None]
        return [groups_of(values, 2 * len(self.c.classes)) for values in self.values]

    def surely(self, word: str) -> List[ComparedRow]:
        """The rows that are FASTER or SLOWER, as --classes rows would say."""
        if len(self.rows) == 1:
            return self.rows if self.verdict.word == word else []
        return [row for row in self.rows if row.verdict.word == word]

    def word(self) -> str:
        """The verdict: MIXED if some rows surely are what the average is not."""
        faster, slower = self.surely(FASTER), self.surely(SLOWER)
        others = {FASTER: slower, SLOWER: faster, SAME: faster + slower,
                  UNDECIDED: faster and slower}[self.verdict.word]
        return MIXED if others else self.verdict.word

    def further(self) -> int:
        """As of Verdict."""
        if self.word() == MIXED:
            return 0
        return -1 if any(self.groups()) else self.verdict.further

    def unlike(self) -> List[ComparedRow]:
        """Rows that the class says little of: on the other side of 1, or more than one and a half
        times as far from it (as logarithms), beyond the margin and with 95% confidence each."""
        far, margin = self.verdict.ratio.value ** 1.5, self.c.question.margin
        low, high = min(1, far) / (1 + margin), max(1, far) * (1 + margin)
        return [row for row in self.rows if not (row.ratio.low <= high and row.ratio.high >= low)]

    def contradicts(self, row: ComparedRow) -> bool:
        """By its own 95% interval, beyond the margin: too little for a verdict on the row, and too
        much to name it with its class."""
        edge = 1 + self.c.question.margin
        return {FASTER: row.ratio.low > edge, SLOWER: row.ratio.high < 1 / edge}.get(
            self.word(), False)

    def sure_rows(self) -> Dict[ComparedRow, str]:
        """Those whose words the class lacks, for it is mixed or undecided."""
        if self.word() not in (MIXED, UNDECIDED):
            return {}
        return {row: word for word in (FASTER, SLOWER) for row in self.surely(word)}

    def words(self) -> Dict[ComparedRow, str]:
        """What is surely said of its rows."""
        of_class = {} if self.word() == MIXED else {
            row: self.word() for row in self.rows if not self.contradicts(row)}
        return {**of_class, **self.sure_rows()}

    def ratio_of(self, row: ComparedRow) -> Ratio:
        """That of the class, which speaks for the row unless it has a word of its own."""
        return row.ratio if row in self.sure_rows() else self.verdict.ratio

    def label(self) -> str:
        """"to 8KiB", "above 128KiB"; "-": the rows have no size."""
        limits = self.c.question.classes
        if limits is None:
            return self.id.key
        if self.size is None:
            return "-"
        last = self.size == len(limits)
        return "%s %s" % ("above" if last else "to", size_words(limits[self.size - last]))

    def __str__(self) -> str:
        return "%s, %s, %s" % (self.id.benchmark, self.id.place, self.label())

    def note(self) -> str:
        """What stands beside the verdict."""
        more, unlike, text = self.further(), [row.ratio.value for row in self.unlike()], []
        if any(self.groups()):
            text.append("two groups of runs")
        elif more:
            text.append("over %d more runs" % statistics.FURTHER_MAX if more < 0 else
                        "about " + counted(more, "more run"))
        if self.incomplete:
            text.append("%d run%s rows; judged by %d" % (
                self.incomplete, plural(self.incomplete, " lacks", "s lack"), self.judged))
        if self.sure_rows():
            # "faster to 4KiB, slower at 8KiB and 16KiB: ratio 0.5 to 2".
            words = self.sure_rows()
            parts = [" ".join(filter(None, s[:2])) for s in stretches_of(self.rows, words)]
            text.append("%s: %s" % (some_of(parts, STRETCHES),
                                    span_of(row.ratio.value for row in words)))
        elif unlike:
            text.append("%d of its rows: %s" % (len(unlike), span_of(unlike)))
        if self.doubtful.n:
            of = "" if self.c.question.classes is None else "%d of its rows: " % self.doubtful.n
            text.append(of + self.doubtful.why)
        return "; ".join(text)


class Stretch(NamedTuple):
    """Neighbouring rows with one word, sizes ascending.  where: "to 4KiB", "at 8KiB and 16KiB",
    "from 32KiB in 3 of 5 rows"; "": all rows that there are."""

    word: str
    where: str
    rows: List[ComparedRow]


def where_of(rows: Sequence[ComparedRow], at: Sequence[int], is_all: bool) -> str:
    """Of those with these numbers among rows of one kind.  is_all: no other kind is near."""
    first, last, n = at[0], at[-1], at[-1] - at[0] + 1
    if len(at) == len(rows) and (is_all or rows[0].id.bytes is None):
        return "" if is_all else "without a size"
    if rows[0].id.bytes is None:
        return "in " + some_of([rows[i].id.key for i in at], 2)
    begin, end = (size_words(rows[i].id.bytes or 0) for i in (first, last))
    if n == 1:
        return "at " + begin
    if is_all and first == 0 and last + 1 < len(rows):
        text = "to " + end
    elif is_all and first > 0 and last + 1 == len(rows):
        text = "from " + begin
    else:
        text = "at %s and %s" % (begin, end) if n == 2 else "from %s to %s" % (begin, end)
    return text + (" in %d of %d rows" % (len(at), n) if len(at) < n else "")


def stretches_of(rows: Sequence[ComparedRow], word_of: Dict[ComparedRow, str]) -> List[Stretch]:
    """Of the rows of one table, or some of it, that have a word; others may lie between them.  Rows
    of two types, or what else rows of one size differ in, have stretches of their own, unless they
    are alike."""
    if len(set(word_of.values())) == 1 and all(row in word_of for row in rows):
        return [Stretch(word_of[rows[0]], "", list(rows))]
    kinds = grouped(rows, lambda row: "" if row.id.bytes is None else row.id.level())
    found: Dict[str, List[Stretch]] = {}
    for kind, of_kind in kinds.items():
        sure = [i for i, row in enumerate(of_kind) if row in word_of]
        spans = [(word, list(at)) for word, at in
                 groupby(sure, key=lambda i: word_of[of_kind[i]])]
        found[kind] = [Stretch(word, where_of(of_kind, at, "" not in kinds or len(kinds) == 1),
                               [of_kind[i] for i in at]) for word, at in spans]
    alike = grouped(filter(None, kinds), lambda kind: str([s[:2] for s in found[kind]]))
    if len(alike) <= 1:
        sized = [found[kind] for kind in kinds if kind]
        return found.get("", []) + [same[0]._replace(rows=[row for s in same for row in s.rows])
                                    for same in zip(*sized)]
    return [s._replace(where=" of ".join(filter(None, (s.where, kind))) if kind else s.where)
            for kind, of_kind in found.items() for s in of_kind]


class Comparison:
    """Two variants of the table, by their numbers, the second against the first.

    all: (id, both cells) of all rows of the table, those that count first.  rows: those that both
    have; ratios: theirs.  level: of wrong verdicts, 0.05 for 5%; next_level: after further runs.
    remarks: sentences that are said with the answer.  faults: those that fail a gate.  lone: rows
    that one variant alone has.
    """

    def __init__(self, variants: Sequence[Variant], table: Tuple[List[TableRow], List[TableRow]],
                 pair: Tuple[int, int], question: Question) -> None:
        i, k = pair
        self.variants, self.question = (variants[i], variants[k]), question
        self.level = statistics.level_of(question.look) / question.steps
        # Further runs are one more look.
        self.next_level = self.level / (2 if question.look else 1)
        check_variants(*self.variants, may=question.may())
        self.all = [(row.id, (row.cells[i], row.cells[k])) for rows in table for row in rows]
        self.rows = [ComparedRow(id, cells, question.margin) for id, cells in self.all
                     if cells[0].runs and cells[1].runs]
        self.ratios = {row.id: row.ratio for row in self.rows}
        self.classes = [Class(self, list(rows), size)
                        for (_, size, _), rows in groupby(self.rows, key=self.class_of)]
        for judged in self.rows, self.classes:
            statistics.settle([one.verdict for one in judged], question.margin, self.level,
                              self.next_level)
        self.remarks = [text for v in self.variants for text in question.remark
                        if text.startswith(v.name + ":")]
        self.faults: List[str] = []
        self.note_gaps()
        self.note_benchmarks()
        self.note_classes()
        self.note_runs()
        for v, at in zip(self.variants, pair):
            self.remarks += filter(None, [drift_words(v.name, timed_runs(v, table[0], at))])
        if not self.rows:
            raise Refused("%s and %s have no row in common%s" % (
                self.variants[0].name, self.variants[1].name,
                "; " + self.faults[0] if self.faults else ""))

    def class_of(self, row: ComparedRow) -> tuple:
        """Equal for neighbours of one class; its second part is the number of the size class."""
        if self.question.classes is None:
            return same_table(row.id), None, row.id
        size = None
        if row.id.bytes is not None:
            size = sum(row.id.bytes > limit for limit in self.question.classes)
        return same_table(row.id), size, None

    def of(self, word: str) -> List[Class]:
        """The classes with this verdict."""
        return [k for k in self.classes if k.word() == word]

    def can_tell(self) -> List[Class]:
        """The classes with enough runs to show a difference."""
        return [k for k in self.classes if k.verdict.can_tell(len(self.classes), self.level)]

    def least_runs(self) -> int:
        """Of each variant, with which a class can be called faster or slower."""
        return statistics.least_runs(len(self.classes), self.next_level)

    def later(self) -> Optional[int]:
        """The variant, 0 or 1, whose runs began after the last of the other had; None: they were
        made in turn, or the files do not say when."""
        every = [[f.started() for f in v.files] for v in self.variants]
        started = [[time for time in times if time is not None] for times in every]
        # One run of each has some order.
        if started != every or min(map(len, started)) < 2:
            return None
        if min(started[1]) > max(started[0]):
            return 1
        return 0 if min(started[0]) > max(started[1]) else None

    # --- What is to be said besides the verdicts

    def say(self, sentence: str) -> None:
        """It is a remark and fails a gate."""
        self.remarks.append(sentence)
        self.faults.append(sentence)

    def gaps(self) -> List[tuple]:
        """Rows that a variant lacks, where that is the business of one of them."""
        return [(id, cells) for id, cells in self.all
                if not (cells[0].runs and cells[1].runs) and
                not cells[0].fault == cells[1].fault == MISSING]

    def note_gaps(self) -> None:
        gaps = self.gaps()
        self.lone = sum(bool(a.runs or b.runs) for _, (a, b) in gaps)
        alike: Dict[tuple, List[RowId]] = {}
        # A row may be a time in one variant and a rate in the other.
        units: Dict[RowId, List[Optional[str]]] = {}
        for id, cells in gaps:
            of = units.setdefault(id._replace(unit=""), [None, None])
            of[:] = [id.unit if cell.runs else unit for cell, unit in zip(cells, of)]
        for id, cells in gaps:
            of = units[id._replace(unit="")]
            lack = grouped([(cell.fault, v.name) for cell, v in zip(cells, self.variants)
                            if cell.fault], lambda one: one[0])
            why = ["%s in all runs of %s" % (fault, " and ".join(name for _, name in of_fault))
                   for fault, of_fault in lack.items()]
            if None not in of:
                why = ["units differ, %s in %s and %s in %s" % (
                    of[0], self.variants[0].name, of[1], self.variants[1].name)]
            ids = alike.setdefault((same_table(id), ", ".join(why)), [])
            if id.key not in [other.key for other in ids[-1:]]:
                ids.append(id)
        for (table, text), ids in alike.items():
            self.say("not compared: %s, %s, %s%s: %s" % (
                table[0], table[1], "%d rows, first " % len(ids) if len(ids) > 1 else "",
                ids[0].key, text))

    def note_benchmarks(self) -> None:
        """Those that were asked for, and runs of which no row counts."""
        seen = {id.benchmark for id, _ in self.gaps()} | {row.id.benchmark for row in self.rows}
        # No row of theirs counts, though some are meant to be compared, or there is none.
        loud = [{run.file for _, cells in self.all for run in cells[k].runs} for k in (0, 1)]
        silent = [[f for f in v.files if f not in some and (not f.rows or any(
            is_meant(row) for row in f.rows))] for v, some in zip(self.variants, loud)]
        for benchmark in dict.fromkeys(list(self.question.asked) +
                                       [f.benchmark for files in silent for f in files]):
            if benchmark not in seen:
                self.say("not compared: %s: no run that counts has a row of it" % benchmark)
        for v, files in zip(self.variants, silent):
            for benchmark in dict.fromkeys(f.benchmark for f in files if f.benchmark in seen):
                paths = [f.path for f in files if f.benchmark == benchmark]
                every = sum(f.benchmark == benchmark for f in v.files)
                # That all are so is said of their rows, if they have some.
                if len(paths) < every:
                    self.say("not judged: %d of %d runs of %s, %s: no row of theirs counts, first "
                             "%s" % (len(paths), every, v.name, benchmark, paths[0]))

    def note_classes(self) -> None:
        """Classes that were judged by little."""
        few = [k for k in self.classes if k not in self.can_tell()]
        if few:
            several = "%d of %d classes, first " % (len(few), len(self.classes))
            self.faults.append(
                "not judged: %s%s: %d and %d runs show no difference; %d of each can" % (
                    several if few[1:] else "", few[0], few[0].runs[0], few[0].runs[1],
                    self.least_runs()))
        for k in self.classes:
            if k.judged < len(k.rows):
                self.say("not judged: %s: %d of %d rows, which %s lack%s, first %s" % (
                    k, len(k.rows) - k.judged, len(k.rows), counted(k.incomplete, "run"),
                    plural(k.incomplete, "s", ""), k.lacking))

    def note_runs(self) -> None:
        first, second = self.variants
        common = [f.path for f in second.files if first.copy_of(f, f.root.get("started"))]
        if common:
            self.say("not judged: %s and %s have %s in common, first %s: a run is equal to itself"
                     % (first.name, second.name, counted(len(common), "run"), common[0]))
        self.remarks += permitted_differences(*self.variants, may=self.question.may())
        for k, v in enumerate(self.variants):
            self.remarks += ["%s: %s" % (v.name, words)
                             for words in (v.crowded_words(), v.loaded_words()) if words]
            doubtful = Doubtful((row.id, row.cells[k].doubtful) for row in self.rows)
            self.remarks += filter(None, [doubtful.words(v.name)])
        for v in self.variants:
            if v.failed:
                self.say(v.failed_runs())
            self.remarks += ["the runs of %s differ: %s" % (v.name, what)
                             for what in differences_within(v)]
            self.faults += wrong_data(v)


def compared(variants: Sequence[Variant], table: Tuple[List[TableRow], List[TableRow]],
             pair: Tuple[int, int], question: Question) -> Union[Comparison, str]:
    """The comparison, or why it cannot be made."""
    try:
        return Comparison(variants, table, pair, question)
    except Refused as why:
        return str(why)
