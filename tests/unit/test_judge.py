# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: its statistics, against counts of all cases and against SciPy.

    python3 tests/unit/test_judge.py [CLASS...]

tests/run/judge.bats runs each class.  That of SciPy is skipped where SciPy cannot be imported.
"""
import itertools
import math
import os
import random
import sys
import unittest
from statistics import median, stdev
from typing import Iterator, List, Tuple

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge import statistics  # noqa: E402  (found through the line above)

try:
    import scipy.stats
    import scipy.stats.mstats
except ImportError:
    scipy = None

INPUTS = 500


def samples(most: int, ties: bool = True) -> Iterator[Tuple[List[float], List[float]]]:
    """Pairs of random samples of 1 to so many values, half of them with ties unless none may."""
    rng = random.Random(17)
    for i in range(INPUTS):
        sizes = rng.randint(1, most), rng.randint(1, most)
        draw = (lambda: float(rng.randint(1, 6))) if ties and i % 2 else \
            (lambda: rng.lognormvariate(0, 1))
        yield [draw() for _ in range(sizes[0])], [draw() for _ in range(sizes[1])]


def mid_ranks(values: List[float]) -> List[float]:
    return [sum(y < x for y in values) + (sum(y == x for y in values) + 1) / 2 for x in values]


class ShiftTest(unittest.TestCase):
    """By how much one sample lies above another."""

    def test_p_is_that_of_all_choices(self) -> None:
        for a, b in samples(6):
            with self.subTest(a=a, b=b):
                ranks = mid_ranks(a + b)
                observed = sum(ranks[:len(a)])
                sums = [sum(choice) for choice in itertools.combinations(ranks, len(a))]
                below, above = sum(s <= observed for s in sums), sum(s >= observed for s in sums)
                expected = min(1, 2 * min(below, above) / len(sums))
                self.assertAlmostEqual(statistics.shift_of(a, b).p, expected, 12)

    def test_p_of_samples_that_are_alike_is_1(self) -> None:
        for n in range(2, 80):
            values = [float(i % 40) for i in range(n)]
            for a, b in (values, values[::-1]), ([1.0] * n, [1.0] * n):
                with self.subTest(n=n, b=b):
                    self.assertEqual(statistics.shift_of(a, b).p, 1)

    def test_shift_and_superiority_are_those_of_all_pairs(self) -> None:
        for a, b in samples(9):
            with self.subTest(a=a, b=b):
                s, pairs = statistics.shift_of(a, b), sorted(y - x for x in a for y in b)
                n = len(pairs)
                self.assertAlmostEqual(s.shift, (pairs[(n - 1) // 2] + pairs[n // 2]) / 2, 12)
                greater = sum(d > 0 for d in pairs) + sum(d == 0 for d in pairs) / 2
                self.assertAlmostEqual(s.superiority, greater / n, 12)

    def test_exchanged_samples_have_the_opposite_shift(self) -> None:
        for a, b in samples(12):
            with self.subTest(a=a, b=b):
                s, t = statistics.shift_of(a, b), statistics.shift_of(b, a)
                self.assertAlmostEqual(s.p, t.p, 12)
                self.assertAlmostEqual(s.shift, -t.shift, 12)
                self.assertEqual(math.isinf(s.low), math.isinf(t.low))
                if not math.isinf(s.low):
                    self.assertAlmostEqual(s.low, -t.high, 12)
                    self.assertAlmostEqual(s.superiority, 1 - t.superiority, 12)

    def test_interval_holds_the_shifts_that_are_not_refused(self) -> None:
        """A difference that was taken off b is inside of the interval if and only if the test of
        what is left has p > 0.05: both come from one distribution where there are no ties."""
        for a, b in samples(8):
            if len(set(a + b)) < len(a + b):
                continue
            s, pairs = statistics.shift_of(a, b), sorted(y - x for x in a for y in b)
            if math.isinf(s.low):
                continue
            with self.subTest(a=a, b=b):
                between = [(x + y) / 2 for x, y in zip(pairs, pairs[1:])]
                for d in between:
                    p = statistics.shift_of(a, [y - d for y in b]).p
                    self.assertEqual(s.low < d < s.high, p > 0.05)

    def test_rank_of_the_interval_is_that_of_all_choices(self) -> None:
        for na, nb in itertools.product(range(1, 8), repeat=2):
            with self.subTest(na=na, nb=nb):
                choices = list(itertools.combinations(range(1, na + nb + 1), na))
                u = [sum(choice) - na * (na + 1) // 2 for choice in choices]
                k = 0
                while sum(x <= k for x in u) / len(u) <= 0.025:
                    k += 1
                self.assertEqual(statistics.exact_rank(na, na + nb), k)

    def test_p_of_many_values_is_about_exact(self) -> None:
        """Where it is no small one, which the correction for continuity takes."""
        for first in 1, 4:
            with self.subTest(first=first):
                own = list(range(first, 61, 2))
                ranks = own + [rank for rank in range(1, 61) if rank not in own]
                exact, normal = (p(ranks, len(own))
                                 for p in (statistics.exact_p, statistics.normal_p))
                self.assertAlmostEqual(normal / exact, 1, delta=0.01)

    def test_thirty_of_each_are_exact(self) -> None:
        counts = statistics.counts_of_sums(tuple(range(1, 61)), 30)
        self.assertEqual(sum(counts), math.factorial(60) // math.factorial(30) ** 2)
        self.assertEqual(counts[30 * 31 // 2], 1)


class MedianTest(unittest.TestCase):
    """The median of runs, and what is an outlier."""

    def test_of_rates_is_the_inverse_of_that_of_times(self) -> None:
        rng = random.Random(20)
        for i in range(INPUTS):
            values = [rng.lognormvariate(0, 3) for _ in range(rng.randint(1, 30))]
            with self.subTest(values=values):
                self.assertAlmostEqual(
                    math.log(statistics.median(values)), median(map(math.log, values)), 12)
                self.assertAlmostEqual(
                    statistics.median(values) * statistics.median([1 / x for x in values]), 1, 12)

    def test_of_values_that_are_not_above_0(self) -> None:
        for values, expected in (([0.0, 4.0], 2), ([-3.0, 0.0, 1.0, 5.0], 0.5), ([0.0, 0.0], 0)):
            with self.subTest(values=values):
                self.assertEqual(statistics.median(values), expected)

    def test_outlier_limit(self) -> None:
        rng = random.Random(8)
        for i in range(INPUTS):
            values = [rng.lognormvariate(0, 0.2) for _ in range(rng.randint(1, 30))]
            with self.subTest(values=values):
                typical = rng.choice(values)
                far = sorted(abs(x - typical) for x in values)[(len(values) - 1) // 2]
                self.assertAlmostEqual(statistics.outlier_limit(values, typical, 0.05),
                                       typical + max(0.05 * typical, 4 * far / 0.6745), 12)


class HolmTest(unittest.TestCase):
    def test_is_the_closed_test_of_all_subsets(self) -> None:
        """Holm is the closure of Bonferroni's test: a hypothesis is refused if every set that it
        belongs to is."""
        rng = random.Random(5)
        for _ in range(INPUTS):
            p = [rng.choice([rng.random(), rng.random() / 50]) for _ in range(rng.randint(1, 6))]
            with self.subTest(p=p):
                subsets = [s for n in range(1, len(p) + 1)
                           for s in itertools.combinations(range(len(p)), n)]
                for i, adjusted in enumerate(statistics.holm(p)):
                    expected = max(min(1, len(s) * min(p[k] for k in s)) for s in subsets if i in s)
                    self.assertAlmostEqual(adjusted, expected, 12)

    def test_nothing_is_nothing(self) -> None:
        self.assertEqual(statistics.holm([]), [])


class GroupsTest(unittest.TestCase):
    """Two groups of runs."""

    def test_against_all_gaps(self) -> None:
        rng = random.Random(11)
        found = 0
        for i in range(INPUTS):
            n = rng.randint(1, 25)
            values = [rng.gauss(1, 0.01) * (1 if rng.random() < 0.5 else 1 + 0.2 * (i % 3))
                      for _ in range(n)]
            with self.subTest(values=values):
                groups = statistics.two_groups(values)
                x = sorted(math.log(v) for v in values)
                gaps = [(x[k] - x[k - 1], -k) for k in range(2, n - 1)]
                expected = None
                if n >= 5 and max(gaps)[0] > 0:
                    gap, at = max(gaps)[0], -max(gaps)[1]
                    step = min(b - a for a, b in zip(x, x[1:]) if b > a)
                    share = (gap - step) / (x[-1] - x[0])
                    lower, upper = median(x[:at]), median(x[at:])
                    chance = (n - 3) * (1 - share) ** (n - 2)
                    if share > 0.6 and chance <= 0.01 and upper - lower >= math.log(1.02):
                        expected = at
                self.assertEqual(groups and groups[0], expected)
                found += groups is not None
        self.assertGreater(found, 20)

    def test_evenly_spread_runs_are_one_group(self) -> None:
        """At most 1% of runs without groups are said to have some."""
        rng = random.Random(2)
        wrong = sum(statistics.two_groups([math.exp(rng.random()) for _ in range(12)]) is not None
                    for _ in range(INPUTS))
        self.assertLessEqual(wrong, 15)


class NextRunTest(unittest.TestCase):
    """The interval of one more run."""

    def test_holds_one_more_run_as_often_as_it_says(self) -> None:
        rng = random.Random(7)
        for n in 5, 12, 39, 80:
            with self.subTest(n=n):
                held = 0
                for _ in range(INPUTS):
                    runs = [rng.lognormvariate(0, 0.1) for _ in range(n + 1)]
                    _, low, high = statistics.next_run(runs[:n])
                    held += low <= runs[n] <= high
                # 95% of 500 are 475; five standard deviations below that are 451.
                self.assertGreater(held, 451)

    def test_of_39_runs_the_least_and_the_greatest(self) -> None:
        rng = random.Random(14)
        for _ in range(INPUTS):
            values = [rng.lognormvariate(0, 0.1) for _ in range(39)]
            with self.subTest(values=values):
                _, low, high = statistics.next_run(values)
                self.assertAlmostEqual(low, min(values), 12)
                self.assertAlmostEqual(high, max(values), 12)

    def test_fewer_than_five_have_none(self) -> None:
        self.assertIsNone(statistics.next_run([1.0, 2.0, 3.0, 4.0]))


class VerdictTest(unittest.TestCase):
    """What several verdicts say together."""

    def test_least_p_is_one_choice_of_all_on_either_side(self) -> None:
        for na, nb in itertools.product(range(1, 12), repeat=2):
            with self.subTest(na=na, nb=nb):
                choices = math.factorial(na + nb) // math.factorial(na) // math.factorial(nb)
                self.assertAlmostEqual(statistics.least_p(na, nb), min(1, 2 / choices), 12)
        self.assertGreaterEqual(statistics.least_p(5000, 5000), 0)

    def test_exchanged_variants_have_the_opposite_verdict(self) -> None:
        other = {"faster": "slower", "slower": "faster", "same": "same", "undecided": "undecided"}
        rng = random.Random(9)
        met = set()
        for _ in range(INPUTS):
            n, factor = rng.randint(2, 9), rng.choice([1, 1.02, 1.1, 2])
            a = [rng.lognormvariate(0, 0.01) for _ in range(n)]
            b = [factor * rng.lognormvariate(0, 0.01) for _ in range(n)]
            with self.subTest(a=a, b=b):
                verdicts = [statistics.Verdict(a, b, 0.03), statistics.Verdict(b, a, 0.03)]
                for v in verdicts:
                    statistics.settle([v], 0.03, 0.05)
                self.assertEqual(verdicts[0].word, other[verdicts[1].word])
                met.add(verdicts[0].word)
        self.assertEqual(met, {"slower", "same", "undecided"})

    def test_p_beyond_is_that_of_the_slower_side_reduced_by_the_margin(self) -> None:
        rng = random.Random(15)
        for _ in range(INPUTS):
            margin = rng.choice([0.01, 0.03, 0.1])
            a = [rng.lognormvariate(0, 0.02) for _ in range(rng.randint(2, 9))]
            b = [rng.choice([1.2, 2]) * rng.lognormvariate(0, 0.02) for _ in range(len(a))]
            with self.subTest(a=a, b=b):
                reduced = [math.log(x / (1 + margin)) for x in b]
                beyond = statistics.shift_of([math.log(x) for x in a], reduced)
                v = statistics.Verdict(a, b, margin)
                self.assertAlmostEqual(v.p_beyond, beyond.p if beyond.shift > 0 else 1, 12)

    def test_verdicts_are_corrected_together(self) -> None:
        """Each word is what the interval and both values of p say after Holm."""
        rng = random.Random(16)
        met, margin = set(), 0.03
        for _ in range(INPUTS):
            level = rng.choice([0.05, 0.025])
            verdicts = []
            for _ in range(rng.randint(1, 6)):
                n, factor = rng.randint(3, 7), rng.choice([0.5, 0.95, 1, 1.1])
                verdicts.append(statistics.Verdict(
                    [rng.lognormvariate(0, 0.02) for _ in range(n)],
                    [factor * rng.lognormvariate(0, 0.02) for _ in range(n)], margin))
            p = statistics.holm([v.p_beyond for v in verdicts])
            with self.subTest(ratios=[v.ratio for v in verdicts]):
                statistics.settle(verdicts, margin, level)
                for v, beyond in zip(verdicts, p):
                    _, low, high = v.ratio
                    expected = "undecided"
                    if low >= 1 / 1.03 and high <= 1.03:
                        expected = "same" if level == 0.05 or v.p_within <= level else expected
                    elif beyond <= level:
                        expected = "slower" if low > 1.03 else "faster" if high < 1 / 1.03 else \
                            expected
                    self.assertEqual((v.word, v.p_beyond), (expected, beyond))
                    met.add(v.word)
        self.assertEqual(met, set(statistics.WORDS))

    def test_all_looks_together_have_the_level(self) -> None:
        self.assertEqual(statistics.level_of(0), 0.05)
        for look in range(1, 50):
            with self.subTest(look=look):
                self.assertEqual(statistics.level_of(look), 0.05 / 2 ** look)

    def test_least_runs(self) -> None:
        rng = random.Random(18)
        for _ in range(INPUTS):
            n, level = rng.randint(1, 200), rng.choice([0.05, 0.025, 1e-4])
            with self.subTest(n=n, level=level):
                k = statistics.least_runs(n, level)
                self.assertLessEqual(statistics.least_p(k, k) * n, level)
                self.assertGreater(statistics.least_p(k - 1, k - 1) * n, level)

    def test_so_many_further_runs_decide_what_is_as_clear_as_can_be(self) -> None:
        """Fewer would show no difference, however large it is, in the next look."""
        for others, runs, look in itertools.product((0, 2, 15, 60), range(1, 5), range(4)):
            levels = [statistics.level_of(look), statistics.level_of(look + (look > 0))]

            def verdicts(n: int) -> List[statistics.Verdict]:
                alike = [1 + i / 1e4 for i in range(n)]
                return [statistics.Verdict(alike, [2 * x for x in alike], 0.03)] + \
                    [statistics.Verdict(alike, alike, 0.03) for _ in range(others)]

            with self.subTest(others=others, runs=runs, look=look):
                now = verdicts(runs)
                statistics.settle(now, 0.03, *levels)
                if now[0].word == "slower":
                    continue
                more = verdicts(runs + now[0].further)
                statistics.settle(more, 0.03, levels[1])
                self.assertEqual(more[0].word, "slower")
                less = verdicts(runs + now[0].further - 1)
                statistics.settle(less, 0.03, levels[1])
                self.assertEqual(less[0].word, "undecided")

    def test_further_runs_are_the_least_that_would_decide(self) -> None:
        """If the interval shrinks, and the deviations of p grow, with the square root of the
        runs."""
        rng = random.Random(19)
        margin, met = 0.03, set()
        for _ in range(INPUTS):
            n, level, runs = rng.randint(1, 20), rng.choice([0.05, 0.0125]), rng.randint(4, 9)
            factor, spread = rng.choice([1, 1.02, 1.05, 1.1, 0.9]), rng.choice([0.003, 0.03])
            v = statistics.Verdict([rng.lognormvariate(0, spread) for _ in range(runs)],
                                   [factor * rng.lognormvariate(0, spread) for _ in range(runs)],
                                   margin)
            at, edge = abs(math.log(v.ratio.value)), math.log(1 + margin)
            half = (math.log(v.ratio.high) - math.log(v.ratio.low)) / 2
            is_apart = v.p_beyond <= v.least_p * (1 + 1e-9)

            def decides(more: int) -> bool:
                grown = math.sqrt((runs + more) / runs)
                if runs + more < statistics.least_runs(n, level):
                    return False
                if at <= edge:
                    return half / grown * statistics.deviations(level) <= \
                        (edge - at) * statistics.deviations(0.05)
                return half / grown <= at - edge and (is_apart or statistics.deviations(
                    v.p_beyond) * grown >= statistics.deviations(level / n))

            further = v.runs_further(margin, v.p_beyond, n, level)
            with self.subTest(ratio=v.ratio, p=v.p_beyond, n=n, level=level, runs=runs):
                self.assertEqual(decides(100 if further < 0 else further), further > 0)
                self.assertFalse(further > 1 and decides(further - 1))
                met.add((at <= edge, is_apart, further > 1, further < 0))
        self.assertGreaterEqual(len(met), 7)

    def test_four_runs_show_a_difference_and_three_do_not(self) -> None:
        for n, word in (3, "undecided"), (4, "slower"):
            with self.subTest(n=n):
                v = statistics.Verdict([1 + i / 1000 for i in range(n)],
                                       [2 + i / 1000 for i in range(n)], 0.03)
                statistics.settle([v], 0.03, 0.05)
                self.assertEqual(v.word, word)


@unittest.skipIf(scipy is None, "SciPy cannot be imported")
class ScipyTest(unittest.TestCase):
    """What SciPy computes in another way."""

    def test_p_without_ties(self) -> None:
        for a, b in samples(30, ties=False):
            with self.subTest(a=a, b=b):
                expected = scipy.stats.mannwhitneyu(a, b, method="exact").pvalue
                self.assertAlmostEqual(statistics.shift_of(a, b).p, expected, 9)

    def test_p_of_many_values(self) -> None:
        rng = random.Random(3)
        for i in range(INPUTS):
            a = [round(rng.gauss(0, 2), i % 3) for _ in range(rng.randint(31, 60))]
            b = [round(rng.gauss(0.3, 2), i % 3) for _ in range(rng.randint(31, 60))]
            with self.subTest(i=i):
                expected = scipy.stats.mannwhitneyu(a, b, method="asymptotic").pvalue
                self.assertAlmostEqual(statistics.shift_of(a, b).p, expected, 9)

    def test_superiority(self) -> None:
        for a, b in samples(20):
            with self.subTest(a=a, b=b):
                u = scipy.stats.mannwhitneyu(b, a, method="asymptotic").statistic
                self.assertAlmostEqual(statistics.shift_of(a, b).superiority,
                                       u / (len(a) * len(b)), 12)

    def test_student(self) -> None:
        rng = random.Random(4)
        for _ in range(INPUTS):
            tail, freedom = rng.uniform(1e-4, 0.4), rng.randint(1, 60)
            with self.subTest(tail=tail, freedom=freedom):
                expected = scipy.stats.t.isf(tail, freedom)
                self.assertAlmostEqual(statistics.student(tail, freedom) / expected, 1, 9)

    def test_next_run_of_few_by_student(self) -> None:
        rng = random.Random(6)
        for _ in range(INPUTS):
            values = [rng.lognormvariate(1, 0.1) for _ in range(rng.randint(5, 38))]
            with self.subTest(values=values):
                by, low, high = statistics.next_run(values)
                x, n = [math.log(v) for v in values], len(values)
                quantile = scipy.stats.t.isf(0.025 * (1 - 2 / n), n - 1)
                half = quantile * stdev(x) * math.sqrt(1 + 1 / n)
                self.assertEqual(by, "t")
                self.assertAlmostEqual(math.log(low), sum(x) / n - half, 9)
                self.assertAlmostEqual(math.log(high), sum(x) / n + half, 9)

    def test_next_run_of_many_by_order_statistics(self) -> None:
        rng = random.Random(10)
        for _ in range(INPUTS):
            values = [rng.lognormvariate(1, 0.1) for _ in range(rng.randint(39, 200))]
            with self.subTest(values=values):
                by, low, high = statistics.next_run(values)
                ends = scipy.stats.mstats.mquantiles([math.log(v) for v in values],
                                                     [0.025, 0.975], alphap=0, betap=0)
                self.assertEqual(by, "order statistics")
                self.assertAlmostEqual(math.log(low), ends[0], 9)
                self.assertAlmostEqual(math.log(high), ends[1], 9)

    def test_deviations(self) -> None:
        rng = random.Random(13)
        for _ in range(INPUTS):
            p = 10 ** rng.uniform(-10, 0)
            with self.subTest(p=p):
                self.assertAlmostEqual(statistics.deviations(p), scipy.stats.norm.isf(p / 2), 9)


if __name__ == "__main__":
    unittest.main()
