# SPDX-License-Identifier: BSD-3-Clause
"""guidelines - is an operation slower than another one that could stand for it?

What is judged are rows of stored results: a smaller message against a larger one, fewer ranks
against more, and an operation against another form of it.  The programs of mpi/guidelines compare
collectives with mock-ups of them, within a run.
"""
import re
from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple

from .comparable import FREE, May, read_one
from .comparison import interval
from .documents import ANSWER, NOTE, Column, Document, Question, publish
from .results import as_number, as_object, equal
from .rows import Row, RowId, row_order, table_of, time_of, wrong_data
from .statistics import LEVEL, SLOWER, Verdict, least_runs, settle
from .text import WRONG_DATA, Refused, counted, decimal, grouped, size_words, some_of

GUIDELINES = 1  # number of the form in JSON
VIOLATED, HOLDS, UNDECIDED = "violated", "holds", "undecided"
SIZES, RANKS, FORMS = "size", "ranks", "form"
FAILED = 2  # exit code
# Of an operation, the name of another form of it; is that one the one that must not be slower?
OTHER_FORMS = ("i%s", False), ("%sv", False), ("%sw", False), ("%s_persistent", True)


class Pair(NamedTuple):
    """Of the guideline kind, row must not be slower than other.  is_mean: means are compared, for
    lack of medians."""

    kind: str
    row: Row
    other: Row
    is_mean: bool = False

    def times(self, row: Row) -> List[float]:
        """Of each run."""
        if not self.is_mean:
            return [run.time for run in row.cells[0].runs]
        return [time_of(run.row, pure(run.row) or as_number(run.row["value"]))
                for run in row.cells[0].runs]


class Judged(NamedTuple):
    """verdict: of the times of the row by those of the other; word: one of the three."""

    pair: Pair
    verdict: Verdict
    word: str


def pure(row: dict) -> float:
    """The time of a non-blocking operation without a computation, in us; 0: it is none."""
    return as_number(as_object(row.get("columns")).get("pure_us"))


def is_pure(row: Row) -> bool:
    return any(pure(run.row) for run in row.cells[0].runs)


def by_size(rows: Sequence[Row]) -> Iterator[Pair]:
    """A smaller message could be sent as a larger one, and a larger one in parts: a time must not
    be longer than that of the next size, a bandwidth not lower than that of the size before."""
    for group in grouped((row for row in rows if row.id.bytes), lambda row: row.id._replace(
            bytes=None, key=row.id.level())).values():
        for small, large in zip(group, group[1:]):
            pair = (large, small) if small.id.is_rate() else (small, large)
            # Its rows have the time of the computation in them.
            yield Pair(SIZES, *pair, is_mean=is_pure(small))


def ranks_of(id: RowId) -> int:
    found = re.search(r"\branks=([0-9]+)", id.key) or re.match("([0-9]+)", id.place)
    return int(found.group(1)) if found else 0


def without_ranks(id: RowId) -> RowId:
    return id._replace(place=re.sub("^[0-9]+ ranks", "", id.place),
                       key=re.sub(r" *\branks=[0-9]+", "", id.key))


def by_ranks(rows: Sequence[Row]) -> Iterator[Pair]:
    """Ranks that have nothing to do could take part.  More ranks may move more bytes at a time."""
    times = (row for row in rows if not row.id.is_rate())
    for group in grouped(times, lambda row: without_ranks(row.id)).values():
        group.sort(key=lambda row: ranks_of(row.id))
        for fewer, more in zip(group, group[1:]):
            if ranks_of(fewer.id) < ranks_of(more.id):
                yield Pair(RANKS, fewer, more, is_mean=is_pure(fewer))


def are_alike(a: Row, b: Row) -> bool:
    """Were two forms measured in the same way?  What one of them has no option for does not
    matter, unless blocks are of different lengths."""
    one, other = (row.cells[0].runs[0].file.method for row in (a, b))
    return all(equal(one[name], other[name]) for name in one if name in other and
               name not in FREE) and not any(
                   method.get("counts", "equal") not in ("equal", None) for method in (one, other))


def by_form(rows: Sequence[Row]) -> Iterator[Pair]:
    """A blocking operation could be a non-blocking one and a wait, and one with equal blocks that
    of blocks of any length; a persistent one could be the blocking one."""
    of_id = {row.id: row for row in rows}
    for row in rows:
        for name, is_first in OTHER_FORMS:
            other = of_id.get(row.id._replace(benchmark=name % row.id.benchmark))
            if other is not None and are_alike(row, other):
                yield Pair(FORMS, *((other, row) if is_first else (row, other)),
                           is_mean=is_pure(row) or is_pure(other))


def judge(rows: Sequence[Row], margin: float) -> List[Judged]:
    """All that can be compared, decided together: all that are called violated are so with 95%
    confidence."""
    ordered = sorted(rows, key=lambda row: row_order(row.id))
    pairs = [*by_size(ordered), *by_ranks(ordered), *by_form(ordered)]
    verdicts = [Verdict(pair.times(pair.other), pair.times(pair.row), margin) for pair in pairs]
    settle(verdicts, margin, LEVEL)
    return [Judged(pair, verdict, VIOLATED if verdict.word == SLOWER else
                   HOLDS if verdict.ratio.high <= 1 + margin else UNDECIDED)
            for pair, verdict in zip(pairs, verdicts)]


def size_of(id: RowId) -> str:
    return "-" if id.bytes is None else size_words(id.bytes)


def words_of(pair: Pair) -> Tuple[str, str]:
    """What tells the row, and what the other one: "512B", "1KiB"; "2 ranks", "4 ranks"; "512B",
    "iallreduce"."""
    id, other = pair.row.id, pair.other.id
    if pair.kind == RANKS:
        return counted(ranks_of(id), "rank"), counted(ranks_of(other), "rank")
    return size_of(id), size_of(other) if pair.kind == SIZES else other.benchmark


def common(pair: Pair) -> str:
    """What else both rows are of."""
    id = pair.row.id
    size = size_of(id).strip("-") if pair.kind == RANKS else ""
    level = re.sub(r" *\branks=[0-9]+", "", id.level())
    place = without_ranks(id).place.strip(", ") if pair.kind == RANKS else id.place
    return "; ".join(filter(None, (size, level, place)))


def sentence(found: Dict[str, List[Judged]], n: int, margin: float) -> str:
    counts = ["%d %s" % (len(found.get(word, [])), word) for word in (VIOLATED, UNDECIDED, HOLDS)]
    return "guidelines: %s; %s; margin %g%%" % (counted(n, "pair"), ", ".join(counts), 100 * margin)


def document(judged: Sequence[Judged], margin: float, runs: int) -> Document:
    """runs: of the row that has most."""
    d, found = Document(), grouped(judged, lambda each: each.word)
    if found.get(VIOLATED):
        table = d.table([Column("Guideline", 9, left=True), Column("Program", 16, left=True),
                         Column("Row", 10, left=True), Column("Slower than", 11, left=True),
                         Column("Ratio", 6), Column("95% interval", 14, left=True),
                         Column("Of", left=True)])
        for pair, verdict, _ in found[VIOLATED]:
            first, second = words_of(pair)
            table.row(pair.kind, pair.row.id.benchmark, first, second,
                      decimal(verdict.ratio.value, 3), interval(verdict.ratio), common(pair))
    needed = least_runs(len(judged), LEVEL)
    if runs < needed:
        d.add(NOTE, "Rows have %s at most, and with %d pairs nothing can be called violated with "
              "fewer than %d." % (counted(runs, "run"), len(judged), needed))
    undecided = ["%s %s" % (each.pair.row.id.benchmark, " / ".join(words_of(each.pair)))
                 for each in found.get(UNDECIDED, [])]
    if undecided:
        d.add(NOTE, "undecided: %s" % some_of(undecided, 5))
    d.add(ANSWER, sentence(found, len(judged), margin))
    return d


def as_json(judged: Sequence[Judged], margin: float, code: int) -> Dict[str, Any]:
    def row(each: Judged) -> dict:
        pair, verdict, word = each
        first, second = ({"benchmark": id.benchmark, "placement": id.place, "row": id.key}
                         for id in (pair.row.id, pair.other.id))
        return {"guideline": pair.kind, "must_not_be_slower": first, "than": second,
                "ratio": verdict.ratio.value, "ci95": verdict.ratio.ends(), "verdict": word}

    return {"suite": "Alidade", "guidelines": GUIDELINES, "margin": margin, "exit_code": code,
            "rows": [row(each) for each in judged]}


def answer(question: Question, words: Sequence[str]) -> int:
    """The exit code.  Errors: Refused."""
    of = read_one(words, May())
    rows = [row for row in table_of([of], May())[0]
            if not any(name in row.cells[0].runs[0].row for name in ("guideline", "impact"))]
    judged, margin = judge(rows, question.margin), question.margin
    if not judged:
        raise Refused("no two rows can be compared: results need several sizes or numbers of "
                      "ranks, or two forms of an operation, such as allreduce and iallreduce")
    is_violated = any(each.word == VIOLATED for each in judged)
    code = WRONG_DATA if wrong_data(of) else FAILED if is_violated else 0
    runs = max(len(row.cells[0].runs) for row in rows)
    publish(question, document(judged, margin, runs), of=[of],
            root=as_json(judged, margin, code))
    return code
