# SPDX-License-Identifier: BSD-3-Clause
"""history - MPI libraries, release by release: which one made something slower or faster?"""
import os
from typing import List

from judge import history as judge
from judge.text import Refused, fail, meant, natural

from . import mpis
from .compare import Compare, programs_of
from .options import Options, question_of
from .variants import read_variants

USAGE = """Usage: scripts/history [OPTION...] MPI... [-- PROGRAM... [-- OPTION...]]
Measure the releases of MPI libraries, and name the steps between them.

  MPI      mpich, openmpi or impi (Intel MPI), of Python's package index
  PROGRAM  benchmarks [latency allreduce]

Releases are fetched without root (scripts/fetch-mpi), and run in turn. Those
that programs cannot tell apart are measured with one build.

Options:
  --last N           releases of each MPI, the newest [6]
  --from VERSION     instead: this release of the MPI and all after it
  --runs N           runs of each program with each release [8]
  --ranks N          number of ranks [2]
  --limit TIME       time limit of a run [1h]
  --results DIR      folder for JSON files; to resume, repeat [history-DATE]
  --report FILE      page with plots [history.html in the results folder]
  --classes SIZES    where classes end, or rows: one each [256,8K,128K]
  --margin PERCENT   smallest relevant difference [3]
  --cache DIR        where releases are kept [~/.cache/alidade]
  --wheels DIR       take releases from this folder of wheels
  --markdown FILE    also write the tables as Markdown
  --json FILE        also write figures and steps as JSON

Example:
  scripts/history mpich openmpi -- latency allreduce -- -m 8:64K

Exit codes: 0 success, 1 failed, 3 wrong data, 130, 143 interrupted.
"""

PROGRAMS = ["latency", "allreduce"]


class History(Compare):
    """Each release is compared with the one before it, so that one that fails leaves the others."""

    name = "history"
    has_baseline = False

    def shares(self) -> int:
        """One for each step."""
        return max(1, len(self.variants) - 1)


def releases_of(index: mpis.Index, o: Options, mpi: str) -> List[mpis.Release]:
    """Of an MPI, those that are asked for, the oldest first.  Errors: Refused."""
    mpi = mpi[len("pypi:"):] if mpi.startswith("pypi:") else mpi
    if mpi not in mpis.PACKAGES:
        raise Refused("'%s' is not %s%s" % (mpi, " or ".join(mpis.PACKAGES),
                                            meant(mpi, list(mpis.PACKAGES))))
    versions = index.versions(mpi)
    first = getattr(o, "from")
    if first is None:
        versions = versions[-o.last:]
    elif natural(first) > natural(versions[-1]):
        raise Refused("--from %s: the newest release of %s is %s" % (first, mpi, versions[-1]))
    else:
        versions = [version for version in versions if natural(version) >= natural(first)]
    return [mpis.Release(mpi, version) for version in versions]


def main(o: Options) -> int:
    if not o.words:
        raise Refused("name MPIs: %s; see --help" % ", ".join(mpis.PACKAGES))
    if getattr(o, "from") is not None and len(o.words) > 1:
        raise Refused("--from is a release of one MPI: name one, not %d" % len(o.words))
    programs, options = programs_of(o.further, PROGRAMS)
    index = mpis.Index(o.cache, o.wheels)
    releases = [release for mpi in o.words for release in releases_of(index, o, mpi)]
    variants = read_variants(["%s=%s" % (release.name(), release) for release in releases], None)
    plan = History(o, variants, programs, options)
    if not plan.live and not o.print:
        for why in plan.reasons:
            fail(why)
        return 1
    plan.make()
    page = o.report or os.path.join(plan.results, "history.html")
    asked = question_of(o, failed=plan.reasons, only=plan.only, output=page)
    return plan.finish(judge.answer(asked, plan.sides()), page)
