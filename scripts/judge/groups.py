# SPDX-License-Identifier: BSD-3-Clause
"""What makes runs of one variant differ: two groups of runs, which no number of runs brings
together, and a machine that changes meanwhile.

The value of a run over time is the median over its rows of the row's time, divided by the median
time of that row in all runs of the variant: 1.04 is 4% slower than typical, whatever the benchmark.
"""
import math
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .comparable import program_facts, said, surroundings
from .results import ABSENT, Result, Variant, as_list, as_object, equal
from .rows import Row
from .statistics import APART, logs, median, shift_of, two_groups
from .text import counted, natural, some_of


def places(f: Result) -> str:
    """The CPUs of all ranks, "0 1"; "": not known."""
    ranks = [as_object(rank) for rank in as_list(f.environment.get("rank"))]
    return " ".join(str(rank.get("cpus_allowed", "")) for rank in ranks).strip()


def hosts(f: Result) -> str:
    return ", ".join(sorted(set(f.hosts()), key=natural))


class Groups:
    """Two groups of runs, which are in the order of time.

    lower, upper: runs of each; low, high: the medians of their values.  changes: how often a run
    and the next one are of different groups.
    """

    def __init__(self, runs: Sequence[Tuple[Result, float]], low: float, high: float) -> None:
        self.low, self.high = low, high
        is_upper = [math.log(value) > (math.log(low) + math.log(high)) / 2 for _, value in runs]
        self.lower, self.upper = ([f for (f, _), side in zip(runs, is_upper) if side == upper]
                                  for upper in (False, True))
        self.changes = sum(a != b for a, b in zip(is_upper, is_upper[1:]))

    def ratio(self) -> float:
        return self.high / self.low

    def parted_by(self, of: Callable[[Result], str]) -> str:
        """What all runs of one group have and none of the other, "a / b"; "": nothing.  What no two
        runs share says nothing."""
        lower, upper = ({of(f) for f in side} for side in (self.lower, self.upper))
        every = lower | upper
        if "" in every or lower & upper or len(every) == len(self.lower) + len(self.upper):
            return ""
        return " / ".join(some_of(sorted(side, key=natural), 2) for side in (lower, upper))

    def setting(self) -> str:
        """A setting, a library or the like in which the groups differ, and no runs of one."""
        every = [[{**surroundings(f), **program_facts(f)} for f in side]
                 for side in (self.lower, self.upper)]
        for key in {**every[0][0], **every[1][0]}:
            a, b = ([facts.get(key, ABSENT) for facts in side] for side in every)
            if not equal(a[0], b[0]) and all(equal(x, side[0]) for side in (a, b) for x in side):
                return said(key[1], a[0], b[0])
        return ""

    def cause(self) -> str:
        """What probably makes them."""
        if self.setting():
            return self.setting()
        first, lower, upper = self.lower[0], len(self.lower), len(self.upper)
        for what, of in ("the host", hosts), ("the CPUs of the ranks", places):
            parted = self.parted_by(of)
            if parted:
                return "%s, %s" % (what, parted)
        # Runs that draw their groups by chance change 2 l u / (l + u) times.
        if 3 * self.changes * (lower + upper) <= 4 * lower * upper:
            return "the machine, which changed between runs: its frequency, or other work on it"
        if first.environment.get("bound") != "core":
            return "the placement of the ranks, which are not bound to cores"
        return "what changes from start to start: memory, connections, or other work"

    def __str__(self) -> str:
        """By their times: "5 runs, and 3 that take 2.7 times as long; probably ..."."""
        return "%s, and %d that take %.3g times as long; probably %s" % (
            counted(len(self.lower), "run"), len(self.upper), self.ratio(), self.cause())


def groups_of(runs: Sequence[Tuple[Result, float]], questions: int = 1,
              tick: float = 0) -> Optional[Groups]:
    """The groups of runs with their values, or None.  questions: how many such are asked together,
    so that chance makes a group in one of a hundred answers.  tick: of the clock, as a share of the
    values: values that are one or two ticks apart are no groups."""
    found = two_groups([value for _, value in runs], questions, max(APART, 2.5 * tick))
    in_time = sorted(runs, key=lambda run: (run[0].started() or 0, run[0].number))
    return Groups(in_time, found[1], found[2]) if found else None


# --- Did the machine stay the same from run to run? -----------------------------------------------


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


def drift_of(runs: Sequence[TimedRun]) -> Optional[Tuple[float, float]]:
    """(ratio, p) of the last third of a variant's runs and the first, by Hodges and Lehmann; None:
    the runs became neither slower nor faster, or are too few to tell."""
    third = len(runs) // 3
    if len(runs) < LEAST:
        return None
    ratios = logs([run.ratio for run in runs])
    shift = shift_of(ratios[:third], ratios[-third:])
    ratio = math.exp(shift.shift)
    if shift.p < SIGNIFICANCE and not 1 / MATTERS <= ratio <= MATTERS:
        return ratio, shift.p
    return None


def drift_words(of: str, runs: Sequence[TimedRun]) -> str:
    """A sentence on the drift of these runs; "": there is none."""
    drift = drift_of(runs)
    return "%s: the last third of the runs took %.3f times as long as the first (p = %.2g): the " \
        "machine changed meanwhile." % ((of,) + drift) if drift else ""
