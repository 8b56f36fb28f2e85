# SPDX-License-Identifier: BSD-3-Clause
"""A comparison in a sentence, which is what the reader wants to know, and what to do about it."""
import math
from itertools import groupby
from statistics import median_low
from typing import List, NamedTuple, Sequence, Tuple

from . import statistics
from .comparison import STRETCHES, ComparedRow, Comparison, Stretch, stretches_of
from .rows import RowId, tables_of
from .statistics import FASTER, SAME, SLOWER, UNDECIDED
from .text import counted, grouped, plural, some_of, three_digits

GROUPS = 3  # of tables of which the same is said are named, at most

def benchmarks_of(c: Comparison, tables: Sequence[RowId]) -> str:
    """These in few words: "bw, latency", "latency (2 ranks, same-numa, H-H)", "all 4
    benchmarks"."""
    every = [table[0].id for table in tables_of(c.classes)]
    has_places = len({id.place for id in every}) > 1
    n = len({id.benchmark for id in tables})
    if len(tables) == len(every) and n > 2:
        return "all %d benchmarks" % n
    names = []
    for benchmark, some in groupby(tables, key=lambda id: id.benchmark):
        ids, places = list(some), sum(id.benchmark == benchmark for id in every)
        if not has_places or len(ids) == places > 1:
            names.append(benchmark)
        elif len(ids) > 2:
            names.append("%s (%d of %d places)" % (benchmark, len(ids), places))
        else:
            names += ["%s (%s)" % (benchmark, id.place) for id in ids]
    return ", ".join(names) if len(names) <= 4 else counted(n, "benchmark")


class Said(NamedTuple):
    """Of tables: where rows have one word.  rows: these."""

    where: str
    tables: List[RowId]
    rows: List[ComparedRow]


class Sentence:
    """What the reader of a comparison wants to know: who is faster, and where.

    tables: of each benchmark and place, its stretches of sizes with one verdict; of a mixed class
    those whose rows are sure.  So no row contradicts the sentence.
    """

    def __init__(self, c: Comparison) -> None:
        self.c = c
        self.class_of = {row: k for k in c.classes for row in k.rows}
        self.tables: List[Tuple[RowId, List[Stretch]]] = []
        for table in tables_of(c.classes):
            words = {row: word for k in table for row, word in k.words().items()}
            self.tables.append((table[0].id, stretches_of([row for k in table for row in k.rows],
                                                          words)))

    def ratio_of(self, row: ComparedRow) -> float:
        return self.class_of[row].ratio_of(row).value

    def weight(self, said: Said) -> tuple:
        """By which groups are sorted: the greatest difference first, then the most rows."""
        return max(abs(math.log(self.ratio_of(row))) for row in said.rows), len(said.rows)

    def grouped(self, found: Sequence[Said]) -> List[Said]:
        """Tables of which the same is said together; times and rates are said in other words."""
        alike = grouped(found, lambda said: (said.where, said.tables[0].is_rate()))
        every = [Said(some[0].where, [id for said in some for id in said.tables],
                      [row for said in some for row in said.rows]) for some in alike.values()]
        return sorted(every, key=self.weight, reverse=True)

    def where(self, word: str) -> str:
        """The rows with a verdict, in few words: the first groups, and how many others."""
        found = []
        for id, stretches in self.tables:
            some = [s for s in stretches if s.word == word]
            if some:
                found.append(Said(" and ".join(filter(None, (s.where for s in some))), [id],
                                  [row for s in some for row in s.rows]))
        groups = self.grouped(found)
        parts = [benchmarks_of(self.c, said.tables) + (" " + said.where if said.where else "") +
                 (self.amount(said.rows) if word in (FASTER, SLOWER) else "")
                 for said in groups[:GROUPS]]
        return ", ".join(parts + others(groups))

    def amount(self, rows: Sequence[ComparedRow]) -> str:
        """By how much they are faster or slower, as of classes."""
        is_average = any(self.class_of[row].unlike() for row in rows
                         if row not in self.class_of[row].sure_rows())
        return amount([self.ratio_of(row) for row in rows], rows[0].id.is_rate(), is_average)

    def winners(self) -> str:
        """Who is faster where, table by table: "allreduce: old to 4KiB, new from 8KiB"."""
        a, b = (v.name for v in self.c.variants)
        names = {FASTER: b, SLOWER: a, SAME: "the same", UNDECIDED: "not decided"}
        found = []
        for id, stretches in self.tables:
            parts = [" ".join(filter(None, (names[s.word], s.where))) for s in stretches]
            found.append(Said(some_of(parts, STRETCHES), [id],
                              [row for s in stretches for row in s.rows]))
        groups = self.grouped(found)
        return "; ".join(["%s: %s" % (benchmarks_of(self.c, said.tables), said.where)
                          for said in groups[:2 * GROUPS]] + others(groups, 2 * GROUPS))

    def on_what(self) -> str:
        """What it depends on who is faster; "": on nothing."""
        words = [{s.word for s in stretches} & {FASTER, SLOWER} for _, stretches in self.tables]
        if len({word for some in words for word in some}) < 2:
            return ""
        is_one = len({id.benchmark for id, _ in self.tables}) == 1
        on = ["the placement" if is_one else "the benchmark"] \
            if {FASTER} in words and {SLOWER} in words else []
        return " and ".join(on + (["the size"] if {FASTER, SLOWER} in words else []))

    def __str__(self) -> str:
        if self.on_what():
            return "Neither wins: it depends on %s. %s." % (self.on_what(), self.winners())
        said = {word: self.where(word) for word in (FASTER, SLOWER, SAME, UNDECIDED)}
        clauses = ["%s in %s" % ("the same" if word == SAME else word, said[word])
                   for word in (FASTER, SLOWER, SAME) if said[word]]
        text = "%s is %s" % (self.c.variants[1].name, "; ".join(clauses)) if clauses else ""
        if said[UNDECIDED]:
            text += (". " if text else "") + "Not decided: " + said[UNDECIDED]
        return text + "."


def others(groups: Sequence[Said], named: int = GROUPS) -> List[str]:
    """How many tables are in the groups that are not named."""
    n = sum(len(said.tables) for said in groups[named:])
    return ["and %s" % counted(n, "other benchmark")] if n else []


def times(factor: float) -> str:
    return "%.1f" % factor if 1 <= factor < 100 else three_digits(factor)


def percents(share: float) -> str:
    if share < 0.01:
        return "%.2g%%" % (100 * share)
    return ("%.1f%%" if share < 0.1 else "%.0f%%") % (100 * share)


def amount(ratios: Sequence[float], is_rate: bool, is_average: bool) -> str:
    """By how much these are faster or slower: " (3.4% to 25% longer)", " (1.4 to 2.6 times as long
    on average)", " (3000 times as fast)"; of a rate " (20% lower)", " (2.0 times as much)"."""
    values = [1 / ratio for ratio in ratios] if is_rate else ratios
    least, most = min(values), max(values)
    if most >= 1.995:  # "2.0"
        ends, what = [times(least), times(most)], "times as much" if is_rate else "times as long"
    elif least < 0.1 and not is_rate:
        ends, what = [times(1 / most), times(1 / least)], "times as fast"
    elif most < 1:
        ends, what = [percents(1 - most), percents(1 - least)], "lower" if is_rate else "shorter"
    else:
        ends, what = [percents(least - 1), percents(most - 1)], "higher" if is_rate else "longer"
    is_one = ends[0] == ends[1] or (0.1 <= least and most - least < 0.005)
    return " (%s %s%s)" % (ends[0] if is_one else " to ".join(ends), what,
                           " on average" if is_average else "")


def answer_of(c: Comparison) -> str:
    return str(Sentence(c))


def split_words(c: Comparison) -> List[str]:
    """Of variants whose runs fall into two groups, so that more runs decide nothing."""
    text, split = [], set()
    for i, v in enumerate(c.variants):
        every = [(groups, k) for groups, k in ((k.groups()[i], k) for k in c.classes) if groups]
        if every:
            groups, k = max(every, key=lambda one: one[0].ratio())
            others = len(every) - 1
            text.append("The runs of %s fall into two groups in %s %s%s: %s." % (
                v.name, k.id.benchmark, k.label(),
                " and %d other class%s" % (others, plural(others, "", "es")) if others else "",
                groups))
            split |= {k for _, k in every}
    return text + ["More runs will not decide %s." % (
        "this class" if len(split) == 1 else "these %d classes" % len(split))] if split else []


def needed(c: Comparison) -> List[str]:
    undecided = [k for k in c.of(UNDECIDED) if not any(k.groups())]
    text = split_words(c)
    what = "the %sundecided class" if len(undecided) == 1 else "half of the %sundecided classes"
    what %= "other " if text else ""
    beyond = statistics.FURTHER_MAX + 1
    more = [beyond if k.further() < 0 else k.further() for k in undecided]
    most = max(k.verdict.runs for k in c.classes)
    if not undecided:
        return text
    if not c.can_tell():
        return ["%s of a variant cannot show a difference, however large it is; %d of each "
                "can." % (counted(most, "run"), c.least_runs())]
    middle = median_low(more)
    if middle == beyond:
        return text + ["Over %d more runs of each variant would probably be needed to decide %s."
                       % (statistics.FURTHER_MAX, what)]
    return text + ["About %s of each variant would probably decide %s."
                   % (counted(middle, "more run"), what)]


def advice_of(c: Comparison) -> str:
    """What to do about it; "": nothing."""
    text = needed(c)
    far = [(abs(math.log(row.ratio.value / k.verdict.ratio.value)), row)
           for k in c.classes for row in k.unlike()]
    if far:
        row = max(far, key=lambda pair: pair[0])[1]
        text.append("A class is an average: in %s %s the ratio is %s. --classes rows judges each "
                    "row." % (row.id.benchmark, row.id.key, three_digits(row.ratio.value)))
    later = c.later()
    # Runs in turn meet the same machine; others need not.
    if later is not None:
        text.append("All runs of %s were made after those of %s: a difference may be the "
                    "machine's. Measure both in one command, in several runs, to be sure."
                    % (c.variants[later].name, c.variants[1 - later].name))
    return " ".join(text)
