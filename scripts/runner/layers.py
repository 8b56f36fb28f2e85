# SPDX-License-Identifier: BSD-3-Clause
"""layers - MPI and the transports below it."""
import re

from judge.text import Refused

from .folders import scratch, tell
from .options import Options
from .plan import Command, Line, Outcome
from .tables import Tables, side_by_side

USAGE = """Usage: scripts/layers [OPTION...] [BUILD] [-- PROGRAM-OPTION...]
Compare MPI with the transports below it: shared memory, TCP and UCX.

It prints the median latency and bandwidth of each by message size, and the cost
of MPI on top. A transport that is not available, or that failed, is named with
the reason.

  BUILD  build folder [build/openmpi or build/mpich]

Options:
  --launcher COMMAND  starts two ranks, such as "mpirun -n 2 --host A,B" [on
                      this machine, bound to cores]

Example:
  scripts/layers build/mpich -- -m 8:64K

Exit codes: 0 success, 1 a program failed, 3 wrong data, 130, 143
interrupted.
"""

LAYERS = ("memory", "tcp", "ucx")


class Layers(Tables):
    def command_of(self, line: Line) -> Command:
        binary = self.build.need(line.program)
        return Command(binary, self.start + [binary] + self.options + ["--columns", "median"])

    def label(self, program: str) -> str:
        return program.split("_")[0]

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        super().after_run(line, number, outcome)
        # Without MPI there is nothing to compare.
        if "_" not in line.program and not re.search("^[0-9]", self.tables[line.program], re.M):
            raise Refused("%s: %s" % (line.program, outcome.why or "it printed no rows"))

    def table(self, program: str, heading: str, adds: bool) -> None:
        """adds: also what MPI adds."""
        rows = self.run_programs(heading, [program] + ["%s_%s" % (layer, program)
                                                       for layer in LAYERS])
        if rows is None:
            return
        printed = self.tables[program].splitlines()
        for line in ["MPI: " + line[2:] for line in printed[:1] if line.startswith("# Alidade")] + \
                [line[8:-1] for line in printed if re.match(r"# Over: .*\.$", line)]:
            tell("# " + line)
        text = "%-9s %11s" % ("# Size", "MPI")
        for name in list(rows)[1:]:
            layer = self.label(name)
            text += " %13s%s %8s" % (layer if layer == "memory" else layer.upper(),
                                     "%12s" % "MPI adds" if adds else "", "Ratio")
        tell(text)
        medians = [{size: cells[1:] for size, cells in of.items()} for of in rows.values()]
        for size, own, *others in side_by_side(medians):
            tell("%-9s %11.2f" % (size, float(own)) +
                 "".join(beside(float(own), other, adds) for other in others))


def beside(own: float, other: str, adds: bool) -> str:
    below = float(other) if other != "-" else 0
    known = below > 0 and own > 0
    text = " %13s" % other
    if adds:
        text += "%12s" % ("%.2f" % (own - below) if known else "-")
    ratio = (own / below if adds else below / own) if known else 0
    return text + " %8s" % ("%.2f" % ratio if known else "-")


def main(o: Options) -> int:
    with scratch() as folder:
        plan = Layers(o, folder)
        plan.table("latency", "Latency (us)", True)
        plan.table("bw", "Bandwidth (MB/s)", False)
        return plan.code()
