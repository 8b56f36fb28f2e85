# SPDX-License-Identifier: BSD-3-Clause
"""which - the file of a benchmark."""
import os

from judge.text import Refused, output

from .builds import default_build
from .options import Options

USAGE = """Usage: alidade which NAME
Print the file of a benchmark, by its name or that of OMB (osu_latency).

Options:

Example:
  mpirun -n 2 $(alidade which latency)

Exit codes: 0 printed, 1 there is no such benchmark.
"""

READING = {"plan": False}


def main(o: Options) -> int:
    if len(o.words) != 1:
        raise Refused("which needs the name of one benchmark; alidade list names all")
    build, name = default_build(), o.words[0]
    if name.startswith("osu_") and not build.program(name) and build.program(name[4:]):
        name = name[4:]  # as OMB calls it
    suite = os.path.join(build.folder, "mpi/suite")
    output.write((suite if name == "suite" and os.access(suite, os.X_OK) else build.need(name)) +
                 "\n")
    return 0
