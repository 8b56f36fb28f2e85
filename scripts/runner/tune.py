# SPDX-License-Identifier: BSD-3-Clause
"""tune - the fastest algorithms of collective operations, which new runs confirm."""
import filecmp
import os
import re
import shutil
from typing import Dict, List, Sequence, Tuple

from judge import tune as judge
from judge.algorithms import LIBRARIES, Library
from judge.documents import Question
from judge.text import Refused, output

from . import mpis
from .attempt import attempt
from .builds import Build, launcher_of, need_build
from .folders import files, make_folder, read, say, tell
from .options import Options, each_once, is_number_list, quoted, refuse_options
from .plan import Plan, foreign_load
from .shell import SCRIPTS, Ended, said_by

USAGE = """Usage: scripts/tune [OPTION...] [OPERATION...] [-- PROGRAM-OPTION...]
Find the fastest algorithm of collective operations, and confirm it.

  OPERATION       a collective benchmark [allreduce bcast allgather alltoall
                  reduce]
  PROGRAM-OPTION  options of all benchmarks, such as -m 8:64K

Options:
  --ranks LIST       numbers of ranks, such as 4,8 [2]
  --algorithms LIST  numbers or names; --list prints them [all]
  --runs N           runs of each algorithm [8]
  --time TIME        add runs, at most this long, while one is undecided
  --margin PERCENT   smallest relevant difference [3]
  --launcher WORDS   starts {n} ranks, as "srun -n {n}" [on this machine]
  --limit TIME       time limit of a run; slower algorithms are dropped [120]
  --build DIR        build folder, or where make install has put the programs
                     [build/openmpi or build/mpich]
  --results DIR      folder for the runs; to resume, repeat [tune-DATE]
  --output FILE      rules (Open MPI) or variables (MPICH, Intel MPI)
                     [tuned.rules or tuned.sh in the folder for the runs]
  --json FILE        also write the answer as JSON
  --list             print the algorithms of the library

Example:
  scripts/tune --ranks 4,8 allreduce bcast -- -m 8:64K

Exit codes: 0 success, 1 failed, 130, 143 interrupted.
"""

DEFAULTS = {"ranks": "2", "algorithms": "all", "margin": 0.03, "runs": 8, "limit": 120}
OPERATIONS = ["allreduce", "bcast", "allgather", "alltoall", "reduce"]


# --- The algorithms of a library ----------------------------------------------------------------


def said_of(build: Build, library: Library, operation: str) -> str:
    """What the program beside mpirun prints, which lists the settings of the library.
    Errors: Refused."""
    name = library.lists[0]
    mpirun = shutil.which(build.value("mpirun")) or ""
    beside = os.path.join(os.path.dirname(mpirun), name)
    info = beside if mpirun and os.access(beside, os.X_OK) else shutil.which(name)
    if info is None:
        raise Refused("%s, which lists the algorithms of this MPI, is not installed" % name)
    prefix = os.path.dirname(os.path.dirname(info))
    text = said_by([info] + library.lists[1:] + library.settings_for(operation),
                   env=mpis.environment_of(prefix))
    if text is None:
        raise Refused("%s failed" % info)
    return text


def is_wanted(algorithm: str, wanted: Sequence[str]) -> bool:
    number, _, name = algorithm.partition("-")
    name = name if number.isdigit() else algorithm
    return any(word in wanted for word in ("all", number, name, algorithm))


# --- The runs -----------------------------------------------------------------------------------


class Tune(Plan):
    """Comparisons of the default with each algorithm, and then with what is chosen.

    algorithms: of each operation.  ranks: numbers of ranks, ascending.
    """

    def __init__(self, o: Options, build: Build, launcher: str,
                 operations: Sequence[str]) -> None:
        super().__init__(only_print=o.print)
        self.o, self.build, self.operations = o, build, operations
        self.mpi = build.flavour()
        self.mpi_library = LIBRARIES[self.mpi]
        self.subject = build.folder + (" " + launcher if launcher else "")
        self.ranks = sorted({int(number) for number in o.ranks.split(",")})
        self.algorithms: Dict[str, List[str]] = {}
        for operation in operations:
            build.need(operation)
            self.algorithms[operation] = self.mpi_library.listed(
                said_of(build, self.mpi_library, operation), operation)
            if not self.algorithms[operation]:
                raise Refused("this MPI has no choice of algorithms for '%s'" % operation)
            self.mpi_library.check(operation)
        self.choose(o.algorithms)

    def choose(self, text: str) -> None:
        """Keep those that --algorithms names.  Errors: Refused."""
        words, every = text.split(","), sum(self.algorithms.values(), [])
        # What is misspelled next to a known one would not be measured.
        unknown = ",".join(word for word in words
                           if not any(is_wanted(each, [word]) for each in every))
        if unknown:
            raise Refused("--algorithms '%s' names none of %s; --list prints them"
                          % (unknown, " ".join(self.operations)))
        for operation in self.operations:
            self.algorithms[operation] = [each for each in self.algorithms[operation]
                                          if is_wanted(each, words)]
            if not self.algorithms[operation]:
                raise Refused("--algorithms '%s' names none of %s; --list prints them"
                              % (text, operation))

    def measure(self, place: str, operation: str, ranks: int, variants: Sequence[str]) -> None:
        """Make comparison.json there, of the default and the variants; without comparisons if each
        of these failed.  Errors: Refused, Ended."""
        o = self.o
        command = [os.path.join(SCRIPTS, "compare"), "--classes", "rows", "--runs", str(o.runs)]
        command += ["--time", str(o.time)] if o.time is not None else []
        command += ["--limit", str(o.limit), "--margin", "%.12g" % (100 * o.margin), "--ranks",
                    str(ranks), "--results", place, "default=" + self.subject] + list(variants)
        programs = ["--", operation, "--"] + o.further
        if o.print:
            text = said_by(command + ["--print"] + programs, stderr=None) or ""
            for line in text.splitlines():
                tell("%s-%d/%s" % (operation, ranks, line))
            return
        table, err = place + ".table", place + ".said"
        fresh = os.path.join(place, "comparison.json")
        make_folder(place)
        if os.path.exists(fresh):
            os.unlink(fresh)
        outcome = attempt(table, err, 0, "", command + ["--json", fresh] + programs)
        dropped = re.findall("^compare: .* with (.*) failed: (.*)$", read(err), re.M)
        for text in sorted({"# %s, %d ranks: %s is dropped: %s" % ((operation, ranks) + each)
                            for each in dropped}):
            say(text)
        for text in sorted(set(re.findall("^# not compared: .*$", read(table), re.M))):
            say(text)
        # Somebody has ended it.
        if outcome.status > 128:
            raise Ended(outcome.status)
        # Algorithms may fail, and all of them; the default may not.
        if not os.path.exists(fresh) or any(name == "default" for name, _ in dropped):
            words = [line for line in read(err).splitlines() if line.startswith("compare")]
            raise Refused((words or [outcome.why])[-1].partition(": ")[2] or outcome.why)
        for path in table, err:
            os.unlink(path)

    def place_of(self, operation: str, ranks: int) -> str:
        return os.path.join(self.results, "%s-%d" % (operation, ranks))

    def announce(self, text: str) -> None:
        """What takes long from now on."""
        say("tune: " + text)
        if not self.o.print:
            self.progress(text)

    def measure_operation(self, operation: str) -> None:
        settings = [self.mpi_library.control(operation, name)
                    for name in self.algorithms[operation]]
        variants = ["%s=%s %s" % (name, setting, self.subject)
                    for name, setting in zip(self.algorithms[operation], settings)]
        for ranks in self.ranks:
            self.announce("%s with %d ranks: the default and %d more" % (operation, ranks,
                                                                         len(variants)))
            self.measure(self.place_of(operation, ranks), operation, ranks, variants)
        if self.o.print:
            return
        # New runs of what is chosen; those of an earlier choice do not count.
        for _, ranks, setting in judge.next_of(self.mpi, self.places([operation])):
            place = self.place_of(operation, ranks)
            rules, confirm = os.path.join(place, "confirm.rules"), os.path.join(place, "confirm")
            kept = os.path.join(confirm, "rules")
            if not os.path.exists(kept) or not filecmp.cmp(rules, kept, shallow=False):
                shutil.rmtree(confirm, ignore_errors=True)
            make_folder(confirm)
            shutil.copyfile(rules, kept)
            self.announce("%s with %d ranks: confirming" % (operation, ranks))
            self.measure(confirm, operation, ranks,
                         ["tuned=%s %s" % (setting, self.subject)])

    def places(self, operations: Sequence[str]) -> List[Tuple[str, int, str]]:
        """(operation, ranks, folder) of each."""
        return [(operation, ranks, self.place_of(operation, ranks))
                for operation in operations for ranks in self.ranks]


def say_how_to_use(plan: Tune, file: str) -> None:
    """What ends the answer; file: what was written, or ""."""
    runs = [path for operation in plan.operations for ranks in plan.ranks
            for path in files(plan.place_of(operation, ranks), r".*-[0-9].*\.json")]
    shared = sum('"oversubscribed": true' in read(path) for path in runs)
    for text in foreign_load(plan.results):
        tell("# " + text)
    if shared:
        tell("# In %d of %d runs the ranks shared CPUs (W08): the choice means nothing for a real "
             "run." % (shared, len(runs)))
    if not file:
        return
    for line in plan.mpi_library.how_to_use(quoted(file)):
        tell("# " + line)


def main(o: Options) -> int:
    refuse_options(o.further)
    if o.runs < 5:
        say("\n== with --runs %d nothing can be faster for sure; 8 usually decide" % o.runs)
    if not is_number_list(o.ranks):
        raise Refused("--ranks '%s' is not a list of numbers of ranks" % o.ranks)
    launcher = launcher_of(o.launcher or "")
    if launcher and "{n}" not in launcher:
        raise Refused("--launcher '%s' lacks {n}, which stands for the number of ranks" % launcher)
    build = need_build(o.build)
    build = Build(os.path.abspath(build.folder))
    plan = Tune(o, build, launcher, each_once(o.words or OPERATIONS))
    if o.list:
        for operation in plan.operations:
            tell("%s: %s" % (operation, " ".join(plan.algorithms[operation])))
        return 0
    plan.begin(o.results, "tune", "%s; options: %s" % (plan.subject, " ".join(o.further)))
    file = ""
    if not o.print:
        plan.results = os.path.abspath(plan.results)
        if re.search(r"\s", plan.results + build.folder):
            raise Refused("paths with blanks cannot be passed on: '%s', '%s'"
                          % (plan.results, build.folder))
        own = os.path.join(plan.results, "tuned." + plan.mpi_library.ending)
        file = os.path.abspath(o.output) if o.output else own
    for operation in plan.operations:
        plan.measure_operation(operation)
    plan.progress()
    if o.print:
        return 0
    # Of an earlier call.
    if file == own and os.path.exists(own):
        os.unlink(own)
    found = judge.answer(Question(mpi=plan.mpi, output=file, json=o.json),
                         plan.places(plan.operations))
    output.flush()
    say_how_to_use(plan, file if found else "")
    return 0
