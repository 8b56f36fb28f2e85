# SPDX-License-Identifier: BSD-3-Clause
"""A comparison in a sentence, which is what the reader wants to know, and what to do about it."""
import math
from itertools import groupby
from statistics import median_low
from typing import Dict, List, Sequence, Tuple

from . import statistics
from .comparison import MIXED, Class, Comparison, disagreement, size_words
from .rows import RowId, tables_of
from .statistics import FASTER, SAME, SLOWER, UNDECIDED
from .text import counted, plural, three_digits


def sizes_of(c: Comparison, table: Sequence[Class], first: Class, last: Class) -> str:
    """Of neighbouring classes of one table: "to 8KiB", "above 256B to 8KiB", "at 8B"; "" for all of
    it."""
    if first is table[0] and last is table[-1]:
        return ""
    a, b, limits = first.id, last.id, c.how.limits
    if limits is None:
        if a.bytes is None or b.bytes is None:
            return a.key + ("" if first is last else " to " + b.key)
        if first is last:
            return "at " + size_words(a.bytes)
        return "from %s to %s" % (size_words(a.bytes), size_words(b.bytes))
    text = ["without a size"] if last.size is None else []
    if first.size and first is not table[0]:
        text.append("above " + size_words(limits[first.size - 1]))
    if last.size is not None and last.size < len(limits):
        text.append("to " + size_words(min(limits[last.size], last.rows[-1].id.bytes or 0)))
    return " ".join(text)


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


def groups_of(c: Comparison, word: str) -> List[Tuple[str, List[RowId], List[Class]]]:
    """(sizes, tables, classes) of those whose classes of the same sizes have this verdict, the
    greatest difference first, then the most classes.  Each table disagrees with itself at sizes of
    its own."""
    groups: Dict[Tuple[str, int], Tuple[List[RowId], List[Class]]] = {}
    for n, table in enumerate(tables_of(c.classes)):
        spans = [list(span) for is_it, span in
                 groupby(table, key=lambda k: k.word() == word) if is_it]
        if spans:
            of = " and ".join(filter(None, (sizes_of(c, table, s[0], s[-1]) for s in spans)))
            tables, classes = groups.setdefault((of, n if word == MIXED else 0), ([], []))
            tables.append(table[0].id)
            classes.extend(k for span in spans for k in span)

    def weight(group: tuple) -> tuple:
        return max(abs(math.log(k.verdict.ratio.value)) for k in group[2]), len(group[2])

    every = [(of, tables, classes) for (of, _), (tables, classes) in groups.items()]
    return sorted(every, key=weight, reverse=True)


def times(ratio: float) -> str:
    return "%.1f" % ratio if ratio < 100 else three_digits(ratio)


def percents(share: float) -> str:
    if share < 0.01:
        return "%.2g%%" % (100 * share)
    return ("%.1f%%" if share < 0.1 else "%.0f%%") % (100 * share)


def amount(classes: Sequence[Class]) -> str:
    """By how much they are faster or slower: " (3.4% to 25% longer)", " (1.4 to 2.6 times as
    long on average)", " (3000 times as fast)"."""
    if classes[0].word() == MIXED:
        return " (%s)" % disagreement(classes)
    ratios = [k.verdict.ratio.value for k in classes]
    least, most = min(ratios), max(ratios)
    if most >= 2:
        ends, what = [times(least), times(most)], "times as long"
    elif least < 0.1:
        ends, what = [times(1 / most), times(1 / least)], "times as fast"
    elif most < 1:
        ends, what = [percents(1 - most), percents(1 - least)], "shorter"
    else:
        ends, what = [percents(least - 1), percents(most - 1)], "longer"
    is_one = ends[0] == ends[1] or (0.1 <= least and most - least < 0.005)
    return " (%s %s%s)" % (ends[0] if is_one else " to ".join(ends), what,
                           " on average" if any(k.unlike() for k in classes) else "")


def where(c: Comparison, word: str) -> str:
    """The classes with a verdict, in few words: the first groups, and how many others."""
    groups, parts = groups_of(c, word), []
    for of, tables, classes in groups[:3]:
        parts.append(benchmarks_of(c, tables) + (" " + of if of else "") +
                     (amount(classes) if word in (FASTER, SLOWER, MIXED) else ""))
    others = sum(len(classes) for _, _, classes in groups[3:])
    if others:
        parts.append("and %d other size class%s" % (others, plural(others, "", "es")))
    return ", ".join(parts)


def answer_of(c: Comparison) -> str:
    """What the reader wants to know."""
    clauses = ["%s in %s" % ("the same" if word == SAME else word, where(c, word))
               for word in (FASTER, SLOWER, MIXED, SAME) if c.of(word)]
    text = "%s is %s" % (c.variants[1].name, "; ".join(clauses)) if clauses else ""
    if c.of(UNDECIDED):
        text += (". " if text else "") + "Not decided: " + where(c, UNDECIDED)
    return text + "."


def needed(c: Comparison) -> List[str]:
    """What it would take to decide what is undecided."""
    undecided = len(c.of(UNDECIDED))
    what = "the undecided class" if undecided == 1 else "half of the undecided classes"
    beyond = statistics.FURTHER_MAX + 1
    more = [beyond if k.further() < 0 else k.further() for k in c.classes if k.further()]
    most = max(k.verdict.runs for k in c.classes)
    if not undecided:
        return []
    if not c.can_tell():
        return ["%s of a variant cannot show a difference, however large it is; each needs at "
                "least %d." % (counted(most, "run"), c.least_runs())]
    if not more:
        return []
    middle = median_low(more)
    if middle == beyond:
        return ["Over %d more runs of each variant would probably be needed to decide %s."
                % (statistics.FURTHER_MAX, what)]
    return ["About %s of each variant would probably decide %s."
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
                    "machine's. Measure both in one command to be sure."
                    % (c.variants[later].name, c.variants[1 - later].name))
    return " ".join(text)
