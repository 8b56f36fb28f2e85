# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: how often it is right about runs that are made up.

    python3 tests/unit/test_judge_rates.py [CLASS...]

tests/run/judge.bats runs it. Seeds are fixed, so the outcome is the same each time. ALIDADE_LONG=1,
as in make truth, draws ten times as many sets of runs, and prints the rates that doc/repeat.md has.
"""
import math
import os
import random
import sys
import unittest
from collections import Counter
from typing import Callable, List

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge import statistics  # noqa: E402  (found through the line above)
from judge.statistics import Verdict  # noqa: E402

MARGIN = 0.03
IS_LONG = "ALIDADE_LONG" in os.environ
Draw = Callable[[random.Random], float]


def runs(rng: random.Random, n: int, middle: float, spread: float) -> List[float]:
    """Their times spread by so much around the middle, on a logarithmic scale."""
    return [middle * math.exp(spread * (rng.random() + rng.random() - 1)) for _ in range(n)]


def judged(a: List[float], b: List[float], look: int = 0) -> Verdict:
    """As the only one that is compared."""
    v = Verdict(a, b, MARGIN)
    statistics.settle([v], MARGIN, statistics.level_of(look))
    return v


def show(rate: str) -> None:
    if IS_LONG:
        print("# " + rate)


class VerdictTest(unittest.TestCase):
    """Faster, slower, same or undecided."""

    def count(self, seed: int, ratio: float, spread: float, rows: int) -> Counter:
        """The verdicts on one of so many rows that are otherwise alike, in 100 comparisons of eight
        runs a side."""
        rng, found = random.Random(seed), Counter()  # type: Counter
        for _ in range(100):
            every = [Verdict(runs(rng, 8, 1, spread), runs(rng, 8, 1 if row else ratio, spread),
                             MARGIN) for row in range(rows)]
            statistics.settle(every, MARGIN, statistics.LEVEL)
            found[every[0].word] += 1
        return found

    def test_ten_percent_are_found_and_three_are_not(self) -> None:
        self.assertGreaterEqual(self.count(1, 1.10, 0.04, 20)["slower"], 98)
        self.assertGreaterEqual(self.count(2, 1 / 1.10, 0.04, 20)["faster"], 98)
        found = self.count(3, 1.03, 0.04, 20)
        self.assertLessEqual(found["slower"], 1)
        self.assertEqual(found["faster"], 0)

    def test_what_is_alike_is_not_told_apart(self) -> None:
        found = self.count(4, 1, 0.3, 1)
        self.assertLessEqual(found["slower"] + found["faster"], 5)
        self.assertGreaterEqual(self.count(5, 1, 0.01, 20)["same"], 98)

    def test_further_runs_are_as_many_as_it_takes(self) -> None:
        """With so many more it is mostly decided, and with one more it is not."""
        rng, few = random.Random(6), 6
        first = [judged(runs(rng, few, 1, 0.12), runs(rng, few, 1.08, 0.12)) for _ in range(300)]
        promised = [v.further for v in first if v.word == "undecided" and v.further > 0]
        self.assertGreater(len(promised), 100)
        decided = []
        for n in few + sum(promised) // len(promised), few + 1:
            verdicts = [judged(runs(rng, n, 1, 0.12), runs(rng, n, 1.08, 0.12)) for _ in range(300)]
            decided.append(sum(v.word == "slower" for v in verdicts))
        self.assertGreater(decided[0], 150)
        self.assertLess(decided[1], decided[0] / 2)

    def test_stray_runs_among_many_rows_take_more(self) -> None:
        """The interval is far beyond the margin, but some runs are where the others are not, and
        there are many rows: p is what is missing."""
        rng, every = random.Random(7), []
        for row in range(150):
            a, b = runs(rng, 12, 1, 0.04), runs(rng, 12, 1 if row else 1.4, 0.04)
            if row == 0:
                a[3] = a[7] = a[9] = 3
            every.append(Verdict(a, b, MARGIN))
        statistics.settle(every, MARGIN, statistics.LEVEL)
        self.assertEqual(every[0].word, "undecided")
        self.assertGreater(every[0].ratio.low, 1.03)
        # p = 0.015 by itself is 2.4 deviations, 0.05 / 150 takes 3.6.
        self.assertTrue(8 <= every[0].further <= 30)

    def wrong_ones(self, is_by_look: bool) -> int:
        """On the edge of the margin every verdict is wrong. Of 500 sequences of looks at 5, 10 and
        20 runs, which stop at the first verdict: how many are wrong, by the level of the look or
        not?"""
        rng, wrong = random.Random(8), 0
        for _ in range(500):
            a, b = runs(rng, 20, 1, 0.07), runs(rng, 20, 1.03, 0.07)
            wrong += any(judged(a[:n], b[:n], look if is_by_look else 0).word != "undecided"
                         for look, n in ((1, 5), (2, 10), (3, 20)))
        return wrong

    def test_looks_together_are_wrong_as_rarely_as_one(self) -> None:
        one_level, by_look = self.wrong_ones(False), self.wrong_ones(True)
        self.assertLessEqual(by_look, 15)
        self.assertGreaterEqual(one_level, 2 * by_look)

    def test_a_look_has_its_level(self) -> None:
        """All of one beyond all of the other, the margin too: p = 2 / 252 at best. The same within
        the margin is open at a level that five runs cannot have."""
        a = [1, 1.01, 1.02, 1.03, 1.04]
        for look in range(4):
            with self.subTest(look=look):
                v = judged(a, [x + 1 for x in a], look)
                self.assertEqual(v.word, "slower" if look <= 2 else "undecided")
                self.assertEqual(v.can_tell(1, statistics.level_of(look)), look <= 2)
                self.assertEqual(v.further, 0 if look <= 2 else 1)
                alike = Verdict(a, a, 0.10)
                statistics.settle([alike], 0.10, statistics.level_of(look))
                self.assertEqual(alike.word, "same" if look <= 2 else "undecided")


class ShiftTest(unittest.TestCase):
    """4000 pairs of samples that are alike."""

    def test_intervals_hold_as_often_as_they_say(self) -> None:
        rng, held, alarms = random.Random(9), 0, 0
        for _ in range(4000):
            a, b = ([rng.expovariate(1) for _ in range(8)] for _ in range(2))
            s = statistics.shift_of(a, b)
            alarms += s.p <= 0.05
            held += s.low <= 0 <= s.high
        self.assertTrue(120 <= alarms <= 220, alarms)
        self.assertTrue(3780 <= held <= 3880, held)

    def test_nothing_jumps_where_the_exact_distribution_ends(self) -> None:
        p = [statistics.shift_of(list(range(n)), [k + 4.5 for k in range(n)]).p for n in (30, 31)]
        self.assertLess(abs(math.log(p[0] / p[1])), 0.15)


def groups(share: float, scatter: float) -> Draw:
    """Two groups, 10% apart: share of the upper one, scatter within each."""
    return lambda rng: (math.log(1.1) if rng.random() < share else 0) + scatter * rng.gauss(0, 1)


def student(rng: random.Random) -> float:
    """Student's t with three degrees of freedom."""
    return rng.gauss(0, 1) / math.sqrt(sum(rng.gauss(0, 1) ** 2 for _ in range(3)) / 3)


def spread(rng: random.Random) -> float:
    return 0.03 * rng.gauss(0, 1)


class NextRunTest(unittest.TestCase):
    """Does the interval for the next run hold what it shows, and are two groups found where there
    are two, and only there? A run has a level, and the scatter that a median over iterations has.
    """

    # Name, level as a logarithm, one group?, least and greatest share of next runs inside: three
    # standard deviations beyond the share of 10,000 sets.  A few runs may not have seen a long tail
    # or a rare group; two groups are wide.
    SHAPES = [
        ("log-normal", spread, True, 0.91, 0.985),
        ("heavy tails", lambda rng: 0.03 * student(rng), True, 0.91, 0.98),
        ("skewed", lambda rng: 0.05 * rng.expovariate(1), True, 0.91, 0.98),
        ("5% strays", lambda rng: 0.02 * (6 if rng.random() < 0.05 else 1) * rng.gauss(0, 1),
         True, 0.91, 0.98),
        ("floor and long tail", lambda rng: math.log1p(0.03 * math.exp(rng.gauss(0, 1))), True,
         0.905, 0.98),
        ("a fifth of the runs slower", groups(0.2, 0.01), False, 0.905, 0.98),
        ("half of the runs slower", groups(0.5, 0.01), False, 0.93, 1),
    ]
    SETS = 10000 if IS_LONG else 1000

    def test_the_next_run_is_inside(self) -> None:
        for name, level, is_one_group, least, most in self.SHAPES:
            rng = random.Random(10)
            for n in 5, 8, 12, 20, 38, 39, 79:
                held = found = 0
                for _ in range(self.SETS):
                    every = [math.exp(level(rng) + 0.006 * rng.gauss(0, 1)) for _ in range(n + 1)]
                    _, low, high = statistics.next_run(every[:n])
                    held += low <= every[n] <= high
                    found += statistics.two_groups(every[:n]) is not None
                show("%s, %d runs: %.1f%% inside, %.2f%% two groups" % (
                    name, n, 100 * held / self.SETS, 100 * found / self.SETS))
                with self.subTest(name, n=n, held=held, found=found):
                    self.assertTrue(least * self.SETS <= held <= most * self.SETS)
                    self.assertTrue(not is_one_group or found < 0.03 * self.SETS)

    def test_stopping_early_does_not_spoil_it(self) -> None:
        """Runs go on until the interval is within so much of the median, and are looked at after
        each."""
        for target in 0.04, 0.05, 0.06, 0.075, 0.1:
            rng, held = random.Random(11), 0
            for _ in range(self.SETS):
                every = [math.exp(spread(rng)) for _ in range(7)]
                low, high, middle = 0.0, math.inf, 1.0
                while len(every) < 40 and max(high / middle, middle / (low or 1e-9)) > 1 + target:
                    every.append(math.exp(spread(rng)))
                    _, low, high = statistics.next_run(every)
                    middle = sorted(every)[len(every) // 2]
                held += low <= math.exp(spread(rng)) <= high
            show("until %g%%: %.1f%%" % (100 * target, 100 * held / self.SETS))
            with self.subTest(target=target, held=held):
                self.assertGreaterEqual(held, 0.91 * self.SETS)

    def test_two_groups_are_found(self) -> None:
        """10% apart with a scatter of 0.5%: of few runs, and of many with another share."""
        for n, upper in (8, 4), (8, 3), (8, 2), (8, 6), (16, 3), (30, 20):
            rng, found = random.Random(12), 0
            for _ in range(500):
                g = statistics.two_groups([math.exp(groups(k < upper, 0.005)(rng))
                                           for k in range(n)])
                found += g is not None and n - g[0] == upper and abs(g[2] / g[1] - 1.1) < 0.02
            show("%d of %d runs slower: found in %d of 500" % (upper, n, found))
            with self.subTest(n=n, upper=upper, found=found):
                self.assertGreaterEqual(found, 450)

    def test_groups_by_hand(self) -> None:
        def even(n: int) -> List[float]:
            return [1 + 0.001 * k for k in range(n)]

        for values, lower in (
                # As on a machine whose host puts the CPUs here or there.
                ([0.2, 0.21, 0.45, 0.46, 0.47], 2),
                # Too few runs, and one run, are no groups.
                ([0.2, 0.21, 0.45, 0.46], 0), ([0.2, 0.45, 0.46, 0.47, 0.48], 0),
                # A coarse clock shows the same few values again and again.
                ([0.13, 0.13, 0.13, 0.14, 0.14, 0.14], 0),
                # One of 46 is a stray, two are a group; of 80 two are what the interval leaves out.
                (even(45) + [3.0], 0), (even(44) + [3.0, 3.1], 44), (even(77) + [3.0, 3.1], 77),
                (even(78) + [3.0, 3.1], 0), (even(77) + [3.0, 3.1, 3.2], 77),
                ([0.3, 0.31] + even(44), 2), ([0.3, 0.31] + even(78), 0),
                # Groups that nobody cares about.
                ([1, 1.0001, 1.0002, 1.0101, 1.0102, 1.0103], 0)):
            with self.subTest(values=values):
                g = statistics.two_groups(values)
                self.assertEqual(g[0] if g else 0, lower)


if __name__ == "__main__":
    unittest.main()
