# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: what an application's calls cost.

    python3 tests/unit/test_judge_price.py

tests/run/judge.bats runs it.
"""
import json
import os
import random
import sys
import tempfile
import unittest
from typing import Any, Dict, List, Sequence

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge import price  # noqa: E402  (found through the line above)
from judge.text import Refused  # noqa: E402

MARGIN, RUNS = 0.03, 8
MPIP = """@ mpiP
@ Command : /home/me/app -n 3
@ MPI Task Assignment      : 0 n1
@ MPI Task Assignment      : 1 n2

@--- MPI Time (seconds) ---------------------------------------------------
Task    AppTime    MPITime     MPI%
   0          5        1.2    24.00
   1          5        1.8    36.00
   *         10          3    30.00
@--- Callsite Time statistics (all, milliseconds): 6 ----------------------
Name              Site Rank  Count      Max     Mean      Min   App%   MPI%
Allreduce            1    0    100        9        6        1   6.00  25.00
Allreduce            1    1    100        8        4        1   4.00  22.00
Allreduce            1    *    200        9        5        1  10.00  33.00

Barrier              2    *     10       90       50       10   5.00  17.00

Recv                 3    *     40      1.5        1      0.5   0.40   1.30
@--- Callsite Message Sent statistics (all, sent bytes) -------------------
Name              Site Rank   Count       Max      Mean       Min       Sum
Allreduce            1    *     200         8         8         8      1600
"""


def entry(call: str, count: int, bytes: int, ranks: int, seconds: float, **more: Any) -> dict:
    values = {"call": "MPI_" + call, "count": count, "bytes": bytes, "ranks": ranks, "nodes": 1,
              "holders": 4, "from_bytes": 0, "seconds": seconds, "shortest": 0.0, "least": 0.0,
              "most": seconds}
    return dict(values, **more)


def record(*calls: dict, **more: Any) -> dict:
    """Of an application on four ranks."""
    values = {"alidade_record": 1, "program": "/apps/cfd input", "library": "MPI", "complete": True,
              "ranks": 4, "nodes": 1, "recorded_ranks": 4, "seconds": 60.0, "mpi_seconds": 43.1,
              "lost_calls": 0, "calls": list(calls)}
    return dict(values, **more)


def document_of(times: Dict[int, float]) -> dict:
    """A result file with a row for each number of bytes, in seconds."""
    return {"suite": "Alidade", "schema": 2, "benchmark": "allreduce", "method": {},
            "environment": {"mpi": "MPI"}, "exit": {"code": 0}, "rows": [
                {"benchmark": "allreduce", "row": "%d" % bytes, "bytes": bytes, "ranks": 4,
                 "value": 1e6 * time, "unit": "us"} for bytes, time in times.items()]}


class PriceTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.files = folder.name, 0

    def write(self, root: Any) -> str:
        self.files += 1
        path = os.path.join(self.folder, "%d.json" % self.files)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(root, file)
        return path

    def read(self, root: Any) -> price.Record:
        return price.read_record(self.write(root))

    def priced(self, name: str, of: price.Record,
               runs: Sequence[Dict[int, float]]) -> price.Priced:
        """Runs of each program of the record, all with these times."""
        paths = {number: self.write(document_of(times)) for number, times in enumerate(runs, 1)}
        return price.Priced(name, of, {part.job(): paths for part in of.priced()})

    def test_refused(self) -> None:
        good = entry("Allreduce", 4, 32, 4, 1.0)
        for why, root in (
                ("is no record", {"rows": []}), ("is no record", [1]),
                ("is no record", record(good, ranks=0)),
                ("is not complete: rank 3 called", record(good, complete=False,
                                                          why="rank 3 called MPI_Abort")),
                ("none of its calls has a program", record(entry("Wait", 4, 0, 0, 1.0))),
                ("none of its calls has a program", record(entry("Allreduce", 4, 32, 1, 1.0)))):
            with self.subTest(why=why), self.assertRaisesRegex(Refused, why):
                self.read(root)

    def test_parts(self) -> None:
        """The program of a call, its size and its ranks; figures are those of a rank."""
        for of, program, size, ranks, calls in (
                (entry("Allreduce", 400, 3200, 4, 1.0), "allreduce", 8, 4, 100),
                (entry("Allreduce", 4, 4 * 11, 4, 1.0), "allreduce", 8, 4, 1),  # of floats
                (entry("Reduce", 4, 4, 4, 1.0), "reduce", 4, 4, 1),
                (entry("Alltoall", 8, 88, 2, 1.0), "alltoall", 11, 2, 2),
                (entry("Send", 6, 6000, 4, 1.0), "latency", 1000, 2, 1.5),
                (entry("Send", 6, 6000, 0, 1.0), "", 1000, 0, 1.5),  # to MPI_PROC_NULL
                (entry("Recv", 4, 32, 4, 1.0), "", 8, 4, 1),         # priced with what was sent
                (entry("Barrier", 4, 0, 3, 1.0), "barrier", 0, 3, 1),
                (entry("Bcast", 4, 0, 4, 1.0), "", 0, 4, 1),   # moves nothing
                (entry("Iallreduce", 4, 32, 4, 1.0), "", 8, 4, 1),
                (entry("Waitall", 4, 0, 0, 1.0), "", 0, 0, 1)):
            with self.subTest(call=of["call"], bytes=of["bytes"]):
                part = price.part_of(of, 4)
                self.assertEqual((part.program, part.size, part.ranks, part.calls),
                                 (program, size, ranks, calls))

    def test_waiting(self) -> None:
        """What calls took beyond the shortest of them, for each rank."""
        part = price.part_of(entry("Barrier", 40, 0, 4, 8.0, shortest=0.05), 4)
        self.assertAlmostEqual(part.waited, (8.0 - 40 * 0.05) / 4)
        self.assertTrue(part.is_waiting())
        part = price.part_of(entry("Barrier", 40, 0, 4, 8.0, shortest=0.15), 4)
        self.assertAlmostEqual(part.waited, 0.5)
        self.assertFalse(part.is_waiting())

    def test_exact(self) -> None:
        """Calls of a rank, times the time of one; each run by itself."""
        of = self.read(record(entry("Allreduce", 4000, 32000, 4, 20.0),
                              entry("Alltoall", 40, 40000, 4, 4.0), entry("Wait", 4, 0, 0, 1.0)))
        one = self.priced("one", of, [{8: 0.001 * k, 1000: 0.25} for k in range(1, 7)])
        self.assertEqual(one.missing, "")
        for k, run in enumerate(one.runs, 1):
            self.assertAlmostEqual(run, 1000 * 0.001 * k + 10 * 0.25, places=9)
        self.assertAlmostEqual(one.of([of.parts[1]]), 2.5)
        # A send has the time of its receive, too.
        of = self.read(record(entry("Send", 400, 3200, 4, 2.0), entry("Sendrecv", 40, 320, 4, 1.0)))
        one = self.priced("one", of, [{8: 0.001}] * 6)
        self.assertAlmostEqual(one.runs[0], 100 * 2 * 0.001 + 10 * 0.001)

    def test_no_price(self) -> None:
        of = self.read(record(entry("Allreduce", 4000, 32000, 4, 20.0)))
        for why, runs in (("4 runs, and a price takes 5", [{8: 1.0}] * 4),
                          ("Allreduce of 8B on 4 ranks has no time in every run",
                           [{8: 1.0}] * 5 + [{16: 1.0}])):
            with self.subTest(why=why):
                self.assertEqual(self.priced("one", of, runs).missing, why)

    def words(self, of: price.Record, sides: Sequence[List[Dict[int, float]]]) -> List[str]:
        all_priced = [self.priced("v%d" % k, of, runs) for k, runs in enumerate(sides)]
        price.compare_with_first(all_priced, MARGIN)
        return [one.word for one in all_priced]

    def test_equal_are_the_same(self) -> None:
        """Two equal variants differ in at most 5% of 200 comparisons."""
        of = self.read(record(entry("Allreduce", 4000, 32000, 4, 20.0),
                              entry("Alltoall", 40, 40000, 4, 4.0)))
        chance, wrong = random.Random(1), 0

        def runs() -> List[Dict[int, float]]:
            return [{8: chance.lognormvariate(-7, 0.02), 1000: chance.lognormvariate(-1, 0.05)}
                    for _ in range(RUNS)]

        for _ in range(200):
            wrong += self.words(of, [runs(), runs()])[1] in ("faster", "slower")
        self.assertLessEqual(wrong, 10)

    def test_planted(self) -> None:
        """20% more in calls that are half of the price are 10% of it."""
        of = self.read(record(entry("Allreduce", 4000, 32000, 4, 20.0),
                              entry("Alltoall", 40, 40000, 4, 4.0)))
        chance = random.Random(2)

        def runs(factor: float) -> List[Dict[int, float]]:
            return [{8: 0.001 * factor * chance.lognormvariate(0, 0.01),
                     1000: 0.1 * chance.lognormvariate(0, 0.01)} for _ in range(RUNS)]

        sides = [runs(1), runs(1.2)]
        self.assertEqual(self.words(of, sides), ["", "slower"])
        first, second = (self.priced("v", of, side) for side in sides)
        self.assertAlmostEqual(sum(second.runs) / sum(first.runs), 1.1, delta=0.01)

    def test_mpip(self) -> None:
        """Lines of all ranks, of two sections; what was received has no size."""
        path = os.path.join(self.folder, "app.4.1.mpiP")
        with open(path, "w", encoding="utf-8") as file:
            file.write(MPIP)
        of = price.read_record(path)
        self.assertEqual((of.name(), of.ranks, of.seconds, of.in_mpi), ("app", 2, 5.0, 1.5))
        found = [(part.call, part.program, part.size, part.ranks, part.calls) for part in of.parts]
        self.assertEqual(found, [("Allreduce", "allreduce", 8, 2, 100.0),
                                 ("Barrier", "barrier", 0, 2, 5.0),
                                 ("Recv", "", 0, 2, 20.0)])
        self.assertAlmostEqual(of.parts[0].seconds, 200 * 0.005 / 2)
        self.assertAlmostEqual(of.parts[0].waited, 200 * (0.005 - 0.001) / 2)
        with open(path, "w", encoding="utf-8") as file:
            file.write(MPIP[:MPIP.index("@--- Callsite")])
        with self.assertRaisesRegex(Refused, "mpiP's report lacks"):
            price.read_record(path)

    def test_words(self) -> None:
        """The answer leads with the whole, and names what is not in it."""
        of = self.read(record(
            entry("Allreduce", 4000, 32000, 4, 80.0, shortest=0.005),
            entry("Barrier", 40, 0, 4, 40.0, shortest=0.001), entry("Waitall", 4, 0, 0, 8.0)))
        one = self.priced("now", of, [{8: 0.02, 0: 0.001}] * 5)
        text = price.document(of, [one]).text("# ")
        for words in ("cfd on 4 ranks: 43.1 s in MPI, of which calls that have a benchmark took "
                      "30 s", "now: 20 (20 to 20) s",
                      "Largest: Allreduce of 8B on 4 ranks, 20 s, about 15 s",
                      "Without a benchmark, 2 s: Waitall."):
            with self.subTest(words=words):
                self.assertIn(words, " ".join(text.replace("\n# ", " ").split()))
        root = price.document_json(of, [one])
        self.assertAlmostEqual(root["variants"][0]["seconds"], 20.01)
        self.assertEqual([call["benchmark"] for call in root["calls"]],
                         ["allreduce", "barrier", None])


if __name__ == "__main__":
    unittest.main()
