# SPDX-License-Identifier: BSD-3-Clause
"""All variants at once: which is the fastest in each class of sizes, and how many times as long the
others take.

The runs that are tested have chosen the fastest, which is the one that luck favours: tests of it
alone would find differences too often.  So every pair of variants is compared, whichever turns out
to be the fastest.  Pairs share the risk of a wrong verdict equally (Bonferroni) and classes of a
pair by Holm's method, so that at most 5% of answers have a wrong verdict in any of their tables.
"""
import math
from typing import Dict, List, NamedTuple, Sequence, Tuple

from .comparison import MIXED, Class, Comparison, compared
from .documents import ANSWER, NOTE, TITLE, Cell, Column, Document, Question
from .results import Variant
from .rows import Row, RowId, row_order
from .statistics import FASTER, SAME, SLOWER, UNDECIDED, Ratio
from .text import Refused, decimal, grouped, plural, three_digits, within

WORDS = "Times as long as the fastest, for bandwidth rows as well: the ratio of times. same: " \
    "within the margin; in brackets: not told apart from the fastest; mixed: surely slower or " \
    "faster at some sizes, but not as a whole."
INVERSE = {FASTER: SLOWER, SLOWER: FASTER}


class Standing(NamedTuple):
    """Of a variant in a class, against the fastest.  ratio: of their times; word: one of
    VERDICTS."""

    ratio: Ratio
    word: str


class Ranked(NamedTuple):
    """A class of sizes.  id: of its first row.  sizes: as Class.label().  fastest: number of a
    variant.  others: by their numbers, those that have rows of the class; they are not all slower
    or the same if the fastest cannot be told apart."""

    id: RowId
    sizes: str
    fastest: int
    others: Dict[int, Standing]

    def is_sure(self) -> bool:
        """Is none of the others perhaps faster?"""
        return all(other.word in (SLOWER, SAME) for other in self.others.values())

    def cell(self, k: int) -> str:
        """Of variant number k: "fastest", "1.94" times as long; "(1.09)": perhaps not so."""
        if k == self.fastest:
            return "fastest" if self.is_sure() else "(1.00)"
        if k not in self.others:
            return "-"
        (ratio, _, _), word = self.others[k]
        times = decimal(ratio, 2) if ratio < 100 else three_digits(ratio)
        return {UNDECIDED: "(%s)" % times, SAME: SAME, MIXED: MIXED}.get(word, times)


class Ranking:
    """Of all variants of a table.

    rows: that count.  compared: each variant but the first against the first, or why it cannot be.
    classes: the ranking,
    nothing for less than three variants.
    """

    def __init__(self, variants: Sequence[Variant], table: Tuple[List[Row], List[Row]],
                 question: Question) -> None:
        self.variants, self.rows, n = variants, table[0], len(variants)
        pairs = [(i, k) for i in range(n) for k in range(i + 1, n)]
        question = question._replace(steps=len(pairs) or 1)
        self.pairs = {pair: compared(variants, table, pair, question) for pair in pairs}
        self.compared = [self.pairs[0, k] for k in range(1, n)]
        self.classes = self.ranked() if n > 2 else []

    def comparisons(self) -> List[Comparison]:
        """With the first, all of them.  Errors: Refused."""
        for c in self.compared:
            if isinstance(c, str):
                raise Refused(c)
        return [c for c in self.compared if isinstance(c, Comparison)]

    def ranked(self) -> List[Ranked]:
        classes = [(c.class_of(k.rows[0]), (pair, k)) for pair, c in self.pairs.items()
                   if isinstance(c, Comparison) for k in c.classes]
        of_class = grouped(classes, lambda one: one[0])
        found = [rank([one for _, one in some]) for some in of_class.values()]
        return sorted(found, key=lambda ranked: row_order(ranked.id))

    def answer(self) -> str:
        sure = grouped((k for k in self.classes if k.is_sure()), lambda k: k.fastest)
        first = sorted(sure.items(), key=lambda item: -len(item[1]))
        n, unsure = len(self.classes), sum(not k.is_sure() for k in self.classes)
        parts = ["%s in %d" % (self.variants[k].name, len(some)) for k, some in first]
        parts[:1] = ["%s of %d size class%s" % (part, n, plural(n, "", "es"))
                     for part in parts[:1]]
        text = "The fastest of %d variants: %s" % (len(self.variants), ", ".join(parts)) \
            if parts else "No variant is surely the fastest in any size class"
        if parts and unsure:
            text += "; in %d the fastest cannot be told apart from others" % unsure
        return text + "."


def add_ranking(d: Document, r: Ranking) -> None:
    """The table of all variants; nothing for two."""
    if not r.classes:
        return
    by_row = any(k.sizes == k.id.key for k in r.classes)
    table = d.table([Column("Benchmark", 0, left=True),
                     Column("Row" if by_row else "Sizes", 0 if by_row else 12, left=True)] +
                    [Column(within(v.name, 20), 9) for v in r.variants])
    for k in r.classes:
        table.group(k.id.place)
        cells = [Cell(k.cell(i), "", FASTER if i == k.fastest and k.is_sure() else
                      k.others[i].word if i in k.others else None)
                 for i, _ in enumerate(r.variants)]
        table.row(k.id.benchmark, k.sizes, *cells)


def add_to_answer(d: Document, r: Ranking) -> None:
    """What the reader of more than two variants wants to know, and the words of the table."""
    if not r.classes:
        return
    d.add(TITLE, ", ".join(v.name for v in r.variants) + ": times as long as the fastest")
    add_ranking(d, r)
    d.add(ANSWER, r.answer())
    d.add(NOTE, WORDS)


def rank(pairs: Sequence[Tuple[Tuple[int, int], Class]]) -> Ranked:
    """A class of all pairs of variants that have it.  The fastest takes the least time on average
    over its pairs, of which none need agree exactly with the others."""
    logs: Dict[int, List[float]] = {}
    for (i, j), k in pairs:
        far = math.log(k.verdict.ratio.value)
        logs.setdefault(i, []).append(-far)
        logs.setdefault(j, []).append(far)
    fastest = min(logs, key=lambda i: sum(logs[i]) / len(logs[i]))
    others = {}
    for (i, j), k in pairs:
        value, low, high = k.verdict.ratio
        if i == fastest:
            others[j] = Standing(k.verdict.ratio, k.word())
        elif j == fastest:
            others[i] = Standing(Ratio(1 / value, 1 / high, 1 / low if low else math.inf),
                                 INVERSE.get(k.word(), k.word()))
    first = min((k for _, k in pairs), key=lambda k: row_order(k.id))
    return Ranked(first.id, first.label(), fastest, others)
