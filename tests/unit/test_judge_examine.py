# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: which hosts examine names.

    python3 tests/unit/test_judge_examine.py

tests/run/judge.bats runs it.
"""
import os
import random
import sys
import unittest
from typing import Callable

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge.host_values import AGREE, Series, Value, agree  # noqa: E402  (found through it)


class AgreeTest(unittest.TestCase):
    """Runs that name the same host."""

    def test_five_runs_and_three_quarters_of_all(self) -> None:
        for of in range(60):
            for named in range(of + 1):
                with self.subTest(named=named, of=of):
                    self.assertEqual(agree(named, of), named >= 5 and named / of >= 0.75)


def series(hosts: int, runs: int, cost: Callable[[int, int], float],
           margin: float = 0.1) -> Series:
    """cost: of a host's number and a run's."""
    return Series([Value("latency", "us", margin, "h%d" % host, cost(host, run), cost(host, run))
                   for run in range(runs) for host in range(hosts)])


class SeriesTest(unittest.TestCase):
    """Values that are worked out by hand, equal hosts, and hosts that differ by a known factor."""

    def test_a_slow_host_is_named_and_no_other(self) -> None:
        values = [[10, 11, 12, 13, 14], [10.5, 11.5, 12.5, 13.5, 14.5],
                  [10.2, 11.2, 12.2, 13.2, 14.2], [20, 22, 24, 26, 28]]
        hosts = series(4, 5, lambda host, run: values[host][run]).hosts
        self.assertEqual([v.named for v in hosts], [0, 0, 0, 5])
        self.assertTrue(hosts[3].is_worse())
        self.assertEqual((hosts[3].host, hosts[3].median), ("h3", 24))
        # The lower median of 12, 12.5, 12.2 and 24 is 12.2.
        self.assertAlmostEqual(hosts[3].ratio, 24 / 12.2, 12)

    def test_most_runs_must_name_it(self) -> None:
        """Of four hosts, or fewer, one is twice as slow in the first runs only."""
        for hosts, runs, slow, is_worse, decides in (
                (4, 4, 4, False, False), (4, 5, 5, True, True), (4, 6, 5, True, True),
                (4, 7, 5, False, True), (3, 5, 5, True, True), (2, 8, 8, False, False)):
            with self.subTest(hosts=hosts, runs=runs, slow=slow):
                s = series(hosts, runs, lambda host, run:
                           (2 if host == 1 and run < slow else 1) + 0.01 * run)
                self.assertEqual([v.is_worse() for v in s.hosts[:2]], [False, is_worse])
                self.assertEqual(s.runs() >= AGREE, decides)

    def test_small_differences_are_none(self) -> None:
        """Below the margin, usual among the hosts, not compared, or of a host without others."""
        for hosts, apart, margin in ((2, 0.08, 0.1), (2, 8, 0), (1, 0, 0.1), (5, 0.3, 0.1)):
            with self.subTest(hosts=hosts, apart=apart):
                s = series(hosts, 8, lambda host, run: 1 + apart * host + 0.001 * run, margin)
                self.assertFalse(any(v.is_worse() for v in s.hosts))

    def test_equal_hosts_make_no_alarm(self) -> None:
        """2000 series of 10 hosts with 5 to 9 values, all of one skewed distribution."""
        rng, found = random.Random(7), 0
        for i in range(2000):
            costs = [[1 + 0.3 * rng.expovariate(1) for _ in range(9)] for _ in range(10)]
            s = series(10, 5 + i % 5, lambda host, run: costs[host][run])
            found += any(v.is_worse() for v in s.hosts)
        # A run names 8% of the hosts: five of five runs name one in 1 of 30,000 series.
        self.assertLessEqual(found, 1)

    def test_of_many_hosts_the_slow_one_is_found(self) -> None:
        rng = random.Random(9)
        costs = [[(1.3 if host == 77 else 1) * (1 + 0.05 * rng.random()) for _ in range(5)]
                 for host in range(200)]
        s = series(200, 5, lambda host, run: costs[host][run])
        self.assertEqual([v.host for v in s.hosts if v.is_worse()], ["h77"])


class RunsTest(unittest.TestCase):
    """Values of hosts, of which each round meets a slower machine."""

    def named(self, lost: set) -> list:
        """How many runs name each host, where some (host, run) are lost."""
        values = [Value("latency", "us", 0.1, "h%d" % host, 1.3 ** run, 1.3 ** run, run)
                  for host in range(4) for run in range(12) if (host, run) not in lost]
        return [v.named for v in Series(values).hosts]

    def test_a_lost_run_makes_no_host_worse(self) -> None:
        for run in range(12):
            with self.subTest(run=run):
                self.assertEqual(self.named({(2, run)}), [0] * 4)

    def test_runs_of_one_number_are_told_apart(self) -> None:
        values = [Value("latency", "us", 0.1, "h%d" % host, cost, cost)
                  for _ in range(5) for host, cost in enumerate([1, 1, 1, 1, 3])]
        self.assertEqual([v.named for v in Series(values).hosts], [0, 0, 0, 0, 5])


if __name__ == "__main__":
    unittest.main()
