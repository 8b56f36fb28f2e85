# SPDX-License-Identifier: BSD-3-Clause
"""alidade - the command that starts all others."""
import re
from typing import List, Tuple

USAGE = """Usage: alidade COMMAND [ARGUMENT...]
Start a command of the suite, from a checkout or from an installed tree.

Commands (alidade COMMAND --help explains each):
  list        list all benchmarks
  which NAME  print the file of a benchmark
  run-suite   run many benchmarks, with a table and a JSON result file of each
  repeat      run one benchmark several times, and predict the next run
  compare     compare MPI libraries, launchers, settings or installations
  history     measure the releases of MPIs, and name the steps between them
  report      write results as one HTML page
  examine     measure hosts and their network, and report what is odd
  accept      check results against stored limits
  layers      print what MPI adds to shared memory, TCP and UCX
  guidelines  name sizes and operations that are slower than others should be
  place       run a benchmark on one node or across several
  doctor      find out how to start MPI, and whether it uses the fast network
  tune        find the fastest algorithms of collective operations
  record      write down which calls of MPI an application makes
  price       say what these calls cost under other MPIs or settings
  slurm       print the file of the batch job for Slurm
  fetch-mpi   install a release of an MPI from Python's package index
  bisect      find the commit that made an MPI slower (needs the sources)
  gpu-probe   find the operations of an MPI that accept GPU memory
  gpu-matrix  measure latency and bandwidth between host and GPU
  bind-rail   assign a network device to each rank of a node
  explain ID  explain a message, such as E15, or a word of tables and JSON files
  help        print a cheat sheet: launching, options, checks, exit codes

Options:

Examples:
  mpirun -n 2 $(alidade which latency)
  alidade compare old=/opt/alidade-old new=/opt/alidade-new -- latency

Exit codes: those of the command; 1 if there is no such command
"""

READING = {"plan": False}

# Commands that have no script of their own.
OWN = ("explain", "which", "list", "record", "price")

SHEET = """START P on two cores of a node                 on hosts A and B instead
 Open MPI  mpirun -n 2 --bind-to core P         add --host A,B
 MPICH     mpiexec.mpich -n 2 -bind-to core P   add -ppn 1 -hosts A,B
 Slurm     srun --mpi=pmix -N 1 -n 2 --cpu-bind=cores P
           (MPICH: --mpi=pmi2)                  -N 2 --ntasks-per-node=1
 P is alidade which NAME, such as latency, bw or allreduce; alidade list has all
 As root, Open MPI needs --allow-run-as-root; commands of alidade give it

OPTIONS of programs (-h prints the common ones, --help all)
 -m 8:64K         sizes in bytes, doubling      -i 1000 -x 100  fixed iterations
 --budget=1s      longer rows                   --protocol=omb  measure as OMB
 --json=FILE      results and environment       -d cuda D D     GPU memory
 --columns=median,ci_low,ci_high                --dry-run       memory needed
 --expect=path=inter-node   exit with 2 if it is not
 --verify=soak:10m          look for wrong data for ten minutes

SCRIPTS: options of programs come last, after -- if several programs can follow
 alidade repeat --runs 10 latency -m 8:64K
 alidade compare a=build/a b=build/b -- latency bw -- -m 8:64K
 alidade run-suite latency bw -- -m 8:64K
 alidade examine --time 30m h1 h2 h3 h4

BEFORE YOU TRUST A NUMBER
 1 The header line is what you meant: ranks, nodes, path, mem, mpi.
 2 bound=core: each rank has a core.
 3 No W07, W08, W37 or W40: no rank or thread waits for a CPU.
 4 No "# suspect:" in the table, no "disturbed:" after it (on standard error);
   otherwise measure on a quiet machine.
 5 Several runs agree: alidade repeat.

EXIT CODES  0 done, 1 usage, 2 failed or --expect not met, 3 wrong data,
            77 cannot run here. E01: wrong launcher, E02: ranks, E05: no GPU,
            E14: wrong data, E15: hang. alidade explain E15 has the remedy.
"""


def commands() -> List[str]:
    return re.findall("^  ([a-z-]+) ", USAGE.partition("Options:")[0], re.M)


def meaning(verb: str, rest: List[str]) -> Tuple[str, List[str]]:
    """A command by its one name, with its words."""
    if verb == "list":
        return "run-suite", ["--list"] + rest
    if verb == "suite":
        return "run-suite", rest
    return verb, rest
