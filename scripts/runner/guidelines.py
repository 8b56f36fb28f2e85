# SPDX-License-Identifier: BSD-3-Clause
"""guidelines - operations that are slower than others which could stand for them."""
from judge import guidelines as judge

from .options import Options, question_of

USAGE = """Usage: scripts/guidelines [OPTION...] RESULTS...
Name the sizes, ranks and operations that break a performance guideline.

A smaller message must not take longer than a larger one, a larger one must not
have a lower bandwidth, and fewer ranks must not take longer than more. No
blocking operation must be slower than its non-blocking form and a wait, or than
its form with blocks of any length, and no persistent one than the blocking one.

  RESULTS  JSON result files (--json of a benchmark), or folders of them

Options:
  -m, --margin PERCENT  slower by less is no violation [5]
  --json FILE           also write all pairs of rows as JSON

Examples:
  scripts/run-suite --runs 12 --results r allreduce iallreduce -- -m 8:64K
  scripts/guidelines r

Exit codes: 0 no guideline is surely violated; 1 nothing is readable or
comparable; 2 one is, with 95% confidence for all together; 3 wrong data.
"""

READING = {"plan": False}


def main(o: Options) -> int:
    return judge.answer(question_of(o), o.words)
