# SPDX-License-Identifier: BSD-3-Clause
"""tune - which algorithm of a collective operation is the fastest at which size?"""
from itertools import groupby
from typing import List, Optional, Sequence, Tuple

from .algorithms import Library, settings_of
from .comparison import interval
from .documents import NOTE, Column, Document, Question, Table, publish
from .text import counted, decimal, repaired
from .tuning import (CONFIRMED, DROPPED, NOT_CONFIRMED, NOT_DECIDED, SHARED, Choice, Place,
                     choose, is_any_chosen)

TUNE = 2  # number of the form in JSON


def add_ranges(table: Table, place: Place) -> None:
    """A row for each range of sizes that have one algorithm, with the figures of the size that
    gains least in new runs."""
    def size(choice: Choice) -> str:
        return "-" if choice.bytes < 0 else "%.0f" % choice.bytes

    def name_of(choice: Choice) -> Optional[str]:
        return choice.algorithm if choice.why == CONFIRMED else None

    for name, group in groupby(place.choices, key=name_of):
        if name is None:
            continue
        sizes = list(group)
        least = max((choice.new for choice in sizes if choice.new),
                    key=lambda row: row.ratio.value)
        table.row(place.operation, "%d" % place.ranks, size(sizes[0]), size(sizes[-1]),
                  *(decimal(us, 2) for us in least.us), name, decimal(least.ratio.value, 3),
                  interval(least.ratio))


def document(places: Sequence[Place]) -> Document:
    """What is confirmed, and how many sizes were dropped and why."""
    d = Document()
    found = is_any_chosen(places)
    if found:
        table = d.table([
            Column("Operation", 16, left=True), Column("Ranks", 5), Column("From", 9),
            Column("To", 9), Column("Default(us)", 12), Column("Tuned(us)", 12),
            Column("Algorithm", 28, left=True), Column("Ratio", 6),
            Column("95% interval", left=True)])
        for place in places:
            add_ranges(table, place)
    for why, words in (
            (NOT_DECIDED, "an algorithm may be faster, which more --runs might show"),
            (NOT_CONFIRMED, "an algorithm was faster, but new runs do not confirm it"),
            (DROPPED, "an algorithm was faster, but new runs were slower than the default, there "
             "or at another size")):
        n = sum(choice.why == why for place in places for choice in place.choices)
        if n:
            d.add(NOTE, "%s: %s; the default is kept." % (counted(n, "size"), words))
    shared = sum(choice.why == SHARED for place in places for choice in place.choices)
    if shared:
        d.add(NOTE, "%s: no faster, and no slower, but the setting of those in the table holds "
              "here, too." % counted(shared, "size"))
    d.add(NOTE, "Times, ratio and interval are those of new runs, of the size in the line that "
          "gains least; below 1 is faster." if found else
          "No algorithm was confirmed to be faster than the default by more than the margin; no "
          "file was written.")
    return d


def size_json(place: Place, choice: Choice) -> dict:
    new = choice.new and {
        "default_us": choice.new.us[0], "tuned_us": choice.new.us[1],
        "ratio": choice.new.ratio.value, "ci95": choice.new.ratio.ends(),
        "verdict": choice.new.word}
    return {"operation": repaired(place.operation), "ranks": place.ranks,
            "bytes": None if choice.bytes < 0 else int(choice.bytes),
            "algorithm": choice.algorithm, "fastest_at_first": choice.first, "why": choice.why,
            "new_runs": new}


def as_json(mpi: str, component: Optional[str], places: Sequence[Place],
            file: Optional[str]) -> dict:
    margins = [place.margin for place in places if place.margin > 0]
    return {"suite": "Alidade", "tune": TUNE, "mpi": mpi, "margin": margins[-1] if margins else 0.0,
            "output": None if file is None else repaired(file), "component": component or None,
            "rows": [size_json(place, choice) for place in places for choice in place.choices]}


Given = Sequence[Tuple[str, int, str]]  # (operation, ranks, folder)


def places_of(library: Library, given: Given) -> List[Place]:
    """Sorted.  Errors: Refused."""
    for operation, _, _ in given:
        library.check(operation)
    return [Place(*each, usual=library.usual) for each in sorted(given)]


def next_of(library: Library, given: Given,
            path: str) -> Tuple[List[str], List[Tuple[str, int]]]:
    """The variable words of the file of what is chosen, which is written there if anything is, and
    the operations and numbers of ranks whose new runs are to confirm it.  Errors: Refused."""
    places = places_of(library, given)
    component, decided = choose(places, library.by_ranks, library.component_of, False)
    if not decided:
        return [], []
    words = library.write(path, settings_of(places, library.by_ranks), component)
    return words, [(place.operation, place.ranks) for place in decided]


def answer(question: Question, library: Library, given: Given) -> Optional[str]:
    """Answer, and write the file if an algorithm was confirmed: the component that it asks for, or
    ""; None: nothing was confirmed.  Errors: Refused."""
    places = places_of(library, given)
    component, _ = choose(places, library.by_ranks, library.component_of, True)
    found = component if is_any_chosen(places) else None
    file = None if found is None else question.output
    if file:
        library.write(file, settings_of(places, library.by_ranks), component)
    publish(question, document(places), root=as_json(question.mpi, found, places, file))
    return found
