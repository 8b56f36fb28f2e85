# SPDX-License-Identifier: BSD-3-Clause
"""compare - is one variant faster than another, by how much, how surely?  And of several: which is
the fastest in each class of sizes, and how many times as long the others take?

The runs that are tested have chosen the fastest, which is the one that luck favours: tests of it
alone would find differences too often.  So every pair of variants is compared, whichever turns out
to be the fastest.  Pairs share the risk of a wrong verdict equally (Bonferroni) and classes of a
pair by Holm's method, so that at most 5% of answers have a wrong verdict in any of their tables.
"""
import math
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from .comparable import check_variants, environment_differences, read_variants, same_library
from .comparison import MIXED, Class, ComparedRow, Comparison, compared, interval
from .comparison_answer import advice_of, answer_of
from .documents import (ADVICE, ANSWER, HEADING, NOTE, TITLE, Case, Cell, Column, Document,
                        Question, Suite, junit, publish, wrong_in, write_refused)
from .results import Variant
from .rows import Row, RowId, row_order, table_of, tables_of
from .statistics import FASTER, SAME, SLOWER, UNDECIDED, Ratio
from .text import (WRONG_DATA, Program, Refused, counted, decimal, fail, grouped, meaning,
                   plural, three_digits, within, write_file)

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


# --- The document -------------------------------------------------------------------------------


def runs_of(c: Comparison, k: int) -> str:
    """"8 runs", "5 to 8 runs"."""
    counts = [len(row.cells[k].runs) for row in c.rows]
    if min(counts) < max(counts):
        return "%d to %d runs" % (min(counts), max(counts))
    return counted(counts[0], "run")


def add_comparison(d: Document, c: Comparison) -> None:
    a, b = c.variants
    level = ""
    if c.question.look:
        level = "; significance level %g%%, as one of several interim analyses" % (100 * c.level)
    benchmarks = counted(len({row.id.benchmark for row in c.rows}), "benchmark")
    d.add(TITLE, "%s (%s) compared with the baseline %s (%s): %s of %s; margin %g%%%s" % (
        b.name, runs_of(c, 1), a.name, runs_of(c, 0), counted(len(c.rows), "row"), benchmarks,
        100 * c.question.margin, level))
    d.add(NOTE, *("differs: " + line for line in environment_differences(a, b)),
          *same_library(a, b), *c.remarks)
    add_classes(d, c)
    d.add(ANSWER, answer_of(c))
    d.add(ADVICE, advice_of(c))


def add_classes(d: Document, c: Comparison) -> None:
    by_row = c.question.classes is None
    columns = [Column("Benchmark", 0, left=True),
               Column("Row" if by_row else "Sizes", 13, left=True)]
    columns += [] if by_row else [Column("Rows", 4, minor=True)]
    columns += [Column("Ratio", 8), Column("95% interval", 18, joined=" "),
                Column(within(c.variants[1].name, 40) + " is", left=True)]
    table = d.table(columns)
    for k in c.classes:
        table.group(k.id.place)
        cells = [k.id.benchmark, k.label()] + ([] if by_row else ["%d" % len(k.rows)])
        table.row(*cells, decimal(k.verdict.ratio.value, 3), interval(k.verdict.ratio),
                  Cell(k.word(), k.note(), k.word()))


def add_rows(d: Document, c: Comparison) -> None:
    for rows in tables_of(c.rows):
        id = rows[0].id
        d.add(HEADING, "%s, %s: %s is better; ratio above 1: slower" % (
            id.benchmark, id.place, "higher" if id.is_rate() else "lower"))
        table = d.table([Column("Row", 33, left=True)] +
                        [Column("%s(%s)" % (within(v.name, 20), id.unit), 17) for v in c.variants] +
                        [Column("ratio", 8), Column("95% interval", 18), Column("", left=True)])
        for row in rows:
            table.row(row.id.key, *(decimal(cell.figure, 2) for cell in row.cells),
                      decimal(row.ratio.value, 3), interval(row.ratio),
                      Cell("", row.doubt(c.variants)))
    d.add(NOTE, "Each row compares the medians of the runs. Its ratio is the median over all pairs "
          "of runs, not the quotient of the columns.")


def document(r: Ranking, with_rows: bool, left_out: Sequence[str]) -> Document:
    """The ranking, each comparison with the baseline that could be made, and rows."""
    d = Document()
    if r.classes:
        d.add(TITLE, ", ".join(v.name for v in r.variants) + ": times as long as the fastest")
        add_ranking(d, r)
        d.add(ANSWER, r.answer()).add(NOTE, WORDS)
    comparisons = [c for c in r.compared if isinstance(c, Comparison)]
    for c in comparisons:
        add_comparison(d, c)
    if comparisons:
        first, mixed = comparisons[0], meaning(MIXED)
        d.add(NOTE, "ratio: time relative to %s, for bandwidth rows as well; above 1 is slower. "
              "It is the geometric mean over the rows of a class, compared run by run."
              % first.variants[0].name,
              "faster, slower: by more than %g%%, with at most 5%% risk that any such verdict of "
              "%s wrong; undecided: more runs or a quieter machine are needed." % (
                  100 * first.question.margin, "all tables is" if comparisons[1:] else
                  "the table is"),
              "mixed: %s%s" % (mixed[:1].lower(), mixed[1:])
              if any(c.of(MIXED) for c in comparisons) else "")
    for c in comparisons if with_rows else ():
        add_rows(d, c)
    d.add(NOTE, *("left out, since it failed: " + why for why in left_out))
    return d


# --- For programs -------------------------------------------------------------------------------


def limit_json(c: Comparison, k: Optional[int]) -> Optional[int]:
    """The end of a size class; None: it has none."""
    limits = c.question.classes or []
    return limits[k] if k is not None and 0 <= k < len(limits) else None


def comparison_json(c: Comparison) -> dict:
    classes = [{
        "benchmark": k.id.benchmark, "placement": k.id.place, "sizes": k.label(),
        "above_bytes": limit_json(c, k.size - 1 if k.size else None),
        "to_bytes": limit_json(c, k.size),
        "rows": len(k.rows), "doubtful_rows": k.doubtful.n, "runs": k.runs,
        "ratio": k.verdict.ratio.value, "ci95": k.verdict.ratio.ends(),
        "p_holm": float(k.verdict.p), "p_beyond_margin_holm": float(k.verdict.p_beyond),
        "superiority": k.verdict.superiority, "verdict": k.word(),
        "faster_rows": len(k.surely(FASTER)), "slower_rows": len(k.surely(SLOWER)),
        "further_runs": None if k.further() < 0 else k.further(),
        "groups": [groups and {"ratio": groups.ratio(), "cause": groups.cause(),
                               "runs": [len(groups.lower), len(groups.upper)]}
                   for groups in k.groups()],
    } for k in c.classes]
    rows = [{
        "benchmark": row.id.benchmark, "placement": row.id.place, "row": row.id.key,
        "bytes": row.id.bytes, "unit": row.id.unit,
        "values": [cell.figure for cell in row.cells],
        "ranges": [[cell.low, cell.high] for cell in row.cells],
        "doubtful": [cell.doubtful for cell in row.cells],
        "runs": [len(cell.runs) for cell in row.cells],
        "ratio": row.ratio.value, "ci95": row.ratio.ends(), "class": i,
    } for i, k in enumerate(c.classes) for row in k.rows]
    return {"variants": [v.name for v in c.variants], "margin": float(c.question.margin),
            "significance_level": c.level, "rows_of_one_variant": c.lone, "remarks": c.remarks,
            "answer": answer_of(c), "advice": advice_of(c) or None,
            "classes": classes, "rows": rows}


def ranked_json(r: Ranking, k: Ranked) -> dict:
    return {"benchmark": k.id.benchmark, "placement": k.id.place, "sizes": k.sizes,
            "fastest": r.variants[k.fastest].name, "sure": k.is_sure(),
            "others": [{"variant": r.variants[i].name, "ratio": other.ratio.value,
                        "ci95": other.ratio.ends(), "verdict": other.word}
                       for i, other in sorted(k.others.items())]}


def as_json(question: Question, comparisons: Sequence[dict], ranking: Sequence[dict]) -> dict:
    return {"suite": "Alidade", "left_out": list(question.failed), "comparisons": comparisons,
            "ranking": ranking}


def error_of(text: str) -> Case:
    """What was not judged, by a name that stays the same from run to run."""
    return Case("compare", ": ".join(text.split(": ")[:2]), "error", text)


def suite_of(c: Comparison, gate: "Gate") -> Suite:
    """A case for each class, and for what was not judged."""
    cases = []
    for k in c.classes:
        kind = "failure" if k in gate.slower else "skipped" if k.word() == UNDECIDED else ""
        word = k.word()
        if kind == "failure" and word == UNDECIDED and not k.surely(SLOWER):
            word += ", and may be slower"
        cases.append(Case(
            k.id.benchmark, "%s: %s" % (k.id.place, k.label()), kind,
            "%s: ratio %s, 95%% interval %s%s" % (
                word, decimal(k.verdict.ratio.value, 3), interval(k.verdict.ratio),
                "; " + k.note() if k.note() else ""),
            ["%s: %s %s, ratio %s, 95%% interval %s" % (
                row.id.key, " and ".join(decimal(cell.figure, 2) for cell in row.cells),
                row.id.unit, decimal(row.ratio.value, 3), interval(row.ratio)) for row in k.rows]))
    cases += map(error_of, c.faults)
    return Suite("%s compared with %s" % (c.variants[1].name, c.variants[0].name), cases, c.remarks)


NOT_JUDGED = "gate: FAILED: nothing is judged"


class Gate:
    """What fails a comparison in continuous integration.

    limit: how much slower is excluded at least, 0.1 for 10%; None: what is surely slower fails.
    """

    def __init__(self, r: Ranking, left_out: Sequence[str], limit: Optional[float]) -> None:
        self.limit, self.left_out = limit, left_out
        self.comparisons = [c for c in r.compared if isinstance(c, Comparison)]
        self.classes = [k for c in self.comparisons for k in c.classes]
        self.slower = [k for k in self.classes if self.is_slower(k) or self.slower_rows(k)]
        self.undecided = [k for k in self.classes
                          if k.word() == UNDECIDED and k not in self.slower]
        self.wrong = wrong_in(r.variants, left_out)
        every = list(left_out) + [text for c in self.comparisons for text in c.faults]
        self.faults = list(dict.fromkeys(text for text in every if text not in self.wrong))

    def is_slower(self, k: Class) -> bool:
        """Is it as a whole; or with a limit, may it be by more than that?"""
        # Without an interval nothing is excluded, and its fault is said.
        return k.word() == SLOWER if self.limit is None else \
            1 + self.limit < k.verdict.ratio.high < math.inf

    def slower_rows(self, k: Class) -> List[ComparedRow]:
        """Those that surely are, by more than the limit."""
        return [row for row in k.surely(SLOWER) if row.ratio.low > 1 + (self.limit or 0)]

    def code(self) -> int:
        if self.wrong:
            return WRONG_DATA
        return 2 if self.slower else 1 if self.faults else 0

    def __str__(self) -> str:
        """The last line: "gate: FAILED: 1 of 3 classes slower, 2 undecided (up to +70%)"."""
        n, limit = len(self.classes), self.limit
        parts = ["wrong data"] if self.wrong else []
        parts.append("%d of %d class%s %s" % (
            len([k for k in self.slower if self.is_slower(k)]), n,
            plural(n, "", "es"), "slower" if limit is None else
            "may be more than %g%% slower" % (100 * limit)))
        rows = [row for k in self.slower if not self.is_slower(k) for row in self.slower_rows(k)]
        if rows:
            parts.append("%s slower (%s%s: ratio %s)" % (
                counted(len(rows), "single row"), "first " if rows[1:] else "", rows[0].id,
                three_digits(rows[0].ratio.value)))
        if self.undecided:
            most = max(k.verdict.ratio.high for k in self.undecided)
            parts.append("%d undecided (%s)" % (len(self.undecided), "no interval" if math.isinf(
                most) else "up to %+.3g%%" % (100 * (most - 1))))
        if self.faults:
            parts.append(counted(len(self.faults), "other fault"))
        if any(v.is_half(max(v.crowded(), v.loaded())) for c in self.comparisons
               for v in c.variants):
            parts.append("measured on CPUs that ranks did not have to themselves")
        return NOT_JUDGED if not self.comparisons else \
            "gate: %s: %s" % ("FAILED" if self.code() else "PASSED", ", ".join(parts))

    def say(self) -> None:
        """What else has to be said of it."""
        for why in self.left_out:
            fail(why)
        for c in self.comparisons:
            for text in c.faults:
                fail(text)
        unsure = [row for k in self.classes for row in k.unlike()
                  if row.ratio.low > 1 + max(k.c.question.margin, self.limit or 0)]
        if unsure and not self.code():
            row = max(unsure, key=lambda row: row.ratio.value)
            fail("the gate is passed, but with so few runs or so many rows it is not sure whether "
                 "%d row%s slower, such as %s %s: ratio %s" % (
                     len(unsure), plural(len(unsure), " is", "s are"), row.id.benchmark,
                     row.id.key, three_digits(row.ratio.value)))
        Program.last = str(self)


def check_alike(question: Question, words: Sequence[str]) -> None:
    """Can the results be compared?  Errors: Refused, why not."""
    first, *others = read_variants(words, 2, question.may(), question.only)
    for other in others:
        check_variants(first, other, question.may())


def may_decide(question: Question, words: Sequence[str]) -> bool:
    """Is a class undecided that more runs may decide?  Errors: Refused."""
    return any(k.further() and not any(k.groups())
               for c in ranking_of(question, words).comparisons() for k in c.classes)


def ranking_of(question: Question, words: Sequence[str], least: int = 2) -> Ranking:
    """Of at least so many variants.  Errors: Refused."""
    variants = read_variants(words, least, question.may(), question.only)
    return Ranking(variants, table_of(variants, question.may()), question)


def say_refused(question: Question, why: Refused) -> None:
    """That nothing is judged: CI must not go on reading what was true yesterday."""
    if question.gate is not None:
        Program.last = NOT_JUDGED
    write_refused(question, why, as_json(question, [], []))


def answer(question: Question, words: Sequence[str]) -> int:
    """Answer: the exit code.  Errors: Refused."""
    try:
        r = ranking_of(question, words, 0 if question.failed else 2)
        if question.page is not None:
            question.page(r)  # it shows variants that cannot be compared, too
        comparisons = r.comparisons()
    except Refused as why:
        say_refused(question, why)
        raise
    root = as_json(question, [comparison_json(c) for c in comparisons],
                   [ranked_json(r, k) for k in r.classes])
    root.update({} if comparisons else {"refused": "nothing is left to compare"})
    code = publish(question, document(r, question.rows, question.failed), of=r.variants,
                   full=document(r, True, question.failed), root=root)
    gate = Gate(r, question.failed, None if question.gate is True else question.gate)
    if question.junit is not None:
        left_out = [error_of(why) for why in gate.left_out]
        write_file(question.junit, junit(
            ([Suite("variants that failed", left_out)] if left_out else []) +
            [suite_of(c, gate) for c in comparisons]))
    if question.gate is not None:
        gate.say()
    if not comparisons:
        raise Refused(root["refused"])
    return code if question.gate is None else gate.code()
