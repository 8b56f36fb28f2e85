# SPDX-License-Identifier: BSD-3-Clause
"""run-suite - many programs, each with its table and its result file."""
import os
import re
from typing import List, Sequence

from judge.text import WRONG, Refused, fail, meant, output

from .builds import Build, need_build, need_launcher, start_of
from .folders import read, size_of, tell, write
from .options import Options, command_line, each_once
from .plan import (Command, Line, Outcome, Plan, attempt, check_unchanged, has_run, told_by_suite,
                   warnings)
from .shell import said_by

USAGE = """Usage: scripts/run-suite [OPTION...] [NAME|FAMILY...] [-- PROGRAM-OPTION...]
Run many programs, and keep the table and the JSON result file of each.

  NAME, FAMILY    programs, or folders of mpi/ such as pt2pt [all]
  PROGRAM-OPTION  for all programs, such as -m 8:64K; programs that do not take
                  it are skipped

Options:
  --list              print name, family and purpose of each program
  --build DIR         build folder, or where make install has put the programs
                      [build/openmpi or build/mpich]
  --launcher COMMAND  starts {n} ranks, such as "srun -n {n}", or srun, flux or
                      jsrun [mpirun of the build, on this machine]
  --ranks N           number of ranks [2]
  --runs N            runs of each program [1]
  --results DIR       folder for NAME-1.json and NAME-1.txt; programs with
                      results there do not run again [results-DATE]
  --limit TIME        time limit of a run, or of the one job, as 10m [none]
  --one-job           run all in one MPI job (mpi/suite), which saves the other
                      starts of MPI; the tables are in suite-N.txt

Examples:
  scripts/run-suite pt2pt -- -m 8:64K
  scripts/run-suite --launcher "srun --mpi=pmix -n {n}" --ranks 64 collective

Exit codes: 0 success, 1 a program failed, 3 wrong data, 77 all programs were
skipped, 130, 143 interrupted.
"""

READING = {"hint": "options of programs follow --"}


def programs_of(build: Build, words: Sequence[str]) -> List[str]:
    """FAMILY/NAME of the programs that are named, or of all.  Errors: Refused."""
    every, found = build.programs(), []
    for word in words or ["all"]:
        named = [program for program in every if word in ["all"] + program.split("/")]
        if not named:
            raise Refused("'%s' is neither a program nor a family%s; --list names them"
                          % (word, meant(word, build.names())))
        found += named
    return each_once(found)


def print_list(build: Build, programs: Sequence[str]) -> None:
    table = ""
    for program in programs:
        family, _, name = program.partition("/")
        text = said_by([os.path.join(build.folder, "mpi", program), "--help"]) or "\n"
        table += "%-32s %-12s %s\n" % (name, family, (text.splitlines() + ["", ""])[1])
    output.write(table)


class Suite(Plan):
    """Runs of programs of a build."""

    def __init__(self, o: Options, build: Build, programs: Sequence[str]) -> None:
        super().__init__(o.runs, o.limit or 0)
        self.build, self.options = build, o.further
        launcher = need_launcher(o, build)
        self.start = start_of(launcher, o.ranks)
        self.begin(o.results, "results",
                   "%s; ranks=%d; one job: %s; build: %s; programs: %s; options: %s" % (
                       launcher, o.ranks, "yes" if o.one_job else "no",
                       os.path.abspath(build.folder), " ".join(o.words) or "all",
                       " ".join(o.further)))
        self.lines = [Line(os.path.basename(program)) for program in programs]
        self.number_of_runs = len(self.lines) * self.runs
        # Programs of a job that has begun and not told what became of them.
        self.together: List[str] = []
        self.out = ""

    def command_of(self, line: Line) -> Command:
        binary = self.build.need(line.program)
        return Command(binary, self.start + [binary] + self.options)

    def told(self, name: str, outcome: str) -> None:
        tell("[%3d/%d] %-32s %s" % (self.made + self.old, self.number_of_runs, name, outcome))

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        self.told(line.program, "ok %8.1f s" % outcome.seconds if not outcome.status else
                  "skipped" if outcome.cannot() else "FAILED")

    # All in one job.

    def path(self, name: str) -> str:
        return os.path.join(self.results, name)

    def keep(self, name: str, is_good: bool) -> None:
        """The document and the table of a program are in the folder as if it had run alone."""
        document = self.path(name + ".json")
        if not is_good:
            if os.path.exists(document):
                os.rename(document, self.path(name + "-1.json.failed"))
            return
        write(self.path(name + "-1.txt"), "its table is in %s.txt\n" % self.out)
        os.rename(document, self.path(name + "-1.json"))

    def keep_finished(self) -> None:
        """Of a job that ended before: what has a whole document has run."""
        for name in self.together:
            is_good = has_run(self.path(name + ".json"))
            self.keep(name, is_good)
            self.made += is_good
        self.together = []

    when_interrupted = keep_finished

    def waiting(self) -> List[str]:
        names = []
        for line in self.lines:
            table = self.path(line.program + "-1.txt")
            if size_of(table) > 0:
                check_unchanged(table, os.path.join(self.build.folder, "mpi/suite"), [])
                self.old += 1
            else:
                names.append(line.program)
        return names

    def run_together(self, names: List[str]) -> None:
        """In one MPI job, which says at the end what became of each.  Those that need a start of
        their own are left in lines."""
        suite, number = os.path.join(self.build.folder, "mpi/suite"), 1
        self.lines = []
        if self.only_print:
            tell("suite-1: " + command_line(self.start + [suite] + names + ["--"] + self.options))
            return
        if not names:
            return
        while os.path.exists(self.path("suite-%d.txt" % number)):
            number += 1
        self.out = self.path("suite-%d" % number)
        tell("one MPI job of %d programs; tables: %s.txt" % (len(names), self.out))
        self.together = names
        self.progress("one MPI job of %d programs" % len(names))
        outcome = attempt(self.out + ".txt", self.out + ".err", self.limit, "",
                          self.start + [suite] + names +
                          ["--json=%s/" % self.results, "--"] + self.options)
        for told in told_by_suite(self.out + ".txt"):
            self.note_of_job(*told)
        is_told = re.search("^# suite: programs=", read(self.out + ".txt"), re.M)
        if not is_told and outcome.cannot():  # none of them, so that the job has not begun
            for name in names:
                self.note_of_job(name, "skipped", outcome.why)
        elif not is_told:
            self.keep_finished()
            self.is_wrong = self.is_wrong or outcome.is_wrong()
            self.failed.append("suite: " + outcome.words(self.out))
            self.made += 1
        self.together = []

    def note_of_job(self, name: str, what: str, rest: str) -> None:
        if what == "alone":
            self.lines.append(Line(name))
            return
        self.made += 1
        if what == "run":
            self.keep(name, True)
            self.told(name, "ok %8s s" % re.sub("[^0-9.]", "", rest))
        elif what == "skipped":
            self.skipped.append("%s: %s" % (name, rest))
            self.told(name, "skipped")
        else:
            self.keep(name, False)
            self.is_wrong = self.is_wrong or rest.startswith(WRONG.strip("()"))
            self.failed.append("%s: %s; see %s.err" % (name, rest.rstrip("; "), self.out))
            self.told(name, "FAILED")

    def summary(self) -> str:
        n = self.made - len(self.failed) - len(self.skipped)
        text = "\n%d ran" % n + (", %d had run before" % self.old if self.old else "")
        text += ", %d skipped, %d failed; results in %s\n" % (
            len(self.skipped), len(self.failed), self.results)
        lines = ["skipped: " + why for why in self.skipped]
        lines += ["FAILED: " + why for why in self.failed] + warnings(self.results)
        return text + "".join(line + "\n" for line in lines)


def main(o: Options) -> int:
    build = need_build(o.build)
    programs = programs_of(build, o.words)
    if o.list:
        print_list(build, programs)
        return 0
    if o.one_job and o.runs != 1:
        raise Refused("--one-job makes one run of each program: leave out --runs")
    plan = Suite(o, build, programs)
    if o.one_job:
        plan.run_together(plan.waiting())
    if plan.lines:
        plan.make_runs()
    if plan.only_print:
        return 0
    text = plan.summary()
    output.write(text)
    write(plan.path("summary.txt"), text)
    if plan.failed:
        return plan.code()
    if plan.made + plan.old == len(plan.skipped):
        output.flush()
        fail("nothing was measured: all programs were skipped")
        return 77
    return 0
