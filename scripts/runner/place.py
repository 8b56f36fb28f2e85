# SPDX-License-Identifier: BSD-3-Clause
"""place - a program on one node or several, with any launcher."""
import os
import re
import shutil
import sys

from judge.text import Refused, fail, output

from .builds import Build, check_hosts, hosts_of_job, is_program, nodes_in
from .folders import scratch
from .options import Options, command_line, help_of
from .shell import hold, said_by

USAGE = """Usage: scripts/place one-node|two-nodes|N-nodes [OPTION...]
                     PROGRAM [PROGRAM-OPTION...]
Start a program on one node or several, and check their number.

If the output names another number of nodes, the exit code is 2.

  PROGRAM  its file, such as build/openmpi/mpi/pt2pt/latency

Options:
  --hosts A,B,...    hosts [those of the Slurm job, or this machine]
  --per-node N       ranks per node [2 on one node, 1 on each of several]
  --launcher NAME    mpirun, mpiexec, srun, flux, jsrun, openmpi or
                     mpich [srun in a Slurm job, otherwise that of the
                     program's MPI]
  --bind core|none   bind ranks to cores, or not at all [core]
  --options WORDS    further options of the launcher, such as "--mpi=pmix"
  --container WORDS  command before the program, such as "apptainer exec x.sif";
                     the launcher outside must fit the MPI inside
  --print            print the command only

Examples:
  scripts/place one-node build/openmpi/mpi/pt2pt/latency -m 8:64K
  scripts/place two-nodes --hosts A,B --print build/mpich/mpi/pt2pt/bw

Exit codes: 1 usage, 2 another number of nodes, 130, 143 interrupted, otherwise
that of the program.
"""

READING = {"first": 2, "hint": "options of the program follow its name"}
NODES = {"one-node": 1, "two-nodes": 2}
# Launchers of an MPI, which do not know the hosts of a job.
OF_MPI = re.compile("openmpi|mpich|mpi[re]")


def launcher_of(o: Options, program: str) -> str:
    """By --launcher, else that of the job, else of the MPI that the program was built for."""
    if o.launcher:
        return o.launcher
    if os.environ.get("SLURM_JOB_ID") and shutil.which("srun"):
        return "srun"
    if o.container:
        raise Refused("--container: name the launcher of the MPI in the container with --launcher "
                      "openmpi, mpich or srun")
    if not is_program(program):
        raise Refused("'%s' is not a program; give its file, such as "
                      "build/openmpi/mpi/pt2pt/latency" % program)
    built = re.search("built for ([a-z]*);", said_by([program, "--version"]) or "")
    return built.group(1) if built else ""


def hosts_of(o: Options, launcher: str, nodes: int) -> list:
    """Those of --hosts or of the job, so many."""
    hosts = [host for host in (o.hosts or "").split(",") if host]
    if not hosts and OF_MPI.match(launcher) and shutil.which("scontrol"):
        hosts = hosts_of_job()
    hosts = hosts[:nodes]
    if OF_MPI.match(launcher) and 1 < nodes and len(hosts) < nodes:
        raise Refused("%s needs %d hosts: --hosts A,B,..." % (o.words[0], nodes))
    return hosts


def main(o: Options) -> int:
    if not o.words:
        sys.stderr.write(help_of(USAGE, True))
        return 1
    where = o.words[0]
    number = re.match("([1-9][0-9]*)-nodes\\Z", where)
    nodes = int(number.group(1)) if number else NODES.get(where, 0)
    if not nodes:
        raise Refused("'%s' is not one-node, two-nodes or N-nodes" % where)
    if len(o.words) < 2:
        raise Refused("name a program, for example build/openmpi/mpi/pt2pt/latency")
    program = o.words[1]
    each = o.per_node or (1 if nodes > 1 else 2)
    launcher = launcher_of(o, program)
    hosts = hosts_of(o, launcher, nodes)
    # The MPI that a program was built for; the folder is that of its build.
    build = Build(program.rpartition("/mpi/")[0] or program)
    start = build.placed(nodes, each, hosts, o.bind, [launcher] + (o.options or "").split())
    command = start + (o.container or "").split() + o.words[1:]
    if o.print:
        output.write(command_line(command) + "\n")
        return 0
    if "-ppn" in start:
        check_hosts(hosts)
    # The first line is looked at as it passes.
    with scratch() as folder:
        told = os.path.join(folder, "told")
        code = hold("", "", ["bash", "-o", "pipefail", "-c", '"$@" | tee "$0"', told] + command)
        seen = nodes_in(told)
    if code:
        return code
    if seen is not None and seen != nodes:
        fail("asked for nodes=%d, but the ranks were on nodes=%d" % (nodes, seen))
        return 2
    return 0
