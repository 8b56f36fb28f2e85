# SPDX-License-Identifier: BSD-3-Clause
"""compare - runs of several variants in turn, and which is faster."""
import os
from typing import Any, List, Sequence, Set, Tuple

from judge import report, statistics
from judge import compare as judge
from judge.compare import Ranking
from judge.documents import FORMATS, Question
from judge.text import Refused, counted, fail, output, write_file

from .builds import NotBuilt, check_ranks
from .folders import files, read, say, tell, write
from .mpis import Index
from .options import Options, quoted
from .plan import Command, Line, Outcome, Plan, foreign_words, runs_of
from .shell import Ended, as_started, ask
from .variants import Variant, fetch_releases, read_variants

USAGE = """Usage: scripts/compare [OPTION...] [VARIANT...] [-- PROGRAM... [-- OPTION...]]
Compare MPI libraries, launchers or settings: which is faster, and how certain.

  VARIANT  NAME=[VAR=VALUE...] WHAT [LAUNCHER...], quoted. The first is the
           baseline [both MPIs, installed]. LAUNCHER: {mpirun} -n {n} ... WHAT:
             a build, a prefix openmpi=build/openmpi, new=/opt/openmpi-5.0.8
             a release         5=pypi:mpich==5.0.2 (no root: scripts/fetch-mpi)
             an MPI's source   new=$HOME/ompi@v5.0.8 (checkout@revision)
             stored results    before=results/monday
  PROGRAM  benchmarks [latency bw allreduce alltoall]

Options:
  --runs N           runs of each program per variant [8]
  --time TIME        add runs until all is decided or the time is over
  --ranks N          number of ranks [2]
  --limit TIME       time limit of a run [1h]
  --results DIR      folder for JSON files; to resume, repeat [compare-DATE]
  --gate[=PERCENT]   exit code 2: slower; with PERCENT: perhaps more than that
  --report FILE      also write an HTML page with plots
  --rows             also print a table of all rows
  --classes SIZES    where classes end, or rows: one each [256,8K,128K]
  --margin PERCENT   smallest relevant difference [3]
  --abi BUILD        build for the ABI of MPI 5, used with each prefix
  --cache DIR        where releases are kept [~/.cache/alidade]
  --wheels DIR       take releases from this folder of wheels
  --allow FIELD      JSON field that may differ, repeatable: environment.bound
  --look N           interim analysis number N of runs that you add yourself
  --markdown FILE    also write the tables as Markdown
  --junit FILE       also write a JUnit XML case for each class
  --json FILE        also write classes and rows as JSON

Example:
  scripts/compare shm=build/openmpi tcp="OMPI_MCA_btl=tcp,self build/openmpi"

Exit codes: 0 success, 1 failed, 2 slower, 3 wrong data, 130, 143 interrupted.
"""

READING = {"hint": "see --help; a variant with a launcher is in one pair of quotes"}
PROGRAMS = ["latency", "bw", "allreduce", "alltoall"]


class Compare(Plan):
    """Runs of each program with each variant, in a random order.

    name: of the command, by which a new folder begins.  has_baseline: the others are compared
    with the first.  reasons: "VARIANT: WHY" of what failed.  left_out: lines whose runs do not
    count, because one of them failed.  next: a look at the results is due after so many runs.
    """

    name = "compare"
    has_baseline = True

    def __init__(self, o: Options, variants: Sequence[Variant], programs: Sequence[str],
                 options: Sequence[str]) -> None:
        super().__init__(o.runs, o.limit)
        self.o, self.variants, self.programs, self.options = o, variants, programs, list(options)
        self.by_name = {variant.name: variant for variant in variants}
        self.reasons: List[str] = []
        self.left_out: Set[Line] = set()
        self.live: List[Variant] = []
        self.next = o.runs
        # Programs that are named choose among stored results, too.
        self.only = [os.path.basename(program) for program in programs] if o.further else []
        fetch_releases(variants, Index(o.cache, o.wheels))
        for variant in variants:
            if variant.is_stored():
                continue
            try:
                variant.make(o.ranks, programs)
                self.live.append(variant)
            except NotBuilt as why:
                if self.only_print:
                    tell("%s: %s" % (variant.name, why))
                    continue
                self.reasons.append("%s: it could not be built: %s" % (variant.name, why))
                self.left_out |= {Line(program, variant.name) for program in programs}
        for variant in self.live:
            for program in programs:
                variant.build.need(program)
        if not self.live and not self.reasons and o.time is not None:
            raise Refused("--time adds runs, and no variant can be run: all are stored results")

    def is_compared(self, program: str) -> bool:
        """Are there runs of it, where there is a baseline of that and of another variant?"""
        there = [variant for variant in self.variants
                 if Line(program, variant.name) not in self.left_out]
        return bool(there) and (not self.has_baseline or
                                (self.variants[0] in there and len(there) >= 2))

    def command_of(self, line: Line) -> Command:
        variant = self.by_name[line.variant]
        binary = variant.build.need(line.program)
        start = variant.launcher.replace("{n}", str(self.o.ranks)).split()
        return Command(binary, start + [binary] + self.options,
                       variant.settings + variant.variables)

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        # One that did not load the MPI of its variant has failed.
        other = "" if outcome.status else self.by_name[line.variant].check_loaded(
            self.stem + ".json")
        if other:
            os.rename(self.stem + ".json", self.stem + ".json.failed")
            write(self.stem + ".err", other + "\n", "a")
        elif not outcome.status:
            return
        why = "%s; see %s.err" % (other or outcome.why, self.stem)
        fail("%s with %s failed: %s" % (line.program, line.variant, why))
        self.reasons.append("%s: %s: %s" % (line.variant, line.program, why))
        self.left_out.add(line)
        self.given_up[line] = True
        if not self.is_compared(line.program):
            self.given_up.update({each: True for each in self.lines
                                  if each.program == line.program})

    def more(self, number: int) -> bool:
        """With --time, a look after N runs, 2 N, 4 N and so on, each at half the level of the one
        before, and so is the last when time is up: looking after each run would find something that
        is not there."""
        if number == 2 and self.made:
            self.check_alike()
        if number <= self.runs:
            return True
        if self.only_print or self.o.time is None or self.elapsed() >= self.o.time:
            return False
        if number <= self.next:
            return True
        self.next *= 2
        return judge.may_decide(self.question(self.look_number()), self.sides())

    def check_alike(self) -> None:
        """What cannot be compared need not be run often.  Errors: Refused."""
        if self.are_two():
            judge.check_alike(self.question(), self.sides())

    def to_go(self) -> str:
        if self.o.time is not None and self.made + self.old >= len(self.lines) * self.runs:
            return "; at most %d s to go" % (self.o.time - self.elapsed())
        return super().to_go()

    def look_number(self) -> int:
        """Of the look at the runs that are there.  Those of all calls with these results count, and
        the same runs are looked at once."""
        path, runs = os.path.join(self.results, ".looks"), len(files(self.results, r"[^.].*\.json"))
        before = read(path).split()
        looks, seen = map(int, before) if len(before) == 2 else (0, -1)
        if runs != seen:
            looks += 1
            write(path, "%d %d\n" % (looks, runs))
        return looks

    # What is judged.

    def sides(self) -> List[str]:
        """Results, and what was launched of programs that are compared; nothing without the
        baseline."""
        found = []
        for variant in self.variants:
            if variant.is_stored():
                found.append("%s=%s" % (variant.name, variant.what))
                continue
            for program in self.programs:
                line = Line(program, variant.name)
                if line not in self.left_out and self.is_compared(program):
                    found += ["%s=%s" % (variant.name, path) for _, path in self.files_of(line)]
        is_there = found and found[0].startswith(self.variants[0].name + "=")
        return found if is_there or not self.has_baseline else []

    def are_two(self) -> bool:
        """Is there something to compare with the baseline?"""
        return self.has_baseline and len({side.partition("=")[0] for side in self.sides()}) >= 2

    def question(self, look: int = 0, remarks: Sequence[str] = (), **written: Any) -> Question:
        o = self.o
        # What is asked for and not there is named.
        programs = [os.path.basename(program) for program in self.programs] if self.live else []
        return Question(margin=o.margin, classes=o.classes, allow=o.allow, look=look,
                        asked=programs, remark=remarks, only=self.only)._replace(**written)

    def when_interrupted(self) -> None:
        """The table so far, as soon as there are two sides."""
        if self.made and self.are_two():
            judge.answer(self.question(), self.sides())

    def remarks(self) -> List[str]:
        """What each variant is, and what its runs have said."""
        found = []
        for variant in self.variants:
            place = variant.what if variant.is_stored() else \
                os.path.join(self.results, variant.name)
            found += ["%s: %s" % (variant.name, text)
                      for text in [variant.text] + foreign_words(place)]
        return found

    # A comparison.

    def start(self) -> None:
        """The folder, and the lines of the plan.  Errors: Refused."""
        o = self.o
        sides = "".join("%s=%s%s %s; " % (
            v.name, "".join(word + " " for word in v.variables),
            v.what if v.is_stored() else v.build.folder or v.what, v.launcher)
            for v in self.variants)
        self.begin(o.results, self.name, "%sranks=%d; programs: %s; options: %s" % (
            sides, o.ranks, " ".join(self.programs), " ".join(self.options)))
        self.lines = [Line(program, variant.name) for program in self.programs
                      if self.is_compared(program) for variant in self.live]
        if o.time is None:
            self.take_all()
        self.next = self.runs
        if self.only_print:
            return
        # In which report finds them.
        write(os.path.join(self.results, ".variants"), "".join(
            (v.name if not v.is_stored() else "%s=%s" % (v.name, os.path.realpath(v.what))) + "\n"
            for v in self.variants))
        say("\n== %s: %s of each program with %s; results in %s" % (
            " ".join(self.programs), counted(self.runs, "run"),
            "each of %d variants" % len(self.live) if len(self.live) > 1 else self.live[0].name,
            self.results))
        self.say_too_few()

    def make(self) -> None:
        """All runs.  Errors: Refused, Ended if they are only printed."""
        self.start()
        self.make_runs(shuffled=True)
        if self.only_print:
            raise Ended(0)
        if not self.made and self.lines:
            say("\n== nothing was started: all runs are in " + self.results)

    def say_too_few(self) -> None:
        """Before the first run, that so few cannot show a difference, however large it is."""
        classes = len({line.program for line in self.lines}) * (len(self.o.classes or ()) + 1)
        least = statistics.least_runs(classes, statistics.LEVEL / self.shares())
        if self.runs < least and self.o.time is None and self.live == self.variants:
            say("compare: %s of each variant may decide nothing: at least %d are needed for %s" % (
                counted(self.runs, "run"), least,
                "up to %d size classes" % classes if self.o.classes is not None else
                "a row of each program, and more for many rows"))

    def shares(self) -> int:
        """How many comparisons share the risk of a wrong verdict: all pairs."""
        return max(1, len(self.variants) * (len(self.variants) - 1) // 2)

    def answer(self, look: int) -> int:
        """The exit code.  Errors: Refused."""
        o, remarks = self.o, self.remarks()
        if self.live:
            write(os.path.join(self.results, ".remarks"), "".join(r + "\n" for r in remarks))
        written: List[str] = []

        def page(r: Ranking) -> None:
            try:
                if r.rows:
                    write_file(o.report, report.page_of(
                        report.Report(r.variants, r.rows, r, self.reasons)))
                    written.append(o.report)
            except Refused as why:
                fail(str(why))

        try:
            code = judge.answer(self.question(
                look, remarks, failed=self.reasons, junit=o.junit, json=o.json, gate=o.gate,
                rows=o.rows, page=page if o.report else None,
                **{name: getattr(o, name, None) for name in FORMATS}), self.sides())
        except Refused as why:
            output.flush()
            fail(str(why))
            code = why.code
        if self.is_wrong or (self.reasons and code == 0):
            code = self.code() or 1
        if written:
            output.write("# page: %s\n" % o.report)
        output.flush()
        if o.report and not written:
            fail("the page %s was not written" % o.report)
            code = 1
        return code

    def how_to_go_on(self) -> None:
        how = "to try again what failed, repeat the command" if self.reasons else \
            "to add runs, repeat the command"
        text = "# results: %s; %s with --results %s" % (self.results, how, quoted(self.results))
        if self.o.time is None and not self.reasons:
            text += " and more --runs"
        if self.reasons:
            text += ", or with another if a library or a setting has changed"
        if self.has_baseline and not self.o.report and self.sides():
            output.write(as_started("# page: scripts/report --output page.html %s\n"
                                    % quoted(self.results)))
        output.write(text + "\n")

    def finish(self, code: int, page: str = "") -> int:
        """End the answer of a command that has judged in its own way: the exit code."""
        words = runs_of(self.results).loaded_words() if self.live else ""
        output.write("# %s\n" % words if words else "")
        output.write("# page: %s\n" % page if page else "")
        for why in self.reasons:
            fail(why)
        if self.live:
            self.how_to_go_on()
        return self.code() or code or int(bool(self.reasons))


def programs_of(further: Sequence[str], usual: Sequence[str]) -> Tuple[List[str], List[str]]:
    """(programs, their options) of what follows "--"; usual: where none is named."""
    words = list(further)
    at = words.index("--") if "--" in words else len(words)
    return words[:at] or list(usual), words[at + 1:]


def main(o: Options) -> int:
    programs, options = programs_of(o.further, PROGRAMS)
    given = o.words or ask("every_mpi", "yes" if o.print else "no").splitlines()
    if len(given) < 2:
        raise Refused("two variants are needed, for example openmpi=build/openmpi "
                      "mpich=build/mpich; see --help")
    variants = read_variants(given, o.abi)
    for variant in variants:
        if variant.launcher:
            check_ranks(o.given, o.ranks, variant.launcher)
    plan, look = Compare(o, variants, programs, options), 0
    if plan.live or o.print:
        try:
            plan.make()
        except Refused as why:
            judge.say_refused(plan.question(junit=o.junit, json=o.json, gate=o.gate), why)
            raise
        if o.time is not None:
            look = plan.look_number()
    code = plan.answer(o.look or look)
    if plan.live:
        plan.how_to_go_on()
    return code
