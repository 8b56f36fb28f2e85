# SPDX-License-Identifier: BSD-3-Clause
"""tune - which algorithm of a collective operation is the fastest at which size?"""
import os
import re
from itertools import groupby
from typing import List, Optional, Sequence, Tuple

from .comparison import interval
from .documents import NOTE, Column, Document, Question, Table, publish
from .text import Refused, counted, decimal, repaired, width, write_file
from .tuning import (DROPPED, MPICH, NAME, NOT_CONFIRMED, OPENMPI, Choice, Place, by_operation,
                     choose, is_any_chosen)

TUNE = 1  # number of the form in JSON
FOLDER, PLACES = 2047, 64  # at most: bytes of the name of a folder, and places


# --- What the libraries read --------------------------------------------------------------------

# Open MPI's numbers of operations, and whether its sizes are those of all blocks, where ours are
# those of one: so a test of what is taken has shown for Open MPI 4.1.4.
OPERATIONS = {"allgather": (0, True), "allreduce": (2, False), "alltoall": (3, True),
              "bcast": (7, False), "gather": (9, True), "reduce": (11, False),
              "scatter": (15, True)}

# How variables of Open MPI begin that ask for algorithms.
DYNAMIC = "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_"


def check_known(mpi: str, operation: str) -> None:
    """Can a choice for this operation be written?"""
    if mpi == OPENMPI and operation not in OPERATIONS:
        raise Refused("Open MPI's rules for '%s' are not known" % operation)


def number_of(algorithm: Optional[str]) -> int:
    """Open MPI's algorithms begin with their number, as "3-recursive_doubling"; 0 is the
    default."""
    number = re.match(r"\s*[-+]?[0-9]+", algorithm or "")
    return int(number.group()) if number else 0


def control_of(mpi: str, operation: str, algorithm: str) -> str:
    """The variables that ask for an algorithm at all sizes."""
    if mpi == OPENMPI:
        return DYNAMIC + "%s_algorithm=%d" % (operation, number_of(algorithm))
    return "MPIR_CVAR_%s_INTRA_ALGORITHM=%s" % (operation.upper(), algorithm)


def sizes_of(place: Place) -> List[str]:
    """Lines of rules.  What is smaller or larger than what was measured keeps the default; between
    two sizes that were, the rule of the smaller holds."""
    factor = place.ranks if OPERATIONS[place.operation][1] else 1
    lines, last, end = ["0 0 0 0"], 0, 0.0
    for choice in place.choices:
        number, end = number_of(choice.algorithm), choice.bytes * factor
        if number != last:
            lines.append("%.0f %d 0 0" % (end, number))
        last = number
    return lines + (["%.0f 0 0 0" % (end + 1)] if last else [])


def block(ranks: int, sizes: Sequence[str] = ("0 0 0 0",)) -> List[str]:
    """Lines of rules for so many ranks or more."""
    return ["%d # ranks or more" % ranks, "%d # sizes" % len(sizes)] + list(sizes)


def rules(places: Sequence[Place]) -> str:
    """Open MPI's file of dynamic rules; numbers of ranks that were not measured keep the
    default."""
    operations = list(by_operation(places))
    lines = ["%d # operations; made by scripts/tune; 0 is the default" % len(operations)]
    for of_one in operations:
        blocks = [block(0)]
        for place, after in zip(of_one, of_one[1:] + [None]):
            blocks.append(block(place.ranks, sizes_of(place)))
            if after is None or after.ranks > place.ranks + 1:
                blocks.append(block(place.ranks + 1))
        name = of_one[0].operation
        lines += ["%d # %s" % (OPERATIONS[name][0], name), "%d # numbers of ranks" % len(blocks)]
        lines += [line for each in blocks for line in each]
    return "".join(line + "\n" for line in lines)


def variables(places: Sequence[Place]) -> str:
    """Commands of a shell that set variables of MPICH."""
    text = "# Made by scripts/tune. A variable holds for all sizes and numbers of ranks.\n"
    for of_one in by_operation(places):
        algorithm = of_one[0].algorithm()
        if algorithm is not None:
            text += "export %s\n" % control_of(MPICH, of_one[0].operation, algorithm)
    return text


def settings(mpi: str, places: Sequence[Place]) -> str:
    """The contents of the file that asks for what is chosen: of all operations, numbers of ranks
    ascending."""
    return variables(places) if mpi == MPICH else rules(places)


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
    for why, words in ((NOT_CONFIRMED, "new runs do not confirm it"),
                       (DROPPED, "new runs were slower than the default, there or at another "
                        "size")):
        n = sum(choice.why == why for place in places for choice in place.choices)
        if n:
            d.add(NOTE, "%s: an algorithm was faster, but %s; the default is kept."
                  % (counted(n, "size"), words))
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
            repaired(control_of(mpi, place.operation, name)),
            "fastest_at_first": choice.first, "why": choice.why, "new_runs": new}


def as_json(mpi: str, places: Sequence[Place], file: Optional[str]) -> dict:
    """All sizes of all places, whatever was chosen."""
    margins = [place.margin for place in places if place.margin > 0]
    return {"suite": "Alidade", "tune": TUNE, "mpi": mpi, "margin": margins[-1] if margins else 0.0,
            "output": None if file is None else repaired(file),
            "rows": [size_json(mpi, place, choice)
                     for place in places for choice in place.choices]}


# --- The verb -----------------------------------------------------------------------------------


def place_of(word: str, mpi: str) -> Place:
    """Of OPERATION:RANKS=FOLDER.  Errors: Refused."""
    parts = re.match(r"([^:]+):\s*\+?0*([1-9][0-9]{0,9})=(.+)", word, re.ASCII | re.DOTALL)
    if not parts or width(parts.group(1)) > NAME or int(parts.group(2)) > 1 << 30 or \
            width(parts.group(3)) > FOLDER:
        raise Refused("'%s' is not OPERATION:RANKS=FOLDER" % word)
    check_known(mpi, parts.group(1))
    return Place(parts.group(1), int(parts.group(2)), parts.group(3))


def places_of(mpi: str, words: Sequence[str]) -> List[Place]:
    """Of OPERATION:RANKS=FOLDER words, sorted.  Errors: Refused."""
    if len(words) > PLACES:
        raise Refused("at most %d folders" % PLACES)
    return sorted((place_of(word, mpi) for word in words),
                  key=lambda place: (os.fsencode(place.operation), place.ranks))


def next_of(mpi: str, words: Sequence[str]) -> List[Tuple[str, int, str]]:
    """(operation, ranks, settings) that new runs are to confirm; what is chosen is written to
    FOLDER/confirm.rules.  Errors: Refused."""
    places, found = places_of(mpi, words), []
    choose(places, mpi, False)
    for place in places:
        algorithm = place.algorithm()
        if algorithm is None:
            continue
        path = "%s/confirm.rules" % place.folder
        write_file(path, settings(mpi, [place]))
        control = DYNAMIC + "dynamic_rules_filename=" + path
        if mpi == MPICH:
            control = control_of(mpi, place.operation, algorithm)
        found.append((place.operation, place.ranks, control))
    return found


def answer(question: Question, words: Sequence[str]) -> bool:
    """Answer, and write the file if an algorithm was confirmed: was it?  Errors: Refused."""
    mpi, places = question.mpi, places_of(question.mpi, words)
    choose(places, mpi, True)
    found = is_any_chosen(places)
    file = question.output if found else None
    write_file(file, settings(mpi, places))
    publish(question, document(places), root=as_json(mpi, places, file))
    return found
