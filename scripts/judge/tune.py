# SPDX-License-Identifier: BSD-3-Clause
"""tune - which algorithm of a collective operation is the fastest at which size?"""
from itertools import groupby
from typing import List, Optional, Sequence, Tuple

from .algorithms import LIBRARIES
from .comparison import interval
from .documents import NOTE, Column, Document, Question, Table, publish
from .text import counted, decimal, repaired, write_file
from .tuning import DROPPED, NOT_CONFIRMED, NOT_DECIDED, Choice, Place, choose, is_any_chosen

TUNE = 1  # number of the form in JSON


# --- Answers ------------------------------------------------------------------------------------


def add_ranges(table: Table, place: Place) -> None:
    """A row for each range of sizes that have one algorithm, with the figures of the size that
    gains least in new runs."""
    def size(choice: Choice) -> str:
        return "-" if choice.bytes < 0 else "%.0f" % choice.bytes

    for name, group in groupby(place.choices, key=lambda choice: choice.algorithm):
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
    d.add(NOTE, "Times, ratio and interval are those of new runs, of the size in the line that "
          "gains least; below 1 is faster." if found else
          "No algorithm was confirmed to be faster than the default by more than the margin; no "
          "file was written.")
    return d


def size_json(mpi: str, place: Place, choice: Choice) -> dict:
    new = None
    if choice.new:
        ratio = choice.new.ratio
        new = {"default_us": choice.new.us[0], "tuned_us": choice.new.us[1],
               "ratio": ratio.value, "ci95": ratio.ends(),
               "verdict": choice.new.word}
    name = choice.algorithm
    return {"operation": repaired(place.operation), "ranks": place.ranks,
            "bytes": None if choice.bytes < 0 else int(choice.bytes), "algorithm": name,
            "control": None if name is None else
            repaired(LIBRARIES[mpi].control(place.operation, name)),
            "fastest_at_first": choice.first, "why": choice.why, "new_runs": new}


def as_json(mpi: str, places: Sequence[Place], file: Optional[str]) -> dict:
    margins = [place.margin for place in places if place.margin > 0]
    return {"suite": "Alidade", "tune": TUNE, "mpi": mpi, "margin": margins[-1] if margins else 0.0,
            "output": None if file is None else repaired(file),
            "rows": [size_json(mpi, place, choice)
                     for place in places for choice in place.choices]}


# --- The verb -----------------------------------------------------------------------------------


def places_of(mpi: str, given: Sequence[Tuple[str, int, str]]) -> List[Place]:
    """Of (operation, ranks, folder), sorted.  Errors: Refused."""
    for operation, _, _ in given:
        LIBRARIES[mpi].check(operation)
    return [Place(*each) for each in sorted(given)]


def next_of(mpi: str, given: Sequence[Tuple[str, int, str]]) -> List[Tuple[str, int, str]]:
    """(operation, ranks, settings) that new runs are to confirm; what is chosen is written to
    FOLDER/confirm.rules.  Errors: Refused."""
    places, library, found = places_of(mpi, given), LIBRARIES[mpi], []
    choose(places, library.by_ranks, library.by_size, False)
    for place in filter(lambda place: is_any_chosen([place]), places):
        path = "%s/confirm.rules" % place.folder
        write_file(path, library.file([place]))
        found.append((place.operation, place.ranks, library.asks(path, place)))
    return found


def answer(question: Question, given: Sequence[Tuple[str, int, str]]) -> bool:
    """Answer, and write the file if an algorithm was confirmed: was it?  Errors: Refused."""
    mpi, places = question.mpi, places_of(question.mpi, given)
    library = LIBRARIES[mpi]
    choose(places, library.by_ranks, library.by_size, True)
    found = is_any_chosen(places)
    file = question.output if found else None
    write_file(file, library.file(places))
    publish(question, document(places), root=as_json(mpi, places, file))
    return found
