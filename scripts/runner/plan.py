# SPDX-License-Identifier: BSD-3-Clause
"""A plan of runs, in a folder of results that no other command enters.

The folder has for each run VARIANT/PROGRAM-NUMBER.json and .txt, and .err for what it said; of a run
that is going on, or failed, .out in place of .txt.  Runs that are there are not made again.
"""
import fcntl
import os
import random
import re
import shutil
import sys
import tempfile
import time
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from judge.text import VERSION, Program, Refused, output, plural

from .options import command_line, quoted
from .shell import hold, said_by

# Variables that steer an MPI and its transports.
STEERING = re.compile("(OMPI_MCA|PRTE_MCA|PMIX_MCA|UCX|UCC|MPICH|MPIR_CVAR|FI|PSM2|I_MPI)_")
ERROR = re.compile(r"(?:# )?alidade: error (E\d*): [a-z_0-9]*: (.*[^;\s])[; ]*$", re.M)
MOST = 200  # bytes of what a launcher said


def now() -> float:
    return time.monotonic()


def say(text: str) -> None:
    """Print to standard error at once."""
    sys.stderr.write(text + "\n")


def tell(text: str) -> None:
    """Print to standard output at once."""
    output.write(text + "\n")
    output.flush()


def read(path: str) -> str:
    """What is in a file, or "" if it is not there."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def size_of(path: str) -> int:
    """Bytes in a file; -1: it is not there."""
    return os.path.getsize(path) if os.path.exists(path) else -1


def write(path: str, text: str, mode: str = "w") -> None:
    """Errors: Refused, which names the folder."""
    try:
        with open(path, mode, encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    except OSError:
        raise Refused("cannot write to '%s'" % (os.path.dirname(path) or "."))


def steering() -> str:
    """The variables that steer the MPI and its transports, as words for a shell."""
    return "".join("%s=%s " % (name, quoted(os.environ[name]))
                   for name in sorted(os.environ) if STEERING.match(name))


# --- Folders ------------------------------------------------------------------------------------


def make_folder(path: str) -> None:
    """If it is not there.  Errors: Refused."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Refused("cannot create '%s': %s" % (path, error.strerror))


@contextmanager
def scratch() -> Iterator[str]:
    """A folder for as long as it is needed, where TMPDIR says.  Errors: Refused."""
    place = os.environ.get("TMPDIR") or "/tmp"
    try:
        folder = tempfile.mkdtemp(dir=place)
    except OSError as error:
        raise Refused("cannot create a folder in '%s': %s" % (place, error.strerror))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Folder:
    """A folder of results, which is this command's until it ends, however it ends.

    (File systems without locks let other commands in.)  Errors: Refused.
    """

    def __init__(self, path: Optional[str], name: str) -> None:
        self.path = path or self.fresh("%s-%s" % (name, time.strftime("%Y-%m-%d-%H%M%S")))
        make_folder(self.path)
        try:
            self.lock = open(os.path.join(self.path, ".lock"), "a")
        except OSError:
            raise Refused("cannot write to '%s'" % self.path)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused("another command is using '%s'; choose another --results folder"
                          % self.path)
        except OSError:
            pass

    @staticmethod
    def fresh(name: str) -> str:
        """A new folder of that name, or with a number; of several commands at once one makes it."""
        path, number = name, 1
        while True:
            try:
                os.mkdir(path)
                return path
            except FileExistsError:
                number += 1
                path = "%s-%d" % (name, number)
            except OSError as error:
                raise Refused("cannot create '%s': %s" % (path, error.strerror))

    def keep_asked(self, asked: str) -> None:
        """It has runs of what is asked, or none; of the same command and version, too."""
        asked = "%s%s; %s (Alidade) %s" % (steering(), asked, Program.name, VERSION)
        path = os.path.join(self.path, ".asked")
        before = read(path).rstrip("\n")
        if before not in ("", asked) and (files(self.path, r".*\.json") or
                                          files(self.path, r".*-[0-9].*\.txt")):
            raise Refused("%s has results of another command: %s; choose another --results folder"
                          % (self.path, before))
        write(path, asked + "\n")


def files(folder: str, name: str) -> List[str]:
    """Those below the folder whose names are so, sorted; hidden folders are left out."""
    found = []
    for place, inner, names in os.walk(folder):
        inner[:] = [each for each in inner if not each.startswith(".")]
        found += [os.path.join(place, each) for each in names if re.match(name + r"\Z", each)]
    return sorted(found, key=by_numbers)


def by_numbers(path: str) -> List[Any]:
    """Sorts latency-9 before latency-10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", path)]


# --- What runs say ------------------------------------------------------------------------------


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
    raw = text.encode("utf-8", "surrogateescape")
    if len(raw) > MOST:
        text = raw[:MOST].decode("utf-8", "ignore")
    return re.sub("[.:; ]+$", "", text)


def why_of(err: str) -> str:
    """The error of a program in that file as "TEXT (E05)", or what else was said."""
    # Older revisions, which compare and bisect build, put "# " before it.
    found = list(dict.fromkeys((text, code) for code, text in ERROR.findall(read(err))))
    if not found:
        return said(err)
    text, code = found[0]
    more = "; first of %d lines" % len(found) if len(found) > 1 else ""
    return "%s%s (%s)" % (text, more, code)


class Run(NamedTuple):
    """status: exit code, 0 if all is well.  why: why not, or "".  seconds: that it took."""

    status: int
    why: str
    seconds: float

    def cannot(self) -> bool:
        """Does the program say that this is nothing for it?"""
        return self.status == 77 or "does not take" in self.why


def run_once(out: str, err: str, limit: int, command: Sequence[str]) -> Tuple[int, float]:
    """(exit code, seconds) of a command whose output is in two new files, or one."""
    for path in out, err:
        try:
            open(path, "w").close()
        except OSError:
            raise Refused("cannot write to '%s'" % out)
    begun = now()
    code = hold(out, err, ["timeout", "--foreground", "-k", "10", str(limit)] + list(command))
    return code, now() - begun


def attempt(out: str, err: str, limit: int, file: str, command: Sequence[str]) -> Run:
    """Run a command for at most limit seconds (0: any time), with its output in the files out and
    err, which may be one, and its results in the JSON file, if one is named."""
    if file:
        command = list(command) + ["--json", file]
    # Launchers themselves may die without a word, or of SIGPIPE (doc/known-issues.md).
    for _ in range(3):
        status, took = run_once(out, err, limit, command)
        if status != 141 and (status in (0, 124, 137) or size_of(out) > 0 or size_of(err) > 0):
            break
    if status == 0:
        # Launchers may lose exit codes (doc/known-issues.md), and rank 0 may be on a host without
        # this folder.
        if not ERROR.search(read(err)):
            missing = bool(file) and size_of(file) <= 0
            return Run(int(missing), "it wrote no results" if missing else "", took)
        status = 1
    # A failed run leaves no result that others could be compared with.
    if file and os.path.exists(file):
        os.rename(file, file + ".failed")
    why = why_of(err)
    # 137 is that of SIGKILL, which others send too: for want of memory, as a rule.
    if status == 124 or (status == 137 and 0 < limit <= took):
        why = "it took more than %d s (--limit)" % limit
        write(err, why + "\n", "a")
    elif status == 137:
        why = "it was killed (137)" + (": " + why if why else "")
    return Run(status, why or "it exited with code %d and printed nothing" % status, took)


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

    runs: of each line.  limit: seconds of a run, at most (0: any time).  documents: does the build
    write JSON?  made, old: runs that were made, and that were there.  failed, skipped: sentences on
    those that failed or cannot be.  finished: files of those that are there.
    """

    def __init__(self, runs: int = 1, limit: int = 0, only_print: bool = False,
                 documents: bool = True) -> None:
        self.runs, self.limit, self.documents = runs, limit, documents
        self.only_print = only_print
        self.lines: List[Line] = []
        self.results, self.resumable = "", False
        self.made = self.old = 0
        self.failed: List[str] = []
        self.skipped: List[str] = []
        self.finished: List[str] = []
        self.given_up: Dict[Line, bool] = {}
        self.in_a_row: Dict[Line, int] = {}
        self.begun = now()
        # The run that is going on: its files without their endings.
        self.stem = ""
        Current.plan = self

    # What a command may have of its own.

    def command_of(self, line: Line) -> Command:
        raise NotImplementedError

    def more(self, number: int) -> bool:
        """Is there a run of this number?"""
        return number <= self.runs

    def after_run(self, line: Line, number: int, run: Run) -> None:
        """One was made."""
        if run.status:
            say("%s: %s: exit %d: %s; see %s.err" % (Program.name, line.named(), run.status,
                                                     run.why, self.stem))

    def to_go(self) -> str:
        """What is known of the time that is left."""
        left = len(self.lines) * self.runs - self.made - self.old - len(self.skipped)
        if left > 0 and self.made:
            return "; about %d s to go" % ((now() - self.begun) * left / self.made)
        return ""

    def when_interrupted(self) -> None:
        """What is done with the runs that there are."""

    # What all have.

    def elapsed(self) -> float:
        return now() - self.begun

    def begin(self, results: Optional[str], name: str, asked: str) -> None:
        """The folder is this command's, by default a new one of that name; its runs are of what is
        asked.  Errors: Refused."""
        self.results = results or name
        if not self.only_print:
            self.folder = Folder(results, name)
            self.results, self.resumable = self.folder.path, True
            self.folder.keep_asked(asked)

    def progress(self, text: str = "") -> None:
        """On a terminal alone, and gone when the next line is printed."""
        if sys.stderr.isatty():
            sys.stderr.write("\r%-78s\r" % (text + (self.to_go() if text else "")))
            sys.stderr.flush()

    def stem_of(self, line: Line, number: int) -> str:
        return os.path.join(self.results, line.variant, "%s-%d" % (line.program, number))

    def is_there(self, stem: str) -> bool:
        return size_of(stem + ".json") > 0 or \
            (not self.documents and os.path.exists(stem + ".txt"))

    def run_one(self, line: Line, number: int) -> Optional[Run]:
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
        which = "%d of %d" % (number, self.runs) if number <= self.runs else "%d" % number
        self.progress("run %s: %s%s" % (which, line.program,
                                        ", " + line.variant if line.variant else ""))
        run = attempt(stem + ".out", stem + ".err", self.limit,
                      stem + ".json" if self.documents else "",
                      ["env"] + list(command.variables) + list(command.words))
        self.made += 1
        self.note(line, stem, run)
        self.progress()
        self.after_run(line, number, run)
        return run

    def note(self, line: Line, stem: str, run: Run) -> None:
        """What became of a run."""
        if run.status == 0:
            os.rename(stem + ".out", stem + ".txt")
            if not size_of(stem + ".err"):
                os.unlink(stem + ".err")
            self.finished.append(stem + ".json")
            self.in_a_row[line] = 0
        elif run.cannot():
            self.skipped.append("%s: %s" % (line.named(), run.why))
            self.given_up[line] = True
        else:
            self.failed.append("%s: exit %d: %s; see %s.err" % (line.named(), run.status, run.why,
                                                                stem))
            self.in_a_row[line] = self.in_a_row.get(line, 0) + 1
            if self.in_a_row[line] >= 3:
                self.given_up[line] = True

    def run(self, first: int = 1, shuffled: bool = False) -> None:
        """The runs from that number on, one of each line before the next of each.  A line is over
        when it cannot run here, or failed three times in a row.  Errors: Refused."""
        self.begun, self.given_up, number = now(), {}, first
        while len(self.given_up) < len(self.lines) and self.more(number):
            lines = list(self.lines)
            if shuffled and not self.only_print:
                shuffle(lines)
            for line in lines:
                if line not in self.given_up:
                    self.run_one(line, number)
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
        return "; finished runs are kept; to continue, repeat the command with --results " + \
            quoted(self.results)


class Current:
    """The plan that is told when the command is interrupted."""

    plan: Optional[Plan] = None


shuffle = random.shuffle


# --- All runs of a folder -----------------------------------------------------------------------


def foreign_load(folder: str) -> List[str]:
    """A sentence if other processes used the CPUs in runs; each has another share."""
    errs = files(folder, r".*\.err")
    runs = sum(len(re.findall("^# alidade: warning W40", read(path), re.M)) for path in errs)
    every = {re.sub(r"[.](err|txt|out)$", "", path)
             for path in files(folder, r"(?!suite-).*-[0-9].*[.](err|txt|out)")}
    if not runs:
        return []
    return ["Other processes used the CPUs of ranks (W40) in %d of %d run%s: intervals may be wide, "
            "and values too high." % (runs, len(every), plural(len(every)))]


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


def rows_of(text: str, columns: int) -> Dict[str, List[str]]:
    """The rows of a table: by the first word, so many further ones."""
    lines = [line.split() for line in text.splitlines() if re.match("[0-9]", line)]
    return {words[0]: (words[1:] + [""] * columns)[:columns] for words in lines}


def side_by_side(tables: Sequence[Dict[str, List[str]]]) -> List[List[str]]:
    """The rows of the first table, with those of the others, or - where one lacks the row."""
    widths = [max([len(cells) for cells in table.values()] + [1]) for table in tables]
    return [[key] + [cell for table, width in zip(tables, widths)
                     for cell in table.get(key, ["-"] * width)] for key in tables[0]]
