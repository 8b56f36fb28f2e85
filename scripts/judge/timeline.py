# SPDX-License-Identifier: BSD-3-Clause
"""Did the machine stay the same from run to run?

The value of a run is here the median over its rows of the row's time, divided by the median time of
that row in all runs of the variant: 1.04 is 4% slower than typical, whatever the benchmark.
"""
from math import exp
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from .results import Result, Variant
from .rows import Row
from .statistics import logs, median, shift_of

RUNS_OF_ROW = 3      # least number of runs of a row for a typical value
LEAST = 15           # runs, for a trend: thirds of 4 have no p below the level
SIGNIFICANCE = 0.01  # level of a trend
MATTERS = 1.02       # least ratio, or its inverse, that matters


class TimedRun(NamedTuple):
    """seconds: since the first run of any variant."""

    seconds: float
    ratio: float


def timed_runs(v: Variant, rows: Sequence[Row], k: int) -> List[TimedRun]:
    """The runs of variant number k in the order of time, without those whose files do not say when
    they started, and without rows of which it has too few runs; seconds since 1970."""
    ratios: Dict[Result, List[float]] = {}
    for runs in (row.cells[k].runs for row in rows):
        if len(runs) >= RUNS_OF_ROW:
            typical = median([run.time for run in runs])
            for run in runs:
                ratios.setdefault(run.file, []).append(run.time / typical)
    timed = [(f.started(), median(ratios[f])) for f in v.files if f in ratios]
    return sorted((TimedRun(at, ratio) for at, ratio in timed if at is not None),
                  key=lambda run: run.seconds)


def timeline_of(variants: Sequence[Variant], rows: Sequence[Row]) -> List[List[TimedRun]]:
    found = [timed_runs(v, rows, k) for k, v in enumerate(variants)]
    first = min((run.seconds for runs in found for run in runs), default=0)
    return [[TimedRun(at - first, ratio) for at, ratio in runs] for runs in found]


def drift_of(runs: Sequence[TimedRun]) -> Optional[Tuple[float, float]]:
    """(ratio, p) of the last third of a variant's runs and the first, by Hodges and Lehmann; None:
    the runs became neither slower nor faster, or are too few to tell."""
    third = len(runs) // 3
    if len(runs) < LEAST:
        return None
    ratios = logs([run.ratio for run in runs])
    shift = shift_of(ratios[:third], ratios[-third:])
    ratio = exp(shift.shift)
    if shift.p < SIGNIFICANCE and not 1 / MATTERS <= ratio <= MATTERS:
        return ratio, shift.p
    return None


def drift_words(of: str, runs: Sequence[TimedRun]) -> str:
    """A sentence on the drift of these runs; "": there is none."""
    drift = drift_of(runs)
    return "%s: the last third of the runs took %.3f times as long as the first (p = %.2g): the " \
        "machine changed meanwhile." % ((of,) + drift) if drift else ""
