# SPDX-License-Identifier: BSD-3-Clause
"""report - results as one self-contained page: the answer on the first screen, then what was
measured, row by row and curve by curve."""
import os
from itertools import groupby
from typing import List, NamedTuple, Optional, Sequence, Union

from . import plots
from .charts import number, span
from .comparable import environment_differences, read_variants, same_library
from .compare import WORDS, Ranking, add_classes, add_ranking, document
from .comparison import Comparison
from .comparison_answer import advice_of, answer_of
from .documents import (ADVICE, ANSWER, HEADING, NOTE, Cell, Column, Document, Question, escape,
                        page, publish, said_first)
from .facts import FACTS, fact_of_variant
from .groups import TimedRun, drift_words, timed_runs
from .heat_map import has_pairs, heat_map
from .results import Variant, as_number, as_object
from .rows import Labels, Row, doubtful_rows, table_of, tables_of
from .rows import Cell as TableCell
from .statistics import median
from .text import Refused, counted, fail, within, write_file

TIMELINE_RUNS = 3  # the least to show
SAMPLES = 4        # rows of a section whose samples are shown, at most
PLACES = 64        # side by side, at most
HEADING_BYTES = 47  # of a column, at most
# Each percentile, and the share of the iterations that take longer.
TAILS = [("90", 0.1), ("99", 0.01), ("99.9", 0.001)]
SLOWEST = "%s of the iterations, relative to the median, as median over runs. Rows are left out " \
    "if their iterations were timed several at a time (-z99 times each), or fewer than ten took " \
    "longer in some run."


class Report(NamedTuple):
    """What a page shows.

    rows: those that count.  ranking: of all variants, where they are compared.  left_out: "NAME:
    WHY" of variants that failed.  title: None: the names of the variants.  answer, rules: what
    stands before and after all of it; None: nothing, and the page begins with the comparisons.
    """

    variants: Sequence[Variant]
    rows: Sequence[Row]
    ranking: Optional[Ranking] = None
    left_out: Sequence[str] = ()
    title: Optional[str] = None
    answer: Optional[Document] = None
    rules: Optional[Document] = None

    def compared(self) -> Sequence[Union[Comparison, str]]:
        """Each variant but the first against it, or why it cannot be."""
        return self.ranking.compared if self.ranking else ()

    def comparisons(self) -> List[Comparison]:
        """Those that could be made."""
        return [c for c in self.compared() if isinstance(c, Comparison)]


# --- The first screen ---------------------------------------------------------------------------


def beside(*parts: str) -> str:
    """Side by side, where the screen is wide enough."""
    return '<div class="beside">\n%s</div>\n' % "".join(parts) if any(parts) else ""


def captioned(table: Document, words: str) -> str:
    """A table, and as wide as that what is to be said of it."""
    return '<figure class="table">\n%s<figcaption>%s</figcaption>\n</figure>\n' % (
        table.html(), escape(words))


def comparison_html(r: Report, c: Comparison, told: List[str]) -> str:
    """The answer, the classes and the ratios, then what nobody needs first, unless it was told."""
    said, classes = Document(), Document()
    if len(r.variants) > 2:
        said.add(HEADING, "%s compared with %s" % (c.variants[1].name, c.variants[0].name))
    said.add(ANSWER, answer_of(c))
    add_classes(classes, c)
    remarks = [line for line in c.remarks if line not in told]
    told += remarks
    more = Document().add(ADVICE, advice_of(c)).add(NOTE, *remarks)
    return said.html() + beside(classes.html(), plots.ratios(r.rows, c).html()) + more.html()


def curves_html(r: Report) -> List[str]:
    """A picture for each benchmark and place, with a curve for each variant."""
    return [plots.of_sizes(r.variants, rows).html() for rows in tables_of(r.rows)]


def comparisons_html(r: Report) -> str:
    told: List[str] = []
    text = Document().add(NOTE, *("left out, since it failed: " + why for why in r.left_out)).html()
    if r.ranking and r.ranking.classes:
        table = Document()
        add_ranking(table, r.ranking)
        text += Document().add(ANSWER, r.ranking.answer()).html() + \
            beside(captioned(table, WORDS), *curves_html(r))
    for v, c in zip(r.variants[1:], r.compared()):
        if isinstance(c, Comparison):
            text += comparison_html(r, c, told)
        else:
            text += '<p class="note"><strong>%s</strong>: %s</p>\n' % (escape(v.name), escape(c))
            # What a comparison says itself.
            text += Document().add(NOTE, r.variants[0].failed_runs(), v.failed_runs()).html()
    if r.comparisons():
        text += Document().add(
            NOTE, "Compared with the baseline %s, run by run, with a margin of %g%%."
            % (r.variants[0].name, 100 * r.comparisons()[0].question.margin)).html()
    return text


def alone(v: Variant, rows: Sequence[Row]) -> Document:
    """What there is, of one variant."""
    *others, last = dict.fromkeys(row.id.benchmark for row in rows)
    benchmarks = ", ".join(others) + (" and " if others else "") + last
    # How far the runs of a typical row lie apart.
    apart = median([row.cells[0].high / row.cells[0].low for row in rows]) - 1
    return Document().add(ANSWER, "%s has %s of %s, with %s%s." % (
        v.name, counted(len(v.files), "run"), within(benchmarks, 199), counted(len(rows), "row"),
        "; the runs of a typical row differ by %.2g%%" % (100 * apart) if apart > 0 else "")).add(
            NOTE, doubtful_rows(rows, 0).words(v.name), v.failed_runs(),
            v.loaded_words())


# --- Rows ---------------------------------------------------------------------------------------


def tail_of(cell: TableCell, percentile: str, beyond: float) -> float:
    """A percentile divided by the median, as median over runs; 0: unknown.  Where a sample is the
    mean of several iterations it says nothing of single ones, and with fewer than ten samples
    beyond it a few of them decide.  Runs that have this percentile may be unlike those that lack
    it."""
    tails = []
    for row in (run.row for run in cell.runs):
        over = as_object(row.get("over_iterations"))
        middle = as_number(over.get("median_us"))
        if as_number(row.get("stride")) > 1 or middle <= 0 or \
                as_number(over.get("n")) * beyond < 10 - 1e-6:
            return 0
        tails.append(as_number(as_object(over.get("percentiles_us")).get(percentile)) / middle)
    return median(tails) if tails and min(tails) > 0 else 0


def drifts(cell: TableCell) -> bool:
    """Did the iterations become slower or faster in most runs?"""
    drifting = [as_object(as_object(run.row.get("shape")).get("drift")).get("drifts") is True
                for run in cell.runs]
    return 2 * sum(drifting) > len(drifting)


def ranged(value: float, low: float, high: float, aside: str = "") -> List[Cell]:
    return [Cell(number(value, (high - low) / 2)),
            Cell(span(value, low, high) if high > low else "", aside)]


def figure(cell: Optional[TableCell]) -> List[Cell]:
    """What a variant has of a row; None: there is no such row."""
    if cell is None or not cell.runs:
        return [Cell("-"), Cell("")]
    return ranged(cell.figure, cell.low, cell.high, ", ".join(
        filter(None, [cell.doubtful, "drifts" if drifts(cell) else ""])))


def columns_of(who: str, what: str) -> List[Column]:
    heading = ", ".join(filter(None, [within(who, 24), what]))
    return [Column(within(heading, HEADING_BYTES)), Column("", joined=" ")]


def first_column(rows: Sequence[Row]) -> Column:
    return Column("Row" if any(row.id.bytes is None for row in rows) else "Size", left=True)


def add_rows(d: Document, r: Report, rows: Sequence[Row], labels: Labels) -> None:
    """Rows of one benchmark and place: the values of each variant, and the ratio of each further
    one to the first, which of many variants is below the value, so that a page is wide enough."""
    columns = [first_column(rows)]
    compared = {c.variants[1].name: c for c in r.comparisons()}
    for v in r.variants:
        columns += columns_of(v.name, rows[0].id.unit)
        if v.name in compared:
            columns.append(Column("ratio to " + within(r.variants[0].name, 24),
                                  joined="<br>" if len(r.variants) > 2 else ""))
            columns += [Column("", joined=" ")]
    table = d.table(columns)
    for row in rows:
        cells = [Cell(labels.of_row(row.id))]
        for v, cell in zip(r.variants, row.cells):
            cells += figure(cell)
            if v.name in compared:
                ratio = compared[v.name].ratios.get(row.id)
                low, high = ratio and ratio.ends() or (0.0, 0.0)
                cells += ranged(ratio.value, low, high) if ratio else [Cell("-"), Cell("")]
        table.row(*cells)


def tails_html(r: Report, rows: Sequence[Row], labels: Labels) -> str:
    """How long the slowest iterations take, of rows of which that is known."""
    every = {(row.id, k): [tail_of(cell, *tail) for tail in TAILS]
             for row in rows for k, cell in enumerate(row.cells)}
    shown = [at for at in range(len(TAILS)) if any(tails[at] > 0 for tails in every.values())]
    if not shown:
        return ""
    d = Document()
    table = d.table([first_column(rows)] + [Column(within(v.name, 24)) for v in r.variants])
    for row in rows:
        of_row = [[every[row.id, k][at] for at in shown] for k in range(len(r.variants))]
        if any(any(tails) for tails in of_row):
            table.row(labels.of_row(row.id), *(" / ".join(
                "%.*f" % (2 if tail < 10 else 0, tail) if tail > 0 else "-" for tail in tails)
                if any(tails) else "-" for tails in of_row))
    return captioned(d, SLOWEST % " / ".join("P" + TAILS[at][0] for at in shown))


def add_places(d: Document, r: Report, rows: Sequence[Row]) -> None:
    """Rows of one benchmark in several places: a table for each variant with a column for each
    place; nothing for one place."""
    tables = tables_of(rows)[:PLACES]
    if len(tables) < 2:
        return
    d.add(HEADING, "%s, by placement" % rows[0].id.benchmark)
    # What all places begin with is left out, so that columns are narrow.
    places = [table[0].id.place for table in tables]
    begin = os.path.commonprefix(places).rfind(", ")
    by_key = [{row.id.key: row for row in table} for table in tables]
    labels = {row.id.key: Labels(rows).of_row(row.id) for row in rows}
    for k, v in enumerate(r.variants):
        columns = columns_of(v.name, rows[0].id.unit)[:1]
        columns = [columns[0]._replace(left=True)]
        for place in places:
            columns += columns_of("", place[begin + 2:] if begin >= 0 else place)
        table = d.table(columns)
        for key in dict.fromkeys(row.id.key for row in rows):
            cells = [Cell(labels[key])]
            for of_place in by_key:
                cells += figure(of_place[key].cells[k] if key in of_place else None)
            table.row(*cells)


# --- The page -----------------------------------------------------------------------------------


def section(r: Report, rows: Sequence[Row]) -> str:
    values, id, labels = Document(), rows[0].id, Labels(rows)
    add_rows(values, r, rows, labels)
    text = "<section>\n<h2>%s <small>(%s)</small></h2>\n" % (
        id.benchmark, escape("; ".join(filter(None, [id.place, labels.common]))))
    text += beside(values.html(), tails_html(r, rows, labels))
    # All pairs of the smallest and of the largest message.
    maps = [row for row in rows if any(map(has_pairs, row.cells))]
    for row in maps if len(maps) < 3 else (maps[0], maps[-1]):
        text += "".join(heat_map(row.id, cell, v) for cell, v in zip(row.cells, r.variants))
    return text + beside(*(plots.samples(row.id, cell, v.name) for row in rows[:SAMPLES]
                           for cell, v in zip(row.cells, r.variants))) + "</section>\n"


def over_time(r: Report) -> str:
    since = [timed_runs(v, r.rows, k) for k, v in enumerate(r.variants)]
    first = min((run.seconds for runs in since for run in runs), default=0)
    timeline = [[TimedRun(at - first, ratio) for at, ratio in runs] for runs in since]
    runs = [run for of_variant in timeline for run in of_variant]
    if len(runs) < TIMELINE_RUNS or max(run.seconds for run in runs) <= 0:
        return ""
    d = Document().add(NOTE, *(drift_words(v.name, of_variant)
                               for v, of_variant in zip(r.variants, timeline)))
    return "<section>\n<h2>Over time</h2>\n%s%s</section>\n" % (
        plots.over_time(r.variants, timeline), d.html())


def measured(r: Report) -> Document:
    """What was measured, and what else differs from the first variant: variables and library files,
    too."""
    d, first = Document().add(HEADING, "What was measured"), r.variants[0]
    table = d.table([Column("", left=True)] +
                    [Column(within(v.name, HEADING_BYTES), left=True) for v in r.variants])
    table.row("Result files", *("%d" % len(v.files) for v in r.variants))
    for fact in FACTS:
        values = [fact_of_variant(v, fact) for v in r.variants]
        if any(values):
            table.row(fact.label[0].upper() + fact.label[1:], *(
                Cell(value, "", None if fact.is_free or value == values[0] else "differs")
                for value in values))
    for v in r.variants[1:]:
        lines = list(environment_differences(first, v)) + list(same_library(first, v))
        if lines:
            d.add(NOTE, "%s, compared with %s:" % (v.name, first.name), *lines)
    return d


def page_of(r: Report) -> str:
    names = [v.name for v in r.variants]
    title = ", ".join(names[1:]) + (" compared with " if len(names) > 1 else "") + names[0]
    text = said_first(r.variants).html()
    if r.answer is not None:
        text += r.answer.html()
    elif len(names) == 1:
        text += alone(r.variants[0], r.rows).html()
    text += comparisons_html(r)
    places = Document()
    for _, rows in groupby(r.rows, key=lambda row: row.id.benchmark):
        add_places(places, r, list(rows))
    if not (r.ranking and r.ranking.classes):
        text += beside(*curves_html(r))
    text += places.html() + "".join(section(r, rows) for rows in tables_of(r.rows))
    text += over_time(r) + measured(r).html()
    if r.rules is not None:
        text += r.rules.html()
    return page(title if r.title is None else r.title, text)


def answer(question: Question, words: List[str]) -> int:
    """Answer: the exit code.  Errors: Refused."""
    if question.figure is not None:
        plots.kind_of(question.figure)
    variants = read_variants(words, 1, question.may(), question.only)
    table = table_of(variants, question.may())
    if not table[0]:
        raise Refused("no row has a value")
    ranking = Ranking(variants, table, question)
    for c in ranking.compared:
        if isinstance(c, str):
            fail("not compared: " + c)
    r = Report(variants, table[0], ranking, question.failed, question.title)
    said, output = Document(), question.output
    said.add(NOTE, *("%s: %s" % (v.name, v.loaded_words()) for v in variants if v.loaded()))
    if question.figure is not None or question.csv is not None:
        plots.write_figure(variants, table[0], question.figure, question.csv)
        said.add(NOTE, *(doubtful_rows(table[0], k).words(v.name) for k, v in enumerate(variants)))
    elif output is None:
        output = "report.html"
    said.add(NOTE, *("%s: %s" % (name, path) for name, path in (
        ("page", output), ("figure", question.figure), ("values", question.csv)) if path))
    if output is not None:
        write_file(output, page_of(r))
    return publish(question, said, "# ", document(ranking, True, r.left_out), of=variants)
