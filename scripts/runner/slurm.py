# SPDX-License-Identifier: BSD-3-Clause
"""slurm - a few nodes in one batch job, which scripts/slurm begins."""
import os
import shutil
import sys
from typing import Dict, Sequence, Tuple

from judge.text import Refused, counted

from .builds import Build, cores_here, granted, hosts_of_job, need_build, powers
from .folders import tell
from .options import Options, each_once, quoted
from .plan import Command, Line, Plan, warnings
from .shell import as_started

USAGE = """Usage: sbatch --nodes=N scripts/slurm [OPTION...] BUILD [RESULTS]
                        [-- PROGRAM-OPTION...]
Measure a few nodes in one batch job.

It measures pairs on one node and on two, all pairs of two nodes at once, and
collectives on all nodes, with 1, 2, 4, ... and all cores of each node.

  BUILD    build folder; srun must be able to start its MPI (PMIx or PMI-2)
  RESULTS  folder for tables and JSON result files; to resume on the same nodes,
           repeat [results-JOB]

Options:
  --launcher WORDS       with options, and maybe what starts the program, such
                         as "srun --mpi=pmix scripts/bind-rail" [srun]
  --runs N               runs of each program, enough for compare and accept;
                         three failures in a row end them [8]
  --ranks-per-node LIST  [1,2,4,... and all cores]
  --programs LIST        for pairs [latency,bw,bibw]
  --many LIST            for all pairs at once [multi_lat,mbw_mr,mbibw_mr]
  --collectives LIST     [allreduce,alltoall,bcast]
  --each-node            only pairs, on each node, one node after the other
  --limit TIME           time limit of a run, such as 10m [none]

Example:
  sbatch --nodes=4 scripts/slurm --launcher "srun --mpi=pmix" build/openmpi

Exit codes: 0 success, 1 a program failed, 3 wrong data, 77 not in a Slurm job,
130, 143 interrupted.
"""

NEXT = ("scripts/report --output page.html RESULTS",
        "scripts/accept --learn limits.json RESULTS, from five runs or more of a good state",
        "scripts/accept limits.json RESULTS, where there are limits")


class Job(Plan):
    """Programs on nodes of the job.  places: nodes, ranks of each and hosts, by the folder of
    their runs."""

    names_folder = "BUILD "

    def __init__(self, o: Options, build: Build) -> None:
        super().__init__(o.runs, o.limit or 0)
        self.build, self.options, self.launcher = build, o.further, o.launcher.split()
        self.nodes = int(os.environ.get("SLURM_JOB_NUM_NODES") or 1)
        self.cores = granted(cores_here())
        self.places: Dict[str, Tuple[int, int, Sequence[str]]] = {}

    def add(self, programs: str, folder: str, nodes: int, each: int,
            hosts: Sequence[str] = ()) -> None:
        self.places[folder] = nodes, each, hosts
        for program in filter(None, programs.split(",")):
            self.build.need(program)
            self.lines.append(Line(program, folder))

    def add_hosts(self, o: Options) -> None:
        for name in ("many", "collectives", "ranks-per-node"):
            if name in o.given:
                raise Refused("--each-node measures the pairs of --programs alone: leave out --"
                              + name)
        for host in hosts_of_job():
            self.add(o.programs, "node-" + host, 1, 2, [host])

    def add_all(self, o: Options) -> None:
        if self.cores >= 2:
            self.add(o.programs, "one-node", 1, 2)
        if self.nodes >= 2:
            self.add(o.programs, "two-nodes", 2, 1)
        every = (o.ranks_per_node or ",".join(map(str, powers(self.cores)))).split(",")
        for each in filter(None, every):
            if self.nodes >= 2:
                self.add(o.many, "two-nodes-" + each, 2, int(each))
            if self.nodes * int(each) >= 2:
                self.add(o.collectives, "all-nodes-" + each, self.nodes, int(each))

    def command_of(self, line: Line) -> Command:
        binary = self.build.need(line.program)
        start = self.build.placed(*self.places[line.variant], "core", self.launcher)
        return Command(binary, start + [binary] + self.options)


def main(o: Options) -> int:
    in_job = os.environ.get("SLURM_JOB_ID") and shutil.which((o.launcher.split() or [""])[0])
    if not o.print and not in_job:
        sys.stderr.write("slurm: not within a Slurm job: sbatch --nodes=N scripts/slurm BUILD\n")
        return 77
    if not o.words:
        raise Refused("a build is needed: sbatch --nodes=N scripts/slurm BUILD [RESULTS]")
    build = need_build(o.words[0])
    plan = Job(o, build)
    if o.each_node:
        plan.add_hosts(o)
    else:
        plan.add_all(o)
    if not plan.lines:
        raise Refused("there is nothing to measure on %s of %s" % (
            "hosts that no job names" if o.each_node else counted(plan.nodes, "node"),
            counted(plan.cores, "core")))
    results = o.words[1] if o.words[1:] else "results-" + os.environ.get("SLURM_JOB_ID", "JOB")
    # Runs on other nodes would be taken for those of the same.
    plan.begin(results, "results", "%s; nodes: %s; build: %s; programs: %s; options: %s" % (
        " ".join(plan.launcher), os.environ.get("SLURM_JOB_NODELIST") or plan.nodes,
        os.path.abspath(build.folder), " ".join("%s %s" % line for line in plan.lines),
        " ".join(o.further)))
    if not plan.only_print:
        tell("slurm: %s on %s, of %s: a table and a JSON file of each go to %s" % (
            counted(plan.runs * len(plan.lines), "run"), counted(plan.nodes, "node"),
            ", ".join(each_once([line.program for line in plan.lines])), plan.results))
    plan.make_runs()
    if plan.only_print:
        return 0
    for text in warnings(plan.results):
        tell(text)
    n = len(plan.failed) + len(plan.skipped)
    tell("results in %s; %d failed" % (plan.results, n))
    for text in NEXT if plan.finished else ():
        tell(as_started("next: " + text.replace("RESULTS", quoted(plan.results))))
    return plan.code() or int(n > 0)
