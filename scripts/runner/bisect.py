# SPDX-License-Identifier: BSD-3-Clause
"""bisect - the commit, or the release, that made an MPI library slower."""
import os
import re
import subprocess
from typing import List, Sequence

from judge.text import WRONG_DATA, Refused

from . import mpis
from .folders import read, say, scratch, tell
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

Exit codes: 0 found, 1 failed, 2 BAD is not slower than GOOD, 3 wrong data, 130,
143 interrupted.
"""

SLOWER, ENDED = 2, (129, 130, 143)  # exit codes of compare


class Bisection(Plan):
    """Comparisons of the good revision or release with others, a folder each.  words: what compare
    is told."""

    def __init__(self, o: Options, source: str, good: str, words: Sequence[str]) -> None:
        super().__init__(only_print=o.print)
        self.source, self.good, self.words = source, good, list(words)

    def what(self, revision: str) -> str:
        """As a variant."""
        return self.source + ("==" if mpis.asked(self.source) else "@") + revision

    def judged(self, revision: str) -> int:
        """0 as good as the good one, 2 slower, else it cannot be told.  Errors: Ended."""
        name = revision[:12]
        table = os.path.join(self.results, name + ".table")
        open(table, "w").close()
        code = hold(table, "", [
            os.path.join(SCRIPTS, "compare"), "--gate", "--results",
            os.path.join(self.results, name), "good=" + self.what(self.good),
            "%s=%s" % (name, self.what(revision))] + self.words)
        # Two builds always differ, and the folder is this command's.
        for line in read(table).splitlines():
            if not re.match("# (differs: build |results: )", line):
                tell(line)
        # Somebody has ended it, and so all of it.
        if code in ENDED:
            raise Ended(code)
        return code

    def first_bad(self, tree: str, bad: str) -> str:
        """The commit that git finds in its tree.  Errors: Refused."""
        text = git(tree, "bisect", "start", bad, self.good)
        while "is the first bad commit" not in text:
            tell(text.strip("\n"))
            code = self.judged(git(tree, "rev-parse", "HEAD").strip())
            word = {0: "good", SLOWER: "bad"}.get(code, "skip")
            text = git(tree, "bisect", word)
        tell(text.strip("\n"))
        return git(tree, "rev-parse", "refs/bisect/bad").strip()


def git(tree: str, *words: str) -> str:
    """What it prints.  Errors: Refused, the commit was not found."""
    done = subprocess.run(["git", "-C", tree] + list(words), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = os.fsdecode(done.stdout)
    if done.returncode:
        say(text.strip("\n"))
        raise Refused("the commit was not found")
    return text


def passed_on(o: Options) -> List[str]:
    texts = {"runs": o.runs, "time": o.time, "ranks": o.ranks, "limit": o.limit,
             "cache": o.cache, "wheels": o.wheels,
             "margin": o.margin and "%.12g" % (100 * o.margin)}
    words = ["--%s=%s" % (name, texts[name]) for name in texts if name in o.given]
    return words + (["--print"] if o.print else []) + ["--"] + (o.further or ["latency"])


def report_of(plan: Bisection, parent: str, bad: str, words: Sequence[str]) -> None:
    """What was found, and how to be sure.  parent: the last one that is good."""
    table = read(os.path.join(plan.results, parent[:12] + ".table"))
    if re.search("^[a-z].* undecided", table, re.M):
        tell("# The parent %s was undecided, which counts as good. With --time it gets more runs."
             % parent[:12])
    tell("# To be sure, compare both: scripts/compare " + command_line(
        ["before=" + plan.what(parent), "after=" + plan.what(bad)] + list(words)))
    tell("# results: " + plan.results)


def find_release(plan: Bisection, releases: Sequence[str]) -> int:
    """Which of these made it slower; the first is good and the last bad: the exit code."""
    good, bad, skipped = 0, len(releases) - 1, set()
    while True:
        between = [k for k in range(good + 1, bad) if k not in skipped]
        if not between:
            break
        k = between[len(between) // 2]
        code = plan.judged(releases[k])
        if code == 0:
            good = k
        elif code == SLOWER:
            bad = k
        else:
            skipped.add(k)
    unknown = [releases[k] for k in range(good + 1, bad)]
    tell("# %s is the first slower release%s" % (
        releases[bad], "; not measured, and may be it: " + ", ".join(unknown) if unknown else ""))
    report_of(plan, releases[good], releases[bad], plan.words)
    return 0


def between(o: Options) -> List[str]:
    """The releases from the good one to the bad one.  Errors: Refused."""
    index, (mpi, _) = mpis.index_of(o), mpis.asked(o.words[0]) or ("", "")
    versions = index.versions(mpi)
    for name in o.words[1:]:
        if name not in versions:
            raise Refused("there is no release %s of %s; scripts/fetch-mpi --list names them"
                          % (name, o.words[0]))
    good, bad = (versions.index(name) for name in o.words[1:])
    if bad <= good:
        raise Refused("'%s' does not come after '%s'" % (o.words[2], o.words[1]))
    return versions[good:bad + 1]


def find_commit(plan: Bisection, bad: str, tree: str) -> int:
    try:
        git(plan.source, "worktree", "add", "-q", "--detach", tree, bad)
        found = plan.first_bad(tree, bad)[:12]
        parent = git(tree, "rev-parse", "refs/bisect/bad^").strip()[:12]
        report_of(plan, parent, found, plan.words)
    finally:
        said_by(["git", "-C", plan.source, "worktree", "remove", "--force", tree])
    return 0


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
    (source, *names), words = o.words, passed_on(o)
    of_index = mpis.asked(source)
    if of_index and of_index[1]:
        raise Refused("name the MPI as pypi:%s, and its releases after it" % of_index[0])
    source = source if of_index else os.path.realpath(source)
    known = between(o) if of_index else commits_of(o.words[0], names)
    plan = Bisection(o, source, known[0], words)
    with scratch() as work:
        plan.begin(o.results, "bisect", "%s: %s %s; %s" % (source, known[0], known[-1],
                                                           " ".join(o.further or ["latency"])))
        plan.results = work if o.print else os.path.realpath(plan.results)
        tell("\n== is %s slower than %s?" % (names[1], names[0]))
        code = plan.judged(known[-1])
        if o.print:
            return code
        if code == 0:
            tell("# %s is not slower than %s" % (names[1], names[0]))
            return 2
        if code != SLOWER:
            return code if code == WRONG_DATA else 1
        return find_release(plan, known) if of_index else \
            find_commit(plan, known[-1], os.path.join(work, "tree"))
