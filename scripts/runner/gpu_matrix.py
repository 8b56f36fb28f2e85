# SPDX-License-Identifier: BSD-3-Clause
"""gpu-matrix - latency and bandwidth between host and GPU memory, for all pairs."""
import os
import re
from typing import Dict, List

from judge.text import fail

from .attempt import Outcome
from .builds import gpus_of, need_build, need_launcher, pairs_of, start_of
from .folders import files, read, scratch, tell
from .options import Options, refuse_options
from .plan import Command, Line, Plan
from .tables import rows_of, side_by_side

USAGE = """Usage: scripts/gpu-matrix [OPTION...] [BUILD] [-- PROGRAM-OPTION...]
Measure latency and bandwidth between host and GPU memory, for all pairs.

It also prints the size from which direct MPI transfers are faster than copies
staged in host memory. The columns are the average and the best iteration.

  BUILD  build folder with CUDA or HIP [build/openmpi or build/mpich]

Options:
  --gpus cuda|rocm    of whom the GPUs are [cuda, if the build has it]
  --launcher COMMAND  starts two ranks, such as "mpirun -n 2 --host A,B" [on
                      this machine, bound to cores]
  --pairs LIST        of memory types [H-H,H-D,D-H,D-D,MD-MD]; H-H works without
                      a GPU
  --results DIR       keep PROGRAM-PAIR-N.json in DIR; run N is added to those
                      that are there

Examples:
  scripts/gpu-matrix build/openmpi -- -m 8:64K
  scripts/gpu-matrix --results gpu && scripts/report matrix=gpu

Exit codes: 0 success, 1 a program failed, 3 wrong data, 77 nothing could be
measured, 130, 143 interrupted.
"""

DEFAULTS = {"ranks": 2, "pairs": "H-H,H-D,D-H,D-D,MD-MD"}
STAGED = ("staged_latency", "staged_bw")


class Matrix(Plan):
    """PROGRAM-PAIR, each once.  tables: what each printed.  number: of this run in the folder."""

    def __init__(self, o: Options, folder: str) -> None:
        super().__init__(only_print=o.print, documents=bool(o.results))
        self.build = build = need_build(o.words[0] if o.words else None)
        launcher = need_launcher(o, build)
        self.gpus, self.pairs = gpus_of(o, build), pairs_of(o.pairs)
        self.start, self.options = start_of(launcher, o.ranks), o.further
        self.results, self.number = folder, 1
        self.tables: Dict[str, str] = {}
        self.measured = 0
        if o.results:
            self.begin(o.results, "gpu", "%s; build: %s; options: %s" % (
                launcher, os.path.abspath(build.folder), " ".join(o.further)))
            while files(self.results, r".*-%d\.json" % self.number):
                self.number += 1
            self.runs = self.runs_asked = self.number

    def command_of(self, line: Line) -> Command:
        program, _, pair = line.program.partition("-")
        source, _, to = pair.partition("-")
        words = ["--columns", "min" if program == "latency" else "max"]
        if program in STAGED:
            words, source, to = [], "D", "D"
        if pair != "H-H":
            words += ["-d", self.gpus]
        binary = self.build.need(program)
        return Command(binary, self.start + [binary] + self.options + words + [source, to])

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        text = self.tables[line.program] = read(self.stem + (".out" if outcome.status else ".txt"))
        rows = bool(re.search("^[0-9]", text, re.M))
        self.measured += rows
        if outcome.status:
            tell("# no %s%s: %s" % ("more " if rows else "", line.program.partition("-")[2] or
                                    line.program, outcome.why))

    def run_lines(self, programs: List[str]) -> None:
        self.lines = [Line(program) for program in programs]
        self.make_runs(self.number)

    def table(self, program: str, heading: str) -> None:
        if not self.only_print:
            tell("\n# " + heading)
        self.run_lines(["%s-%s" % (program, pair) for pair in self.pairs])
        if self.only_print:
            return
        shown = []
        for pair in self.pairs:
            text = self.tables.get("%s-%s" % (program, pair), "")
            rows = rows_of(text, 2)
            if rows:
                shown.append((pair, rows))
                header = text.partition("\n")[0]
                if header.startswith("# Alidade"):
                    tell(header)
        if not shown:
            return
        tell("%-9s" % "# Size" + "".join(" %13s %13s" % (pair, "best") for pair, _ in shown))
        for size, *cells in side_by_side([rows for _, rows in shown]):
            tell("%-9s" % size + "".join(" %13s" % cell for cell in cells))

    def staged(self) -> None:
        """What the programs say of copies that are staged by hand."""
        if not self.only_print:
            tell("\n# Copies staged in pinned host memory, compared with direct MPI transfers, D-D")
        self.run_lines(list(STAGED))
        if self.only_print:
            return
        for program in STAGED:
            inside = False
            for line in self.tables.get(program, "").splitlines():
                if line.startswith("# Difference"):
                    inside = False
                    continue
                inside = inside or line.startswith("# Side by side")
                if inside or line.startswith("# crossover"):
                    tell(line)


def main(o: Options) -> int:
    refuse_options(o.further)
    with scratch() as folder:
        plan = Matrix(o, folder)
        plan.table("latency", "Latency (us)")
        plan.table("bw", "Bandwidth (MB/s)")
        plan.staged()
        if plan.only_print:
            return 0
        if not plan.measured:
            fail("nothing could be measured")
            return plan.code() or 77
        return plan.code()
