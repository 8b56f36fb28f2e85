# SPDX-License-Identifier: BSD-3-Clause
"""tune - the fastest algorithms of collective operations, which new runs confirm."""
import os
import re
import shutil
from typing import Dict, List, Optional, Sequence, Tuple, Type

from judge import tune as judge
from judge.algorithms import LIBRARIES, Library, Setting
from judge.text import Refused, output
from judge.tuning import read_components

from . import mpis
from .builds import Build, launcher_of, need_build, start_of
from .folders import files, make_folder, read, say, tell, write
from .options import Options, each_once, is_number_list, question_of, quoted
from .plan import Plan, attempt, linked, runs_of
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
  --output FILE      what a job script reads by ". FILE"; further files that it
                     needs are next to it [tuned.sh in the folder for the runs]
  --json FILE        also write the answer as JSON
  --list             print the algorithms of the library

Example:
  scripts/tune --ranks 4,8 allreduce bcast -- -m 8:64K

Exit codes: 0 success, 1 failed, 130, 143 interrupted.
"""

OPERATIONS = ["allreduce", "bcast", "allgather", "alltoall", "reduce"]


# --- The algorithms of a library ----------------------------------------------------------------


def said_of(build: Build, library: Type[Library], operation: str) -> str:
    """What a library says of itself: by the program beside mpirun that lists its settings, or by
    the words in its own file.  Errors: Refused."""
    if not library.lists:
        program = build.need(operation)
        texts = [words_in(path) for path in linked(program, []) + [program]]
        said = [text for text in texts if text]
        if not said:
            raise Refused("no library of %s has a tree of algorithms, as MPICH 3.4 and newer"
                          % program)
        return said[0]
    name = library.lists[0]
    mpirun = shutil.which(build.value("mpirun")) or ""
    beside = os.path.join(os.path.dirname(mpirun), name)
    info = beside if mpirun and os.access(beside, os.X_OK) else shutil.which(name)
    if info is None:
        raise Refused("%s, which lists the algorithms of this MPI, is not installed" % name)
    prefix = os.path.dirname(os.path.dirname(info))
    text = said_by([info] + library.lists[1:], env=mpis.environment_of(prefix))
    if text is None:
        raise Refused("%s failed" % info)
    return text


def words_in(path: str) -> str:
    """The trees of algorithms and their names in a library, a line each; "": it has none."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return ""
    found = re.findall(rb'{"collective=[ -~]*|algorithm=[ -~]*', data) \
        if b'{"collective=' in data else []
    return "\n".join(text.decode() for text in found)


def is_wanted(algorithm: str, wanted: Sequence[str]) -> bool:
    number, _, name = algorithm.partition("-")
    name = name if number.isdigit() else algorithm
    return any(word in wanted for word in ("all", number, name, algorithm))


# --- The runs -----------------------------------------------------------------------------------


class Tune(Plan):
    """Comparisons of the default with each algorithm, and then with what is chosen.

    algorithms: of each operation.  ranks: numbers of ranks, ascending.  file: for what is chosen
    before new runs confirm it.
    """

    def __init__(self, o: Options, build: Build, launcher: str,
                 operations: Sequence[str]) -> None:
        super().__init__()
        self.o, self.build, self.operations = o, build, operations
        self.mpi, self.launcher = build.flavour(), launcher
        for operation in operations:
            build.need(operation)
        kind = LIBRARIES[self.mpi]
        self.mpi_library = kind(said_of(build, kind, operations[0]))
        self.subject = build.folder + (" " + launcher if launcher else "")
        self.ranks = sorted({int(number) for number in o.ranks.split(",")})
        self.algorithms: Dict[str, List[str]] = {}
        for operation in operations:
            self.mpi_library.check(operation)
            self.algorithms[operation] = self.mpi_library.listed(operation)
            if not self.algorithms[operation]:
                raise Refused("this MPI has no choice of algorithms for '%s'" % operation)
            self.algorithms[operation] += self.mpi_library.components()
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

    def used(self, operation: str, ranks: int) -> Dict[str, str]:
        """The component that serves an operation where one is asked for ("-": where none is), by
        runs with one iteration.  Those that are in the folder are not made again."""
        library, place = self.mpi_library, self.place_of(operation, ranks)
        found = read_components(place)
        asked = list(dict.fromkeys(library.component_of(name)
                                   for name in self.algorithms[operation]))
        if found or not library.shows or self.o.print:
            return found
        launcher = self.launcher or self.build.launcher(ranks)
        make_folder(place)
        for name in ["-"] + asked:
            words = library.asks([], "" if name == "-" else name, "")
            table, err = place + ".out", place + ".err"
            attempt(table, err, self.o.limit, "", ["env"] + library.shows + words +
                    start_of(launcher, ranks) + [self.build.need(operation)] + self.o.further +
                    ["-i", "1", "-x", "1"])
            found[name] = library.used_in(read(err) + read(table), operation)
            for path in table, err:
                os.unlink(path)
        write(os.path.join(place, "components"),
              "".join("%s %s\n" % pair for pair in found.items()))
        return found

    def with_effect(self, operation: str, ranks: int) -> List[str]:
        """The algorithms whose component serves the operation if it is asked for, but not the
        component that does so anyway."""
        used, kept = self.used(operation, ranks), []
        refused = {name: instead for name, instead in used.items()
                   if name != "-" and instead not in ("", name)}
        for name, instead in sorted(refused.items()):
            say("# %s, %d ranks: %s has no effect: %s serves this operation" % (
                operation, ranks, name, instead))
        for name in self.algorithms[operation]:
            component = self.mpi_library.component_of(name)
            if component not in refused and name != (used.get("-") or self.mpi_library.usual):
                kept.append(name)
        return kept

    def measure_operation(self, operation: str, ranks: int) -> None:
        """The default and each algorithm, which has a file that asks for it alone."""
        place, library, variants = self.place_of(operation, ranks), self.mpi_library, []
        for name in self.with_effect(operation, ranks):
            setting = Setting(operation, ranks if library.by_ranks else 0, [(0, name)])
            stem = os.path.join(place, "algorithms", name)
            component = library.component_of(name)
            if self.o.print:
                words = library.asks([setting], component, stem)
            else:
                make_folder(os.path.dirname(stem))
                words = library.write(stem + ".sh", [setting], component)
            variants.append("%s=%s %s" % (name, " ".join(words), self.subject))
        self.announce("%s with %d ranks: the default and %d more" % (operation, ranks,
                                                                     len(variants)))
        if variants:
            self.measure(place, operation, ranks, variants)
        else:
            write(os.path.join(place, "comparison.json"), '{"suite":"Alidade","comparisons":[]}')

    def confirm(self) -> None:
        """New runs of what is chosen, with the file that says so; those of an earlier choice do not
        count."""
        file = os.path.join(self.results, "chosen.sh")
        words, places = judge.next_of(self.mpi_library, self.places(), file)
        asked = "".join(read(path) for path in files(self.results, r"chosen\..*"))
        for operation, ranks in places:
            place = os.path.join(self.place_of(operation, ranks), "confirm")
            if read(os.path.join(place, "asked")) != asked:
                shutil.rmtree(place, ignore_errors=True)
            make_folder(place)
            write(os.path.join(place, "asked"), asked)
            self.announce("%s with %d ranks: confirming" % (operation, ranks))
            self.measure(place, operation, ranks,
                         ["tuned=%s %s" % (" ".join(words), self.subject)])

    def places(self) -> List[Tuple[str, int, str]]:
        """(operation, ranks, folder) of each."""
        return [(operation, ranks, self.place_of(operation, ranks))
                for operation in self.operations for ranks in self.ranks]


def say_how_to_use(plan: Tune, file: str, component: Optional[str]) -> None:
    """What ends the answer; file: what was written, unless component is None."""
    runs = runs_of(plan.results)
    for words in filter(None, (runs.crowded_words(), runs.loaded_words())):
        tell("# " + words)
    if component is None:
        return
    for line in ["To use it: . " + quoted(file)] + plan.mpi_library.remarks(component):
        tell("# " + line)


def main(o: Options) -> int:
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
    plan.results = os.path.abspath(plan.results)
    if re.search(r"\s", plan.results + build.folder):
        raise Refused("paths with blanks cannot be passed on: '%s', '%s'"
                      % (plan.results, build.folder))
    for operation, ranks, _ in plan.places():
        plan.measure_operation(operation, ranks)
    if o.print:
        return 0
    plan.confirm()
    plan.progress()
    own = os.path.join(plan.results, "tuned.sh")
    # Of an earlier call.
    for path in files(plan.results, r"tuned\..*"):
        os.unlink(path)
    file = os.path.abspath(o.output) if o.output else own
    found = judge.answer(question_of(o, mpi=plan.mpi, output=file), plan.mpi_library, plan.places())
    output.flush()
    say_how_to_use(plan, file, found)
    return 0
