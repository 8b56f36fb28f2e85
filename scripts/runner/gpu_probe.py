# SPDX-License-Identifier: BSD-3-Clause
"""gpu-probe - which operations of an MPI accept GPU memory, and where."""
import os
import re
from typing import Dict, List, Optional, Tuple

from judge.text import Refused

from .builds import gpus_of, need_launcher, need_one_build, pairs_of, start_of
from .folders import read, scratch, tell, write
from .options import Options
from .plan import NOT_TAKEN, Outcome, Plan, attempt, told_by_suite
from .shell import said_by

USAGE = """Usage: scripts/gpu-probe [OPTION...] [BUILD] [-- PROGRAM-OPTION...]
Find out which operations of an MPI library accept GPU memory, and where.

Verified data of 16 bytes to 256 KiB move in all programs of a column, which
share one MPI job until one of them ends it. Cells:
  ok, wrong (data), crash, fails (MPI error), hangs,
  no (not possible; the reason follows), - (no such buffers), ? (not tried)
The last line answers whether the MPI is GPU-direct: probably, no, or cannot
tell. For it staged_latency compares MPI with copies through host memory, D-D.

  BUILD  build folder with CUDA or HIP [build/openmpi or build/mpich]

Options:
  --gpus cuda|rocm    of whom the GPUs are [cuda, if the build has it]
  --launcher COMMAND  starts the ranks, such as "mpirun -n 2 --host A,B" [two
                      ranks on this machine]
  --pairs LIST        of memory types [H-H,H-D,D-H,D-D,MD-MD]
  --programs LIST     with commas or blanks [all that move data, no guidelines]

Example:
  scripts/gpu-probe --programs latency,allreduce build/openmpi

Exit codes: 0 success; 1 an operation accepts host memory but not GPU memory, 2
not even host memory works, 77 no GPU memory could be tried, 130, 143
interrupted.
"""

READING = {"plan": False}
# Of a whole job, and 15 of them without anything that moves: a GPU that rests may take long to
# wake.
SECONDS = 1800
ONE = "-i 1 -x 0 -c --timeout 15".split()
LARGE = "-m 64K:4M".split()  # at these sizes copies through the host take much longer
FAMILIES = "pt2pt one-sided collective congestion application"  # whose messages have sides


def verdict(outcome: Outcome) -> str:
    """What the end of a job means, in a word."""
    if outcome.status == 0:
        return "ok"
    if outcome.status in (124, 137) or outcome.why.endswith("(E15)"):
        return "hangs"
    if outcome.why.endswith("(E14)"):
        return "wrong"
    if outcome.why.endswith("(E04)") or 128 < outcome.status < 192:  # of a signal
        return "crash"
    return "no" if outcome.status in (1, 77) else "fails"


class Probe(Plan):
    """The matrix: cells of (program, pair), and the reasons of those that are not ok.

    no_gpu: why no GPU can be used here, or "".  remedies: what to do about it, as programs say.
    """

    def __init__(self, o: Options, folder: str) -> None:
        super().__init__()
        self.build = need_one_build(o.words)
        launcher = need_launcher(o, self.build)
        self.gpus, self.pairs = gpus_of(o, self.build), pairs_of(o.pairs)
        self.start, self.options = start_of(launcher, o.ranks), o.further
        self.work, self.no_gpu = folder, ""
        self.remedies: List[str] = []
        self.help: Dict[str, str] = {}
        self.cells: Dict[Tuple[str, str], str] = {}
        self.reasons: List[str] = []
        self.is_shown = True
        self.programs = re.split("[, \n]+", o.programs.strip(", \n")) if o.programs else []
        if not self.programs:
            self.programs = [path.partition("/")[2] for path in self.build.programs(FAMILIES)
                             if self.verifies(path.partition("/")[2])]
        for program in self.programs:
            self.build.need(program)
            if not self.verifies(program):
                raise Refused("'%s' cannot be probed: it has no data to verify (-c)" % program)

    def verifies(self, program: str) -> bool:
        if program not in self.help:
            self.help[program] = said_by([self.build.need(program), "--help"]) or ""
        return bool(re.search("^  -c, --validation", self.help[program], re.M))

    def words_for(self, program: str, pair: str) -> Optional[List[str]]:
        """What the program needs to have messages of these kinds; None: it cannot."""
        text, words = self.help[program], []
        if "--win-options" in text:
            words += ["-w", "create"]
        if "--groups" in text:
            words += ["--groups=2"]
        if "--message-size" in text:
            words += ["-m", "16:256K:128"]
        if re.search("^SRC DST", text, re.M):
            return words + ([] if pair == "H-H" else ["-d", self.gpus]) + pair.split("-")
        if pair == "H-H":
            return words
        device = {"MD-MD": "managed", "D-D": self.gpus}.get(pair)
        return words + ["-d", device] if device else None

    def start_one(self, *words: str) -> Outcome:
        outcome = attempt(self.path("out"), self.path("err"), SECONDS, "", self.start + list(words))
        self.remedies += [" ".join(text.split()) for text in re.findall(
            r"^(?:# )?alidade: error E0[56]: .*((?:\n    .*)+)", read(self.path("err")), re.M)]
        return outcome.without_limit()

    def path(self, name: str) -> str:
        return os.path.join(self.work, name)

    def set_cell(self, program: str, pair: str, word: str, why: str) -> None:
        self.cells[program, pair] = word
        if word != "ok":
            self.reasons.append("# %s %s: %s: %s" % (program, pair, word, why))

    def job(self, pair: str, lines: List[List[str]]) -> Tuple[Outcome, List[List[str]], List[str]]:
        """One job of all programs of these lines: (how it ended, the lines behind the program that
        ended it, or None, programs that need a job of their own)."""
        write(self.path("lines"), "".join(" ".join(line) + "\n" for line in lines))
        outcome = self.start_one(os.path.join(self.build.folder, "mpi/suite"),
                                 "--from=" + self.path("lines"), "--", *(ONE + self.options))
        if outcome.status == 1 and outcome.why.endswith(("(E12)", NOT_TAKEN)):
            raise Refused(outcome.why[:-len(" (E12)")])
        alone = []
        for name, what, rest in told_by_suite(self.path("out")):
            if what == "alone":
                alone.append(name)
            else:
                self.set_cell(name, pair, {"run": "ok", "skipped": "no"}.get(
                    what, "wrong" if rest.startswith("E14") else "fails"), rest)
        last = re.search("^# suite: ended in ([a-z_0-9]*), number=([0-9]*);",
                         read(self.path("out")), re.M)
        if not last:
            return outcome, [], alone
        number = int(last.group(2))
        self.set_cell(last.group(1), pair, verdict(outcome), outcome.why)
        # Rank 0 may have had no time to say what became of those before.
        alone += [line[0] for line in lines[:number] if (line[0], pair) not in self.cells]
        return outcome, lines[number:], alone

    def column(self, pair: str) -> None:
        """A job of all programs that can have such messages; where one of them ends it, another of
        those behind."""
        lines = []
        for program in self.programs:
            words = self.words_for(program, pair)
            if words is None:
                self.cells[program, pair] = "-"
            else:
                lines.append([program] + words)
        if pair != "H-H" and self.no_gpu:
            return
        alone: List[str] = []
        outcome, rest = Outcome(0, "", 0), lines
        while rest:
            outcome, rest, more = self.job(pair, rest)
            alone += more
        for line in lines:
            if line[0] in alone and (line[0], pair) not in self.cells:
                own = self.start_one(self.build.need(line[0]), *(ONE + self.options + line[1:]))
                self.set_cell(line[0], pair, verdict(own), own.why)
        # A job that did not begin, or said nothing of them.
        if not outcome.status:
            outcome = Outcome(2, "the job printed nothing of it", 0)
        for line in lines:
            if (line[0], pair) not in self.cells:
                self.set_cell(line[0], pair, verdict(outcome), outcome.why)

    def word(self, program: str, pair: str) -> str:
        unknown = "no" if self.no_gpu and pair != "H-H" else "?"
        return self.cells.get((program, pair), unknown)

    def show(self) -> None:
        """The matrix as far as it is known, and the reasons."""
        if self.is_shown:
            return
        self.is_shown = True
        width = max([24] + [len(program) + 1 for program in self.programs])
        tell("# Operation".ljust(width) + "".join("%9s" % pair for pair in self.pairs))
        for program in self.programs:
            tell(program.ljust(width) + "".join("%9s" % self.word(program, pair)
                                                for pair in self.pairs))
        for reason in sorted(set(self.reasons)):
            tell(reason)
        if self.no_gpu:
            which = "all columns but H-H: " if "H-H" in self.pairs else ""
            tell("# %sno: %s" % (which, self.no_gpu))
        for remedy in dict.fromkeys(self.remedies):
            tell("# What to do: %s%s" % (
                remedy, " Options of programs follow --." * ("--gpu-map" in remedy)))

    when_interrupted = show

    def gpu_direct(self) -> str:
        """Does this MPI move GPU memory without a copy in host memory?"""
        cells = {program: self.word(program, "D-D") for program in self.programs}
        if "D-D" not in self.pairs:
            return "cannot tell (--pairs does not name D-D)"
        if self.no_gpu:
            return "cannot tell (%s)" % re.sub(r"( \([^()]*\))*$", "", self.no_gpu)
        if "ok" not in cells.values():
            bad = [name for name, word in cells.items() if word not in ("ok", "no", "-", "?")]
            return "no (%s D-D: %s)" % (bad[0], cells[bad[0]]) if bad else \
                "cannot tell (no operation could be tried with D-D)"
        outcome = self.start_one(self.build.need("staged_latency"), *(
            LARGE + self.options + ["-d", self.gpus, "D", "D"]))
        text = read(self.path("out"))
        if "; gpu=shared;" in text:
            return "cannot tell (both ranks use one GPU, so that a message is a copy within it)"
        found = re.search(r"^# crossover: .*\b(direct transfers|staged copies) are faster", text,
                          re.M)
        if outcome.status:
            return "cannot tell (staged_latency: %s)" % outcome.why
        if not found:
            return "cannot tell (the ways differ at no size by more than their intervals, if any)"
        if found.group(1) == "staged copies":
            return "no (MPI is slower than copies through host memory)"
        return "probably (MPI is faster than copies through host memory)"

    def code(self) -> int:
        """What the matrix means."""
        words = {(program, pair): self.word(program, pair) for program in self.programs
                 for pair in self.pairs}
        works = [key for key, word in words.items() if key[1] == "H-H" and word == "ok"]
        if not works and "H-H" in self.pairs:
            tell("# Not even host memory works (H-H), so this says nothing about GPU memory. Look "
                 "at the launcher:")
            tell("# %s %s/mpi/pt2pt/latency" % (" ".join(self.start), self.build.folder))
            return 2
        # Those with GPU memory are what is asked; if H-H alone is named, that is.
        asked = {key: word for key, word in words.items() if key[1] != "H-H"} or words
        if any(word not in ("ok", "no", "-", "?") and
               self.cells.get((program, "H-H"), "ok") == "ok"
               for (program, _), word in asked.items()):
            return 1
        return 0 if "ok" in asked.values() else 77


def main(o: Options) -> int:
    with scratch() as folder:
        plan = Probe(o, folder)
        tell("# GPU memory accepted by %s, with the build in %s; ranks started by: %s" % (
            plan.build.value("flavour"), plan.build.folder, " ".join(plan.start)))
        plan.is_shown = False
        # Without a GPU for each rank every cell but those of H-H has the same answer, which one
        # job tells.
        first = plan.start_one(os.path.join(plan.build.folder, "mpi/pt2pt/latency"),
                               *("-i 1 -x 0 -m 8:8".split() + plan.options +
                                 ["-d", plan.gpus, "D", "D"]))
        if re.search(r"\(E0[56]\)$", first.why):
            plan.no_gpu = first.why
        for pair in plan.pairs:
            plan.column(pair)
        plan.show()
        code = plan.code()
        tell("# GPU-direct: " + ("cannot tell (H-H does not work)" if code == 2 else
                                 plan.gpu_direct()))
        return code
