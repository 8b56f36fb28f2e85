# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: which algorithm tune takes.

    python3 tests/unit/test_judge_tune.py

tests/run/judge.bats runs it.
"""
import json
import os
import random
import sys
import tempfile
import unittest
from typing import Any, Callable, Iterable, List, Sequence, Tuple

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge import statistics, tuning  # noqa: E402  (found through the line above)
from judge.text import Refused  # noqa: E402
from judge.tuning import Place  # noqa: E402

MARGIN, RUNS = 0.03, 8
# Can numbers of ranks be told apart, and which component has an algorithm?  EACH: the one that
# serves the operations anyway.
EACH, ALL_RANKS = (True, lambda name: ""), (False, lambda name: "")
COMPONENTS = (True, lambda name: name[0])
Asked = Tuple[bool, Callable[[str], str]]
WORDS = {"f": "faster", "F": "faster", "s": "slower", "=": "same", "?": "undecided"}


def comparison(name: str, rows: Iterable[Tuple[int, float, str]]) -> dict:
    """As compare writes it, with a class for each row; rows: bytes, ratio, verdict.  Only what is
    undecided has no interval."""
    rows = list(rows)
    return {"variants": ["default", name], "margin": MARGIN,
            "classes": [{"verdict": word} for _, _, word in rows],
            "rows": [{"bytes": bytes, "values": [10, 10], "ratio": ratio, "class": i,
                      "ci95": None if word == "undecided" else [ratio - 0.01, ratio + 0.01]}
                     for i, (bytes, ratio, word) in enumerate(rows)]}


def lettered(name: str, letters: str, ratio: float) -> dict:
    """A letter for each size from 8 on, doubled; "." for none.  The ratio is that of the letter
    f; the interval of F reaches 1."""
    ratios = {"f": ratio, "F": 0.995, "s": 1.1}
    return comparison(name, ((8 << i, ratios.get(letter, 1), WORDS[letter])
                             for i, letter in enumerate(letters) if letter != "."))


def chosen(place: Place) -> str:
    """The choice for each size as a digit, "-" for the default."""
    return "".join((choice.algorithm or "-")[0] for choice in place.choices)


class PlaceTest(unittest.TestCase):
    """Folders of comparisons."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, path: str, comparisons: Sequence[dict]) -> None:
        path = os.path.join(self.folder, path, "comparison.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"suite": "Alidade", "comparisons": comparisons}, file)

    def place(self, operation: str, ranks: int, *comparisons: dict) -> Place:
        name = "%s-%d" % (operation, ranks)
        self.write(name, comparisons)
        return Place(operation, ranks, os.path.join(self.folder, name), "")

    def confirm(self, place: Place, anew: dict, asked: Asked) -> None:
        """Hold what is chosen against new runs."""
        self.write(os.path.join(place.folder, "confirm"), [anew])
        tuning.choose([place], *asked, True)


class ChoiceTest(PlaceTest):
    """Which algorithm is taken, by comparisons that are made up."""

    def two_algorithms(self, asked: Asked) -> Place:
        place = self.place("allreduce", 2, lettered("1-a", "ff?=sf", 0.8),
                           lettered("2-b", "?fff==", 0.7))
        tuning.choose([place], *asked, False)
        return place

    def test_each_size_has_what_is_confirmed(self) -> None:
        for what, letters, left, dropped, why in (
                ("faster again is kept", "ffff=f", "1222-1", 0, tuning.CONFIRMED),
                ("not faster again is dropped", "f=?f?.", "1--2--", 1, tuning.NOT_CONFIRMED),
                ("an interval that reaches 1 is dropped", "Ffff=f", "-222-1", 0,
                 tuning.NOT_CONFIRMED),
                ("slower is dropped", "ffss=f", "12---1", 2, tuning.DROPPED),
                ("a slower size of the default costs all", "ffffsf", "------", 0, tuning.DROPPED),
                ("runs that failed confirm nothing", "", "------", 0, tuning.NOT_CONFIRMED)):
            with self.subTest(what):
                place = self.two_algorithms(EACH)
                self.assertEqual(chosen(place), "1222-1")
                self.confirm(place, lettered("tuned", letters, 0.8), EACH)
                self.assertEqual(chosen(place), left)
                self.assertEqual(place.choices[dropped].why, why)
                self.assertEqual(place.choices[4].why, tuning.NOT_FASTER)

    def test_one_component_may_harm_no_size(self) -> None:
        for letters, left, why in (("==f===", "222222", tuning.SHARED),
                                   ("f=====", "222222", tuning.CONFIRMED),
                                   ("======", "------", tuning.NOT_CONFIRMED),
                                   ("?=f===", "------", tuning.NOT_CONFIRMED),
                                   ("==f==.", "------", tuning.NOT_CONFIRMED),
                                   ("?=fs==", "------", tuning.DROPPED)):
            with self.subTest(letters):
                place = self.two_algorithms(COMPONENTS)
                self.assertEqual(chosen(place), "222222")  # the first is slower somewhere
                self.confirm(place, lettered("tuned", letters, 0.8), COMPONENTS)
                self.assertEqual((chosen(place), place.choices[0].why), (left, why))

    def test_one_component_may_harm_no_place(self) -> None:
        """It serves all, unless it failed somewhere; where it serves anyway, the default is
        kept."""
        two = lettered("1-a", "ff", 0.8), lettered("2-b", "f=", 0.9)
        four = lettered("2-b", "==", 1), lettered("1-a", "=s", 1)
        for with_four, used, expected in (
                (four, "", ["22", "22"]), (four[1:], "", ["--", "--"]),
                (four[1:], "- 2\n", ["22", "--"]), ((), "- 0\n1 0\n", ["11", ""])):
            with self.subTest(expected):
                places = [self.place("bcast", 2, *two)]
                os.makedirs(os.path.join(self.folder, "bcast-4"), exist_ok=True)
                with open(os.path.join(self.folder, "bcast-4/components"), "w",
                          encoding="utf-8") as file:
                    file.write(used)
                places.append(self.place("bcast", 4, *with_four))
                tuning.choose(places, *COMPONENTS, False)
                self.assertEqual([chosen(place) for place in places], expected)

    def test_one_for_all_numbers_of_ranks_at_each_size(self) -> None:
        """What harms a size with four ranks is taken with none, and other sizes keep theirs."""
        places = [self.place("bcast", ranks, lettered("1-a", first, 0.8),
                             lettered("2-b", second, 0.9))
                  for ranks, first, second in ((2, "fff=", "f=f="), (4, "fs?=", "==f="))]
        tuning.choose(places, *ALL_RANKS, False)
        self.assertEqual([chosen(place) for place in places], ["1-1-", "1-1-"])
        # New runs with four ranks: the first size is the same, and the last, which keeps the
        # default, is slower with what asks for the others.
        for letters, left in (("=?f=", "1-1-"), ("=?fs", "----"), ("s?f=", "--1-")):
            with self.subTest(letters):
                for place, rows in zip(places, ("ff==", letters)):
                    self.write(place.folder + "/confirm", [lettered("tuned", rows, 0.8)])
                tuning.choose(places, *ALL_RANKS, True)
                self.assertEqual([chosen(place) for place in places], [left, left])

    def test_the_fastest_is_taken(self) -> None:
        for asked, ratios, expected in (
                (EACH, (0.8, 0.7, 0.9), "2"), (COMPONENTS, (0.9, 0.8), "2"),
                (EACH, (0.7, 0.8), "1"), (COMPONENTS, (0.8, 0.8), "1")):
            with self.subTest(asked=asked, ratios=ratios):
                place = self.place("reduce", 2, *(lettered("%d-x" % (i + 1), "f", ratio)
                                                  for i, ratio in enumerate(ratios)))
                tuning.choose([place], *asked, False)
                self.assertEqual(chosen(place), expected)

    def test_the_row_that_gains_least_speaks(self) -> None:
        """Of two datatypes of a size that which is not faster."""
        place = self.place("reduce", 2, comparison("1-a", [
            (8, 0.5, "faster"), (4, 0.5, "faster"), (8, 1, "same"), (4, 0.6, "faster")]))
        rows = place.trials[0].rows
        self.assertEqual([(bytes, row.ratio.value, row.word) for bytes, row in rows.items()],
                         [(4, 0.6, "faster"), (8, 1, "same")])

    def test_nothing_is_taken_unconfirmed(self) -> None:
        """Not even where the first number of ranks has no size."""
        places = [self.place("bcast", 2, lettered("1-a", "", 0.8)),
                  self.place("bcast", 4, lettered("1-a", "ff", 0.8))]
        with self.assertRaisesRegex(Refused, "is not confirmed yet"):
            tuning.choose(places, *ALL_RANKS, True)


class SimulatedTest(PlaceTest):
    """Runs differ by 5%, rows of a run by another 3%, and one run in 20 takes 20% longer."""

    def runs(self, rng: random.Random, ratios: Sequence[float]) -> List[List[float]]:
        """Of each size the times of all runs."""
        of_runs = [rng.lognormvariate(0, 0.05) * (1.2 if rng.random() < 0.05 else 1)
                   for _ in range(RUNS)]
        return [[ratio * run * rng.lognormvariate(0, 0.03) for run in of_runs] for ratio in ratios]

    def compared(self, name: str, a: Any, b: Any) -> dict:
        verdicts = [statistics.Verdict(x, y, MARGIN) for x, y in zip(a, b)]
        statistics.settle(verdicts, MARGIN, statistics.LEVEL)
        found = comparison(name, ((8 << k, v.ratio.value, v.word) for k, v in enumerate(verdicts)))
        for row, v in zip(found["rows"], verdicts):
            row["ci95"] = v.ratio.ends()
        return found

    def simulated(self, rng: random.Random, ratios: Sequence[Sequence[float]]) -> Place:
        """A place whose algorithms 1-x, 2-x, ... have these ratios at each size."""
        base = self.runs(rng, [1] * len(ratios[0]))
        return self.place("allreduce", 2, *(
            self.compared("%d-x" % (i + 1), base, self.runs(rng, of))
            for i, of in enumerate(ratios)))

    def confirm_anew(self, rng: random.Random, place: Place, ratios: Sequence[Sequence[float]],
                     asked: Asked) -> None:
        """New runs, in which the algorithms have these ratios."""
        now = [1 if c.algorithm is None else ratios[int(c.algorithm[0]) - 1][k]
               for k, c in enumerate(place.choices)]
        base = self.runs(rng, [1] * len(now))
        self.confirm(place, self.compared("tuned", base, self.runs(rng, now)), asked)

    def test_the_planted_fastest_is_found_and_confirmed(self) -> None:
        ratios = [[1.0] * 12 for _ in range(5)]
        ratios[1] = [1.5] * 12
        ratios[2] = [0.6] * 4 + [1.3] * 8   # the fastest of small messages
        ratios[4] = [1.3] * 8 + [0.6] * 4   # and of large ones
        for seed in range(5):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                place = self.simulated(rng, ratios)
                tuning.choose([place], *EACH, False)
                self.assertEqual(chosen(place), "3333----5555")
                self.confirm_anew(rng, place, ratios, EACH)
                self.assertEqual(chosen(place), "3333----5555")

    def test_quiet_rows_keep_the_default(self) -> None:
        """Of sizes whose algorithms are all alike at most 2% are chosen."""
        ratios = [[1.0] * 20] * 5
        for asked in EACH, COMPONENTS:
            with self.subTest(asked):
                rng, first, kept = random.Random(1), 0, 0
                for _ in range(25):
                    place = self.simulated(rng, ratios)
                    tuning.choose([place], *asked, False)
                    first += len(chosen(place).replace("-", ""))
                    self.confirm_anew(rng, place, ratios, asked)
                    kept += len(chosen(place).replace("-", ""))
                self.assertLess(first, 0.02 * 25 * 20)
                self.assertEqual(kept, 0)


if __name__ == "__main__":
    unittest.main()
