# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithms of a collective operation are chosen: from comparisons of the default with each,
and from new runs that confirm them.

An algorithm is taken for sizes that are chosen together if it is faster at one of them and harms
none: none is slower, and none has a ratio above the margin.  Verdicts are those of compare.  Open
MPI's rules have an algorithm for each range of sizes and number of ranks, so each size is chosen by
itself.  A variable of MPICH holds for all sizes and numbers of ranks, so these are chosen together.
"""
import math
import os
from itertools import groupby
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .results import read_json
from .statistics import FASTER, SLOWER, UNDECIDED, WORDS, Ratio
from .text import Refused

NO_SIZE = -1.0  # bytes of a row without a size


# --- Comparisons --------------------------------------------------------------------------------


class Row(NamedTuple):
    """A size: the default against an algorithm, or against what was chosen.

    us: medians over runs, of the default and of the other.  ratio: of the other to the default.
    word: one of WORDS, the verdict on its class.
    """

    bytes: float
    us: Sequence[float]
    ratio: Ratio
    word: str

    def speaks_against(self) -> Tuple[int, float]:
        """How much; greater is more."""
        return {FASTER: 0, SLOWER: 2}.get(self.word, 1), self.ratio.value


class Trial(NamedTuple):
    """An algorithm.  rows: by their bytes, ascending."""

    name: str
    rows: Dict[float, Row]


def by_size(rows: Iterable[Row]) -> Dict[float, Row]:
    """Of several rows of one size, of several datatypes, the one that speaks most against it."""
    found: Dict[float, Row] = {}
    for row in rows:
        before = found.get(row.bytes)
        if before is None or row.speaks_against() > before.speaks_against():
            found[row.bytes] = row
    return dict(sorted(found.items()))


def trial_of(comparison: Any) -> Trial:
    """One comparison, of the default with an algorithm.  Errors: those of what it lacks."""
    words = [of["verdict"] for of in comparison["classes"]]
    rows = [Row(NO_SIZE if row["bytes"] is None else float(row["bytes"]),
                [float(us) for us in row["values"]],
                Ratio(float(row["ratio"]), *row["ci95"] or (0.0, math.inf)), words[row["class"]])
            for row in comparison["rows"]]
    name = comparison["variants"][1]
    if not isinstance(name, str) or any(row.ratio.value <= 0 or row.word not in WORDS
                                        for row in rows):
        raise ValueError
    return Trial(name, by_size(rows))


def read_trials(path: str) -> Tuple[List[Trial], float]:
    """(the algorithms in a file of compare, in its order; its margin, 0.03 for 3%).
    Errors: Refused."""
    root: Any = read_json(path)
    try:
        comparisons = root["suite"] == "Alidade" and root["comparisons"]
        trials = [trial_of(comparison) for comparison in comparisons]
        return trials, float(comparisons[-1]["margin"]) if trials else 0.0
    except (AttributeError, LookupError, TypeError, ValueError):
        raise Refused("%s is not what scripts/compare --json writes" % path)


# --- Places -------------------------------------------------------------------------------------

# Why a size has its algorithm, or keeps the default.
NOT_FASTER, NOT_DECIDED, NOT_CONFIRMED = "not faster", "not decided", "not confirmed"
DROPPED, CONFIRMED = "slower in new runs", "confirmed"


class Choice:
    """What is chosen for a size of a place.

    first: the algorithm that won; None: there was none.  algorithm: what is left of it; None: the
    default.  new: what new runs say, or None.
    """

    def __init__(self, bytes: float, trials: Sequence[Trial]) -> None:
        self.bytes = bytes
        self.first: Optional[str] = None
        self.algorithm: Optional[str] = None
        rows = [trial.rows[bytes] for trial in trials if bytes in trial.rows]
        # More runs might call one of these faster.
        is_open = any(row.word == UNDECIDED and row.ratio.low < 1 for row in rows)
        self.why = NOT_DECIDED if is_open else NOT_FASTER
        self.new: Optional[Row] = None


class Place:
    """An operation with a number of ranks, and the choice for each size that an algorithm has.

    Its folder has comparison.json, the default against each algorithm, and for the new runs
    confirm.rules, what was set for them, and confirm/comparison.json, the default against that.
    Errors: Refused.
    """

    def __init__(self, operation: str, ranks: int, folder: str) -> None:
        self.operation, self.ranks, self.folder = operation, ranks, folder
        self.trials, self.margin = read_trials("%s/comparison.json" % folder)
        sizes = {bytes for trial in self.trials for bytes in trial.rows}
        self.choices = [Choice(bytes, self.trials) for bytes in sorted(sizes)]

    def trial(self, name: str) -> Optional[Trial]:
        return next((trial for trial in self.trials if trial.name == name), None)

    def algorithm(self) -> Optional[str]:
        """The first that is chosen; None: all sizes keep the default."""
        return next((c.algorithm for c in self.choices if c.algorithm is not None), None)

    def new_runs(self) -> Dict[float, Row]:
        """The rows of what was chosen against the default; none if what was set failed.
        Errors: Refused."""
        path = "%s/confirm/comparison.json" % self.folder
        if not os.path.exists(path):
            raise Refused("%s with %d ranks is not confirmed yet: --next"
                          % (self.operation, self.ranks))
        trials, _ = read_trials(path)
        return trials[0].rows if trials else {}


def is_any_chosen(places: Sequence[Place]) -> bool:
    return any(place.algorithm() is not None for place in places)


def by_operation(places: Sequence[Place]) -> Iterator[List[Place]]:
    """The places of each operation."""
    for _, group in groupby(places, key=lambda place: place.operation):
        yield list(group)


# --- What is chosen -----------------------------------------------------------------------------


class Total:
    """What rows say that are chosen together.

    rows, faster: how many.  logs: sum of the logarithms of their ratios.  doubtful: a size may be
    slower beyond the margin, by its interval.
    """

    def __init__(self) -> None:
        self.rows = self.faster = 0
        self.logs = 0.0
        self.harms = self.doubtful = False

    def add(self, rows: Dict[float, Row], margin: float, bytes: Optional[float]) -> None:
        """Add the row of this size; None: of all sizes."""
        for row in rows.values():
            if bytes is not None and row.bytes != bytes:
                continue
            self.rows += 1
            self.faster += row.word == FASTER
            self.logs += math.log(row.ratio.value)
            self.harms |= row.word == SLOWER or row.ratio.value > 1 + margin
            self.doubtful |= row.word == UNDECIDED and row.ratio.high > 1 + margin

    def mean(self) -> float:
        """Of the logarithms, if the algorithm can be taken; else infinity."""
        return self.logs / self.rows if self.faster and not self.harms else math.inf


def total_of(places: Sequence[Place], name: str, bytes: Optional[float]) -> Total:
    """Of an algorithm.  A place that lacks it says that it failed there."""
    total = Total()
    for place in places:
        trial = place.trial(name)
        if trial is None:
            total.harms = True
        else:
            total.add(trial.rows, place.margin, bytes)
    return total


def search(places: Sequence[Place], bytes: Optional[float]) -> None:
    """Choose one algorithm for this size, or for all sizes, of all places: the one with the least
    mean of the logarithms."""
    best, least = None, math.inf
    for trial in places[0].trials:
        mean = total_of(places, trial.name, bytes).mean()
        if mean < least:
            best, least = trial.name, mean
    for place in places:
        for choice in place.choices:
            if best is not None and bytes in (None, choice.bytes):
                choice.first = choice.algorithm = best


def keep(places: Sequence[Place], anew: Sequence[Dict[float, Row]],
         bytes: Optional[float]) -> None:
    """Keep what new runs of this size, or of all sizes, confirm: they say the same of it, and no
    size is left in doubt."""
    total = Total()
    for place, rows in zip(places, anew):
        total.add(rows, place.margin, bytes)
        if bytes is None and any(choice.new is None for choice in place.choices):
            total.doubtful = True
    for choice in (choice for place in places for choice in place.choices):
        if choice.algorithm is None or bytes not in (None, choice.bytes):
            continue
        choice.why = CONFIRMED
        if not total.faster or total.harms or total.doubtful:
            choice.why = DROPPED if total.harms else NOT_CONFIRMED
            choice.algorithm = None


def confirm(places: Sequence[Place], sizes: Sequence[Optional[float]]) -> None:
    """Hold what is chosen together against the new runs.  Errors: Refused."""
    anew, is_costly = [place.new_runs() for place in places], False
    for place, rows in zip(places, anew):
        for choice in place.choices:
            choice.new = rows.get(choice.bytes)
            is_costly |= bool(choice.new and choice.new.word == SLOWER and
                              choice.algorithm is None)
    for bytes in sizes:
        keep(places, anew, bytes)
    # A size that keeps the default is slower: what asks for the others costs it.
    for choice in (choice for place in places if is_costly for choice in place.choices):
        if choice.algorithm is not None:
            choice.algorithm, choice.why = None, DROPPED


def choose(places: Sequence[Place], by_ranks: bool, by_size: bool, is_confirmed: bool) -> None:
    """Choose for all places, and hold the choice against the new runs if that is wanted.  by_ranks,
    by_size: for each number of ranks, for each size; else one algorithm for all.
    Errors: Refused."""
    for group in [[place] for place in places] if by_ranks else by_operation(places):
        found = {choice.bytes for place in group for choice in place.choices}
        sizes: List[Optional[float]] = [None]
        if by_size:
            sizes = list(sorted(found))
        for bytes in sizes:
            search(group, bytes)
        if is_confirmed and is_any_chosen(group):
            confirm(group, sizes)
