# SPDX-License-Identifier: BSD-3-Clause
"""Builds, their programs, and what starts these."""
import os
import re
import subprocess
from typing import Any, List, Optional, Sequence

from judge.text import Program, Refused, meant

from . import mpis
from .folders import read
from .shell import BUILDS, TOP, ask, execute, said_by, words

# Families, as users meet them.
FAMILIES = "pt2pt congestion collective guidelines one-sided baseline startup system application"


def is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def is_build(folder: str) -> bool:
    """Are the programs there?"""
    return os.access(os.path.join(folder, "mpi/pt2pt/latency"), os.X_OK)


def within(folder: str) -> str:
    """The folder of the programs, where it is one that make install was told."""
    inner = os.path.join(folder, "libexec/alidade")
    return inner if is_build(inner) else folder


class Build:
    """A folder with programs, of a build or where make install has put them."""

    def __init__(self, folder: str) -> None:
        self.folder, self.known_flavour = folder, ""

    def value(self, name: str) -> str:
        """What configure has found out, or "": name='value' in environment.sh."""
        found = re.search("^%s='(.*)'" % name, read(os.path.join(self.folder, "environment.sh")),
                          re.M)
        return found.group(1) if found else ""

    def program(self, name: str) -> Optional[str]:
        """The file of a program, or None."""
        found = [os.path.join(self.folder, "mpi", family, name) for family in FAMILIES.split()]
        return next(filter(is_program, found), None) if "/" not in name else None

    def programs(self, families: str = FAMILIES) -> List[str]:
        """FAMILY/NAME of each program."""
        found = []
        for family in families.split():
            place = os.path.join(self.folder, "mpi", family)
            names = sorted(os.listdir(place)) if os.path.isdir(place) else []
            # A link to another name is a second one, as configure --program-prefix makes.
            found += [family + "/" + name for name in names if is_program(place + "/" + name) and
                      os.path.basename(os.path.realpath(place + "/" + name)) == name]
        return found

    def names(self) -> List[str]:
        return sorted(path.partition("/")[2] for path in self.programs())

    def need(self, name: str) -> str:
        """The file of a program.  Errors: Refused."""
        path = self.program(name)
        if path is not None:
            return path
        hint = meant(name, self.names()) + "; scripts/run-suite --list names them"
        if name.startswith("-"):
            hint = "; options of programs follow a second --"
        elif name.startswith("osu_") and self.program(name[4:]):
            hint = "; it is called %s here" % name[4:]
        raise Refused("'%s' is not a program of %s%s" % (name, self.folder, hint))

    def launcher(self, ranks: int, mpirun: str = "") -> str:
        """What starts {n} ranks on this machine, by the launcher that the build was made for or
        that one, bound so that so many ranks fit."""
        return ask("launcher_here", str(ranks), "{n}", mpirun, folder=self.folder)

    def flavour(self) -> str:
        """Of the MPI that its launcher starts: openmpi, mpich or intel; "": it is no build."""
        if not os.path.exists(os.path.join(self.folder, "environment.sh")):
            return ""
        return ask("flavour_of", self.value("mpirun"), folder=self.folder)

    def placed(self, nodes: int, each: int, hosts: Sequence[str], bind: str,
               launcher: Sequence[str]) -> List[str]:
        """What starts so many ranks on each of so many nodes, by a launcher of that name with these
        options.  bind: core or none.  Errors: Refused."""
        name, options = launcher[0] if launcher else "", list(launcher[1:])
        n, some = str(nodes * each), ",".join(hosts)
        if name == "srun":
            words = ["srun", "-N", str(nodes), "-n", n, "--ntasks-per-node=%d" % each,
                     "--cpu-bind=" + {"core": "cores"}.get(bind, bind)]
            words += ["--nodelist", some] if hosts else []
        elif name == "flux":
            options = options[1:] if options[:1] == ["run"] else options
            words = ["flux", "run", "-N", str(nodes), "-n", n, "-o",
                     "cpu-affinity=" + ("off" if bind == "none" else "per-task")]
            words += ["--requires=hosts:" + some] if hosts else []
        elif name == "jsrun":
            if hosts:
                raise Refused("jsrun takes the hosts of the job: leave out --hosts")
            words = ["jsrun", "--nrs", str(nodes), "--rs_per_host", "1", "--tasks_per_rs",
                     str(each), "--cpu_per_rs", "ALL_CPUS", "--launch_distribution", "packed",
                     "--bind", "none" if bind == "none" else "packed:1"]
        elif name in ("openmpi", "mpich", "mpirun", "mpiexec"):
            words = self.placed_by_mpi(name, each, n, hosts, bind)
        else:
            raise Refused("--launcher '%s' is not mpirun, mpiexec, srun, flux, jsrun, openmpi or "
                          "mpich" % name)
        return words + options

    def placed_by_mpi(self, name: str, each: int, n: str, hosts: Sequence[str],
                      bind: str) -> List[str]:
        """By the launcher of an MPI: the build's own, where it is one of that MPI; else what is in
        PATH."""
        mpirun = "mpiexec" if name in ("mpich", "mpiexec") else "mpirun"
        flavour = self.known_flavour = self.known_flavour or self.flavour()
        if name in ("mpirun", "mpiexec") and flavour:
            name = flavour
        if flavour == name:
            mpirun = self.value("mpirun")
        name = "mpich" if name == "mpiexec" else name
        return [mpirun, "-n", n] + ask("on_nodes", name if name in ("mpich", "intel") else
                                       "openmpi", str(each), bind, *hosts).split()


def default_build() -> Build:
    """The installed suite, or the build with Open MPI, or else with MPICH.  Errors: Refused."""
    for folder in TOP, BUILDS + "/openmpi", BUILDS + "/mpich":
        if is_build(folder):
            return Build(folder)
    raise Refused("no build in %s; make one with scripts/quickstart" % BUILDS)


class NotBuilt(Refused):
    """Why programs could not be built."""


def build_for(name: str, prefix: str, programs: Sequence[str] = (),
              fixed: bool = False) -> Build:
    """A build of that name for the MPI in a prefix, with these programs, or with all.  fixed: one
    for another MPI is refused.  Errors: NotBuilt, Refused."""
    build = Build(os.path.join(BUILDS, name))
    if Program.only_print:
        if is_build(build.folder):
            return build
        raise NotBuilt("%s would be built first; its commands are known then" % build.folder)
    if not is_build(build.folder):
        ask("need_sources")
    mpirun = mpis.launcher_in(prefix) or prefix + "/bin/mpirun"
    before = build.value("mpirun")
    if fixed and before not in ("", mpirun):
        raise Refused("%s is a build for the MPI of %s, not for that in %s: give the variant "
                      "another name, or remove the folder" % (build.folder, before, prefix))
    done = execute(words(["built_with", " ".join(programs), name, prefix + "/bin/mpicc",
                          "MPIRUN=" + mpirun]), stdout=-1, env=mpis.environment_of(prefix))
    if done.returncode:
        raise NotBuilt(os.fsdecode(done.stdout).strip())
    return build


def need_build(folder: Optional[str]) -> Build:
    """That of --build, or where none is named.  A release, which "pypi:MPI[==VERSION]" is, is found
    from now on by this command and all that it starts.  Errors: Refused."""
    if not folder:
        return default_build()
    asked = mpis.asked(folder)
    if asked:
        (release, prefix), = mpis.Index().get([asked])
        os.environ.update(mpis.environment_of(prefix))
        return build_for(release.name(), prefix)
    folder = within(folder)
    if not is_build(folder):
        raise Refused("there are no programs in '%s/mpi'; scripts/quickstart builds them" % folder)
    return Build(folder)


def need_one_build(words: Sequence[str]) -> Build:
    """That which is named, or where none is.  Errors: Refused."""
    if len(words) > 1:
        raise Refused("name one build, and not " + " ".join(words))
    return need_build(words[0] if words else None)


# --- Launchers ----------------------------------------------------------------------------------


def launcher_of(text: str) -> str:
    """--launcher with {n}, which is added to srun and such without a number.  Errors: Refused."""
    if text.startswith("-"):
        raise Refused("a launcher begins with its command, for example: {mpirun} -n {n} %s" % text)
    name, *rest = text.split() or [""]
    number = {"mpirun": "-n", "mpiexec": "-n", "srun": "-n", "flux": "run -n", "jsrun": "--np"}
    counts = "(?<![^ ])-(-?n(p[a-z]*|rs|odes|tasks[a-z-]*)?|N|p)[ =]?[0-9]"  # not --nodelist
    if name not in number or "{n}" in text or re.search(counts, text):
        return text
    # The last words may start the program, as bind-rail does.
    return " ".join([name, number[name], "{n}"] + rest[name == "flux" and rest[:1] == ["run"]:])


def check_ranks(given: Sequence[str], ranks: Any, launcher: str) -> None:
    """Has --ranks an effect on the launcher, or was it not given?  Errors: Refused."""
    if "ranks" in given and "{n}" not in launcher:
        raise Refused("--ranks %s has no effect: the launcher '%s' lacks {n}, which stands for the "
                      "number of ranks" % (ranks, launcher))


def need_launcher(o: Any, build: Build) -> str:
    """A command with {n}, by --launcher, or for --ranks ranks on this machine.  Errors: Refused."""
    if o.launcher:
        launcher = launcher_of(o.launcher)
        check_ranks(o.given, o.ranks, launcher)
        return launcher
    return build.launcher(o.ranks)


def start_of(launcher: str, ranks: int) -> List[str]:
    return launcher.replace("{n}", str(ranks)).split()


def check_hosts(hosts: Sequence[str]) -> None:
    """MPICH's mpiexec waits for ever for a host that is not known; ssh may have names of its own.
    Errors: Refused."""
    if said_by(["getent", "hosts", "localhost"]) is None:
        return
    for host in hosts:
        real = re.search("^hostname (.*)$", said_by(["ssh", "-G", host]) or "", re.M)
        if said_by(["getent", "hosts", real.group(1) if real else host]) is None:
            raise Refused("unknown host '%s'" % host)


def nodes_in(path: str) -> Optional[int]:
    """The number of nodes in the header line of a table."""
    found = re.search("^# Alidade .* nodes=([0-9]*);", read(path), re.M)
    return int(found.group(1)) if found else None


def cores_here() -> int:
    return int(ask("cores_here"))


def granted(cores: int) -> int:
    """Of so many of a node, those that the job has: the first number of a list as 64(x2),32."""
    number = re.match("[0-9]+", os.environ.get("SLURM_JOB_CPUS_PER_NODE") or
                      os.environ.get("SLURM_CPUS_ON_NODE", ""))
    return min(cores, int(number.group())) if number else cores


def powers(cores: int) -> List[int]:
    """1, 2, 4 and so on, and all cores."""
    return [1 << i for i in range(cores.bit_length()) if 1 << i < cores] + [cores]


# --- GPUs ---------------------------------------------------------------------------------------


def gpus_of(o: Any, build: Build) -> str:
    """Of whom the GPUs are: --gpus, or those that the build can use.  Errors: Refused."""
    cuda, hip = build.value("have_cuda"), build.value("hip_dir")
    gpus = o.gpus or ("rocm" if cuda == "no" and hip != "none" else "cuda")
    for name, lacks, option in ("cuda", cuda == "no", "cuda"), ("rocm", hip == "none", "hip"):
        if gpus == name and lacks:
            raise Refused("%s is a build without support for %s: configure with --with-%s"
                          % (build.folder, name, option))
    return gpus


def pairs_of(text: str) -> List[str]:
    """The pairs of memory types in --pairs.  Errors: Refused."""
    if not text:
        raise Refused("--pairs names no pair; an example is H-H,D-D")
    pairs = text.rstrip(",").split(",")
    for pair in pairs:
        if not re.match("(H|HH|HP|D|F|M|MD|MH)-(H|HH|HP|D|F|M|MD|MH)\\Z", pair):
            raise Refused("--pairs '%s' is not SRC-DST, each H, HH, HP, D, F, M, MD or MH" % pair)
    return pairs


# --- Hosts of a job -----------------------------------------------------------------------------


def listed(what: str, text: str) -> List[str]:
    """The hosts of a list in Slurm's notation.  Errors: Refused."""
    done = subprocess.run(["scontrol", "show", "hostnames", text], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = os.fsdecode(done.stdout).strip("\n")
    if done.returncode or not said:
        raise Refused("cannot read %s: scontrol show hostnames %s: %s"
                      % (what, text, said.split("\n")[-1] or "it printed nothing"))
    return said.split("\n")


def hosts_of_job() -> List[str]:
    """Those of a batch job, if there is one.  Errors: Refused."""
    nodes = os.environ.get("SLURM_JOB_NODELIST")
    return listed("the hosts of this job", nodes) if nodes else []
