# SPDX-License-Identifier: BSD-3-Clause
"""bisect - the commit that made an MPI library slower."""
import os
import re
import subprocess
from typing import List, Sequence

from judge.text import Refused

from .folders import read, say, scratch, tell
from .options import Options, command_line
from .plan import Plan
from .shell import SCRIPTS, Ended, hold, said_by
from .variants import revision_in

USAGE = """Usage: scripts/bisect [OPTION...] SOURCE GOOD BAD
                      [-- PROGRAM... [-- PROGRAM-OPTION...]]
Find the commit that made an MPI library slower.

  SOURCE     git checkout of the MPI library; it is not changed
  GOOD, BAD  revisions; BAD is slower than GOOD
  PROGRAM    benchmarks that decide [latency]

Each step builds a revision (scripts/build-mpi) and compares it with GOOD
(scripts/compare --gate). Revisions that do not build or run are skipped.

Options:
  --runs N           runs of each program per revision [8]
  --ranks N          number of ranks [2]
  --margin PERCENT   smallest relevant difference [3]
  --limit TIME       time limit of a run [1h]
  --results DIR      folder for the runs; to resume, repeat [bisect-DATE]
  -h, --help         print this help
  -v, --version      print the version

Example:
  scripts/bisect ~/ompi v5.0.7 v5.0.8 -- allreduce -- -m 8:1K

Exit codes: 0 commit found, 1 failed, 2 BAD is not slower than GOOD, 130, 143
interrupted.
"""

SLOWER, ENDED = 2, (129, 130, 143)  # exit codes of compare


class Bisection(Plan):
    """Comparisons of the good revision with others, a folder each.  words: what compare is told."""

    def __init__(self, o: Options, source: str, good: str, words: Sequence[str]) -> None:
        super().__init__(only_print=o.print)
        self.source, self.good, self.words = source, good, list(words)

    def judged(self, revision: str) -> int:
        """0 as good as the good one, 2 slower, else it cannot be told.  Errors: Ended."""
        name = revision[:12]
        table = os.path.join(self.results, name + ".table")
        open(table, "w").close()
        code = hold(table, "", [
            os.path.join(SCRIPTS, "compare"), "--gate", "--results",
            os.path.join(self.results, name), "good=%s@%s" % (self.source, self.good),
            "%s=%s@%s" % (name, self.source, revision)] + self.words)
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
    """Options of compare, and the programs."""
    texts = {"runs": o.runs, "ranks": o.ranks, "limit": o.limit,
             "margin": o.margin and "%.12g" % (100 * o.margin)}
    words = ["--%s=%s" % (name, texts[name]) for name in texts if name in o.given]
    return words + (["--print"] if o.print else []) + ["--"] + (o.further or ["latency"])


def report_of(plan: Bisection, tree: str, bad: str, words: Sequence[str]) -> None:
    """What was found, and how to be sure."""
    parent = git(tree, "rev-parse", "refs/bisect/bad^").strip()[:12]
    table = read(os.path.join(plan.results, parent + ".table"))
    if re.search("^[a-z].* undecided", table, re.M):
        tell("# The parent %s was undecided, which counts as good." % parent)
    tell("# To be sure, compare both: scripts/compare " + command_line(
        ["before=%s@%s" % (plan.source, parent), "after=%s@%s" % (plan.source, bad[:12])] +
        list(words)))
    tell("# results: " + plan.results)


def main(o: Options) -> int:
    if len(o.words) != 3:
        raise Refused("SOURCE, GOOD and BAD are needed; see --help")
    if not os.path.isdir(o.words[0]):
        raise Refused("'%s' is not a git checkout" % o.words[0])
    source, names, words = os.path.realpath(o.words[0]), o.words[1:], passed_on(o)
    good, bad = revision_in(source, names[0]), revision_in(source, names[1])
    if said_by(["git", "-C", source, "merge-base", "--is-ancestor", good, bad]) is None:
        raise Refused("'%s' does not come after '%s'" % (names[1], names[0]))
    plan = Bisection(o, source, good, words)
    with scratch() as work:
        plan.begin(o.results, "bisect", "%s: %s %s; %s" % (source, good, bad,
                                                           " ".join(o.further or ["latency"])))
        plan.results = work if o.print else os.path.realpath(plan.results)
        tree = os.path.join(work, "tree")
        tell("\n== is %s slower than %s?" % (names[1], names[0]))
        code = plan.judged(bad)
        if o.print:
            return code
        if code == 0:
            tell("# %s is not slower than %s" % (names[1], names[0]))
            return 2
        if code != SLOWER:
            return 1
        try:
            git(source, "worktree", "add", "-q", "--detach", tree, bad)
            report_of(plan, tree, plan.first_bad(tree, bad), words)
        finally:
            said_by(["git", "-C", source, "worktree", "remove", "--force", tree])
    return 0
