# SPDX-License-Identifier: BSD-3-Clause
"""A plan of runs, in a folder of results that no other command enters.

The folder has for each run VARIANT/PROGRAM-NUMBER.json and .txt, and .err for what it said; of a
run that is going on, or failed, .out in place of .txt.  Runs that are there are not made again.
"""
import os
import random
import re
import signal
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from judge.screen import columns_of
from judge.text import WRONG_DATA, Program, counted, fail, plural

from .attempt import Outcome, attempt, check_unchanged, now, said
from .folders import Folder, files, make_folder, read, size_of, tell
from .options import command_line, each_once, quoted
from .shell import Interrupted

REMINDER = 30  # seconds between lines of progress, where no terminal shows it

# --- The plan -----------------------------------------------------------------------------------


class Command(NamedTuple):
    """What starts a run.  binary: the file of the program.  variables: VAR=VALUE words."""

    binary: str
    words: Sequence[str]
    variables: Sequence[str] = ()


class Line(NamedTuple):
    """Of a plan; each has several runs.  variant: the name of a folder, or ""."""

    program: str
    variant: str = ""

    def named(self) -> str:
        return (self.variant + ", " if self.variant else "") + self.program


class Plan:
    """Runs of lines.  A command derives its own: it sets lines, and says what starts one
    (command_of), whether there is a further one (more), and what follows from one (after_run).

    names_folder: what precedes the folder among the words of the command.  runs: of each line.
    limit: seconds of a run, at most (0: any time).  documents: do they write JSON?  made, old: runs
    that were made, and that were there.  failed, skipped: sentences on those that failed or cannot
    be; is_wrong: one of them had wrong data.  finished: files of those that are there.
    """

    names_folder = "--results "

    def __init__(self, runs: int = 1, limit: int = 0, only_print: bool = False,
                 documents: bool = True) -> None:
        self.runs, self.limit, self.documents = runs, limit, documents
        self.runs_asked = runs
        self.only_print = only_print
        self.lines: List[Line] = []
        self.results, self.resumable = "", False
        self.made = self.old = 0
        self.failed: List[str] = []
        self.is_wrong = False
        self.skipped: List[str] = []
        self.finished: List[str] = []
        self.given_up: Dict[Line, bool] = {}
        self.in_a_row: Dict[Line, int] = {}
        self.begun = now()
        # The run that is going on: its files without their endings; and what progress() says.
        self.stem = ""
        self.doing = ""
        Interrupted.plan = self

    # What a command may have of its own.

    def command_of(self, line: Line) -> Command:
        raise NotImplementedError

    def more(self, number: int) -> bool:
        return number <= self.runs

    def after_run(self, line: Line, number: int, outcome: Outcome) -> None:
        if outcome.status:
            fail("%s: %s" % (line.named(), outcome.words(self.stem)))

    def run_words(self, line: Line, number: int) -> str:
        """What progress() says of a run."""
        which = "%d of %d" % (number, self.runs) if number <= self.runs else "%d" % number
        return "run %s: %s%s" % (which, line.program, ", " + line.variant if line.variant else "")

    def to_go(self) -> str:
        """What is known of the time that is left, or that it has taken."""
        left = len(self.lines) * self.runs - self.made - self.old - len(self.skipped)
        if left > 0 and self.made:
            return "; about %d s to go" % (self.elapsed() * left / self.made)
        return "; %d s so far" % self.elapsed() if self.elapsed() >= REMINDER else ""

    def when_interrupted(self) -> None:
        """What is done with the runs that there are."""

    # What all have.

    def code(self) -> int:
        """The exit code, by what became of the runs."""
        return WRONG_DATA if self.is_wrong else int(bool(self.failed))

    def elapsed(self) -> float:
        return now() - self.begun

    def begin(self, results: Optional[str], name: str, task: str) -> None:
        """The folder is this command's, by default a new one of that name; its runs are of this
        task.  Errors: Refused."""
        self.results = results or name
        if not self.only_print:
            self.folder = Folder(results, name)
            self.results, self.resumable = self.folder.path, True
            self.folder.keep_to(task)

    def progress(self, text: str = "") -> None:
        """What is being done: shown on a terminal until the next line is printed, and elsewhere a
        line every 30 s."""
        if signal.getsignal(signal.SIGALRM) != self.remind:
            signal.signal(signal.SIGALRM, self.remind)
            signal.setitimer(signal.ITIMER_REAL, REMINDER, REMINDER)
        self.doing = text
        if os.isatty(2):
            self.show_progress()

    def remind(self, *_: Any) -> None:
        if self.doing:
            self.show_progress()

    def show_progress(self) -> None:
        """Not by sys.stderr, whose own work a signal may interrupt."""
        text = self.doing + (self.to_go() if self.doing else "")
        width = columns_of(2) or 80
        if Program.quiet:
            return
        if os.isatty(2):
            text = "\r%-*s\r" % (width - 2, text[:width - 2])
        else:
            text = "%s: %s\n" % (Program.name, text)
        try:
            os.write(2, text.encode("utf-8", "surrogateescape"))
        except OSError:
            pass

    def stem_of(self, line: Line, number: int) -> str:
        return os.path.join(self.results, line.variant, "%s-%d" % (line.program, number))

    def files_of(self, line: Line) -> List[Tuple[int, str]]:
        """(number, results) of its runs that are there, in their order."""
        place, found = os.path.join(self.results, line.variant), []
        for name in os.listdir(place) if os.path.isdir(place) else []:
            run = re.match(r"%s-([0-9]+)\.json\Z" % re.escape(line.program), name)
            if run and size_of(os.path.join(place, name)) > 0:
                found.append((int(run.group(1)), os.path.join(place, name)))
        return sorted(found)

    def take_all(self) -> None:
        """Of runs that are there none is left out, though fewer are asked for."""
        for line in self.lines:
            self.runs = max([self.runs] + [number for number, _ in self.files_of(line)])

    def is_asked(self, line: Line, number: int) -> bool:
        return number <= self.runs_asked or number > self.runs or \
            self.is_there(self.stem_of(line, number))

    def is_there(self, stem: str) -> bool:
        return size_of(stem + ".json") > 0 or \
            (not self.documents and os.path.exists(stem + ".txt"))

    def make_run(self, line: Line, number: int) -> Optional[Outcome]:
        """Unless it is there.  Errors: Refused."""
        self.stem = stem = self.stem_of(line, number)
        command = self.command_of(line)
        if self.only_print:
            words = list(command.variables) + list(command.words)
            tell("%s: %s" % (stem[len(self.results) + 1:], command_line(words)))
            return None
        if self.is_there(stem):
            check_unchanged(stem + (".json" if self.documents else ".txt"), command.binary,
                            command.variables)
            self.old += 1
            self.finished.append(stem + ".json")
            return None
        make_folder(os.path.dirname(stem) or ".")
        self.progress(self.run_words(line, number))
        outcome = attempt(stem + ".out", stem + ".err", self.limit,
                      stem + ".json" if self.documents else "",
                      ["env"] + list(command.variables) + list(command.words))
        self.made += 1
        self.note(line, stem, outcome)
        self.progress()
        self.after_run(line, number, outcome)
        return outcome

    def note(self, line: Line, stem: str, outcome: Outcome) -> None:
        if outcome.status == 0:
            os.rename(stem + ".out", stem + ".txt")
            if not size_of(stem + ".err"):
                os.unlink(stem + ".err")
            self.finished.append(stem + ".json")
            self.in_a_row[line] = 0
        elif outcome.cannot():
            self.skipped.append("%s: %s" % (line.named(), outcome.why))
            self.given_up[line] = True
        else:
            self.is_wrong = self.is_wrong or outcome.is_wrong()
            self.failed.append("%s: %s" % (line.named(), outcome.words(stem)))
            self.in_a_row[line] = self.in_a_row.get(line, 0) + 1
            if self.in_a_row[line] >= 3:
                self.given_up[line] = True

    def make_runs(self, first: int = 1, shuffled: bool = False) -> None:
        """The runs from that number on, one of each line before the next of each.  A line is over
        when it cannot run here, or failed three times in a row.  Errors: Refused."""
        self.begun, self.given_up, number = now(), {}, first
        while len(self.given_up) < len(self.lines) and self.more(number):
            lines = list(self.lines)
            if shuffled and not self.only_print:
                shuffle(lines)
            for line in lines:
                if line not in self.given_up and self.is_asked(line, number):
                    self.make_run(line, number)
            number += 1

    def interrupted(self) -> str:
        """What is to be done, after all processes have ended: how to go on, or ""."""
        # Of a run that has written its results and not ended.
        if self.stem and os.path.exists(self.stem + ".out") and \
                os.path.exists(self.stem + ".json"):
            os.rename(self.stem + ".json", self.stem + ".json.failed")
        self.when_interrupted()
        if not self.resumable:
            return ""
        return "; finished runs are kept; to continue, repeat the command with %s%s" % (
            self.names_folder, quoted(self.results))


shuffle = random.shuffle


# --- All runs of a folder -----------------------------------------------------------------------


def foreign_load(*folders: str) -> List[str]:
    """A sentence if other processes used the CPUs in runs; each has another share."""
    every, disturbed = set(), set()
    for path in each_once([path for folder in folders
                           for path in files(folder, r".*-[0-9].*[.](err|txt|out)")]):
        runs = {re.sub(r"[.](err|txt|out)$", "", path)}
        told = set(re.findall("^# alidade: warning W40: ([a-z_0-9]*)", read(path), re.M)) \
            if path.endswith(".err") else set()
        # The job of run-suite --one-job says it of each of its programs, whose runs have files.
        if os.path.basename(path).startswith("suite-"):
            runs = {os.path.join(os.path.dirname(path), name + "-1") for name in told}
        every |= runs
        disturbed |= runs if told else set()
    if not disturbed:
        return []
    return ["Other processes used the CPUs of ranks (W40) in %d of %s: intervals may be wide, and "
            "values too high." % (len(disturbed), counted(len(every), "run"))]


def foreign_words(folder: str) -> List[str]:
    """A sentence on what a launcher or a library printed in runs that succeeded."""
    text = first = ""
    runs = 0
    for path in files(folder, r".*-[0-9].*\.err"):
        if not re.search("^[^#]", read(path), re.M) or not os.path.exists(path[:-4] + ".txt"):
            continue
        if not first:
            text = said(path)
            if not text:
                continue
            first = path
        runs += 1
    return ["%d run%s also printed: %s; see %s" % (runs, plural(runs), text, first)] \
        if first else []


def warnings(folder: str) -> List[str]:
    """Each once, those of runs that were there before, too."""
    found = [line for path in files(folder, r".*\.err")
             for line in re.findall(r"^# alidade: (warning W.*)$", read(path), re.M)
             if "W40" not in line]
    return sorted(set(found)) + foreign_load(folder)
