# SPDX-License-Identifier: BSD-3-Clause
"""accept - results against stored limits."""
import os

from judge import accept as judge
from judge.text import Refused

from .options import Options, question_of

USAGE = """Usage: scripts/accept [OPTION...] FILE RESULTS...
Check results against stored limits, row by row.

  FILE     JSON file with a limit for each row, which you can edit
  RESULTS  JSON result files (--json of a benchmark), or folders of them

Options:
  -l, --learn          write FILE, which must be new, from the results; at least
                       five runs of each program are required
  -s, --slack PERCENT  with --learn: least distance of limit and median [5]
  --allow-wide         permit limits more than 25% slower than the median,
                       since the runs that they were learned from differ, or
                       those of runs in which others used the CPUs (W40)
  --json FILE          also write what was found as JSON
  --junit FILE         also write it as JUnit XML, for CI
  --prometheus FILE    also write counts for monitoring (textfile collector)

Examples:
  scripts/accept --learn limits.json results-good
  scripts/accept --junit accept.xml limits.json results-today

Exit codes: 0 all rows pass; 1 nothing is readable or comparable; 2 a row missed
its limit or was not measured, a limit is wide, or runs are missing or failed; 3
wrong data. With --learn 2: a fault would pass the limits; the output says why.
"""

READING = {"plan": False}


def main(o: Options) -> int:
    if "slack" in o.given and not o.learn:
        raise Refused("--slack requires --learn")
    # It may have been edited.
    if o.learn and o.words and os.path.isfile(o.words[0]):
        raise Refused("%s is there: delete it, or name another file for --learn" % o.words[0])
    if o.learn and (o.json or o.junit or o.prometheus):
        raise Refused("--learn writes FILE alone: leave out --json, --junit and --prometheus")
    return judge.answer(question_of(o), o.words)
