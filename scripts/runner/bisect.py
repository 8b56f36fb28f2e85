# SPDX-License-Identifier: BSD-3-Clause
"""bisect - the commit, or the release, that made an MPI library slower."""
import os
import re
from typing import List, Sequence

from judge.text import WRONG_DATA, Refused, counted

from . import mpis
from .folders import read, scratch, tell
from .options import Options, command_line
from .plan import Plan
from .shell import SCRIPTS, Ended, hold, said_by
from .variants import revision_in

USAGE = """Usage: scripts/bisect [OPTION...] SOURCE GOOD BAD
                      [-- PROGRAM... [-- PROGRAM-OPTION...]]
Find the commit, or the release, that made an MPI library slower.

  SOURCE     git checkout of the MPI library, which is not changed; or
             pypi:MPI for its releases (scripts/fetch-mpi)
  GOOD, BAD  revisions or releases; BAD is slower than GOOD
  PROGRAM    benchmarks that decide [latency]

Each step builds a revision (scripts/build-mpi), or fetches a release, and
compares it with GOOD (scripts/compare --gate). What does not build or run is
skipped.

Options:
  --runs N           runs of each program per revision [8]
  --time TIME        add runs while one is undecided, at most this long for each
  --ranks N          number of ranks [2]
  --margin PERCENT   smallest relevant difference [3]
  --limit TIME       time limit of a run [1h]
  --results DIR      folder for the runs; to resume, repeat [bisect-DATE]
  --cache DIR        where releases are kept [~/.cache/alidade]
  --wheels DIR       take releases from this folder of wheels

Examples:
  scripts/bisect ~/ompi v5.0.7 v5.0.8 -- allreduce -- -m 8:1K
  scripts/bisect pypi:mpich 4.0.3 5.0.2

Exit codes: 0 found, 1 failed, 2 BAD is not slower than GOOD, or that is not
decided, 3 wrong data, 130, 143 interrupted.
"""

SLOWER, ENDED = 2, (129, 130, 143)  # exit codes of compare


class Bisection(Plan):
    """Comparisons of a good revision or release with others, a folder each.

    words: what compare is told.  releases: all of them, in their order; (): commits are searched.
    good: those that are not slower; bad: the first that is, as far as is known.
    """

    def __init__(self, o: Options, source: str, good: str, bad: str,
                 releases: Sequence[str]) -> None:
        super().__init__()
        self.source, self.releases = source, releases
        self.good, self.bad = [good], bad
        texts = {"runs": o.runs, "time": o.time, "ranks": o.ranks, "limit": o.limit,
                 "cache": o.cache, "wheels": o.wheels,
                 "margin": o.margin and "%.12g" % (100 * o.margin)}
        self.words = ["--%s=%s" % (name, texts[name]) for name in texts if name in o.given] + (
            ["--print"] if o.print else []) + ["--"] + (o.further or ["latency"])

    def what(self, revision: str) -> str:
        """As a variant."""
        return "%s==%s" % (self.source, revision) if self.releases else \
            "%s@%s" % (self.source, revision[:12])

    def git(self, *words: str) -> str:
        """What it prints.  Errors: Refused."""
        text = said_by(["git", "-C", self.source] + list(words), stderr=None)
        if text is None:
            raise Refused("the commit was not found")
        return text

    def judged(self, revision: str) -> int:
        """0 as good as the good one, 2 slower, else it cannot be told.  Errors: Ended."""
        name = revision[:12]
        table = os.path.join(self.results, name + ".table")
        open(table, "w").close()
        code = hold(table, "", [
            os.path.join(SCRIPTS, "compare"), "--gate", "--results",
            os.path.join(self.results, name), "good=" + self.what(self.good[0]),
            "%s=%s" % (name, self.what(revision))] + self.words)
        # Two builds always differ, and the folder is this command's.
        for line in read(table).splitlines():
            if not re.match("# (differs: build |results: )", line):
                tell(line)
        # Somebody has ended it, and so all of it.
        if code in ENDED:
            raise Ended(code)
        return code

    def is_undecided(self, revision: str) -> bool:
        """Is it slower or not in something, which more runs may decide?"""
        table = read(os.path.join(self.results, revision[:12] + ".table"))
        return bool(re.search("^[a-z].* undecided", table, re.M))

    def between(self) -> List[str]:
        """What else may have made it slower; what leaves half of them comes first."""
        if self.releases:
            good, bad = map(self.releases.index, (self.good[-1], self.bad))
            return sorted(self.releases[good + 1:bad],
                          key=lambda name: abs(2 * self.releases.index(name) - good - bad))
        text = self.git("rev-list", "--bisect-all", self.bad, "--not", *self.good)
        return [line.split()[0] for line in text.splitlines() if not line.startswith(self.bad)]

    def search(self) -> None:
        """Find the first slower one, and say how to be sure.  Errors: Refused."""
        what, skipped = "release" if self.releases else "commit", set()
        while True:
            left = self.between()
            names = [name for name in left if name not in skipped]
            if not names:
                break
            tell("# %s may have made it slower" % counted(len(left) + 1, what))
            code = self.judged(names[0])
            if code == 0:
                self.good.append(names[0])
            elif code == SLOWER:
                self.bad = names[0]
            else:
                skipped.add(names[0])
        tell("# %s is the first slower %s%s" % (self.bad, what, (
            "; not measured, and may be it: " + ", ".join(left)) if left else ""))
        if self.releases:
            parent = self.good[-1]
        else:
            tell(self.git("show", "--stat", "--no-color", self.bad).strip("\n"))
            parent = self.git("rev-parse", self.bad + "^").strip()
        if self.is_undecided(parent):
            tell("# The parent %s was undecided, which counts as good. With --time it gets more "
                 "runs." % parent[:12])
        tell("# To be sure, compare both: scripts/compare " + command_line(
            ["before=" + self.what(parent), "after=" + self.what(self.bad)] + self.words))
        tell("# results: " + self.results)


def releases_of(o: Options) -> List[str]:
    """All, of which one is good and a later one bad.  Errors: Refused."""
    index, (mpi, _) = mpis.Index(o.cache, o.wheels), mpis.asked(o.words[0]) or ("", "")
    versions = index.versions(mpi)
    for name in o.words[1:]:
        if name not in versions:
            raise Refused("there is no release %s of %s; scripts/fetch-mpi --list names them"
                          % (name, o.words[0]))
    good, bad = (versions.index(name) for name in o.words[1:])
    if bad <= good:
        raise Refused("'%s' does not come after '%s'" % (o.words[2], o.words[1]))
    return versions


def commits_of(source: str, names: Sequence[str]) -> List[str]:
    """The good one and the bad one.  Errors: Refused."""
    if not os.path.isdir(source):
        raise Refused("'%s' is not a git checkout" % source)
    good, bad = revision_in(source, names[0]), revision_in(source, names[1])
    if said_by(["git", "-C", source, "merge-base", "--is-ancestor", good, bad]) is None:
        raise Refused("'%s' does not come after '%s'" % (names[1], names[0]))
    return [good, bad]


def main(o: Options) -> int:
    if len(o.words) != 3:
        raise Refused("SOURCE, GOOD and BAD are needed; see --help")
    source, *names = o.words
    of_index = mpis.asked(source)
    if of_index and of_index[1]:
        raise Refused("name the MPI as pypi:%s, and its releases after it" % of_index[0])
    source = source if of_index else os.path.realpath(source)
    releases = releases_of(o) if of_index else []
    good, bad = names if of_index else commits_of(source, names)
    plan = Bisection(o, source, good, bad, releases)
    with scratch() as work:
        plan.begin(o.results, "bisect", "%s: %s %s; %s" % (source, good, bad,
                                                           " ".join(o.further or ["latency"])))
        plan.results = work if o.print else os.path.realpath(plan.results)
        tell("\n== is %s slower than %s?" % (names[1], names[0]))
        code = plan.judged(bad)
        if o.print:
            return code
        if code == 0:
            tell("# %s is not slower than %s%s" % (
                names[1], names[0], ", as far as is decided; with --time it gets more runs"
                if plan.is_undecided(bad) else ""))
            return 2
        if code != SLOWER:
            return code if code == WRONG_DATA else 1
        plan.search()
        return 0
