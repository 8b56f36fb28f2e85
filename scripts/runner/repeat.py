# SPDX-License-Identifier: BSD-3-Clause
"""repeat - one program several times, until the interval of the next run is narrow."""
import json
import os
import re
import sys
from typing import List, Tuple

from judge import repeat as judge
from judge.documents import Question
from judge.results import as_list, as_number, as_object, as_text, read_json
from judge.text import Refused, fail, output

from .builds import Build, need_build, need_launcher, start_of
from .folders import read, say, write
from .options import Options, question_of, refuse_options
from .plan import Command, Line, Outcome, Plan
from .shell import Ended

USAGE = """Usage: scripts/repeat [OPTION...] PROGRAM [PROGRAM-OPTION...]
Run one program several times, and print medians and the range of the next run.

  PROGRAM         a benchmark, such as latency; or results of runs that you
                  started yourself: result files, or a folder of them
  PROGRAM-OPTION  all of its options, such as -m 8:64K

Options:
  --runs N             so many runs; without it [8], and more until precise
  --precision PERCENT  add runs until "widest" of the output, which says how far
                       intervals reach, is at most this [5]
  --time TIME          add none to these after this time, such as 10m [300]
  --ranks N            number of ranks [2]
  --launcher COMMAND   starts {n} ranks, such as "srun -n {n}" [mpirun of the
                       build, on this machine]
  --build DIR          build folder, or where make install has put the programs
                       [build/openmpi or build/mpich]
  --limit TIME         time limit of a run [1h]
  --results DIR        folder for the runs; to resume, repeat [repeat-DATE]
  --json FILE          also write everything as JSON, the runs included
  --allow FIELD        JSON field that may differ, such as environment.path

Examples:
  scripts/repeat latency -m 8:64
  scripts/repeat --time 30m --ranks 64 --launcher "srun -n {n}" allreduce

Exit codes: 0 success, 1 failed, or a run failed, 3 wrong data, 77 cannot run
here, 130, 143 interrupted.
"""

READING = {"first": 1, "hint": "options of the program follow its name"}
# --precision may be meant for the program; its --ranks is of --dry-run alone.
OWN = "--runs --time --ranks --launcher --build --limit --results --json --allow".split()
ENDED = ".ended"  # of a folder: what was wanted, and why there are no more runs
# What needs no launcher is done once.
ONCE = ("-h", "--help", "-v", "--version", "--dry-run")


class Repeat(Plan):
    """Runs of one program.  lost: (3, "exit 2: why") of each that failed.  stop: why there is no
    further one."""

    def __init__(self, o: Options, build: Build, benchmark: str, words: List[str]) -> None:
        super().__init__(o.runs, o.limit)
        launcher = need_launcher(o, build)
        self.o, self.time, self.precision = o, o.time, o.precision
        self.command = Command(benchmark, start_of(launcher, o.ranks) + [benchmark] + words)
        self.lines = [Line(o.words[0])]
        self.lost: List[Tuple[int, str]] = []
        self.stop, self.widest = "time", "-"
        self.begin(o.results, "repeat", "%s; ranks=%d; %s" % (
            launcher, o.ranks, " ".join([benchmark] + words) + ("" if words else " ")))
        self.take_all()

    def command_of(self, line: Line) -> Command:
        return self.command

    def more(self, number: int) -> bool:
        """Runs that are needed or asked for, and then more until the interval is narrow, or cannot
        become so, or the time is over."""
        if number <= self.runs or self.only_print:
            return number <= self.runs
        is_split = False
        if self.finished:
            self.widest, is_split = judge.look_at(self.question(), self.finished)
            if re.match("[0-9]", self.widest) and float(self.widest) <= 100 * self.precision:
                self.stop = "precision"
                return False
        if "runs" in self.o.given:
            self.stop = "runs"
            return False
        if is_split:
            self.stop = "groups"
            return False
        # One more takes as long as those did.
        return self.elapsed() + (self.elapsed() / self.made if self.made else 0) < self.time

    def to_go(self) -> str:
        if self.made + self.old >= self.runs:
            return "; widest interval %s%%, wanted %g%%; at most %d s to go" % (
                self.widest, 100 * self.precision, self.time - self.elapsed())
        return super().to_go()

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        if not outcome.status:
            if len(self.finished) == 1:
                # Warnings and their second lines; what a table is doubted for is part of the
                # answer.
                for text in re.findall("^# (?:alidade:|  ).*$", read(self.stem + ".err"), re.M):
                    say(text)
            return
        fail("run %d failed: %s" % (number, outcome.why))
        self.lost.append((number, "exit %d: %s" % (outcome.status, outcome.why)))
        # What is wrong with the command is so in each run.
        if not self.finished and outcome.status == 77:
            raise Ended(77)
        if not self.finished and outcome.status == 1 and not outcome.is_wrong() and \
                re.search(r"\(E[0-9]+\)$", outcome.why):
            raise Ended(1)

    def question(self) -> Question:
        return question_of(self.o, stop=self.stop, failed=self.lost)

    def finish(self) -> None:
        """The answer.  Errors: Refused, Ended."""
        self.progress()
        if not self.finished:
            fail("no run succeeded; the output of each is in " + self.results)
            raise Ended(self.code() or 1)
        write(os.path.join(self.results, ENDED), json.dumps({"precision": self.precision,
                                                             "stop": self.stop}) + "\n")
        judge.answer(self.question(), self.finished)

    def when_interrupted(self) -> None:
        self.stop = "interrupted"
        if self.finished:
            self.finish()


def is_stored(word: str) -> bool:
    """Is it results, and no program?"""
    return os.path.isdir(word) or (word.endswith(".json") and os.path.exists(word))


def question_of_stored(o: Options) -> Question:
    """What was wanted of the runs, and why there are no more of them, where repeat has made them
    and says so: in its JSON, or in its folder."""
    path = os.path.join(o.words[0], ENDED) if os.path.isdir(o.words[0]) else o.words[0]
    told = as_object(read_json(path)) if not o.words[1:] and os.path.exists(path) else {}
    return question_of(o, precision=as_number(told.get("precision")),
                       stop=as_text(told.get("stop")), failed=[
                           (each.get("run"), each.get("reason"))
                           for each in map(as_object, as_list(told.get("failed")))])


def main(o: Options) -> int:
    if not o.words:
        raise Refused("no program is named, for example latency; see --help")
    if is_stored(o.words[0]):
        return judge.answer(question_of_stored(o), o.words)
    program, words = o.words[0], o.words[1:]
    if words[:1] == ["--"]:
        words = words[1:]
    if not o.precision:
        raise Refused("--precision '0' is not a percentage above 0")
    build = need_build(o.build)
    benchmark = build.need(program)
    if any(word in ONCE for word in words):
        output.flush()
        os.execv(benchmark, [benchmark] + words)
    for word in words:
        name = word.partition("=")[0]
        if name in OWN:
            raise Refused("%s is an option of repeat: name it before %s" % (name, program))
    refuse_options(words)
    plan = Repeat(o, build, benchmark, words)
    plan.make_runs()
    if plan.only_print:
        return 0
    if plan.given_up:
        plan.stop = "failed"
    plan.finish()
    output.flush()
    if sys.stderr.isatty():
        say("# results: " + plan.results)
    if plan.lost:
        fail("%d of %d runs failed; their output is in %s"
             % (len(plan.lost), plan.made + plan.old, plan.results))
    return plan.code()
