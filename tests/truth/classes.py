#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What compare says of size classes, on stored runs of one variant.

    classes.py [--comparisons=N] RESULTS...

N comparisons (200) are made; each RESULTS, a folder, is drawn from by itself.

Alike: eight runs a side are drawn from the stored ones, without putting any back, so no class may
be called faster or slower; at most 5% of the comparisons may have one that is, without a margin as
well. Injected: then all rows of one class take 5%, 10% or 20% longer on one side. A class must be
found at least as often as its rows are on average if each is a class: it is why there are classes.
How often that is depends on how far the stored runs differ.

Exit code 0: so it is; 1: not, or RESULTS cannot be read.
"""
import argparse
import os
import sys
from typing import List, Optional, Tuple

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge.comparable import May  # noqa: E402  (found through the line above)
from judge.comparison import Class, Comparison  # noqa: E402
from judge.documents import Question  # noqa: E402
from judge.results import Result, Variant  # noqa: E402
from judge.rows import table_of  # noqa: E402
from judge.statistics import FASTER, SLOWER  # noqa: E402
from judge.text import Refused  # noqa: E402

RUNS = 8
USUAL = (256, 8 << 10, 128 << 10)
MORE = (1.05, 1.1, 1.2)


class Random:
    """The numbers of tests/reference/series.h, which are the same with every Python: xorshift64*
    (Vigna 2016)."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def uniform(self) -> float:
        s = self.state
        s ^= s >> 12
        s ^= s << 25 & (1 << 64) - 1
        s ^= s >> 27
        self.state = s
        return ((s * 0x2545F4914F6CDD1D & (1 << 64) - 1) >> 11) / 2 ** 53


class Sides:
    """Two variants of RUNS runs of each benchmark, with one table for all their comparisons."""

    def __init__(self, stored: List[Result]) -> None:
        self.variants = Variant("one"), Variant("other")
        for f in stored:
            for v in self.variants:
                if sum(of.benchmark == f.benchmark for of in v.files) < RUNS:
                    v.files.append(f)
                    break
        self.table = table_of(self.variants, May())

    def compare(self, margin: float, limits: Optional[Tuple[int, ...]] = USUAL) -> Comparison:
        """limits: of size classes; None: each row is one."""
        return Comparison(self.variants, self.table, (0, 1),
                          Question(margin=margin, classes=limits))

    def stretch(self, of: Class, times: float) -> None:
        """All rows of a class, in all runs of the second side, take so many times as long."""
        for row in of.rows:
            for run in row.cells[1].runs:
                run.time *= times


class Found:
    """Of the comparisons: in how many a class that takes longer is found, how many of its rows are,
    and in how many of these it is found while at most half of its rows are."""

    def __init__(self) -> None:
        self.found = self.alone = 0
        self.rows = 0.0

    def inject(self, sides: Sides, of: Class, k: int, times: float) -> None:
        """Into class number k of a comparison of them."""
        sides.stretch(of, times)
        one = sides.compare(0.03).classes[k]
        ids = {row.id for row in of.rows}
        slower = sum(row.id in ids and row.verdict.word == SLOWER
                     for row in sides.compare(0.03, None).classes)
        sides.stretch(of, 1 / times)
        self.rows += slower / len(of.rows)
        if one.verdict.word == SLOWER:
            self.found += 1
            self.alone += 2 * slower <= len(of.rows)


def is_wrong(c: Comparison) -> bool:
    return bool(c.of(FASTER) or c.of(SLOWER))


def shuffle(files: List[Result], rng: Random) -> None:
    for i in range(len(files), 1, -1):
        k = int(rng.uniform() * i)
        files[k], files[i - 1] = files[i - 1], files[k]


def print_found(c: Comparison, found: List[List[Found]], n: int) -> None:
    """The table, a line for each class and how much longer it takes."""
    print("# injected  benchmark        sizes         rows    found  alone  rows found")
    for times, each in zip(MORE, found):
        for of, f in zip(c.classes, each):
            print("%3.0f%% more   %-16s %-14s %3d %8.1f%% %8.1f%% %8.1f%%" % (
                100 * (times - 1), of.id.benchmark, of.label(), len(of.rows),
                100 * f.found / n, 100 * f.alone / n, 100 * f.rows / n))


def check(stored: List[Result], n: int) -> bool:
    """Print what n comparisons of stored runs say: is it as it must be?"""
    found: List[List[Found]] = [[] for _ in MORE]
    wrong = bare = 0
    rng = Random(1)
    for _ in range(n):
        shuffle(stored, rng)
        sides = Sides(stored)
        c = sides.compare(0.03)
        wrong += is_wrong(c)
        bare += is_wrong(sides.compare(0))
        for times, each in zip(MORE, found):
            each += [Found() for _ in c.classes[len(each):]]
            for k, of in enumerate(c.classes):
                each[k].inject(sides, of, k, times)
    print("# %d files: %d rows in %d classes; %d and %d runs" % (
        len(stored), len(c.rows), len(c.classes), *c.classes[0].runs))
    print("alike: of %d comparisons %d have a class that is faster or slower; without a margin %d"
          % (n, wrong, bare))
    print_found(c, found, n)
    return max(wrong, bare) <= n // 20 and all(f.found >= f.rows for each in found for f in each)


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--comparisons", type=int, default=200)
    parser.add_argument("results", nargs="+")
    arguments = parser.parse_args()
    good = True
    for folder in arguments.results:
        stored = Variant("stored")
        try:
            stored.add(folder)
        except Refused as why:
            print("classes: %s" % why, file=sys.stderr)
            return 1
        print("# " + folder, flush=True)
        good = check(stored.files, arguments.comparisons) and good
    print("pass" if good else "FAIL")
    return 0 if good else 1


sys.exit(main())
