# SPDX-License-Identifier: BSD-3-Clause
"""examine - hosts and the network between them: values of several runs, of which some are odd."""
import os
import re
import shutil
from typing import Dict, List, NamedTuple, Sequence, Set

from judge import examine as judge
from judge.documents import Question
from judge.findings import LeftOut
from judge.text import Refused

from .attempt import Outcome, attempt
from .builds import (Build, check_hosts, cores_here, granted, hosts_of_job, listed, need_build,
                     nodes_in, powers)
from .folders import STEERING, files, make_folder, read, say, size_of, variables
from .options import Options, command_line, is_number_list, refuse_options
from .plan import Command, Line, Plan, foreign_load
from .shell import as_started, ask

USAGE = """Usage: scripts/examine [OPTION...] [HOST...] [-- LAUNCHER-OPTION...]
Measure hosts and the network between them, and report on one page what is odd.

  HOST             names of hosts, or n[1-64] where Slurm is [those of the
                   batch job, or this machine]; FOLDER/runs of an earlier
                   examination: its page is written again
  LAUNCHER-OPTION  options of mpirun, mpiexec or srun, such as --mpi=pmix

Options:
  --time TIME            time for all of it, such as 10m [300]
  --ranks-per-node LIST  of collectives [1,2,4,... and all cores]
  --bind core|none       bind ranks to cores, or not at all [core]
  --launcher NAME        as that of scripts/place
  --build DIR            build folder, or where make install has put the
                         programs [build/openmpi or build/mpich]
  --results DIR          folder for the runs; to resume, repeat [examine-DATE]
  --output FILE          the page [examine.html in the folder for the runs]
  --json FILE            also write the findings as JSON
  --print                print the commands, and the time that they need

Examples:
  scripts/examine --time 10m n1 n2 n3 n4
  sbatch --nodes=8 --exclusive --wrap "scripts/examine -- --mpi=pmix"

Exit codes: 0 nothing is odd, 1 failed, or hardly anything was measured, 2
something is odd, 3 hosts or runs are too few to find anything, 130, 143
interrupted.
"""

DEFAULTS = {"time": 300, "bind": "core"}
READING = {"hint": "options of the launcher follow --"}
# Options of the launcher that only srun has: the job will use it, also where this is no job.
OF_SRUN = re.compile("--(mpi|partition|account|qos|reservation|constraint|cpu-bind|gres)(=|\\Z)")
AGREE = 5   # runs that a sure finding takes
ROUNDS = 8  # at most
NOISE = 10  # seconds of noise in a round, or fewer where --time is short


class Part(NamedTuple):
    """Something that is measured in each round.  hosts: those that take part; none: this
    machine."""

    name: str
    hosts: Sequence[str]
    each: int
    program: str
    options: Sequence[str]

    def file(self) -> str:
        return re.sub("[ /]", "-", self.name)

    def nodes(self) -> int:
        return max(1, len(self.hosts))


class Examine(Plan):
    """Rounds of parts.

    hosts: those that are measured.  noisy: ranks per node where all cores take part.  longest: how
    many seconds a part took.  without: parts that are not started again.  left_out: what has no
    result, and why.
    """

    def __init__(self, o: Options, build: Build, hosts: Sequence[str]) -> None:
        super().__init__(only_print=o.print)
        self.o, self.build, self.hosts, self.time, self.bind = o, build, list(hosts), o.time, o.bind
        self.left_out: List[LeftOut] = []
        self.longest: Dict[str, float] = {}
        self.without: Set[str] = set()
        self.took, self.round = 0.0, 1
        self.part = Part("", (), 1, "", ())
        named = o.launcher
        if not named:
            in_slurm = os.environ.get("SLURM_JOB_ID") and shutil.which("srun")
            named = "srun" if in_slurm or any(map(OF_SRUN.match, o.further)) else \
                build.value("flavour")
            if o.print and named != "srun" and shutil.which("srun"):
                say("examine: in a job of Slurm srun starts the ranks; --launcher srun prints that")
        if not o.print and re.match("openmpi|mpich|mpi[re]", named):
            check_hosts(self.hosts)
        self.starter = named.split() + o.further
        self.begin(o.results, "examine", "%s; %s; ranks per node: %s; bind=%s; launcher=%s; "
                   "options: %s" % (build.folder, " ".join(self.hosts), o.ranks_per_node or "all",
                                    o.bind, named, " ".join(o.further)))
        if not o.print:
            self.results = os.path.abspath(self.results)
            make_folder(os.path.join(self.results, "runs"))
        self.output = o.output or os.path.join(self.results, "examine.html")
        self.find_cores()

    def find_cores(self) -> None:
        o = self.o
        cores = cores_here()
        if self.hosts and not o.ranks_per_node and not o.print:
            cores = self.cores_of(self.hosts[0]) or cores
        cores = granted(cores)
        if cores < 2:
            for name, _, value in (word.partition("=") for word in ask("crowded_words").split()):
                os.environ[name] = value
            self.bind = "none"
        numbers = o.ranks_per_node.split(",") if o.ranks_per_node else powers(cores)
        self.each = [int(number) for number in numbers]
        self.noisy = max(self.each) if o.ranks_per_node else cores

    def cores_of(self, host: str) -> int:
        """What a host has: this machine may be a login node.  0: it does not say."""
        table = os.path.join(self.results, "cores.txt")
        outcome = attempt(table, table[:-4] + ".err", 30, "",
                          self.build.placed(1, 1, [host], "none", self.starter) +
                          ["lscpu", "-p=core,socket"])
        cores = {line for line in read(table).splitlines() if not line.startswith("#")}
        return 0 if outcome.status else len(cores)

    # A part.

    def command_of(self, line: Line) -> Command:
        return self.command(self.part)

    def command(self, part: Part) -> Command:
        binary = self.build.need(part.program)
        start = self.build.placed(part.nodes(), part.each, part.hosts, self.bind, self.starter)
        return Command(binary, start + [binary] + list(part.options))

    def rest(self) -> float:
        """Seconds that are left; when commands are printed time stands still."""
        return self.time - (0 if self.only_print else self.elapsed())

    def third_of_rest(self, most: float) -> int:
        """No part can take the time of all others."""
        return int(min(max(5, self.rest() // 3), most))

    def leave_out(self, part: str, code: int, reason: str, command: Sequence[str] = (),
                  host: str = "") -> None:
        self.left_out.append(LeftOut(part, code, reason.replace("\n", " "), command_line(command),
                                     host))

    def measure(self, name: str, hosts: Sequence[str], each: int, program: str,
                *options: str) -> None:
        """One run of a part, unless it is there.  A part that fails is not started again."""
        part = self.part = Part(name, hosts, each, program, options)
        if name in self.without:
            return
        line = Line(part.file(), "runs")
        is_there = size_of(self.stem_of(line, self.round) + ".json") > 0
        if self.rest() < self.longest.get(name, 1) and not is_there:
            if self.round == 1:
                self.leave_out(name, 0, "the time was over; ask for more with --time",
                               self.command(part).words)
            self.without.add(name)
            return
        self.limit = self.third_of_rest(120 if name == "where" else self.time)
        before = self.elapsed()
        outcome = self.make_run(line, self.round)
        self.took = outcome.seconds if outcome else 0
        self.longest[name] = self.elapsed() - before + 1

    def run_words(self, line: Line, number: int) -> str:
        return "round %d: %s" % (number, self.part.name)

    def to_go(self) -> str:
        return "; %d of %d s" % (self.elapsed(), self.time)

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        part = self.part
        if not outcome.status:
            there = nodes_in(self.stem + ".txt")
            if there == part.nodes():
                return
            outcome = outcome._replace(status=1, why="the ranks were not on %d hosts, but on %s" % (
                part.nodes(), "" if there is None else there))
            os.rename(self.stem + ".json", self.stem + ".json.failed")
        self.without.add(part.name)
        if outcome.status == 124 and size_of(re.sub("-[0-9]+$", "-1", self.stem) + ".json") > 0:
            return
        alone = len(self.hosts) > 1 and part.nodes() == 1
        self.lost(part.name, outcome, self.command(part).words,
                  part.hosts[0] if alone and part.hosts else "")

    def lost(self, part: str, outcome: Outcome, command: Sequence[str], host: str) -> None:
        """No result of the command, because of that host, if one is named."""
        self.leave_out(part, outcome.status,
                       outcome.why.replace("--limit", "a part of --time", 1), command, host)

    # Hosts.

    def without_the_dead(self) -> None:
        """One host on which MPI does not start, or not together with another, would take all parts
        of all hosts with it: it is found and left out, if others remain."""
        good: List[str] = []
        before, self.left_out = self.left_out, []
        for host in self.hosts:
            together = good[:1] + [host]
            words = self.build.placed(len(together), 1, together, "none", self.starter) + \
                [self.build.need("where")]
            stem = os.path.join(self.results, "start-" + host)
            outcome = attempt(stem + ".txt", stem + ".err", self.third_of_rest(30), "", words)
            if not outcome.status:
                good.append(host)
                continue
            # Others had time enough.
            outcome = outcome._replace(status=1) if outcome.status == 124 else outcome
            self.lost("start of MPI on " + " and ".join([host] + good[:1]), outcome, words,
                      host)
            # It is none of the hosts.
            if not good and len(self.left_out) >= 3:
                break
        if not good or len(good) == len(self.hosts):
            self.left_out = before
            return
        self.hosts = good
        self.measure("where on the other hosts", self.hosts, self.noisy, "where")

    # Rounds.

    def within_hosts(self) -> None:
        """What each host does by itself; then noise of all at once, which communicate with nobody,
        so that quanta are the same work everywhere.  The first round has curves, the others the
        size that is compared."""
        first = self.round == 1
        for host in self.hosts or [""]:
            name, alone = host or "this machine", [host] if host else []
            self.measure("latency within " + name, alone, 2, "latency", "-m",
                         "8:1M" if first else "8:8")
            self.measure("bw within " + name, alone, 2, "bw", "-m",
                         "8K:1M" if first else "1M:1M")
        self.measure("noise", self.hosts, self.noisy, "noise", "--budget", "%ds" % self.budget())

    def budget(self) -> int:
        return min(NOISE, self.time // 40 + 1)

    def between_hosts(self) -> None:
        hosts = self.hosts
        rounds = ["--rounds", "20"] if len(hosts) > 64 else []
        if len(hosts) >= 3:
            self.measure("pair_matrix", hosts, 1, "pair_matrix", "-m", "8:8")
            self.measure("pair_bw", hosts, 1, "pair_bw", "-m", "256K:256K", "-W", "8", *rounds)
        elif "pairs" not in self.without:
            self.without.add("pairs")
            self.leave_out("pair_matrix, pair_bw", 0,
                           "they compare pairs, for which three hosts or more are needed")
        if self.round == 1 and len(hosts) >= 2:
            self.measure("latency between hosts", hosts[:2], 1, "latency", "-m", "8:1M")
            self.measure("bw between hosts", hosts[:2], 1, "bw", "-m", "8K:1M")

    def collectives(self) -> None:
        for each in self.each:
            if each * max(1, len(self.hosts)) < 2:
                continue
            for program, words in (("barrier", []), ("allreduce", ["-m", "8:64K"]),
                                   ("alltoall", ["-m", "8:4K"])):
                self.measure("%s, %d ranks per node" % (program, each), self.hosts, each, program,
                             *words)

    def forecast(self, start: float) -> None:
        """Say what a sure finding takes, if a start of MPI takes so long, and what there is."""
        nodes = max(1, len(self.hosts))
        needed = int(AGREE * ((2 * nodes + 3) * (start + 1) + NOISE))
        if nodes < 3:
            say("examine: nothing can be found with fewer than three hosts: values are listed")
        elif needed > self.rest():
            say("examine: %d s (--time) are perhaps too few to find anything: five runs of each "
                "part on %d hosts take about %d s" % (self.rest(), nodes, needed))
        else:
            say("examine: five runs of each part on %d hosts, which a sure finding takes, need "
                "about %d of %d s" % (nodes, needed, self.rest()))

    def measure_all(self) -> None:
        """Values that are compared need several runs; the others have one.  Outliers need five,
        which are made first."""
        ranks = self.noisy if max(1, len(self.hosts)) * self.noisy > 1 else 2
        self.measure("where", self.hosts, ranks, "where")
        if "where" in self.without and len(self.hosts) >= 2:
            self.without_the_dead()
        self.forecast(1 if self.only_print else self.took)
        for self.round in range(1, AGREE + 1):
            self.between_hosts()
        for self.round in range(1, ROUNDS + 1):
            if self.round > AGREE:
                self.between_hosts()
            self.within_hosts()
            if self.round == 1:
                self.collectives()
            if self.rest() <= 0:
                break

    # The answer.

    def again(self) -> str:
        """The command that measures {hosts} with twice the time."""
        o = self.o
        words = ["--build", self.build.folder, "--time", str(2 * self.time)]
        if self.bind != "core":
            words += ["--bind", self.bind]
        if o.ranks_per_node:
            words += ["--ranks-per-node", o.ranks_per_node]
        # After a Slurm job the hosts are reached by srun too, which waits for them.
        if o.launcher or os.environ.get("SLURM_JOB_ID"):
            words += ["--launcher", o.launcher or "srun"]
        words += ["{hosts}"] + (["--"] + o.further if o.further else [])
        return variables(STEERING) + as_started("scripts/examine " + " ".join(words))

    def report(self) -> int:
        """What the runs say, and the page: the exit code.  Errors: Refused."""
        title = " ".join(self.hosts) or os.uname().nodename
        if len(self.hosts) > 8:
            title = "%d hosts" % len(self.hosts)
        self.progress()
        note = " ".join(foreign_load(self.results))
        return judge.answer(Question(
            left_out=self.left_out, command=self.again(), title="Examination of " + title,
            note=note or None, output=self.output, json=self.o.json),
            [os.path.join(self.results, "runs")])

    def runs_there(self) -> List[str]:
        return files(os.path.join(self.results, "runs"), r".*\.json")

    def when_interrupted(self) -> None:
        self.leave_out("what was still to come", 0, "the examination was interrupted")
        if self.runs_there():
            self.report()


def hosts_of(o: Options) -> List[str]:
    """Those that are named, or those of a batch job.  Errors: Refused."""
    named: List[str] = []
    for word in o.words:
        if not re.search(r"\[.*\]", word):
            named.append(word)
        elif shutil.which("scontrol"):
            named += listed("the hosts '%s'" % word, word)
        else:
            raise Refused("'%s' is a list of Slurm, which only scontrol can read, and it is not "
                          "here: name each host" % word)
    for i, word in enumerate(named):
        if not re.match("[A-Za-z0-9_][A-Za-z0-9_.-]*\\Z", word):
            raise Refused("'%s' is not the name of a host" % word)
        if word in named[:i]:
            raise Refused("host '%s' is named twice" % word)
    return named


def main(o: Options) -> int:
    # A host alone could be compared with no other.
    if len(o.words) == 1 and os.path.isdir(o.words[0]):
        return judge.answer(Question(
            left_out=[], command="", note=None, json=o.json,
            output=o.output or os.path.join(o.words[0], "examine.html"),
            title="Examination of " + o.words[0]), o.words)
    hosts = hosts_of(o)
    refuse_options(o.further)
    if not o.time:
        raise Refused("--time 0 is no time to measure anything")
    if o.ranks_per_node and not is_number_list(o.ranks_per_node):
        raise Refused("--ranks-per-node '%s' is not a list of numbers of ranks" % o.ranks_per_node)
    build = need_build(o.build)
    nodes_of_pbs = sorted(set(read(os.environ.get("PBS_NODEFILE", "")).split()))
    plan = Examine(o, build, hosts or hosts_of_job() or nodes_of_pbs)
    plan.measure_all()
    if o.print:
        return 0
    if plan.runs_there():
        return plan.report()
    # Where something else went wrong, more time does not help.
    other = [part for part in plan.left_out if "--time" not in part.reason] or plan.left_out
    first = re.sub("[. ]*$", "", "%s: %s" % (other[0].part, other[0].reason)) if other else ""
    raise Refused("nothing was measured: %s; the output of each run is in %s/runs"
                  % (first, plan.results))
