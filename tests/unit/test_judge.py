# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: its statistics, against counts of all cases and against SciPy; its text,
files and options.

    python3 -m unittest tests/unit/test_judge.py

What SciPy has is compared with it where it can be imported, and is skipped otherwise.
"""
import itertools
import math
import os
import random
import re
import sys
import tempfile
import unittest
from statistics import median_low, stdev
from typing import Iterator, List, Tuple

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge import options, statistics, text  # noqa: E402  (found through the line above)
from judge.charts import Axis, number, span  # noqa: E402
from judge.results import json_of, shown  # noqa: E402
from judge.rows import natural, ten_digits  # noqa: E402

try:
    import scipy.stats
except ImportError:
    scipy = None

INPUTS = 500
needs_scipy = unittest.skipIf(scipy is None, "SciPy cannot be imported")


def samples(most: int) -> Iterator[Tuple[List[float], List[float]]]:
    """Pairs of random samples of 1 to so many values, half of them with ties."""
    rng = random.Random(17)
    for i in range(INPUTS):
        sizes = rng.randint(1, most), rng.randint(1, most)
        draw = (lambda: float(rng.randint(1, 6))) if i % 2 else (lambda: rng.lognormvariate(0, 1))
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

    @needs_scipy
    def test_p_without_ties_is_that_of_scipy(self) -> None:
        for a, b in samples(30):
            if len(set(a + b)) == len(a + b):
                with self.subTest(a=a, b=b):
                    expected = scipy.stats.mannwhitneyu(a, b, method="exact").pvalue
                    self.assertAlmostEqual(statistics.shift_of(a, b).p, expected, 9)

    @needs_scipy
    def test_p_of_many_values_is_that_of_scipy(self) -> None:
        rng = random.Random(3)
        for i in range(INPUTS // 10):
            a = [round(rng.gauss(0, 2), i % 3) for _ in range(rng.randint(31, 80))]
            b = [round(rng.gauss(0.3, 2), i % 3) for _ in range(rng.randint(31, 80))]
            with self.subTest(i=i):
                expected = scipy.stats.mannwhitneyu(a, b, method="asymptotic").pvalue
                self.assertAlmostEqual(statistics.shift_of(a, b).p, expected, 9)

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
                self.assertEqual(s.low is None, t.low is None)
                if s.low is not None:
                    self.assertAlmostEqual(s.low, -t.high, 12)
                    self.assertAlmostEqual(s.superiority, 1 - t.superiority, 12)

    def test_interval_holds_the_shifts_that_are_not_refused(self) -> None:
        """A difference that was taken off b is inside of the interval if and only if the test of
        what is left has p > 0.05: both come from one distribution where there are no ties."""
        for a, b in samples(8):
            if len(set(a + b)) < len(a + b):
                continue
            s, pairs = statistics.shift_of(a, b), sorted(y - x for x in a for y in b)
            if s.low is None:
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

    def test_thirty_of_each_are_exact(self) -> None:
        counts = statistics.counts_of_sums(tuple(range(1, 61)), 30)
        self.assertEqual(sum(counts), math.factorial(60) // math.factorial(30) ** 2)
        self.assertEqual(counts[30 * 31 // 2], 1)


class MedianTest(unittest.TestCase):
    """The median of runs, and what is an outlier among them."""

    def test_outlier_limit(self) -> None:
        rng = random.Random(8)
        for i in range(INPUTS):
            values = [rng.lognormvariate(0, 0.2) for _ in range(rng.randint(1, 30))]
            with self.subTest(values=values):
                middle = sorted(values)[(len(values) - 1) // 2]
                far = sorted(abs(x - middle) for x in values)[(len(values) - 1) // 2]
                self.assertAlmostEqual(statistics.outlier_limit(values, 0.05),
                                       middle + max(0.05 * middle, 4 * far / 0.6745), 12)


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
                    lower, upper = median_low(x[:at]), median_low(x[at:])
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

    @needs_scipy
    def test_student_is_that_of_scipy(self) -> None:
        rng = random.Random(4)
        for _ in range(INPUTS):
            tail, freedom = rng.uniform(1e-4, 0.4), rng.randint(1, 60)
            with self.subTest(tail=tail, freedom=freedom):
                expected = scipy.stats.t.isf(tail, freedom)
                self.assertAlmostEqual(statistics.student(tail, freedom) / expected, 1, 9)

    @needs_scipy
    def test_few_runs_by_student(self) -> None:
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

    def test_fewer_than_five_have_none(self) -> None:
        self.assertIsNone(statistics.next_run([1.0, 2.0, 3.0, 4.0]))


class VerdictTest(unittest.TestCase):
    """What several verdicts say together."""

    @needs_scipy
    def test_deviations_are_those_of_scipy(self) -> None:
        for exponent in range(1, 200):
            p = 10 ** (-exponent / 20)
            with self.subTest(p=p):
                self.assertAlmostEqual(statistics.deviations(p), scipy.stats.norm.isf(p / 2), 9)

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

    def test_four_runs_show_a_difference_and_three_do_not(self) -> None:
        for n, word in (3, "undecided"), (4, "slower"):
            with self.subTest(n=n):
                v = statistics.Verdict([1 + i / 1000 for i in range(n)],
                                       [2 + i / 1000 for i in range(n)], 0.03)
                statistics.settle([v], 0.03, 0.05)
                self.assertEqual(v.word, word)


class TextTest(unittest.TestCase):
    """Text from outside, and figures."""

    def test_cut_text_ends_within_no_character(self) -> None:
        rng = random.Random(1)
        letters = "ax\u00e9\u20ac\U0001f600\udcff"
        for _ in range(INPUTS):
            whole = "".join(rng.choice(letters) for _ in range(rng.randint(0, 12)))
            most = rng.randint(0, 30)
            with self.subTest(whole=whole, most=most):
                cut = text.within(whole, most)
                self.assertTrue(whole.startswith(cut))
                self.assertLessEqual(text.width(cut), most)
                if cut != whole:
                    self.assertGreater(text.width(whole[:len(cut) + 1]), most)

    def test_bytes_of_no_character_become_one_each(self) -> None:
        for raw, repaired in ((b"a\xfcb", "a\ufffdb"), (b"\xe2\x82", "\ufffd\ufffd"),
                              ("\u20ac\t".encode(), "\u20ac\t"), (b"\xef\xbf\xbf", "\ufffd" * 3)):
            with self.subTest(raw=raw):
                self.assertEqual(text.repaired(raw.decode("utf-8", "surrogateescape")), repaired)

    def test_did_you_mean(self) -> None:
        for word, near in (("comprae", "compare"), ("compar", "compare"), ("xyz", None),
                           ("acept", "accept"), ("co", None)):
            with self.subTest(word=word):
                expected = " (did you mean %s?)" % near if near else ""
                self.assertEqual(text.meant(word, ["compare", "accept"]), expected)

    def test_keys_are_sorted_by_their_numbers(self) -> None:
        self.assertLess(natural("8 buffers=2"), natural("8 buffers=16"))

    def test_ten_digits(self) -> None:
        rng = random.Random(12)
        for _ in range(INPUTS):
            figure = rng.lognormvariate(0, 10)
            with self.subTest(figure=figure):
                self.assertAlmostEqual(ten_digits(figure) / figure, 1, 9)
                self.assertLess(len(("%.12g" % ten_digits(figure)).split("e")[0].strip("0.")), 13)

    def test_json_that_c_refuses(self) -> None:
        for word in ("[1e999]", "[9223372036854775808]", '["\\ud800"]', '["\\u0000"]', "[NaN]",
                     "5", '"x"', "[1,]", "[1]x"):
            with self.subTest(word=word):
                self.assertRaises(ValueError, json_of, word)
        self.assertEqual(json_of('["\\u20ac", 9223372036854775807]'), ["\u20ac", 2 ** 63 - 1])

    def test_version_is_that_of_configure(self) -> None:
        with open(os.path.join(FOLDER, "configure.ac"), encoding="utf-8") as file:
            self.assertEqual(re.search(r"AC_INIT\(\[Alidade\], \[(.*?)\]", file.read()).group(1),
                             text.VERSION)


class PageTest(unittest.TestCase):
    """Numbers, and the axes of charts."""

    def test_digits_that_are_known(self) -> None:
        for value, width, expected in ((1.23456, 0, "1.23"), (1.23456, 0.01, "1.23"),
                                       (1.23456, 0.0001, "1.235"), (1.23456, 3, "1.2"),
                                       (12345.6, 4, "12346"), (12345.6, 400, "12300"),
                                       (12345.6, 1e9, "12000"), (0.00123, 1, "0.0012"),
                                       (0, 1, "0"), (0, 0, "0.00"), (-3, -1, "-3.00")):
            with self.subTest(value=value, width=width):
                self.assertEqual(number(value, width), expected)
        self.assertEqual(span(1.2, 1.19, 1.22), "1.19\u20131.22")
        self.assertEqual(span(120, 90, 170), "90\u2013170")

    def test_ticks(self) -> None:
        for axis, expected in (
                (Axis(8, 32, 0, 1, True, True), [8, 16, 32]),
                (Axis(1, 1 << 20, 0, 1, True, True), [1, 8, 64, 512, 4096, 32768, 262144]),
                (Axis(3, 40, 0, 1, True), [5, 10, 20]), (Axis(3, 40000, 0, 1, True),
                                                         [10, 100, 1000, 10000]),
                (Axis(1.5, 3.2, 0, 1, True), [1.5, 2, 2.5, 3]),
                (Axis(0, 13, 0, 1, False), [0, 2, 4, 6, 8, 10, 12])):
            with self.subTest(axis=axis):
                self.assertEqual(axis.ticks(), expected)

    def test_numbers_in_sentences_are_those_of_json_for_c(self) -> None:
        value = {"a": [1e7, 1e20, 1e-5, 0.1 + 0.2, 2.0, 3, None, True, "\u20ac"]}
        self.assertEqual(shown(value, 6), '{"a":[1e7,1e20,1e-5,0.3,2.0,3,null,true,"\u20ac"]}')


class FileTest(unittest.TestCase):
    """Files that are written whole or not at all."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "answer")

    def contents(self, path: str) -> str:
        with open(path, encoding="utf-8") as file:
            return file.read()

    def write(self, words: str) -> None:
        text.check_writable([self.path])
        text.write_file(self.path, words)
        self.assertEqual(self.contents(self.path), words)
        self.assertEqual([name for name in os.listdir(self.folder) if name[0] == "."], [])

    def test_mode_of_the_file_of_before_remains(self) -> None:
        self.write("a long answer")
        for mode in 0o600, 0o640, 0o755:
            with self.subTest(mode=oct(mode)):
                os.chmod(self.path, mode)
                self.write("short")
                self.assertEqual(os.stat(self.path).st_mode & 0o7777, mode)

    def test_other_names_of_the_file_remain(self) -> None:
        self.write("a long answer")
        other = self.path + "-2"
        os.link(self.path, other)
        self.write("short")
        self.assertEqual(self.contents(other), "short")

    def test_links_are_followed(self) -> None:
        os.mkdir(os.path.join(self.folder, "real"))
        os.symlink("real/answer", self.path)
        self.write("of a file that is not there yet")
        self.write("of one that is")
        self.assertTrue(os.path.islink(self.path))

    def test_what_cannot_be_written_is_said_and_left(self) -> None:
        self.write("before")
        folder, link = self.folder, os.path.join(self.folder, "link")
        os.symlink("link", link)
        for path, why in ((folder, "Is a directory"), ("/dev/full", "No space left"),
                          (folder + "/no/x", "No such file or directory"),
                          (link, "Too many levels of symbolic links")):
            with self.subTest(path=path):
                with self.assertRaisesRegex(text.Refused, "could not be written: " + why):
                    text.write_file(path, "words")
        self.assertEqual(self.contents(self.path), "before")

    def test_one_file_of_two_options_is_refused(self) -> None:
        other = os.path.join(self.folder, ".", "answer")
        with self.assertRaisesRegex(text.Refused, "another option names the same file"):
            text.check_writable([self.path, other])
        text.check_writable(["/dev/null", "/dev/null", None, ""])
        self.assertEqual(os.listdir(self.folder), [])


class OptionTest(unittest.TestCase):
    """Options as getopt_long() takes them."""

    OPTIONS = [options.Option("margin", "m", "PERCENT", 0.03, "", options.percent),
               options.Option("rows", "r", "", False, ""),
               options.Option("allow", "", "FIELD", [], "")]

    def test_forms(self) -> None:
        for argv, margin, rows, allow, words in (
                (["a", "b"], 0.03, False, [], ["a", "b"]),
                (["a", "-m", "5", "b"], 0.05, False, [], ["a", "b"]),
                (["-rm5%", "a"], 0.05, True, [], ["a"]),
                (["--marg=5", "--ro"], 0.05, True, [], []),
                (["--allow", "x", "--allow=y=z", "-"], 0.03, False, ["x", "y=z"], ["-"]),
                (["--", "-r", "--rows"], 0.03, False, [], ["-r", "--rows"])):
            with self.subTest(argv=argv):
                given, left = options.parse(self.OPTIONS, argv)
                self.assertEqual((given.margin, given.rows, given.allow, left),
                                 (margin, rows, allow, words))

    def test_refused(self) -> None:
        for argv, why in ((["--rows=1"], "unknown option --rows"), (["-x"], "unknown option -x"),
                          (["--mragin", "5"], r"unknown option --mragin \(did you mean --margin"),
                          (["-m"], "-m needs a value"), (["--margin"], "--margin needs a value"),
                          (["--margin=x"], "--margin x is not a percentage"),
                          (["-m", "1000"], "--margin 1000 is not a percentage")):
            with self.subTest(argv=argv):
                self.assertRaisesRegex(text.Refused, why, options.parse, self.OPTIONS, argv)


if __name__ == "__main__":
    unittest.main()
