# SPDX-License-Identifier: BSD-3-Clause
"""gpu-matrix - latency and bandwidth between host and GPU memory, for all pairs."""
import os
import re
from judge.text import fail

from .builds import gpus_of, pairs_of
from .folders import files, scratch, tell
from .options import Options
from .plan import Command, Line
from .tables import Tables, side_by_side

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

STAGED = ("staged_latency", "staged_bw")


class Matrix(Tables):
    """PROGRAM-PAIR, each once.  number: of this run in the folder."""

    def __init__(self, o: Options, folder: str) -> None:
        super().__init__(o, folder, documents=bool(o.results))
        self.gpus, self.pairs = gpus_of(o, self.build), pairs_of(o.pairs)
        self.number = 1
        if o.results:
            self.begin(o.results, "gpu", "%s; build: %s; options: %s" % (
                self.launcher, os.path.abspath(self.build.folder), " ".join(o.further)))
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

    def label(self, program: str) -> str:
        return program.partition("-")[2] or program

    def table(self, program: str, heading: str) -> None:
        rows = self.run_programs(heading, ["%s-%s" % (program, pair) for pair in self.pairs],
                                 self.number)
        if not rows:
            return
        for name in rows:
            header = self.tables[name].partition("\n")[0]
            if header.startswith("# Alidade"):
                tell(header)
        tell("%-9s" % "# Size" + "".join(" %13s %13s" % (self.label(name), "best")
                                         for name in rows))
        for size, *cells in side_by_side(list(rows.values())):
            tell("%-9s" % size + "".join(" %13s" % cell for cell in cells))

    def staged(self) -> None:
        """What the programs say of copies that are staged by hand."""
        rows = self.run_programs("Copies staged in pinned host memory, compared with direct MPI "
                                 "transfers, D-D", STAGED, self.number)
        for program in rows or ():
            inside = False
            for line in self.tables[program].splitlines():
                if line.startswith("# Difference"):
                    inside = False
                    continue
                inside = inside or line.startswith("# Side by side")
                if inside or line.startswith("# crossover"):
                    tell(line)


def main(o: Options) -> int:
    with scratch() as folder:
        plan = Matrix(o, folder)
        plan.table("latency", "Latency (us)")
        plan.table("bw", "Bandwidth (MB/s)")
        plan.staged()
        if plan.only_print:
            return 0
        if not any(re.search("^[0-9]", text, re.M) for text in plan.tables.values()):
            fail("nothing could be measured")
            return plan.code() or 77
        return plan.code()
