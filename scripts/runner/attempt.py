# SPDX-License-Identifier: BSD-3-Clause
"""One run of a command: how it ended, and why."""
import os
import re
import time
from typing import Iterator, List, NamedTuple, Sequence, Tuple

from judge.text import WRONG, WRONG_DATA, Refused, within

from .folders import read, size_of, write
from .options import command_line, quoted
from .shell import hold, said_by

ERROR = re.compile(r"(?:# )?alidade: error (E\d*): [a-z_0-9]*: (.*[^;\s])[; ]*$", re.M)
NOT_TAKEN = "(E43)"  # ends what a program says of an option that is not for it
MOST = 200  # bytes of what a launcher said


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


def run_once(out: str, err: str, limit: int, command: Sequence[str]) -> Tuple[int, float]:
    """(exit code, seconds) of a command whose output is in two new files, or one."""
    for path in out, err:
        try:
            open(path, "w").close()
        except OSError:
            raise Refused("cannot write to '%s'" % out)
    begun = now()
    code = hold(out, err, within_time(limit, command))
    return code, now() - begun


def attempt(out: str, err: str, limit: int, file: str, command: Sequence[str]) -> Outcome:
    """Run a command for at most limit seconds (0: any time), with its output in the files out and
    err, which may be one, and its results in the JSON file, if one is named."""
    if file:
        command = list(command) + ["--json", file]
    # Launchers themselves may die without a word, or of SIGPIPE (doc/known-issues.md).
    for _ in range(3):
        status, took = run_once(out, err, limit, command)
        if status != 141 and (status in (0, 124, 137) or size_of(out) > 0 or size_of(err) > 0):
            break
    return outcome_of(status, took, err, limit, file)


def attempts(stems: Sequence[str], limit: int, commands: Sequence[Sequence[str]]) -> List[Outcome]:
    """Run several commands at the same time, each with its output in STEM.txt and STEM.err."""
    begun, lines, script = now(), "", stems[0] + ".sh"
    for stem, command in zip(stems, commands):
        lines += "(%s >%s 2>%s; echo $? >%s) &\n" % (
            command_line(within_time(limit, command)), quoted(stem + ".txt"),
            quoted(stem + ".err"), quoted(stem + ".code"))
    # What fails may leave processes, which end if the script fails.
    write(script, "%swait\n! cat %s | grep -qvx 0\n" % (
        lines, command_line([stem + ".code" for stem in stems])))
    hold("", "", ["bash", script])
    codes = [read(stem + ".code").strip() for stem in stems]
    return [outcome_of(int(code or 1), now() - begun, stem + ".err", limit, "")
            for stem, code in zip(stems, codes)]


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
