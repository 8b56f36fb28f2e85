# SPDX-License-Identifier: BSD-3-Clause
"""examine - hosts and the network between them: values of several runs, of which some are odd."""
import os
import re
import shutil
from typing import Dict, List, NamedTuple, Sequence, Set

from judge import examine as judge
from judge.findings import LeftOut
from judge.host_values import RACKS
from judge.results import as_list, as_object, as_whole, read_json
from judge.text import Refused, counted, some_of

from .builds import (Build, check_hosts, cores_here, granted, hosts_of_job, listed, need_build,
                     nodes_in, powers)
from .folders import STEERING, files, make_folder, read, say, size_of, tell, variables, write
from .halves import Culprit, Halves, Hosts, Trial
from .options import Options, command_line, is_number_list, question_of, quoted
from .plan import Command, Line, Outcome, Plan, attempts, has_run
from .shell import as_started, ask, said_by

USAGE = """Usage: scripts/examine [OPTION...] [HOST...] [-- LAUNCHER-OPTION...]
Measure hosts and the network between them, and report on one page what is odd.

  HOST             names of hosts, or n[1-64] where Slurm is [those of the
                   batch job, or this machine]; FOLDER/runs of an earlier
                   examination: its page is written again
  LAUNCHER-OPTION  options of mpirun, mpiexec or srun, such as --mpi=pmix, and
                   maybe what starts the programs, such as scripts/bind-rail

Options:
  --time TIME            time for all of it, such as 10m [300]
  --ranks-per-node LIST  of collectives [1,2,4,... and all cores]
  --bind core|none       bind ranks to cores, or not at all [core]
  --racks FILE           a rack and its hosts in each line, or a topology.conf
                         [that of a Slurm job]
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

READING = {"hint": "options of the launcher follow --"}
# Options of the launcher that only srun has: the job will use it, also where this is no job.
OF_SRUN = re.compile("--(mpi|partition|account|qos|reservation|constraint|cpu-bind|gres)(=|\\Z)")
AGREE = 5    # runs that a sure finding takes
ROUNDS = 8   # at most, where five leave it open
NOISE = 10   # seconds of noise in a round, or fewer where --time is short
HOSTS = 5    # seconds that hosts takes in a round, about
PATIENCE = 2  # times as long as those that passed a trial must take that is ended by its time
TRIAL = 30   # seconds of a trial of some hosts, at most, or a tenth of --time
EVERY = 64   # hosts: up to so many each meets each other one, and of more each meets SOME others
SOME = 16
COLLECTIVES = "barrier", "allreduce -m 8:64K", "alltoall -m 8:4K"


class Job(NamedTuple):
    """Programs that run one after the other in one MPI job, with so many ranks on each host.
    kind: hosts, noise or collectives.  lines: each has a program and its options."""

    kind: str
    each: int
    lines: Sequence[str]

    def file(self) -> str:
        return "%s-%d-per-host" % (self.kind, self.each)

    def programs(self) -> List[str]:
        return [line.split()[0] for line in self.lines]

    def name(self) -> str:
        return "%s (%d per host)" % (", ".join(self.programs()), self.each)


class Examine(Plan):
    """Rounds of jobs.

    hosts: those that are measured; none: this machine.  racks: of hosts, where they are known.
    noisy: ranks per host where all cores take part; 0: not known yet.  longest: how many seconds a
    job took.  passed: how many the longest trial took that passed.  without: jobs that are not
    started again.  left_out: what has no result, and why.
    """

    def __init__(self, o: Options, build: Build, hosts: Sequence[str]) -> None:
        super().__init__(documents=False)
        self.o, self.build, self.time, self.bind = o, build, o.time, o.bind
        self.racks = racks_of(o.racks, hosts)
        order = list(dict.fromkeys(self.racks.values())) + [""]
        self.hosts = sorted(hosts, key=lambda host: order.index(self.racks.get(host, "")))
        self.left_out: List[LeftOut] = []
        self.longest: Dict[Line, float] = {}
        self.without: Set[Line] = set()
        self.start, self.passed, self.round, self.trials = 1.0, 0.0, 1, 0
        self.trial = max(5, min(TRIAL, self.time // 10))
        self.job, self.outcome = Job("", 1, ()), Outcome(0, "", 0)
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
            write(os.path.join(self.results, "runs", RACKS), "".join(
                "%s %s\n" % (self.racks[host], host) for host in hosts if host in self.racks))
        self.output = o.output or os.path.join(self.results, "examine.html")
        self.each = [int(number) for number in (o.ranks_per_node or "0").split(",")]
        self.noisy = max(self.each)
        if cores_here() < 2:
            for name, _, value in (word.partition("=") for word in ask("crowded_words").split()):
                os.environ[name] = value
            self.bind = "none"

    def count_cores(self) -> None:
        """Those of the smallest host, as hosts has met them: this machine may be a login node."""
        sets = as_list(as_object(read_json(self.path("hosts-1.json"))).get("hosts")) \
            if size_of(self.path("hosts-1.json")) > 0 else []
        found = [as_whole(as_object(as_object(as_object(one).get("environment")).get(
            "hardware")).get("cores")) for one in sets]
        cores = granted(min(filter(None, found), default=cores_here()))
        self.each, self.noisy = powers(cores), cores

    # A job.

    def path(self, name: str) -> str:
        return os.path.join(self.results, "runs", name)

    def command_of(self, line: Line) -> Command:
        return self.command(self.job, self.hosts, "--json=%s/" % self.folder_of(self.job))

    def folder_of(self, job: Job) -> str:
        """Where it writes, which no judge reads."""
        return self.path(".%s-%d" % (job.file(), self.round))

    def command(self, job: Job, hosts: Sequence[str], *options: str) -> Command:
        binary = os.path.join(self.build.folder, "mpi/suite")
        start = self.build.placed(max(1, len(hosts)), job.each, hosts, self.bind, self.starter)
        return Command(binary, start + [binary, "--from=" + self.lines_of(job)] + list(options))

    def lines_of(self, job: Job) -> str:
        """The file of its lines, which stays, so that the command can be repeated."""
        return os.path.join(self.results, "%s-%d.lines" % (job.file(), self.round))

    def rest(self) -> float:
        """Seconds that are left; when commands are printed time stands still."""
        return self.time - (0 if self.only_print else self.elapsed())

    def leave_out(self, part: str, code: int, reason: str, command: Sequence[str] = (),
                  hosts: Sequence[str] = ()) -> None:
        host, partner = (list(hosts) + ["", ""])[:2]
        self.left_out.append(LeftOut(part, code, reason.replace("\n", " "), command_line(command),
                                     host, partner))

    def measure(self, kind: str, each: int, lines: Sequence[str]) -> None:
        """One run of a job, unless it is there; one that fails is made again without the hosts that
        are to blame, or not started any more."""
        job = self.job = Job(kind, each, lines)
        line = Line(job.file(), "runs")
        is_there = self.is_there(self.stem_of(line, self.round))
        while line not in self.without:
            if self.rest() < self.longest.get(line, 1) and not is_there:
                if self.round == 1:
                    self.leave_out(job.name(), 0, "the time was over; ask for more with --time",
                                   self.command(job, self.hosts).words)
                self.without.add(line)
                return
            # No job can take the time of all others.
            self.limit = int(min(max(5, self.rest() // 3),
                                 2 * self.trial if kind == "hosts" else self.time))
            if not self.only_print:
                shutil.rmtree(self.folder_of(job), ignore_errors=True)
                make_folder(self.folder_of(job))
                write(self.lines_of(job), "\n".join(lines) + "\n")
            before, self.outcome = self.elapsed(), Outcome(0, "", 0)
            self.make_run(line, self.round)
            for text in lines if self.only_print else ():
                tell("    " + text)
            if not self.outcome.status:
                self.longest[line] = self.elapsed() - before + 1
            if not self.outcome.status or not self.blame(self.outcome):
                return

    def run_words(self, line: Line, number: int) -> str:
        return "round %d: %s" % (number, self.job.name())

    def to_go(self) -> str:
        return "; %d of %d s" % (self.elapsed(), self.time)

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        there, nodes = nodes_in(self.stem + ".txt"), max(1, len(self.hosts))
        if not outcome.status and there != nodes:
            outcome = outcome._replace(status=1, why="it wrote no results" if there is None else
                                       "the ranks were not on %d hosts, but on %d" % (nodes, there))
            os.rename(self.stem + ".txt", self.stem + ".out")
        told = re.search("^# suite: programs=.* seconds=([0-9.]+)", read(self.stem + ".txt"), re.M)
        if told:
            self.start = max(0, outcome.seconds - float(told.group(1)))
        self.outcome = outcome
        # Nothing is wrong with a program that ended before the time of its job did.
        self.take_documents("" if outcome.status in (0, 124) else ".failed")
        shutil.rmtree(self.folder_of(self.job), ignore_errors=True)

    def take_documents(self, ending: str = "") -> None:
        """What programs have written that ran to their end, with that ending."""
        for name in self.job.programs():
            document = "%s/%s.json" % (self.folder_of(self.job), name)
            of = name if name in ("hosts", "noise", "where") else \
                "%s-%d-per-host" % (name, self.job.each)
            if has_run(document):
                os.rename(document, self.path("%s-%d.json" % (of, self.round)) + ending)

    # Hosts because of which a job fails.

    def blame(self, outcome: Outcome) -> bool:
        """The job has failed: find out whose fault it is, and go on without these hosts.  False:
        nobody's, or no hosts are left, and it is not started again."""
        culprits: List[Culprit] = []
        is_short = outcome.status == 124 and self.round > 1 and self.limit < self.trial
        if len(self.hosts) > 1 and outcome.status != 77 and not is_short:
            culprits = Halves(self.try_all).search(Trial(self.hosts, outcome))
        gone: Set[str] = set()
        for hosts, trial in culprits:
            why = trial.outcome or outcome
            # What others do in much less time does not end here; else its time was too short.
            is_fault = why.status != 124 or why.seconds >= PATIENCE * self.passed
            why = why._replace(status=1) if is_fault and why.status == 124 else why
            named = hosts if is_fault and len(hosts) < 3 else []
            self.lost("%s on %s" % (self.job.name(), some_of(trial.hosts, 4)), why, trial.hosts,
                      named)
            gone.update(named[-1:])
        if gone and len(self.hosts) > len(gone):
            self.hosts = [host for host in self.hosts if host not in gone]
            return True
        self.without.add(Line(self.job.file(), "runs"))
        if not culprits and not is_short:
            self.lost(self.job.name(), outcome, self.hosts, ())
        return False

    def lost(self, part: str, outcome: Outcome, tried: Hosts, hosts: Sequence[str]) -> None:
        """No result of the job on those that were tried, because of hosts, if any are named."""
        self.leave_out(part, outcome.status, outcome.why.replace("--limit", "a part of --time", 1),
                       self.command(self.job, tried).words, hosts)

    def try_all(self, lists: List[Hosts]) -> List[Trial]:
        """The job on each of these lists of hosts, at the same time."""
        if self.rest() <= 0:
            return [Trial(hosts, None) for hosts in lists]
        self.progress("%s fails: %s of some hosts" % (
            self.job.name(), counted(self.trials + len(lists), "trial")))
        folder = os.path.join(self.results, "trials")
        make_folder(folder)
        stems = ["%s/%d" % (folder, self.trials + i) for i in range(len(lists))]
        self.trials += len(lists)
        outcomes = attempts(stems, self.trial,
                            [self.command(self.job, hosts).words for hosts in lists])
        self.progress()
        self.passed = max([self.passed] + [each.seconds for each in outcomes if not each.status])
        return [Trial(hosts, outcome) for hosts, outcome in zip(lists, outcomes)]

    # Rounds.

    def measure_round(self) -> None:
        """What each host does by itself and with others; then noise of all cores at once, which
        communicate with nobody, so that quanta are the same work everywhere."""
        first, n = self.round == 1, len(self.hosts)
        # Of an odd number one rests in each round, so that all of them meet in one more.
        rounds = ",%d" % (n - 1 + n % 2 if n <= EVERY else SOME) if n > 1 else ""
        # The first round has curves, the others the sizes that are compared.
        lines = ["hosts %s --rounds=0%s" % ("-m 8:256K" if first else "--sizes=8,256K", rounds)]
        if self.noisy != 2:
            self.measure("hosts", 2, lines)
            lines = []
        if first and not self.noisy:
            self.count_cores()
        if first:
            self.forecast()
        lines += (["where"] if first else []) + [
            "noise --budget %ds" % min(NOISE, self.time // 40 + 1)]
        if first:
            lines += self.collectives_of(self.noisy)
        self.measure("noise", max(self.noisy, 1 if n > 1 else 2), lines)

    def collectives_of(self, each: int) -> List[str]:
        return list(COLLECTIVES) if each * max(1, len(self.hosts)) > 1 else []

    def forecast(self) -> None:
        """Say what a sure finding takes, if a start of MPI takes so long, and what there is."""
        nodes = max(1, len(self.hosts))
        starts = 1 if self.noisy == 2 else 2
        needed = int(AGREE * (starts * (self.start + 1) + HOSTS + min(NOISE, self.time // 40 + 1)))
        if nodes < 3:
            say("examine: nothing can be found with fewer than three hosts: values are listed")
        elif needed > self.time:
            say("examine: %d s (--time) are perhaps too few to find anything: five rounds on %d "
                "hosts take about %d s" % (self.time, nodes, needed))
        else:
            say("examine: five rounds on %d hosts, which a sure finding takes, need about %d of "
                "%d s" % (nodes, needed, self.time))

    def is_open(self) -> bool:
        """Do the rounds so far leave it open whether a host is odd?"""
        return not self.only_print and len(self.hosts) > 2 and bool(self.runs_there()) and \
            judge.is_open(os.path.join(self.results, "runs"))

    def measure_all(self) -> None:
        """Outliers need five rounds, and more where these leave something open; last come values
        that are listed only."""
        for self.round in range(1, ROUNDS + 1):
            if self.rest() <= 0 or (self.round > AGREE and not self.is_open()):
                break
            self.measure_round()
        self.round = 1
        for each in self.each:
            if each != self.noisy and self.collectives_of(each):
                self.measure("collectives", each, self.collectives_of(each))

    # The answer.

    def again(self) -> str:
        """The command that measures {hosts} with twice the time."""
        o = self.o
        words = ["--build", self.build.folder, "--time", str(2 * self.time)]
        for name, value in (("bind", o.bind), ("ranks-per-node", o.ranks_per_node),
                            ("racks", quoted(os.path.abspath(o.racks or "")))):
            words += ["--" + name, value] if name in o.given else []
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
        return judge.answer(question_of(
            self.o, left_out=self.left_out, command=self.again(), title="Examination of " + title,
            output=self.output), [os.path.join(self.results, "runs")])

    def runs_there(self) -> List[str]:
        return files(os.path.join(self.results, "runs"), r".*\.json")

    def when_interrupted(self) -> None:
        self.take_documents()
        self.leave_out("what was still to come", 0, "the examination was interrupted")
        if self.runs_there():
            self.report()


def expanded(word: str) -> List[str]:
    """The hosts of a word in Slurm's notation, or what it is.  Errors: Refused."""
    if not re.search(r"\[.*\]", word):
        return [word]
    if shutil.which("scontrol"):
        return listed("the hosts '%s'" % word, word)
    raise Refused("'%s' is a list of Slurm, which only scontrol can read, and it is not here: name "
                  "each host" % word)


def racks_of(path: str, hosts: Sequence[str]) -> Dict[str, str]:
    """The rack of each host, by that file, or by Slurm: of its switches those that have no switches
    below.  Errors: Refused."""
    if path and not os.path.isfile(path):
        raise Refused("--racks: there is no file '%s'" % path)
    text = read(path) if path else os.environ.get("SLURM_JOB_ID") and shutil.which("scontrol") and \
        said_by(["scontrol", "show", "topology"]) or ""
    racks: Dict[str, str] = {}
    for words in (line.split("#")[0].split() for line in text.splitlines()):
        fields = dict(word.split("=", 1) for word in words if "=" in word)
        name = fields.get("SwitchName") or fields.get("BlockName")
        if name and not fields.get("Switches") and "Nodes" in fields:
            words = [name] + re.findall(r"[^,\[]+(?:\[[^]]*\])?[^,\[]*", fields["Nodes"])
        elif fields or not path:
            continue
        for host in (host for word in words[1:] for host in expanded(word)):
            if racks.setdefault(host, words[0]) != words[0] and path:
                raise Refused("'%s' is in the racks %s and %s" % (host, racks[host], words[0]))
    there = set(hosts)
    racks = {host: rack for host, rack in racks.items() if host in there}
    if path and not racks:
        raise Refused("--racks: %s names none of these hosts; each line has a rack and its hosts"
                      % path)
    return racks


def hosts_of(o: Options) -> List[str]:
    """Those that are named, or those of a batch job.  Errors: Refused."""
    named = [host for word in o.words for host in expanded(word)]
    for i, word in enumerate(named):
        if not re.match("[A-Za-z0-9_][A-Za-z0-9_.-]*\\Z", word):
            raise Refused("'%s' is not the name of a host" % word)
        if word in named[:i]:
            raise Refused("host '%s' is named twice" % word)
    return named


def main(o: Options) -> int:
    # A host alone could be compared with no other.
    if len(o.words) == 1 and os.path.isdir(o.words[0]):
        return judge.answer(question_of(
            o, output=o.output or os.path.join(o.words[0], "examine.html"),
            title="Examination of " + o.words[0]), o.words)
    hosts = hosts_of(o)
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
