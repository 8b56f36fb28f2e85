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

from judge.host_values import agree  # noqa: E402  (found through the line above)


class AgreeTest(unittest.TestCase):
    """Runs that name the same host."""

    def test_five_runs_and_three_quarters_of_all(self) -> None:
        for of in range(60):
            for named in range(of + 1):
                with self.subTest(named=named, of=of):
                    self.assertEqual(agree(named, of), named >= 5 and named / of >= 0.75)


if __name__ == "__main__":
    unittest.main()
