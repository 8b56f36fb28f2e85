# SPDX-License-Identifier: BSD-3-Clause
"""price - what the calls that an application made cost under other MPIs, settings or launchers.

A record (alidade record, or mpiP) says how often each rank made which call, with how many bytes,
and among how many ranks.  Each kind of call has a program that measures one such call.  The price
is the sum over all kinds: calls of a rank, on average over ranks, times the time of one.
"""
import os
import re
from typing import Dict, List, NamedTuple, Sequence, Tuple

from .documents import ADVICE, ANSWER, HEADING, ITEM, NOTE, Column, Document, Question, publish
from .results import (as_list, as_number, as_object, as_text, as_whole, read_bytes, read_json,
                      runs_in)
from .rows import time_of
from .statistics import LEVEL, UNDECIDED, Verdict, median, next_run, settle
from .text import Refused, counted, grouped, size_words, some_of, three_digits

MOSTLY = 0.5      # of the time of a call: then its price rests on waiting
NAMED = 6         # calls without a program, the longest
ROWS = 12         # of the table, the longest
RUNS = 5          # at least, for the interval of a price

# The program that measures a call, by its name without MPI_, and how many of its times it takes.  A
# send has that of the receive as well: both together are a round trip, which the program halves.
PROGRAMS = {call: "latency" for call in ("Send", "Bsend", "Ssend", "Rsend", "Sendrecv",
                                         "Sendrecv_replace")}
TIMES = {"Send": 2, "Bsend": 2, "Ssend": 2, "Rsend": 2}
PROGRAMS.update({call: call.lower() for call in (
    "Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv",
    "Alltoall", "Alltoallv", "Alltoallw", "Reduce", "Allreduce", "Scan", "Exscan",
    "Reduce_scatter", "Reduce_scatter_block")})
# Those whose messages are of 4 bytes each, as the programs have them.
OF_FLOATS = ("reduce", "allreduce", "scan", "exscan", "reduce_scatter", "reduce_scatter_block")


class Part(NamedTuple):
    """Calls of one kind.  program: that measures one, or "".  size: of its message, the mean of
    all; ranks: of its communicator.  calls, seconds, waited: of a rank, on average over all ranks
    of the application.  waited is an estimate: what calls took beyond the shortest of their kind,
    in which nobody was late.  times: of the program, that one call is priced at."""

    call: str
    program: str
    size: int
    ranks: int
    calls: float
    seconds: float
    waited: float
    times: int = 1

    def job(self) -> Tuple[str, int]:
        return self.program, self.ranks

    def words(self) -> str:
        return "%s%s on %s" % (self.call, " of " + size_words(self.size) if self.size else "",
                               counted(self.ranks, "rank")) if self.ranks else self.call

    def price(self, time: float) -> float:
        """Of all calls of a rank, if the program has that time."""
        return self.calls * self.times * time

    def is_waiting(self) -> bool:
        return self.waited > MOSTLY * self.seconds


class Record(NamedTuple):
    """program: as it was started.  seconds, in_mpi: of a rank."""

    program: str
    ranks: int
    seconds: float
    in_mpi: float
    parts: Sequence[Part]

    def priced(self) -> List[Part]:
        return [part for part in self.parts if part.program]

    def name(self) -> str:
        return os.path.basename(self.program.split(" ")[0]) or "the application"


def part_of(entry: dict, ranks: int) -> Part:
    call = (as_text(entry.get("call")) or "").replace("MPI_", "", 1)
    program, among = PROGRAMS.get(call, ""), as_whole(entry.get("ranks"))
    count = max(1, as_whole(entry.get("count")))
    size = round(as_number(entry.get("bytes")) / count)
    # mpiP does not know what was received.
    if entry.get("bytes") is None and program != "barrier":
        program = ""
    if program in OF_FLOATS:
        size = max(4, size - size % 4)
    if program == "latency":
        among = 2 if among else 0
    # Alone nothing is moved, and programs take two ranks or more; nor do they move nothing.
    if among < 2 or (size == 0 and program not in ("barrier", "latency")):
        program = ""
    seconds = as_number(entry.get("seconds"))
    moved = as_number(entry.get("shortest")) * count
    return Part(call, program, size, among, count / ranks, seconds / ranks,
                max(0.0, seconds - moved) / ranks, TIMES.get(call, 1))


def record_of(root: dict) -> Record:
    ranks = as_whole(root.get("ranks"))
    parts = [part_of(as_object(entry), ranks) for entry in as_list(root.get("calls"))]
    return Record(as_text(root.get("program")) or "", ranks, as_number(root.get("seconds")),
                  as_number(root.get("mpi_seconds")),
                  sorted(parts, key=lambda part: -part.seconds))


def record_of_mpip(path: str, text: str) -> Record:
    """What mpiP wrote: an entry for each call site, from the lines of all ranks (*) of two
    sections, of times, in milliseconds, and of bytes that were sent.  It does not say on which
    communicator a call was: on all ranks.  Errors: Refused."""
    ranks = len(re.findall("^@ MPI Task Assignment", text, re.M))
    total = re.search(r"^ *\* +(\S+) +(\S+)", text, re.M)
    command = re.search("^@ Command *: (.*)$", text, re.M)
    line = re.compile(r"^(\w+) +(\d+) +\* +(\d+) +(\S+) +(\S+) +(\S+)(?: +(\S+))?", re.M)

    def lines(name: str) -> Dict[Tuple[str, str], Tuple[str, ...]]:
        return {(m.group(1), m.group(2)): m.groups()[2:]
                for section in re.split(r"^@--- ", text, flags=re.M)
                if section.startswith(name) for m in line.finditer(section)}

    try:
        sent = {key: float(values[4]) for key, values in
                lines("Callsite Message Sent statistics").items()}
        calls = [{"call": "MPI_" + key[0], "count": int(count), "bytes": sent.get(key),
                  "ranks": ranks, "seconds": int(count) * float(mean) / 1000,
                  "shortest": float(least) / 1000}
                 for key, (count, _, mean, least, _) in lines("Callsite Time statistics").items()]
        times = [float(word) / ranks for word in total.groups()] if total and ranks else []
    except ValueError:
        times = []
    if not times or not calls:
        raise Refused("%s: mpiP's report lacks the tasks, their MPI time, or the statistics of all "
                      "call sites; do not give it -c" % path)
    return record_of({"program": command.group(1) if command else "", "ranks": ranks,
                      "seconds": times[0], "mpi_seconds": times[1], "calls": calls})


def read_record(path: str) -> Record:
    """Of alidade record, or of mpiP.  Errors: Refused."""
    text = read_bytes(path)
    if text.startswith(b"@ mpiP"):
        record = record_of_mpip(path, text.decode("utf-8", "replace"))
    else:
        root = as_object(read_json(path))
        if "alidade_record" not in root or as_whole(root.get("ranks")) < 1:
            raise Refused("%s is no record; alidade record makes one" % path)
        if root.get("complete") is not True:
            raise Refused("%s is not complete: %s" % (path, as_text(root.get("why")) or
                                                      "no reason is given"))
        record = record_of(root)
    if not record.priced():
        raise Refused("%s: none of its calls has a program that measures it" % path)
    return record


class Priced:
    """Of a variant.  runs: the price of each run, in seconds.  of_part: seconds of one call, a list
    of those of the runs.  word: compared with the first variant; missing: why there is none."""

    def __init__(self, name: str, record: Record, files: Dict[Tuple[str, int], Dict[int, str]]):
        self.name, self.word, self.missing = name, "", ""
        self.of_part: Dict[Part, List[float]] = {}
        # Seconds of one call, by bytes; 0: of the program without sizes.  The mean: the application
        # pays for calls that took long, too.
        by_job = {job: {number: {
            as_whole(row.get("bytes")): time_of(row, as_number(row["value"]))
            for file in runs_in(path) for row in file.rows if as_number(row.get("value")) > 0}
            for number, path in runs.items()} for job, runs in files.items()}
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
