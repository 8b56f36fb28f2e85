# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: files in which a random thing is another one.

    python3 tests/unit/test_judge_fuzz.py

tests/run/judge.bats runs it. Every verb answers, or refuses with one sentence, without a traceback.
FUZZ_INPUTS=N tries N files in place of 400; FUZZ_SEED=S tries others.
"""
import copy
import io
import json
import os
import random
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from typing import Any, List, Tuple

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge.text import output  # noqa: E402  (found through the line above)
from runner import main  # noqa: E402

SAMPLE = {
    "suite": "Alidade", "schema": 2, "benchmark": "bw", "started": "2026-11-22T10:11:12Z",
    "method": {"start": "dissemination"},
    "environment": {"mpi": "M", "ranks": 2, "nodes": 1, "path": "p", "hardware": {"cores": 2},
                    "rank": [{"host": "a"}, {"host": "a"}], "build": {"mpi": "m"},
                    "variables": {"UCX_TLS": "tcp"}},
    "rows": [{"ranks": 2, "bytes": 8, "datatype": "MPI_CHAR", "operation": "MPI_Put", "window": 64,
              "value": 3.5, "median": 3.6, "unit": "MB/s", "verified": "pass", "doubtful": ["wide"],
              "over_ranks": {"mean_us": 4}, "over_iterations": {"median_us": 3.9, "p99_us": 5.5}},
             {"ranks": 2, "bytes": None, "value": 1, "unit": "s", "suspect": []},
             {"ranks": 2, "bytes": 8, "value": 1, "unit": "us", "pairs": {
                 "paths": [{"path": "x", "typical_us": 1}], "us": [[0, 1], [1, 0]]}},
             {"ranks": 2, "bytes": 16, "value": 2, "unit": "us", "noise": {
                 "ranks": [{"host": "a", "lost": 0.1, "quantum_us": 3,
                            "periods": [{"lost": 0.1}]}]}}],
    "exit": {"code": 0}}
OTHERS = [None, True, False, 0, -1, 8, 1 << 62, 1e300, -1e-300, 0.5, "", "x", "us", "MB/s", "a\nb",
          "\u20ac" * 200, "<b>", [], [5], [[]], {}, {"a": 1}]
VERBS = [["compare", "--rows", "--junit=junit.xml", "--json=answer.json", "--markdown=x.md",
          "a=f.json", "b=g.json"],
         ["accept", "--learn", "limits.json", "f.json"], ["accept", "limits.json", "f.json"],
         ["repeat", "--json=answer.json", "f.json"], ["report", "--output=x.html", "f.json"],
         ["examine", "--output=x.html", "./runs"]]


def places(value: Any) -> List[Tuple[Any, Any]]:
    """All (object or list, name or index) in a document."""
    if isinstance(value, dict):
        here = [(value, name) for name in value]  # type: List[Tuple[Any, Any]]
    else:
        here = [(value, i) for i in range(len(value))] if isinstance(value, list) else []
    return here + [place for of, at in here for place in places(of[at])]


def changed(rng: random.Random) -> str:
    """The sample, in which one to three things are gone or are other ones; or else cut."""
    root = copy.deepcopy(SAMPLE)
    for _ in range(rng.randint(1, 3)):
        of, at = rng.choice(places(root))
        if rng.random() < 0.3:
            del of[at]
        else:
            of[at] = copy.deepcopy(rng.choice(OTHERS))
    text = json.dumps(root)
    return text[:rng.randrange(len(text))] if rng.random() < 0.05 else text


class FuzzTest(unittest.TestCase):
    """All verbs, on files from anywhere."""

    def setUp(self) -> None:
        folder, before = tempfile.TemporaryDirectory(), os.getcwd()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)
        os.mkdir("runs")
        # Nothing is started, so no shell is asked whether it is new enough.
        main.ask = lambda *words: ""

    def test_every_file_is_answered_or_refused(self) -> None:
        rng, answered = random.Random(int(os.environ.get("FUZZ_SEED", "1"))), set()
        self.assertEqual(main.answer(["accept", "--learn", "limits.json", "no.json"]), 1)
        for _ in range(int(os.environ.get("FUZZ_INPUTS", "400"))):
            text = changed(rng)
            for name in "f.json", "g.json", "runs/f.json":
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
            for argv in VERBS:
                with self.subTest(text=text, argv=argv):
                    said = io.StringIO()
                    with redirect_stderr(said):
                        code = main.answer(argv)
                    lines, answer, output.held = said.getvalue().splitlines(), output.held, []
                    self.assertTrue(all(line.startswith(argv[0] + ": ") for line in lines))
                    self.assertIn(code, (0, 1, 2, 3))
                    self.assertTrue(code != 1 or len(lines) == 1 or answer)
                    if code != 1:
                        answered.add(argv[0])
        self.assertEqual(answered, {argv[0] for argv in VERBS})


if __name__ == "__main__":
    unittest.main()
