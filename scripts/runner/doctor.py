# SPDX-License-Identifier: BSD-3-Clause
"""doctor - which line starts MPI here, and does it use the fast network?"""
import os
import re
import shutil
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from judge import doctor as judge
from judge.doctor import FAILS, Advice, Carried, Diagnosis, Trial, best
from judge.results import Result, as_list, as_object, as_text, read_json
from judge.text import Refused, repaired

from .builds import check_hosts, cores_here, hosts_of_job, need_one_build
from .folders import read, say, scratch
from .options import Options, command_line, question_of
from .plan import attempt
from .shell import as_started, said_by

USAGE = """Usage: scripts/doctor [OPTION...] [BUILD]
Find out how to start MPI programs here, and whether they use the fast network.

Each launcher that is found has 20 s to start where with two ranks on each host:
mpirun, mpiexec, srun with each --mpi that it lists, and flux. The first that
works then starts bw. One page has the line to use, why others do not work, what
carried the bytes, and the limits that will be in the way.

  BUILD  build folder, or where make install has put the programs
         [build/openmpi or build/mpich]

Options:
  -N, --nodes N   number of hosts [those of --hosts or of the Slurm job, or 1]
  --hosts A,B...  hosts [those of the Slurm job, or this machine]
  --json FILE     also write the page as JSON

Examples:
  scripts/doctor
  scripts/doctor --hosts n1,n2 build/mpich
  salloc -N 2 --exclusive scripts/doctor

Exit codes: 0 a line works and the fast network carried the bytes, or on one
host shared memory; 1 usage; 2 no line works, or the bytes took another way;
130, 143 interrupted.
"""

READING = {"plan": False}
EACH = 2  # ranks on a host: with one, nobody sees that all share a core
SECONDS = 20  # that a line has to start the ranks
MOVES = 60  # and to measure
SAMPLE = "-m 1M:1M -W 16 --budget=1s".split()
ROOT = os.environ.get("ALIDADE_ROOT", "/")  # tests have another one, with limits of their own
PIDS = 64  # processes and threads that are needed, and
PIDS_EACH = 16  # those for each core: a rank has threads of its MPI, too


class Line(NamedTuple):
    """name: that tells it from others.  words: that go before; of so many ranks on each of so many
    hosts.  why: it cannot be tried, or ""."""

    name: str
    launcher: List[str]
    why: str = ""


# --- What is in the way on this host -------------------------------------------------------------


def system(name: str) -> str:
    return read(os.path.join(ROOT, name)).strip()


def pids_left() -> Tuple[float, str]:
    """Processes and threads that may be added here, and what limits them."""
    found = [(float("inf"), "")]
    most = re.search("^Max processes +([0-9]+)", system("proc/self/limits"), re.M)
    if most and os.geteuid() != 0:  # root may have more
        found.append((float(most.group(1)), "ulimit -u"))
    for controllers, path in re.findall("^[0-9]+:([^:]*):(.*)$", system("proc/self/cgroup"), re.M):
        if controllers and "pids" not in controllers.split(","):
            continue
        top = "sys/fs/cgroup" + ("/pids" if controllers else "")
        while True:
            folder = top + path.rstrip("/")
            limit, now = system(folder + "/pids.max"), system(folder + "/pids.current")
            if limit.isdigit():
                found.append((int(limit) - int(now or 0), "/%s/pids.max" % folder))
            if not path.strip("/"):
                break
            path = os.path.dirname(path.rstrip("/"))
    return min(found)


def why_not_read() -> str:
    """Why a rank may not read the memory of another one, as far as the kernel says."""
    users = system("proc/self/uid_map").split()
    scope = system("proc/sys/kernel/yama/ptrace_scope")
    causes = ["this is a user namespace"] if users and users != ["0", "0", "4294967295"] else []
    causes += ["kernel.yama.ptrace_scope=" + scope] if scope not in ("", "0") else []
    return "; ".join(causes)


def limits(out: str) -> List[Advice]:
    """What the program where found on all hosts, and what it does not look for, on this one."""
    cause, found = why_not_read(), judge.findings(out)
    advice = [each._replace(what="%s (%s)" % (each.what, cause))
              if cause and each.what.startswith("vm_read=") else each for each in found]
    left, where = pids_left()
    needed = PIDS + PIDS_EACH * cores_here()
    if left < needed:
        advice.append(Advice("pids=small: %d more processes and threads are allowed; needed=%d; "
                             "by=%s" % (left, needed, where),
                             "Ask the batch system or the container for more: --pids-limit=-1 of "
                             "Docker and Podman, TasksMax of systemd, ulimit -u."))
    return advice


def sent_to_itself() -> float:
    """Bytes of the loopback interface."""
    return float(system("sys/class/net/lo/statistics/tx_bytes") or 0)


# --- Lines -------------------------------------------------------------------------------------


def called(command: str) -> str:
    """How a shell may call it: without its folder, if that is in PATH."""
    name = os.path.basename(command)
    return name if shutil.which(name) == command else command


class Patient:
    """A build, and the hosts on which it is to run.  folder: for what runs print."""

    def __init__(self, o: Options, folder: str) -> None:
        self.build = need_one_build(o.words)
        self.where, self.bw = self.build.need("where"), self.build.need("bw")
        self.folder = folder
        hosts = [host for host in (o.hosts or "").split(",") if host]
        check_hosts(hosts)
        if not hosts and shutil.which("scontrol"):
            hosts = hosts_of_job()
        self.nodes = o.nodes or len(hosts) or 1
        if hosts and len(hosts) < self.nodes:
            raise Refused("%d hosts are known, and -N asks for %d: --hosts A,B,..." % (
                len(hosts), self.nodes))
        if self.nodes > 1 and not hosts and not (shutil.which("srun") or shutil.which("flux")):
            raise Refused("-N %d needs hosts: --hosts A,B,..." % self.nodes)
        self.hosts = hosts[:self.nodes]

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def lines(self) -> List[Line]:
        """The launcher of the build, then others, each once."""
        own = self.build.value("mpirun")
        lines, met = [Line(called(own), ["mpirun"])], {os.path.realpath(own)}
        for name in "mpirun", "mpiexec":
            path = shutil.which(name)
            if path and os.path.realpath(path) not in met:
                met.add(os.path.realpath(path))
                is_open = "Open MPI" in (said_by([path, "--version"]) or "")
                lines.append(Line(name, ["openmpi" if is_open else "mpich"]))
        if shutil.which("srun"):
            lines += self.lines_of_slurm()
        if shutil.which("flux"):
            lines += [Line("flux run", ["flux"]),
                      Line("flux run -o pmi=pmix", ["flux", "-o", "pmi=pmix"])]
        return lines

    def lines_of_slurm(self) -> List[Line]:
        out = self.path("plugins")
        outcome = attempt(out, out, SECONDS, "", ["srun", "--mpi=list"])
        if outcome.status:
            return [Line("srun", [], outcome.why)]
        plugins = re.findall(r"^(?:srun: |\s+)([a-z0-9_]+)$", read(out), re.M)
        return [Line("srun --mpi=" + plugin, ["srun", "--mpi=" + plugin]) for plugin in plugins]

    def words(self, line: Line, nodes: int, each: int) -> List[str]:
        """What starts so many ranks on each of so many of the hosts."""
        hosts, own = self.hosts[:nodes], line.launcher == ["mpirun"]
        if own and not hosts:
            words = self.build.launcher(nodes * each).replace("{n}", str(nodes * each)).split()
        else:
            words = self.build.placed(nodes, each, hosts, "core", line.launcher)
        if line.launcher[0] in ("openmpi", "mpich"):
            words[0] = line.name
        return [called(word) for word in words]

    def start(self, program: Sequence[str], words: List[str], seconds: int,
              file: str = "") -> tuple:
        """(outcome, (what was printed to standard output, to standard error))."""
        out, err = self.path("out"), self.path("err")
        outcome = attempt(out, err, seconds, file, words + list(program))
        return outcome.without_limit(), (read(out), read(err))

    def try_line(self, line: Line) -> Trial:
        if line.why:
            return Trial(line.name, "", FAILS, line.why)
        words = self.words(line, self.nodes, EACH)
        say("%s: at most %d s" % (line.name, SECONDS))
        outcome, printed = self.start([self.where], words, SECONDS)
        return judge.trial(line.name, command_line(words), outcome, printed,
                           (self.nodes * EACH, self.nodes), SECONDS)

    def measure(self, line: Line, commands: Dict[str, str]) -> Tuple[Optional[Carried],
                                                                     Optional[Result], str]:
        """(what carried the bytes of bw, its result, or why there is none): within the host, or
        between the first two."""
        words = self.words(line, 2, 1) if self.nodes > 1 else self.words(line, 1, 2)
        file, before = self.path("bw.json"), sent_to_itself()
        say("bw: at most %d s" % MOVES)
        outcome, (_, err) = self.start([self.bw] + SAMPLE, words, MOVES, file)
        if outcome.status:
            return None, None, outcome.why
        result = Result(file, read_json(file))
        carried = judge.between_hosts(result, err, commands) if self.nodes > 1 else \
            judge.within_host(result.rows[-1], sent_to_itself() - before)
        return carried, result, ""


def libraries_of(result: Optional[Result]) -> List[str]:
    """That MPI has loaded."""
    found = map(as_object, as_list(result.field("environment.libraries")) if result else [])
    return [" ".join(filter(None, (as_text(each.get("name")), as_text(each.get("version")))))
            for each in found]


def diagnose(o: Options, folder: str) -> Diagnosis:
    patient = Patient(o, folder)
    hosts = ",".join(patient.hosts) or "A,B"
    commands = {name: as_started("scripts/" + text) for name, text in (
        ("examine", "examine" if hosts.count(",") < 2 else "examine " + hosts.replace(",", " ")),
        ("rail", "bind-rail"),
        ("two", "doctor --hosts A,B"))}
    lines = patient.lines()
    trials = [patient.try_line(line) for line in lines]
    chosen = best(trials)
    carried, result, failed, out = None, None, "", ""
    if chosen:
        out = chosen.out
        carried, result, failed = patient.measure(lines[trials.index(chosen)], commands)
    else:  # where alone still tells the limits of this host
        _, (out, _) = patient.start([patient.where], [], SECONDS)
    names = re.findall(r"^[0-9]+ +[0-9]+ +([^ ]+) ", out, re.M)
    names = list(dict.fromkeys(names)) or patient.hosts or [os.uname().nodename]
    mpi = judge.header(out).get("mpi", "")
    return Diagnosis(patient.build.folder, mpi, [repaired(name) for name in names], trials, carried,
                     failed, limits(out), libraries_of(result), commands)


def main(o: Options) -> int:
    with scratch() as folder:
        return judge.answer(question_of(o), diagnose(o, folder))
