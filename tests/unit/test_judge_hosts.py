# SPDX-License-Identifier: BSD-3-Clause
"""examine on machines that are made up: how many starts it makes, and which hosts it names.

    python3 tests/unit/test_judge_hosts.py

tests/run/judge.bats runs it.
"""
import io
import json
import math
import os
import random
import signal
import sys
import tempfile
import types
import unittest
from typing import Any, Dict, List, Sequence, Tuple
from unittest import mock

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge.findings import Findings  # noqa: E402  (found through it)
from judge.host_values import Meetings  # noqa: E402
from judge.results import Result, Variant  # noqa: E402
from runner import examine, plan  # noqa: E402
from runner.plan import Outcome  # noqa: E402
from runner.halves import Halves, Trial  # noqa: E402

class Machine:
    """Hosts n0, n1, ... in racks r0, r1, ... of so many.  slow: what takes so many times as long: a
    host, "link n5" (to others), "rack r2" (to others), or two racks "r1 r2".  hangs: hosts with
    which every job of several hosts hangs.  starts: of MPI."""

    def __init__(self, n: int, of_rack: int = 64, slow: Dict[str, float] = {},
                 hangs: Sequence[str] = (), seed: int = 1, rounds: int = 16) -> None:
        self.hosts = ["n%d" % i for i in range(n)]
        self.racks = {host: "r%d" % (i // of_rack) for i, host in enumerate(self.hosts)}
        self.slow, self.hangs, self.starts = slow, set(hangs), 0
        self.random, self.rounds = random.Random(seed), rounds

    def jitter(self, share: float) -> float:
        return 1 + self.random.expovariate(1 / share)

    def between(self, one: str, other: str) -> float:
        """How many times as long a message takes as usual."""
        a, b = sorted((self.racks[one], self.racks[other]))
        times = 1.0 if a == b else max(self.slow.get("rack " + a, 1), self.slow.get("rack " + b, 1),
                                       self.slow.get("%s %s" % (a, b), 1))
        return times * max(self.slow.get("link " + host, 1) for host in (one, other))

    def hosts_row(self, hosts: Sequence[str], size: int, rounds: int, drift: float) -> dict:
        usual = drift * (1.5 if size == 8 else 20.0)
        met: List[List[Tuple[int, float]]] = [[] for _ in hosts]
        order, same = list(range(len(hosts))), random.Random(5)
        for _ in range(rounds):
            same.shuffle(order)
            for i, k in zip(order[::2], order[1::2]):
                us = usual * self.between(hosts[i], hosts[k]) * self.jitter(0.05)
                met[i].append((k, us))
                met[k].append((i, us * self.jitter(0.01)))
        rows = []
        for i, host in enumerate(hosts):
            times = sorted(us for _, us in met[i]) or [
                usual / 4 * self.slow.get(host, 1) * self.jitter(0.02)]
            rows.append({"host": host, "us": times[(len(times) - 1) // 2],
                         "partners": [k for k, _ in met[i]],
                         "partner_us": [us for _, us in met[i]]})
        return dict(row_of("hosts", usual), bytes=size, datatype="MPI_CHAR", rounds=rounds,
                    hosts=rows, row="%d MPI_CHAR rounds=%d ranks=2" % (size, rounds))

    def document(self, line: str, hosts: Sequence[str]) -> dict:
        words, drift = line.split(), self.jitter(0.1)
        rows = [row_of(words[0], drift)]
        if words[0] == "hosts":
            rows = [self.hosts_row(hosts, size, rounds, drift) for rounds in (0, self.rounds)
                    for size in (8, 1 << 18)]
        alike = {"hosts": list(hosts), "environment": {"kernel": "K", "hardware": {"cores": 64}}}
        return {"suite": "Alidade", "schema": 2, "version": "1.0", "benchmark": words[0],
                "started": "2026-11-01T00:00:%02dZ" % (self.starts % 60), "method": {},
                "environment": {"mpi": "M", "nodes": len(hosts), "ranks": 2 * len(hosts),
                                "rank": [{"host": host} for host in hosts]},
                "rows": rows, "hosts": [alike] if words[0] == "hosts" else [], "exit": {"code": 0}}

    # In place of MPI.

    def placed(self, nodes: int, each: int, hosts: Sequence[str], *_: Any) -> List[str]:
        return ["srun"] + list(hosts)

    def value(self, _: str) -> str:
        return ""

    folder = "/build"

    def start(self, words: Sequence[str]) -> Tuple[Outcome, List[str]]:
        self.starts += 1
        hosts = [word for word in words if word in self.racks]
        if len(hosts) > 1 and self.hangs & set(hosts):
            return Outcome(124, "it took too long", 30), hosts
        return Outcome(0, "", 3), hosts

    def attempt(self, out: str, err: str, limit: int, file: str, words: Sequence[str]) -> Outcome:
        outcome, hosts = self.start(words)
        with open(out, "w") as to:
            to.write("# Alidade 1.0: ranks=2; nodes=%d;\n" % len(hosts))
        path, folder = (word.partition("=")[2] for word in words[-2:])
        with open(path) as file:
            lines = file.read().splitlines()
        for line in lines if not outcome.status else ():
            with open("%s%s.json" % (folder, line.split()[0]), "w") as to:
                to.write(json.dumps(self.document(line, hosts)).replace(
                    '"exit": {"code"', '"exit": {\n  "code"'))
        return outcome

    def attempts(self, stems: Sequence[str], limit: int, commands: Sequence[Sequence[str]]
                 ) -> List[Outcome]:
        return [self.start(words)[0] for words in commands]

    def examine(self, folder: str) -> Tuple[dict, str]:
        """The answer as JSON, and the page."""
        with open(folder + "/racks", "w") as to:
            to.write("".join("%s %s\n" % (rack, host) for host, rack in self.racks.items()))
        o = types.SimpleNamespace(
            time=600, bind="core", racks=folder + "/racks", launcher="srun", further=[],
            ranks_per_node="64", results=folder + "/x", print=False, output=folder + "/page.html",
            json=folder + "/x.json", given=["racks", "ranks-per-node"])
        with mock.patch.object(plan, "attempt", self.attempt), \
                mock.patch.object(examine, "attempts", self.attempts), \
                mock.patch.object(examine, "cores_here", lambda: 64), \
                mock.patch.object(sys, "stderr", io.StringIO()), \
                mock.patch("judge.examine.output", io.StringIO()), \
                mock.patch("judge.documents.output", io.StringIO()):
            done = examine.Examine(o, self, self.hosts)  # type: ignore
            done.measure_all()
            done.report()
            done.progress()
            # As runner/main.py does: it would end the process where Python ends.
            signal.setitimer(signal.ITIMER_REAL, 0)
        with open(folder + "/x.json") as answer, open(folder + "/page.html") as page:
            return json.load(answer), page.read()


def row_of(name: str, us: float) -> dict:
    return {"benchmark": name, "ranks": 2, "bytes": None, "value": us, "unit": "us", "window": 1,
            "verified": "pass", "suspect": [], "over_iterations": {"median_us": us},
            "over_ranks": {"mean_us": us}}


class StartsTest(unittest.TestCase):
    """Of so many hosts those with a fault are named, in 2 d log2(N) + d + 10 starts of MPI."""

    def check(self, m: Machine, faults: Sequence[str]) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            answer, self.page = m.examine(folder)
        named = {name for one in answer["findings"] for name in (one["host"], one["partner"])
                 if name}
        self.assertEqual(named, set(faults))
        n, d = len(m.hosts), len(m.hangs) + len(m.slow)
        self.assertLessEqual(m.starts, 2 * d * math.ceil(math.log2(n)) + d + 10)
        return answer

    def test_each_fault_alone(self) -> None:
        for slow, hangs, faults in (
                ({}, ["n9"], ["n9"]), ({}, ["n0", "n127"], ["n0", "n127"]),
                ({"n7": 1.3}, [], ["n7"]), ({"link n8": 1.6}, [], ["n8"]),
                ({"rack r3": 1.7}, [], ["rack r3"]), ({}, [], []),
                ({"r1 r5": 2.5}, [], ["rack r1", "rack r5"])):
            with self.subTest(slow=slow, hangs=hangs):
                m = Machine(128, 16, slow, hangs)
                self.check(m, faults)
                if not slow and len(hangs) < 2:
                    # The job fails once and 14 trials follow; and five rounds of two jobs.
                    self.assertEqual(m.starts, 10 + 15 * len(hangs))

    def test_four_faults_of_1024_hosts(self) -> None:
        """Of 4096 in the long form."""
        m = Machine(4096 if "ALIDADE_LONG" in os.environ else 1024, 64,
                    {"n600": 1.4, "link n1000": 1.5, "rack r11": 1 / 0.6}, ["n123"], rounds=5)
        answer = self.check(m, ["n600", "n1000", "rack r11", "n123"])
        what = "".join("%s: %s\n" % (one["host"], one["what"]) for one in answer["findings"])
        self.assertRegex(what, r"rack r11: hosts, between hosts, by rack, 256KiB: .*, 0[.]60 of "
                               "typical[.]")
        self.assertRegex(what, r"n123: hosts \(2 per host\) on n123, n[0-9]* failed: it took")
        self.assertRegex(self.page, "rack r[0-9]* to rack r11: [0-9.]* us")


class HalvesTest(unittest.TestCase):
    """Who makes a job fail, as a function of the hosts that take part."""

    def search(self, n: int, fails: Any) -> List[List[int]]:
        def outcome(hosts: Sequence[str]) -> Outcome:
            return Outcome(int(fails({int(host) for host in hosts})), "", 1)

        def all_of(lists: List[List[str]]) -> List[Trial]:
            met = [host for hosts in lists for host in hosts]
            self.assertEqual(len(met), len(set(met)))
            return [Trial(hosts, outcome(hosts)) for hosts in lists]

        hosts = [str(i) for i in range(n)]
        found = Halves(all_of).search(Trial(hosts, outcome(hosts)))
        return sorted(sorted(map(int, one.hosts)) for one in found)

    def test_hosts_that_fail_with_any_partner(self) -> None:
        for n in (3, 4, 5, 7, 64, 100):
            for bad in range(n):
                self.assertEqual(self.search(n, lambda hosts: bad in hosts and len(hosts) > 1),
                                 [[bad]])
                self.assertEqual(self.search(n, lambda hosts: bad in hosts), [[bad]])

    def test_two_hosts_that_fail_together(self) -> None:
        for n in (2, 4, 6, 16, 33):
            for one in range(n):
                for other in range(one):
                    self.assertEqual(self.search(n, lambda hosts: {one, other} <= hosts),
                                     [[other, one]])

    def test_what_is_no_hosts_fault(self) -> None:
        self.assertEqual(self.search(4096, lambda hosts: True), [])
        self.assertEqual(self.search(2, lambda hosts: True), [])
        # More than 60 hosts, whoever they are.
        self.assertTrue(all(len(hosts) > 2
                            for hosts in self.search(64, lambda hosts: len(hosts) > 60)))


class CleanTest(unittest.TestCase):
    def test_equal_hosts_make_no_finding(self) -> None:
        """100 examinations of 20 equal hosts in five racks, of five runs; 400 in the long form."""
        for seed in range(400 if "ALIDADE_LONG" in os.environ else 100):
            m = Machine(20, 4, seed=seed, rounds=8)
            of = Variant("clean", [Result("x/hosts-%d.json" % run, m.document("hosts", m.hosts))
                                   for run in range(1, 6)])
            of.racks = m.racks
            found = Findings(of, []).all
            self.assertEqual([finding.what for finding in found], [])


class RackTest(unittest.TestCase):
    def test_hosts_that_met_mostly_a_slow_rack_are_not_slow(self) -> None:
        """With few meetings some of them do, and always the same ones."""
        for rounds in (5, 16):
            m = Machine(256, 64, {"rack r1": 1 / 0.6, "link n200": 1.5}, rounds=rounds)
            of = Variant("racks", [Result("x/hosts-%d.json" % run, m.document("hosts", m.hosts))
                                   for run in range(1, 6)])
            of.racks = m.racks
            found = Findings(of, []).all
            self.assertEqual({(finding.host, finding.partner) for finding in found},
                             {("rack r1", ""), ("n200", "")}, rounds)


class MapTest(unittest.TestCase):
    def test_pairs_of_many_hosts_are_those_of_racks(self) -> None:
        m = Machine(8, 2, {"link n5": 3})
        row = m.hosts_row(m.hosts, 8, 7, 1)
        for most, racks, names in ((8, m.racks, m.hosts),
                                   (7, m.racks, ["rack r0", "rack r1", "rack r2", "rack r3"])):
            pairs = Meetings(row).map(racks, most) or {}
            self.assertEqual(pairs["hosts"], names)
            matrix = pairs["matrix_us"]
            self.assertEqual(len(matrix), len(names))
            self.assertTrue(all(matrix[i][k] == matrix[k][i] for i in range(len(names))
                                for k in range(len(names))))


if __name__ == "__main__":
    unittest.main()
