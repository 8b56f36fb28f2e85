# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: figures of rows, size classes and limits, by runs that are made up.

    python3 tests/unit/test_judge_comparison.py [CLASS...]

tests/run/judge.bats runs it. In a run all rows move together, and each has noise of its own.
ALIDADE_LONG=1, as in make truth, makes 200 comparisons for each rate, or ALIDADE_COMPARISONS, and
prints the rates.
"""
import glob
import json
import math
import os
import random
import re
import sys
import unittest
from typing import Callable, Dict, List, Optional, Sequence, Tuple

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge import guidelines, statistics  # noqa: E402  (found through the line above)
from judge.accept import Acceptance  # noqa: E402
from judge.comparable import May  # noqa: E402
from judge.comparison import Comparison  # noqa: E402
from judge.comparison_answer import answer_of  # noqa: E402
from judge.documents import Question  # noqa: E402
from judge.limits import Limit  # noqa: E402
from judge.compare import Ranking  # noqa: E402
from judge.results import Result, Variant  # noqa: E402
from judge.rows import figure_of, is_meant, table_of, time_of  # noqa: E402

USUAL = (256, 8 << 10, 128 << 10)
# Rows of six sizes in each of four classes.
SIZES = [least + i for least in (251, 512, 16384, 262144) for i in range(6)]
MARGIN = 0.05
IS_LONG = "ALIDADE_LONG" in os.environ
COMPARISONS = int(os.environ.get("ALIDADE_COMPARISONS", 200 if IS_LONG else 60))


def result(benchmark: str, rows: List[dict], hosts: Tuple[str, ...] = ()) -> Result:
    return Result("made up", {
        "suite": "Alidade", "schema": 2, "benchmark": benchmark, "method": {"start": "library"},
        "environment": {"mpi": "M", "ranks": 2, "path": "p",
                        "rank": [{"host": host} for host in hosts]},
        "exit": {"code": 0}, "rows": rows})


def show(rate: str) -> None:
    if IS_LONG:
        print("# " + rate)


class RowTest(unittest.TestCase):
    """What all programs show of a row, and the time that they judge."""

    def test_a_row_has_one_figure(self) -> None:
        """Also one from before there was a "median"."""
        times = {"over_ranks": {"mean_us": 10}, "over_iterations": {"median_us": 8}}
        for row, figure, time in (
                ({"value": 5, "median": 4, "unit": "us", **times}, 4, 4e-6),
                ({"value": 5, "median": 8, "unit": "MB/s", **times}, 8, 1 / 8),
                ({"value": 5, "median": 5, "unit": "s"}, 5, 5),
                ({"value": 5, "unit": "us", **times}, 4, 4e-6),
                ({"value": 5, "unit": "MB/s", **times}, 6.25, 1 / 6.25),
                ({"value": 5, "unit": "us", "guideline": {}, **times}, 5, 5e-6),
                ({"value": 5, "unit": "us", "impact": {}, **times}, 5, 5e-6),
                ({"value": 5, "unit": "us", "over_ranks": {"mean_us": 7}}, 5, 5e-6),
                ({"value": 5, "unit": "s"}, 5, 5)):
            with self.subTest(row=row):
                self.assertAlmostEqual(figure_of(row), figure, 12)
                self.assertAlmostEqual(time_of(row, figure_of(row)) / time, 1, 12)

    def test_a_row_without_a_unit_is_not_meant_to_be_compared(self) -> None:
        for row, meant in (({"unit": "us"}, True), ({}, True), ({"unit": None}, False),
                           ({"unit": "us", "pass": 2}, False),
                           ({"unit": "MB/s", "bytes": 0}, False)):
            with self.subTest(row=row):
                self.assertEqual(is_meant(row), meant)


class MadeUp(unittest.TestCase):
    """Runs of two benchmarks: eight classes of six rows."""

    def draw(self, rng: random.Random, of_run: float, of_row: float, ratio: float = 1,
             slower: Tuple[int, ...] = ()) -> List[Variant]:
        """Twelve runs of each variant; rows of the second take so many times as long in the classes
        with these numbers."""
        variants = [Variant("a"), Variant("b")]
        for v in variants:
            for _ in range(12):
                for benchmark in range(2):
                    run, rows = of_run * rng.gauss(0, 1), []
                    for i, bytes in enumerate(SIZES):
                        is_planted = v is variants[1] and 4 * benchmark + i // 6 in slower
                        us = (1 + i) * math.exp(run + of_row * rng.gauss(0, 1))
                        us *= ratio if is_planted else 1
                        rows.append({"row": str(bytes), "bytes": bytes, "ranks": 2, "value": us,
                                     "median": us, "unit": "us"})
                    v.files.append(result("b%d" % benchmark, rows))
        return variants

    def compare(self, variants: List[Variant], runs: int, margin: float, look: int = 0,
                limits: Optional[Tuple[int, ...]] = USUAL) -> Comparison:
        """The first runs of each."""
        some = [Variant(v.name, v.files[:2 * runs]) for v in variants]
        question = Question(margin=margin, classes=limits, look=look)
        return Comparison(some, table_of(some, May()), (0, 1), question)

    def is_decided(self, c: Comparison) -> bool:
        return bool(c.of("faster") or c.of("slower"))

    def change(self, variant: Variant, change: Callable[[int, int, dict], None]) -> None:
        """Of each run of the first benchmark: number of the run, number of the row, row."""
        for run, f in enumerate(variant.files[::2]):
            for i, row in enumerate(f.rows):
                change(run, i, row)


class ClassTest(MadeUp):
    """Size classes."""

    def test_what_is_alike_is_called_different_as_rarely_as_said(self) -> None:
        """Rows that were taken for runs would be called different far more often."""
        rng, wrong, mixed, as_runs = random.Random(11), 0, 0, 0
        for _ in range(COMPARISONS):
            variants = self.draw(rng, 0.05, 0.02)
            c = self.compare(variants, 8, 0)
            wrong += self.is_decided(c)
            mixed += any(row.verdict.word in ("faster", "slower") for row in c.rows)
            times = [[row["median"] / (1 + i) for f in v.files[:16:2]
                      for i, row in enumerate(f.rows[:6])] for v in variants]
            verdict = statistics.Verdict(*times, margin=0)
            statistics.settle([verdict], 0, statistics.LEVEL)
            as_runs += verdict.word in ("faster", "slower")
        show("alike: %d of %d wrong, by a row %d; rows taken for runs: %d"
             % (wrong, COMPARISONS, mixed, as_runs))
        self.assertLessEqual(max(wrong, mixed), COMPARISONS // 20)
        self.assertGreater(as_runs, COMPARISONS // 4)

    def test_looks_at_the_edge_are_wrong_as_rarely_as_said(self) -> None:
        """On the edge of the margin every verdict is wrong, and so is one of any look."""
        rng, wrong, both = random.Random(12), 0, 0
        for _ in range(COMPARISONS):
            variants = self.draw(rng, 0.02, 0.02, 1.03, tuple(range(8)))
            wrong += self.is_decided(self.compare(variants, 8, 0.03))
            both += any(self.is_decided(self.compare(variants, runs, 0.03, look))
                        for look, runs in ((1, 6), (2, 12)))
        show("on the edge: %d of %d wrong; two looks: %d" % (wrong, COMPARISONS, both))
        self.assertLessEqual(max(wrong, both), COMPARISONS // 20)

    def test_five_percent_of_a_class_are_found_where_rows_are_not(self) -> None:
        """At least half of its rows are undecided if each is a class; and no other class is called
        different."""
        rng, found, by_class_alone, others = random.Random(13), 0, 0, 0
        for _ in range(COMPARISONS):
            variants = self.draw(rng, 0.004, 0.014, 1.05, (5,))
            c = self.compare(variants, 8, 0.03)
            rows = self.compare(variants, 8, 0.03, limits=None).classes
            self.assertEqual((len(c.classes), len(rows)), (8, 48))
            if c.classes[5].verdict.word == "slower":
                found += 1
                by_class_alone += sum(k.verdict.word == "undecided" for k in rows[30:36]) >= 3
            others += sum(k.verdict.word in ("faster", "slower")
                          for i, k in enumerate(c.classes) if i != 5)
        show("5%% in a class: found in %d of %d, in %d of these half of its rows are undecided"
             % (found, COMPARISONS, by_class_alone))
        self.assertGreaterEqual(found, COMPARISONS * 9 // 10)
        self.assertGreaterEqual(by_class_alone, found * 9 // 10)
        self.assertLessEqual(others, COMPARISONS // 20)

    def test_a_class_is_judged_by_rows_that_all_runs_have(self) -> None:
        """The last three rows take 1.5 times as long, and runs of one variant lack them: the class
        is that of the other rows, and not between the two."""
        variants = self.draw(random.Random(16), 0.001, 0.001)

        def change(run: int, i: int, row: dict) -> None:
            if 3 <= i < 6:
                row["median"] *= 1.5
                row["verified"] = "fail" if run < 4 else "pass"

        self.change(variants[1], change)
        c = self.compare(variants, 8, 0.03)
        self.assertAlmostEqual(c.rows[3].ratio.value, 1.5, delta=0.01)
        self.assertAlmostEqual(c.classes[0].verdict.ratio.value, 1, delta=0.003)
        self.assertEqual([(k.judged, k.incomplete) for k in c.classes[:2]], [(3, 4), (6, 0)])
        self.assertEqual(c.classes[0].lacking, "made up")

    def test_a_run_that_lacks_a_row_is_no_faster(self) -> None:
        """Rows of a class take from 1 to 6 us, and four runs of one variant lack the longest."""
        variants = self.draw(random.Random(15), 0.001, 0.001)

        def change(run: int, i: int, row: dict) -> None:
            row["verified"] = "fail" if run < 4 and i == 5 else "pass"

        self.change(variants[1], change)
        k = self.compare(variants, 8, 0.03).classes[0]
        self.assertEqual((k.verdict.word, k.runs), ("same", [8, 8]))
        self.assertAlmostEqual(k.verdict.ratio.value, 1, delta=0.003)


def bytes_of(size: str) -> float:
    """Of "512B" or "8KiB"."""
    number, unit = re.match("([0-9.]+)(.*)", size).groups()  # type: ignore[union-attr]
    return float(number) * 1024 ** ["B", "KiB", "MiB"].index(unit)


def winners_in(sentence: str, names: Sequence[str], rows: Sequence[Tuple[str, int]]) \
        -> Dict[Tuple[str, int], str]:
    """Who wins each of the rows (benchmark, bytes), as one of the names, by what a sentence says
    in either of its forms."""
    found = {}
    every = {benchmark for benchmark, _ in rows}
    by_table = re.findall(r"([a-z][a-z_0-9, ]*): ([^;.]*)", sentence.partition("wins: ")[2].
                          partition(". ")[2])
    claims = [(tables, part) for tables, parts in by_table for part in parts.split(", ")]
    plain = re.sub(r" \([^)]*\)", "", sentence)
    for word, who in ("faster", names[1]), ("slower", names[0]):
        of_word = re.search("is (?:.*; )?%s in ([^;.]*)" % word, plain)
        for part in of_word.group(1).split(", ") if of_word else ():
            tables, _, where = part.partition(" ")
            claims += [(tables, who + " " + one) for one in re.split(" and (?=at|from|to)", where)]
    for tables, part in claims:
        who, _, where = part.partition(" ")
        ends = [bytes_of(size) for size in re.findall("[0-9.]+[KM]?i?B", where)]
        low = -math.inf if where.startswith("to ") or not ends else ends[0]
        high = math.inf if where.startswith("from ") and len(ends) == 1 or not ends else ends[-1]
        for row in rows:
            if row[0] in tables.split(", ") and low <= row[1] <= high and who in names:
                assert row not in found or found[row] == who, (sentence, row)
                found[row] = who
    assert found or not every
    return found


class GuidelineTest(unittest.TestCase):
    """Sizes that are slower than the next."""

    def violated(self, rng: random.Random, ratio: float) -> int:
        """Of ten pairs, in each of which the smaller size takes so many times as long; a run moves
        all of its rows."""
        v = Variant("a")
        for _ in range(10):
            run = 0.05 * rng.gauss(0, 1)
            v.files.append(result("b", [
                {"row": str(8 << i), "bytes": 8 << i, "ranks": 2, "unit": "us", "value": us,
                 "median": us} for i in range(11)
                for us in (ratio ** -i * math.exp(run + 0.02 * rng.gauss(0, 1)),)]))
        judged = guidelines.judge(table_of([v], May())[0], MARGIN)
        self.assertEqual(len(judged), 10)
        return sum(each.word == guidelines.VIOLATED for each in judged)

    def test_what_is_at_the_margin_is_called_violated_as_rarely_as_said(self) -> None:
        rng = random.Random(13)
        wrong = sum(self.violated(rng, 1 + MARGIN) > 0 for _ in range(COMPARISONS))
        show("guidelines at the margin: %d of %d wrong" % (wrong, COMPARISONS))
        self.assertLessEqual(wrong, COMPARISONS // 20)
        self.assertEqual(self.violated(rng, 1.4), 10)


class SentenceTest(MadeUp):
    """The sentence says of each row what is so."""

    def test_no_row_contradicts_it_and_no_row_that_is_sure_is_left_out(self) -> None:
        """Rows are planted in stretches, whose ends are not those of classes."""
        rng, crossings = random.Random(21), 0
        for _ in range(COMPARISONS // 2):
            variants = self.draw(rng, 0.002, 0.002)
            ends = sorted(rng.sample(range(24), 2))
            ratios = [rng.choice((0.7, 1, 1.4)) for _ in range(3)]

            def change(run: int, i: int, row: dict) -> None:
                row.update(row=str(8 << i), bytes=8 << i)
                row["median"] *= 1 if v is variants[0] else ratios[sum(i >= end for end in ends)]

            for v in variants:
                self.change(v, change)
            c = self.compare(variants, 8, 0.03)
            text = answer_of(c)
            said = winners_in(text, "ab", [(row.id.benchmark, row.id.bytes) for row in c.rows]) \
                if set(ratios) != {1} else {}
            for row in c.rows:
                with self.subTest(sentence=text, row=row.id.key):
                    word = row.verdict.word
                    who = said.get((row.id.benchmark, row.id.bytes))
                    self.assertFalse((word, who) in (("faster", "a"), ("slower", "b")))
                    self.assertTrue(who or word in ("same", "undecided"))
            crossings += "Neither wins: it depends on the size" in text
        self.assertGreater(crossings, COMPARISONS // 10)

    def test_a_row_whose_interval_says_the_opposite_is_not_named(self) -> None:
        """Six runs are too few for a verdict on one of 48 rows, and enough for its class."""
        variants = self.draw(random.Random(3), 0.002, 0.002)
        ratios = [1.6] * 5 + [0.6]

        def change(run: int, i: int, row: dict) -> None:
            row["median"] *= ratios[i] if i < len(ratios) else 1

        self.change(variants[1], change)
        k = self.compare(variants, 6, 0.03).classes[0]
        self.assertEqual(k.word(), "slower")
        self.assertEqual([row in k.words() for row in k.rows], [True] * 5 + [False])

    def test_that_of_archived_comparisons_is_true(self) -> None:
        paths = glob.glob(os.path.join(FOLDER, "results", "*", "*", "compare*.json"))
        for path in paths:
            with open(path, encoding="utf-8") as file:
                compared = json.load(file)["comparisons"]
            for c in compared:
                rows = {(row["benchmark"], row["bytes"]): row for row in c["rows"]}
                for id, who in winners_in(c["answer"], c["variants"], list(rows)).items():
                    low, high = rows[id]["ci95"]
                    with self.subTest(path=path, row=id):
                        self.assertFalse(low > 1.03 if who == c["variants"][1] else
                                         high < 1 / 1.03)
        self.assertTrue(paths or not os.path.isdir(os.path.join(FOLDER, "results")))


class RankingTest(MadeUp):
    """Several variants, of which the fastest is chosen by the runs that are tested."""

    def test_of_equal_variants_one_is_called_slower_as_rarely_as_said(self) -> None:
        """Tests of the chosen one alone would be wrong more often, which pairs without a share of
        the risk show."""
        rng, wrong, alone = random.Random(22), 0, 0
        for _ in range(COMPARISONS):
            variants = [v for _ in range(3) for v in self.draw(rng, 0.05, 0.02)]
            some = [Variant("v%d" % i, v.files[:16:2]) for i, v in enumerate(variants)]
            r = Ranking(some, table_of(some, May()), Question(margin=0, classes=(1 << 40,)))
            self.assertEqual(len(r.classes), 1)
            wrong += any(other.word == "slower" for other in r.classes[0].others.values())
            pairs = [c.classes[0].verdict for c in r.pairs.values() if isinstance(c, Comparison)]
            alone += any(verdict.p <= statistics.LEVEL for verdict in pairs)
        show("alike, six variants: %d of %d wrong; without a share of the risk %d"
             % (wrong, COMPARISONS, alone))
        self.assertLessEqual(wrong, COMPARISONS // 20)
        self.assertGreater(alone, COMPARISONS // 5)

    def test_the_fastest_is_the_one_that_was_planted(self) -> None:
        variants = [self.draw(random.Random(k), 0.004, 0.004, ratio, (0, 1))[1]
                    for k, ratio in enumerate((1.2, 1, 1.5, 1.003))]
        some = [Variant("v%d" % i, v.files[:16]) for i, v in enumerate(variants)]
        r = Ranking(some, table_of(some, May()), Question(margin=0.03, classes=USUAL))
        for k in r.classes[:2]:
            self.assertIn(k.fastest, (1, 3))
            self.assertTrue(k.is_sure())
            self.assertEqual([k.others[i].word for i in (0, 2)], ["slower"] * 2)
            self.assertAlmostEqual(k.others[2].ratio.value, 1.5, delta=0.02)
            self.assertLess(k.others[2].ratio.low, k.others[2].ratio.value)
            self.assertEqual((k.cell(k.fastest), k.cell(4 - k.fastest)), ("fastest", "same"))


class LimitTest(unittest.TestCase):
    """Limits held against thousands of hosts, of which the last lacks rows."""

    def test_a_host_that_lacks_half_of_its_runs_is_not_accepted(self) -> None:
        rows = [{"ranks": 2, "bytes": 8, "value": 3, "median": 3, "unit": "us"}]
        for runs, bad in (8, 0), (5, 0), (4, 1), (1, 1):
            with self.subTest(runs=runs):
                v = Variant("results", [result("latency", rows, (host,) * 2)
                                        for host in ["a"] * 8 + ["b"] * runs])
                id = table_of([v], May())[0][0].id
                limit = Limit({"benchmark": id.benchmark, "placement": id.place, "row": id.key,
                               "unit": "us", "at_most": 1000})
                self.assertEqual(len(Acceptance("limits.json", [limit], [], v).faults), bad)

    def test_a_row_that_one_of_many_hosts_lacks_is_missing(self) -> None:
        hosts, rows = 1000, [{"ranks": 2, "bytes": 1 << i, "value": 3, "median": 3, "unit": "us"}
                             for i in range(3)]
        v = Variant("results", [result("latency", rows[:1 if i % hosts == hosts - 1 else 3],
                                       ("n%04d" % (i % hosts),) * 2) for i in range(2 * hosts)])
        limits = [Limit({"benchmark": row.id.benchmark, "placement": row.id.place,
                         "row": row.id.key, "unit": "us", "at_most": 1000})
                  for row in Acceptance("", [], [], v).measured]
        a = Acceptance("limits.json", limits, [], v)
        self.assertEqual(([found.word for found in a.rows], a.code()),
                         (["pass", "MISSING", "MISSING"], 2))


if __name__ == "__main__":
    unittest.main()
