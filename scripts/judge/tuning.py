# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithms of collective operations are chosen: from comparisons of the default with each,
and from new runs that confirm them.

Sizes that have to share an algorithm are a cell: one size of one place, or of all numbers of ranks
if the library cannot tell these apart.  An algorithm is taken for a cell if it is faster at one of
its sizes and harms none: none is slower, and none has a ratio above the margin.  Verdicts are those
of compare.

An algorithm belongs to a component of the library, and one component serves all operations at all
sizes.  So if a component is not the one that serves them anyway, all cells are judged together.
"""
import math
import os
from itertools import groupby
from typing import (Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence,
                    Tuple)

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


def read_trials(path: str) -> Tuple[List[Trial], float]:
    """(the algorithms in a file of compare, in its order; its margin, 0.03 for 3%).
    Errors: Refused."""
    root: Any = read_json(path)
    try:
        comparisons = root["suite"] == "Alidade" and root["comparisons"]
        trials: List[Trial] = []
        for of in comparisons:
            words = [of_class["verdict"] for of_class in of["classes"]]
            rows = [Row(NO_SIZE if row["bytes"] is None else float(row["bytes"]),
                        [float(us) for us in row["values"]],
                        Ratio(float(row["ratio"]), *row["ci95"] or (0.0, math.inf)),
                        words[row["class"]]) for row in of["rows"]]
            name = of["variants"][1]
            if not isinstance(name, str) or any(row.ratio.value <= 0 or row.word not in WORDS
                                                for row in rows):
                raise ValueError
            trials.append(Trial(name, by_size(rows)))
        return trials, float(comparisons[-1]["margin"]) if trials else 0.0
    except (AttributeError, LookupError, TypeError, ValueError):
        raise Refused("%s is not what scripts/compare --json writes" % path)


# --- Places -------------------------------------------------------------------------------------

# Why a size has its algorithm, or keeps the default.
NOT_FASTER, NOT_DECIDED, NOT_CONFIRMED = "not faster", "not decided", "not confirmed"
DROPPED, CONFIRMED, SHARED = "slower in new runs", "confirmed", "shared"


class Choice:
    """What is chosen for a size of a place.

    first: the algorithm that won; None: there was none.  algorithm: what is left of it; None: the
    default.  new: what new runs say, or None.
    """

    def __init__(self, place: "Place", bytes: float) -> None:
        self.place, self.bytes = place, bytes
        self.first: Optional[str] = None
        self.algorithm: Optional[str] = None
        rows = [trial.rows[bytes] for trial in place.trials if bytes in trial.rows]
        # More runs might call one of these faster.
        is_open = any(row.word == UNDECIDED and row.ratio.low < 1 for row in rows)
        self.why = NOT_DECIDED if is_open else NOT_FASTER
        self.new: Optional[Row] = None

    def row(self, name: str) -> Optional[Row]:
        """Of an algorithm; None: it failed."""
        return next((trial.rows.get(self.bytes) for trial in self.place.trials
                     if trial.name == name), None)


class Place:
    """An operation with a number of ranks, and the choice for each size that an algorithm has.

    Its folder has comparison.json, the default against each algorithm; for the new runs
    confirm/comparison.json, the default against what was chosen; and in components, if somebody
    could tell, a line "ASKED USED" for each component that was asked for, and "- USED" for the
    default.  served: the components that are as good as the default; usual: where nobody could
    tell.  Errors: Refused.
    """

    def __init__(self, operation: str, ranks: int, folder: str, usual: str) -> None:
        self.operation, self.ranks, self.folder = operation, ranks, folder
        self.trials, self.margin = read_trials("%s/comparison.json" % folder)
        sizes = {bytes for trial in self.trials for bytes in trial.rows}
        self.choices = [Choice(self, bytes) for bytes in sorted(sizes)]
        used = read_components(folder)
        default = used.get("-") or usual
        self.served = {default} | {asked for asked, name in used.items() if name == default}

    def new_runs(self) -> Dict[float, Row]:
        """The rows of what was chosen against the default; none if what was set failed.
        Errors: Refused."""
        path = "%s/confirm/comparison.json" % self.folder
        if not os.path.exists(path):
            raise Refused("%s with %d ranks is not confirmed yet: --next"
                          % (self.operation, self.ranks))
        trials, _ = read_trials(path)
        return trials[0].rows if trials else {}


def read_components(folder: str) -> Dict[str, str]:
    """The component that was used where one was asked for, as Place says; "": nobody could tell."""
    path = os.path.join(folder, "components")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return dict((line.split(" ") + [""])[:2] for line in file.read().splitlines())


def is_any_chosen(places: Iterable[Place]) -> bool:
    return any(choice.algorithm is not None for place in places for choice in place.choices)


def by_operation(places: Iterable[Place]) -> Iterator[List[Place]]:
    """The places of each operation."""
    for _, group in groupby(places, key=lambda place: place.operation):
        yield list(group)


# --- What is chosen -----------------------------------------------------------------------------

Cell = List[Choice]


def cells_of(places: Sequence[Place]) -> List[Cell]:
    """Of places that cannot be told apart, or of one."""
    sizes = sorted({choice.bytes for place in places for choice in place.choices})
    return [[choice for place in places for choice in place.choices if choice.bytes == bytes]
            for bytes in sizes]


class Sum:
    """What the rows of choices say together; None: a row that is missing, since runs failed.

    mean: of the logarithms of their ratios.  harms: the default is better somewhere.  doubtful: it
    may be, by an interval.  faster: is one?
    """

    def __init__(self, choices: Sequence[Choice], rows: Sequence[Optional[Row]]) -> None:
        self.mean, self.faster, self.harms, self.doubtful = 0.0, False, False, False
        for choice, row in zip(choices, rows):
            most = 1 + choice.place.margin
            if row is None:
                self.doubtful = True
                continue
            self.mean += math.log(row.ratio.value) / len(choices)
            self.faster |= row.word == FASTER
            self.harms |= row.word == SLOWER or row.ratio.value > most
            self.doubtful |= row.word == UNDECIDED and row.ratio.high > most


class Pick(NamedTuple):
    """What is best for a cell; total: of its rows."""

    name: Optional[str]
    total: Sum


def search(cell: Cell, names: Sequence[str], is_free: bool) -> Optional[Pick]:
    """The algorithm with the least mean.  is_free: the default may be kept, and is unless one is
    faster.  None: one must be taken, and each harms."""
    best = Pick(None, Sum([], [])) if is_free else None
    for name in names:
        rows = [choice.row(name) for choice in cell]
        total = Sum(cell, rows)
        if None in rows or total.harms or (is_free and not total.faster):
            continue
        if best is None or best.name is None or total.mean < best.total.mean:
            best = Pick(name, total)
    return best


def choose_first(cells: Sequence[Cell], component_of: Callable[[str], str]) -> Optional[str]:
    """Choose the component with the least sum of means, and its algorithm for each cell: which one
    is it?  None: the default is kept."""
    names = list(dict.fromkeys(trial.name for cell in cells for choice in cell
                               for trial in choice.place.trials))
    chosen: Optional[str] = None
    picks: List[Pick] = []
    least = 0.0
    for component in dict.fromkeys(component_of(name) for name in names):
        mine = [name for name in names if component_of(name) == component]
        every = [search(cell, mine, all(component in choice.place.served for choice in cell))
                 for cell in cells]
        found = [pick for pick in every if pick]
        mean = sum(pick.total.mean for pick in found)
        if len(found) == len(cells) and mean < least and any(pick.total.faster for pick in found):
            chosen, least, picks = component, mean, found
    for cell, pick in zip(cells, picks):
        for choice in cell:
            choice.first = choice.algorithm = pick.name
    return chosen


def keep(together: Sequence[Choice]) -> None:
    """Keep what new runs confirm of choices that hold together or not at all: one is faster again,
    and none is left in doubt."""
    total = Sum(together, [choice.new for choice in together])
    chosen = [choice for choice in together if choice.algorithm]
    # For sure: the interval does not reach 1 either.
    faster = [choice for choice in chosen if choice.new and
              choice.new.word == FASTER and choice.new.ratio.high < 1]
    for choice in chosen:
        if faster and not (total.harms or total.doubtful):
            choice.why = CONFIRMED if choice in faster else SHARED
        else:
            choice.why = DROPPED if total.harms else NOT_CONFIRMED
            choice.algorithm = None


def confirm(group: Sequence[Place], cells: Sequence[Cell], is_shared: bool) -> None:
    """Hold what is chosen for a group against the new runs; is_shared: as one.  Errors: Refused."""
    for place in group:
        rows = place.new_runs()
        for choice in place.choices:
            choice.new = rows.get(choice.bytes)
    every = [choice for cell in cells for choice in cell]
    # A size that keeps the default is slower: what asks for the others costs it.
    if any(choice.new and choice.new.word == SLOWER and not choice.algorithm for choice in every):
        for choice in every:
            if choice.algorithm:
                choice.algorithm, choice.why = None, DROPPED
    for together in [every] if is_shared else cells:
        if any(choice.algorithm for choice in together):
            keep(together)


def choose(places: Sequence[Place], by_ranks: bool, component_of: Callable[[str], str],
           is_confirmed: bool) -> Tuple[str, List[Place]]:
    """Choose for all places, and hold the choice against the new runs if that is wanted.  by_ranks:
    can numbers of ranks be told apart?  Returned: the component that has to be asked for, or "",
    and the places whose new runs decide.  Errors: Refused."""
    groups = [[place] for place in places] if by_ranks else list(by_operation(places))
    component = choose_first([cell for group in groups for cell in cells_of(group)], component_of)
    if component is None or all(component in place.served for place in places):
        component = ""
    cells = [cells_of(group) for group in groups]
    if component:
        groups, cells = [list(places)], [[cell for of_group in cells for cell in of_group]]
    decided = [is_any_chosen(group) for group in groups]
    for group, of_group, is_chosen in zip(groups, cells, decided):
        if is_confirmed and is_chosen:
            confirm(group, of_group, bool(component))
    return component, [place for group, is_chosen in zip(groups, decided) if is_chosen
                       for place in group]
