# SPDX-License-Identifier: BSD-3-Clause
"""history - the figures of MPI libraries release by release, and the steps between them.

A step is a comparison of a release with the one before it.  The risk of a wrong verdict is that of
all steps together.
"""
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

from . import plots
from .comparable import read_variants
from .compare import comparison_json
from .comparison import Class, ComparedRow, compared
from .comparison_answer import amount, answer_of, needed
from .documents import (ADVICE, ANSWER, HEADING, ITEM, NOTE, Cell, Column, Document, Question, page,
                        publish)
from .report import beside
from .results import Variant
from .rows import Labels, Row, table_of, tables_of
from .statistics import FASTER, SAME, SLOWER, UNDECIDED
from .text import Refused, counted, decimal, grouped, some_of, write_file

SHOWN = 4  # rows of a benchmark that have a column, and a curve


class Step(NamedTuple):
    """From the release before to this one, by their numbers.  compared: or why it cannot be."""

    before: int
    after: int
    compared: Any

    def words(self) -> List[str]:
        """The verdicts of its classes and what is surely said of rows, each once."""
        if isinstance(self.compared, str):
            return []
        return list(dict.fromkeys(word for k in self.compared.classes
                                  for word in [k.word(), *k.sure_rows().values()]))

    def changes(self) -> bool:
        return any(word in (FASTER, SLOWER) for word in self.words())

    def of_row(self, row: Row) -> Optional[Tuple[Class, ComparedRow]]:
        """That row, and its class."""
        if isinstance(self.compared, str):
            return None
        return next(((k, one) for k in self.compared.classes for one in k.rows
                     if one.id == row.id), None)


class History(NamedTuple):
    """releases: in their order, those of one MPI together.  rows: with a cell for each."""

    releases: Sequence[Variant]
    rows: Sequence[Row]
    steps: Sequence[Step]
    question: Question


def mpi_of(v: Variant) -> str:
    """"mpich" of "mpich-5.0.2"."""
    return v.name.rpartition("-")[0] or v.name


def version_of(v: Variant) -> str:
    return v.name.rpartition("-")[2]


def shown_rows(rows: Sequence[Row]) -> List[Row]:
    """A few of one benchmark, spread over all."""
    if len(rows) <= SHOWN:
        return list(rows)
    return [rows[i * (len(rows) - 1) // (SHOWN - 1)] for i in range(SHOWN)]


def add_releases(d: Document, h: History, rows: Sequence[Row]) -> None:
    """A line for each release: the median of its runs, their range, and whether its class took a
    step."""
    id, shown, labels = rows[0].id, shown_rows(rows), Labels(rows)
    d.add(HEADING, "%s, %s, in %s: the median of the runs (their range)" % (
        id.benchmark, id.place, id.unit))
    table = d.table([Column("Release", 12, left=True)] +
                    [Column(labels.of_row(row.id), 20, left=True) for row in shown])
    for k, v in enumerate(h.releases):
        cells, step = [], next((step for step in h.steps if step.after == k), None)
        for row in shown:
            cell, of = row.cells[k], step.of_row(row) if step else None
            text = "%s (%s to %s)" % tuple(decimal(value, 2) for value in (
                cell.figure, cell.low, cell.high)) if cell.runs else "-"
            word = of[0].words().get(of[1]) if of else None
            if of and word in (FASTER, SLOWER):  # "slower (2.4 times as long)"
                is_average = of[1] not in of[0].sure_rows() and bool(of[0].unlike())
                text += ", %s%s" % (word, amount([of[0].ratio_of(of[1]).value], row.id.is_rate(),
                                                 is_average))
            cells.append(Cell(text, "", word if word in (FASTER, SLOWER) else None))
        table.row("%s %s" % (mpi_of(v), version_of(v)), *cells)


def between(h: History, step: Step) -> str:
    """"mpich 4.3.2 to 5.0.0"."""
    before, after = h.releases[step.before], h.releases[step.after]
    return "%s %s to %s" % (mpi_of(before), version_of(before), version_of(after))


def document(h: History) -> Document:
    """The steps first, which is what the reader wants to know."""
    d = Document()
    changes = [step for step in h.steps if step.changes()]
    d.add(ANSWER, "%s of %s: %s." % (
        counted(len(h.releases), "release"), some_of(list(grouped(h.releases, mpi_of)), 9),
        "%s in %s" % (counted(len(changes), "step"), some_of(
            [between(h, step) for step in changes], 6)) if changes else
        "no step from one to the next"))
    for step in changes:
        d.add(ITEM, answer_of(step.compared), lead=between(h, step))
    for word, what in (SAME, "The same"), (UNDECIDED, "Not decided, and no step that is sure"):
        some = [between(h, step) for step in h.steps if not step.changes() and
                (step.words() == [SAME]) == (word == SAME) and step.words()]
        d.add(NOTE, "%s: %s." % (what, ", ".join(some)) if some else "")
    # What would decide one would decide most: they have the same runs.
    d.add(ADVICE, " ".join(next((needed(step.compared) for step in h.steps if
                                 UNDECIDED in step.words() and needed(step.compared)), [])))
    d.add(NOTE, *("not compared: %s: %s" % (between(h, step), step.compared) for step in h.steps
                  if isinstance(step.compared, str)))
    for rows in tables_of(h.rows):
        add_releases(d, h, rows)
    if not all(isinstance(step.compared, str) for step in h.steps):
        d.add(NOTE, "A step: a class of sizes or a row is faster or slower by more than %g%%, with "
              "at most 5%% risk that any class is called so wrongly, and as much for rows."
              % (100 * h.question.margin))
    d.add(NOTE, *(v.failed_runs() for v in h.releases),
          *("left out, since it failed: " + why for why in h.question.failed))
    return d


def page_of(h: History, said: Document) -> str:
    names = [(mpi_of(v), version_of(v)) for v in h.releases]
    charts = beside(*(plots.releases(names, shown_rows(rows)) for rows in tables_of(h.rows)))
    title = "%s, release by release" % ", ".join(grouped(h.releases, mpi_of))
    return page(title, charts + said.html())


def document_json(h: History) -> dict:
    return {
        "suite": "Alidade", "left_out": list(h.question.failed),
        "releases": [{"mpi": mpi_of(v), "version": version_of(v), "runs": len(v.files)}
                     for v in h.releases],
        "rows": [{"benchmark": row.id.benchmark, "placement": row.id.place, "row": row.id.key,
                  "unit": row.id.unit,
                  "values": [cell.figure if cell.runs else None for cell in row.cells],
                  "ranges": [[cell.low, cell.high] if cell.runs else None for cell in row.cells]}
                 for row in h.rows],
        "steps": [{"between": between(h, step), "changes": step.changes(),
                   "why": step.compared if isinstance(step.compared, str) else None,
                   "comparison": None if isinstance(step.compared, str) else
                   comparison_json(step.compared)} for step in h.steps]}


def answer(question: Question, words: Sequence[str]) -> int:
    """Answer: the exit code.  Errors: Refused."""
    releases = read_variants(words, 1, question.may(), question.only)
    table = table_of(releases, question.may())
    if not table[0]:
        raise Refused("no row has a value")
    followers = [k for k in range(1, len(releases))
                 if mpi_of(releases[k]) == mpi_of(releases[k - 1])]
    question = question._replace(steps=max(1, len(followers)))
    steps = [Step(k - 1, k, compared(releases, table, (k - 1, k), question)) for k in followers]
    h = History(releases, table[0], steps, question)
    said = document(h)
    code = publish(question, said, "# ", root=document_json(h), of=h.releases)
    if question.output is not None:
        write_file(question.output, page_of(h, said))
    return code
