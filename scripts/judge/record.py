# SPDX-License-Identifier: BSD-3-Clause
"""Records of an application's calls of MPI, of alidade record or of mpiP, and what measures
them."""
import os
import re
from typing import Dict, List, NamedTuple, Sequence, Tuple

from .results import (as_list, as_number, as_object, as_text, as_whole, read_bytes, read_json)
from .text import Refused, counted, size_words

MOSTLY = 0.5      # of the time of a call: then its price rests on waiting

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


def calls_of_mpip(text: str, ranks: int) -> List[dict]:
    """An entry for each call site, from the lines of all ranks (*) of two sections: of times, in
    milliseconds, and of bytes that were sent."""
    sections = re.split(r"^@--- ", text, flags=re.M)
    line = re.compile(r"^(\w+) +(\d+) +\* +(\d+) +(\S+) +(\S+) +(\S+)(?: +(\S+))?", re.M)

    def lines(name: str) -> Dict[Tuple[str, str], Tuple[str, ...]]:
        return {(m.group(1), m.group(2)): m.groups()[2:] for section in sections
                if section.startswith(name) for m in line.finditer(section)}

    sent = {key: float(values[4]) for key, values in
            lines("Callsite Message Sent statistics").items()}
    return [{"call": "MPI_" + key[0], "count": int(count), "bytes": sent.get(key), "ranks": ranks,
             "seconds": int(count) * float(mean) / 1000, "shortest": float(least) / 1000}
            for key, (count, _, mean, least, _) in lines("Callsite Time statistics").items()]


def record_of_mpip(path: str, text: str) -> Record:
    """What mpiP wrote.  It does not say on which communicator a call was: on all ranks.
    Errors: Refused."""
    ranks = len(re.findall("^@ MPI Task Assignment", text, re.M))
    total = re.search(r"^ *\* +(\S+) +(\S+)", text, re.M)
    command = re.search("^@ Command *: (.*)$", text, re.M)
    try:
        calls = calls_of_mpip(text, ranks)
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
