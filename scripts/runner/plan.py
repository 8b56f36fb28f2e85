# SPDX-License-Identifier: BSD-3-Clause
"""One run of a command, how it ended and why; and a plan of runs, in a folder of results that no
other command enters.

The folder has for each run VARIANT/PROGRAM-NUMBER.json and .txt, and .err for what it said; of a
run that is going on, or failed, .out in place of .txt.  Runs that are there are not made again.
"""
import os
import random
import re
import signal
import time
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from judge.screen import columns_of
from judge.results import Variant
from judge.text import (WRONG, WRONG_DATA, Program, Refused, fail, plural, within)

from .folders import Folder, files, make_folder, read, size_of, tell, write
from .options import command_line, quoted
from .shell import Interrupted, hold, said_by

ERROR = re.compile(r"(?:# )?alidade: error (E\d*): [a-z_0-9]*: (.*[^;\s])[; ]*$", re.M)
NOT_TAKEN = "(E43)"  # ends what a program says of an option that is not for it
MOST = 200  # bytes of what a launcher said
REMINDER = 30  # seconds between lines of progress, where no terminal shows it


def now() -> float:
    return time.monotonic()


def said(path: str) -> str:
    """The first sentence in that file that is a launcher's or a library's.  Open MPI frames its
    paragraphs with lines of dashes and breaks their lines."""
    text = spare = named = ""
    skip = False
    for line in read(path).splitlines():
        of_library = re.match(r"\[[^]@]*:[0-9]+\]", line)  # a library on a host
        named = named or (line if of_library else "")
        if of_library or re.match(r"#|[-=]+$", line) or not re.search("[A-Za-z0-9]", line):
            if text:
                break
            skip = False
            continue
        # A further paragraph may say which rank ended, and how.
        skip = skip or line.startswith("Primary job")
        if skip:
            spare += line + " "
        elif text.startswith("["):  # each line of MPICH has a place in front of it
            break
        else:
            text += (" " if text else "") + line
    text = " ".join((text or spare or named).split())
    first = re.search(r"[.] [A-Z]", text)
    text = text[:first.start() + 1] if first else text
    return re.sub("[.:; ]+$", "", within(text, MOST))


def why_of(err: str) -> str:
    """The error of a program in that file as "TEXT (E05)", or what else was said."""
    # Older revisions, which compare and bisect build, put "# " before it.
    found = list(dict.fromkeys((text, code) for code, text in ERROR.findall(read(err))))
    if not found:
        return said(err)
    text, code = found[0]
    more = "; first of %d lines" % len(found) if len(found) > 1 else ""
    return "%s%s (%s)" % (text, more, code)


class Outcome(NamedTuple):
    """status: exit code, 0 if all is well.  why: why not, or "".  seconds: that it took."""

    status: int
    why: str
    seconds: float

    def without_limit(self) -> "Outcome":
        """Of a command that has no --limit, and sets its own."""
        return self._replace(why=re.sub(r" \(--limit\)$", "", self.why))

    def words(self, stem: str) -> str:
        """Of one that failed, whose output is in STEM.err."""
        return "exit %d: %s; see %s.err" % (self.status, self.why, stem)

    def is_wrong(self) -> bool:
        """Were data wrong?  Launchers may lose exit codes (doc/known-issues.md)."""
        return self.status == WRONG_DATA or self.why.endswith(WRONG)

    def cannot(self) -> bool:
        """Does the program say that this is nothing for it?"""
        return self.status == 77 or self.why.endswith(NOT_TAKEN)


def told_by_suite(out: str) -> Iterator[Tuple[str, str, str]]:
    """(program, what, why) that a job of mpi/suite says in its output: run, skipped or failed;
    alone: the program needs a start of its own."""
    for name, what, why in re.findall("^# suite: ([a-z_0-9]*): (run|skipped|failed); (.*)$",
                                      read(out), re.M):
        is_alone = what == "skipped" and "; alone: " in "; " + why
        yield name, "alone" if is_alone else what, why


def has_run(document: str) -> bool:
    """Is that file of results whole, of a run that did not fail?"""
    return bool(re.search('^  "code": 0', read(document), re.M))


def within_time(limit: int, command: Sequence[str]) -> List[str]:
    return ["timeout", "--foreground", "-k", "10", str(limit)] + list(command)


def attempt(out: str, err: str, limit: int, file: str, command: Sequence[str]) -> Outcome:
    """Run a command for at most limit seconds (0: any time), with its output in the files out and
    err, which may be one, and its results in the JSON file, if one is named."""
    if file:
        command = list(command) + ["--json", file]
    # Launchers themselves may die without a word, or of SIGPIPE (doc/known-issues.md).
    for _ in range(3):
        for path in out, err:
            write(path, "")
        begun = now()
        status = hold(out, err, within_time(limit, command))
        took = now() - begun
        if status != 141 and (status in (0, 124, 137) or size_of(out) > 0 or size_of(err) > 0):
            break
    return outcome_of(status, took, err, limit, file)


def attempts(stems: Sequence[str], limit: int, commands: Sequence[Sequence[str]]) -> List[Outcome]:
    """Run several commands at the same time, each with its output in STEM.txt and STEM.err."""
    outcomes, lines, script = [], "", stems[0] + ".sh"
    for stem, command in zip(stems, commands):
        lines += "(%s >%s 2>%s; echo $? >%s) &\n" % (
            command_line(within_time(limit, command)), quoted(stem + ".txt"),
            quoted(stem + ".err"), quoted(stem + ".code"))
    # What fails may leave processes, which end if the script fails.
    write(script, "%swait\n! cat %s | grep -qvx 0\n" % (
        lines, command_line([stem + ".code" for stem in stems])))
    hold("", "", ["bash", script])
    for stem in stems:
        code = stem + ".code"
        took = os.stat(code).st_mtime - os.stat(script).st_mtime if os.path.exists(code) else 0
        outcomes.append(outcome_of(int(read(code).strip() or 1), took, stem + ".err", limit, ""))
    return outcomes


def outcome_of(status: int, took: float, err: str, limit: int, file: str) -> Outcome:
    """What a command has come to that ended with this exit code, after so many seconds."""
    if status == 0:
        # Launchers may lose exit codes (doc/known-issues.md), and rank 0 may be on a host without
        # this folder.
        if not ERROR.search(read(err)):
            missing = bool(file) and size_of(file) <= 0
            return Outcome(int(missing), "it wrote no results" if missing else "", took)
        status = 1
    # A failed run leaves no result that others could be compared with.
    for left in (file + ".part", file) if file else ():
        if os.path.exists(left):
            os.rename(left, file + ".failed")
    why = why_of(err)
    # 137 is that of SIGKILL, which others send too: for want of memory, as a rule.
    if status == 124 or (status == 137 and 0 < limit <= took):
        why = "it took more than %d s (--limit)" % limit
        write(err, why + "\n", "a")
    elif status == 137:
        why = "it was killed (137)" + (": " + why if why else "")
    return Outcome(status, why or "it exited with code %d and printed nothing" % status, took)


def linked(binary: str, variables: Sequence[str]) -> List[str]:
    """The libraries that a program is linked with, or that are loaded before, with these
    settings."""
    return re.findall("/[^ \n]*", said_by(["env"] + list(variables) + ["ldd", binary]) or "")


def check_unchanged(run: str, binary: str, variables: Sequence[str]) -> None:
    """The program of a run that is there, and its libraries, are not newer than the run.
    Errors: Refused."""
    made = os.stat(run).st_mtime_ns
    for path in [binary] + linked(binary, variables):
        if os.path.exists(path) and os.stat(path).st_mtime_ns > made:
            raise Refused("%s is newer than %s: name another folder with --results, since runs of "
                          "two versions must not be mixed" % (path, run))


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

    def __init__(self, runs: int = 1, limit: int = 0, documents: bool = True) -> None:
        self.runs, self.limit, self.documents = runs, limit, documents
        self.runs_asked = runs
        self.only_print = Program.only_print
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
            # A judge would say of what is left that it has failed.
            for path in (stem + ".out", stem + ".json.failed"):
                if os.path.exists(path):
                    os.unlink(path)
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
                is_asked = number <= self.runs_asked or number > self.runs or \
                    self.is_there(self.stem_of(line, number))
                if line not in self.given_up and is_asked:
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


def runs_of(folder: str) -> Variant:
    """All runs whose results are in it."""
    runs = Variant(folder, unread=[])
    runs.add(folder)
    return runs


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
    return sorted(set(found)) + list(filter(None, [runs_of(folder).loaded_words()]))
