# SPDX-License-Identifier: BSD-3-Clause
"""price - what the calls that an application made cost under other MPIs, settings or launchers.

A record (alidade record) says how often each rank made which call, with how many bytes, and among
how many ranks.  Each kind of call has a program that measures one such call.  The price is the sum
over all kinds: calls of a rank, on average over ranks, times the time of one.
"""
from typing import Dict, List, Sequence, Tuple

from .documents import ADVICE, ANSWER, HEADING, ITEM, NOTE, Column, Document, Question, publish
from .record import Part, Record
from .results import as_number, as_whole, runs_in
from .rows import time_of
from .statistics import LEVEL, UNDECIDED, Verdict, median, next_run, settle
from .text import counted, grouped, size_words, some_of, three_digits

NAMED = 6         # calls without a program, the longest
ROWS = 12         # of the table, the longest
RUNS = 5          # at least, for the interval of a price


# --- Prices -------------------------------------------------------------------------------------


class Priced:
    """Of a variant.  runs: the price of each run, in seconds.  of_part: seconds of one call, a list
    of those of the runs.  word: compared with the first variant; missing: why there is none."""

    def __init__(self, name: str, record: Record, files: Dict[Tuple[str, int], Dict[int, str]]):
        self.name, self.word, self.missing = name, "", ""
        self.of_part: Dict[Part, List[float]] = {}
        by_job = {job: {number: times_in(path) for number, path in runs.items()}
                  for job, runs in files.items()}
        numbers = set.intersection(*(set(by_job.get(part.job(), {})) for part in record.priced()))
        for part in record.priced():
            found = [by_job[part.job()][number].get(part.size) for number in sorted(numbers)]
            times = [time for time in found if time is not None]
            if len(times) < len(numbers) or not times:
                self.missing = "%s has no time in every run" % part.words()
                return
            self.of_part[part] = times
        self.runs = [sum(part.price(times[k]) for part, times in self.of_part.items())
                     for k in range(len(numbers))]
        if next_run(self.runs) is None:
            self.missing = "%s, and a price takes %d" % (counted(len(self.runs), "run"), RUNS)

    def words(self) -> str:
        _, low, high = next_run(self.runs) or ("", 0.0, 0.0)
        return "%s (%s to %s) s" % tuple(map(three_digits, (median(self.runs), low, high)))

    def of(self, parts: Sequence[Part]) -> float:
        return sum(part.price(median(self.of_part[part])) for part in parts)


def times_in(path: str) -> Dict[int, float]:
    """Seconds of one call, by bytes; 0: of the program without sizes.  The mean: the application
    pays for calls that took long, too."""
    return {as_whole(row.get("bytes")): time_of(row, as_number(row["value"]))
            for file in runs_in(path) for row in file.rows if as_number(row.get("value")) > 0}


def compare_with_first(all_priced: Sequence[Priced], margin: float) -> None:
    first = all_priced[0]
    others = [one for one in all_priced[1:] if not one.missing and not first.missing]
    verdicts = [Verdict(first.runs, one.runs, margin) for one in others]
    settle(verdicts, margin, LEVEL)
    for one, verdict in zip(others, verdicts):
        one.word = verdict.word


# --- The answer ---------------------------------------------------------------------------------


def document(record: Record, all_priced: Sequence[Priced]) -> Document:
    d, first, priced = Document(), all_priced[0], record.priced()
    explained = sum(part.seconds for part in priced)
    d.add(ANSWER, "%s on %s: %s s in MPI, of which calls that have a benchmark took %s s (%.0f%%)."
          % (record.name(), counted(record.ranks, "rank"), three_digits(record.in_mpi),
             three_digits(explained), 100 * explained / max(record.in_mpi, 1e-30)))
    for one in all_priced:
        d.add(ITEM, "no price, since " + one.missing if one.missing else one.words() + (
            ": " + one.word if one.word else ""), lead=one.name)
    longest = priced[0]
    d.add(NOTE, "Largest: %s, %s s, about %s s of them waiting for other ranks." % (
        longest.words(), three_digits(longest.seconds), three_digits(longest.waited)))
    if any(one.word == UNDECIDED for one in all_priced):
        d.add(ADVICE, "More --runs may decide it.")
    add_calls(d, priced, all_priced)
    waiting = [part for part in priced if part.is_waiting()]
    if waiting and not first.missing:
        d.add(NOTE, "Mostly waiting for late ranks, which no MPI shortens: %s s recorded, priced "
              "at %s s: %s." % (three_digits(sum(part.seconds for part in waiting)),
                             three_digits(first.of(waiting)),
                             some_of([part.words() for part in waiting], NAMED)))
    without = [part for part in record.parts if not part.program]
    if without:
        d.add(NOTE, "Without a benchmark, %s s: %s." % (
            three_digits(sum(part.seconds for part in without)),
            some_of(list(grouped(without, lambda part: part.words())), NAMED)))
    d.add(NOTE, "In brackets: where the next run of the programs would lie, with 95% probability.")
    return d


def add_calls(d: Document, priced: Sequence[Part], all_priced: Sequence[Priced]) -> None:
    shown = [one for one in all_priced if not one.missing]
    few = ", the %d longest of %d kinds of calls" % (ROWS, len(priced))
    d.add(HEADING, "Seconds of a rank" + (few if len(priced) > ROWS else ""))
    table = d.table([Column("Call", 14, left=True), Column("Size", 8), Column("Ranks"),
                     Column("Calls"), Column("Recorded"), Column("Waited")] +
                    [Column(one.name) for one in shown])
    for part in priced[:ROWS]:
        table.row(part.call, size_words(part.size) if part.size else "-", str(part.ranks),
                  "%.0f" % part.calls, three_digits(part.seconds), three_digits(part.waited),
                  *(three_digits(one.of([part])) for one in shown))


def document_json(record: Record, all_priced: Sequence[Priced]) -> dict:
    def of_variant(one: Priced) -> dict:
        if one.missing:
            return {"name": one.name, "why": one.missing}
        _, low, high = next_run(one.runs) or ("", 0.0, 0.0)
        return {"name": one.name, "seconds": median(one.runs), "next_run": [low, high],
                "runs": one.runs, "verdict": one.word or None}

    return {"suite": "Alidade", "program": record.program, "ranks": record.ranks,
            "mpi_seconds": record.in_mpi, "variants": [of_variant(one) for one in all_priced],
            "calls": [{"call": part.call, "benchmark": part.program or None, "size": part.size,
                       "ranks": part.ranks, "calls": part.calls, "seconds": part.seconds,
                       "waited": part.waited,
                       "prices": [None if one.missing or not part.program else one.of([part])
                                  for one in all_priced]} for part in record.parts]}


def answer(question: Question, record: Record, all_priced: Sequence[Priced]) -> int:
    """Answer: the exit code, 1 where a variant has no price.  Errors: Refused."""
    compare_with_first(all_priced, question.margin)
    publish(question, document(record, all_priced), "# ", root=document_json(record, all_priced))
    return int(any(one.missing for one in all_priced))
