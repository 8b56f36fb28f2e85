# SPDX-License-Identifier: BSD-3-Clause
"""layers - MPI and the transports below it."""
import re
from typing import Dict, List

from judge.text import Refused

from .attempt import Outcome
from .builds import need_build, need_launcher, start_of
from .folders import read, scratch, tell
from .options import Options, refuse_options
from .plan import Command, Line, Plan
from .tables import rows_of, side_by_side

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

DEFAULTS = {"ranks": 2}
LAYERS = ("memory", "tcp", "ucx")


class Layers(Plan):
    """Programs of all layers, each once.

    medians: of each program, by size.  headers: its first lines.  reasons: why it has no rows.
    """

    def __init__(self, o: Options, folder: str) -> None:
        super().__init__(only_print=o.print, documents=False)
        self.build, self.results = need_build(o.words[0] if o.words else None), folder
        self.start, self.options = start_of(need_launcher(o, self.build), o.ranks), o.further
        self.medians: Dict[str, Dict[str, List[str]]] = {}
        self.headers: Dict[str, List[str]] = {}
        self.reasons: Dict[str, str] = {}

    def command_of(self, line: Line) -> Command:
        binary = self.build.need(line.program)
        return Command(binary, self.start + [binary] + self.options + ["--columns", "median"])

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        name, why = line.program, outcome.why
        text = read(self.stem + (".out" if outcome.status else ".txt"))
        lines = text.splitlines()
        self.headers[name] = ["# MPI: " + line[2:] for line in lines[:1]
                              if line.startswith("# Alidade")]
        self.headers[name] += ["# " + line[8:-1] for line in lines
                               if re.match(r"# Over: .*\.$", line)]
        rows = self.medians[name] = {size: cells[1:] for size, cells in rows_of(text, 2).items()}
        if not outcome.status and not rows:
            why = "it printed no rows"
        if why:
            self.reasons[name] = "# no %s%s: %s" % ("more " if rows else "",
                                                    name.split("_")[0], why)
        # Without MPI there is nothing to compare.
        if "_" not in name and not rows:
            raise Refused("%s: %s" % (name, why))

    def table(self, program: str, heading: str, adds: bool) -> None:
        """adds: also what MPI adds."""
        below = ["%s_%s" % (layer, program) for layer in LAYERS]
        self.lines = [Line(name) for name in [program] + below]
        self.make_runs()
        if self.only_print:
            return
        tell("\n# " + heading)
        below = [name for name in below if self.medians.get(name)]
        for text in self.headers[program]:
            tell(text)
        for name in sorted(self.reasons):
            if name.endswith(program):
                tell(self.reasons[name])
        text = "%-9s %11s" % ("# Size", "MPI")
        for name in below:
            layer = name.split("_")[0]
            text += " %13s%s %8s" % (layer if layer == "memory" else layer.upper(),
                                     "%12s" % "MPI adds" if adds else "", "Ratio")
        tell(text)
        tables = [self.medians[name] for name in [program] + below]
        for size, own, *others in side_by_side(tables):
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
    refuse_options(o.further)
    with scratch() as folder:
        plan = Layers(o, folder)
        plan.table("latency", "Latency (us)", True)
        plan.table("bw", "Bandwidth (MB/s)", False)
        return plan.code()
