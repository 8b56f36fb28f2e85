# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: which hosts examine names.

    python3 tests/unit/test_judge_examine.py

tests/run/judge.bats runs it.
"""
import os
import sys
import unittest

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge.host_values import Series, Value, agree  # noqa: E402  (found through the line above)


class AgreeTest(unittest.TestCase):
    """Runs that name the same host."""

    def test_five_runs_and_three_quarters_of_all(self) -> None:
        for of in range(60):
            for named in range(of + 1):
                with self.subTest(named=named, of=of):
                    self.assertEqual(agree(named, of), named >= 5 and named / of >= 0.75)


class SeriesTest(unittest.TestCase):
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
