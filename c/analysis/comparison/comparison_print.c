/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_print.h"

#include <stdlib.h>
#include <string.h>

#include "comparison_answer.h"
#include "comparison_classes.h"
#include "results/differences.h"

static bool is_new_benchmark(const struct comparison *c, size_t i)
{
    return i == 0 || !row_id_same_table(c->row[i].id, c->row[i - 1].id);
}

static size_t benchmarks(const struct comparison *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->rows; i++)
        n += is_new_benchmark(c, i);
    return n;
}

/* "8 runs", "5 to 8 runs" */
static const char *runs_of(const struct comparison *c, int which, char text[64])
{
    size_t least = c->row[0].cell[which]->runs, most = least;

    for (size_t i = 1; i < c->rows; i++) {
        const size_t n = c->row[i].cell[which]->runs;

        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    if (least < most)
        snprintf(text, 64, "%zu to %zu runs", least, most);
    else
        snprintf(text, 64, "%zu run%s", most, most == 1 ? "" : "s");
    return text;
}

static void add_title(struct document *d, const struct comparison *c)
{
    char text[2][64], level[100] = "";

    if (c->level < verdict_level(0))
        snprintf(
            level, sizeof level,
            "; significance level %g%%, as one of several interim analyses",
            100 * c->level);
    document_add(d, DOCUMENT_TITLE,
                 "%s (%s) compared with the baseline %s (%s): %zu row%s of %zu "
                 "benchmark%s; margin %g%%%s",
                 c->variant[1]->name, runs_of(c, 1, text[1]),
                 c->variant[0]->name, runs_of(c, 0, text[0]), c->rows,
                 c->rows == 1 ? "" : "s", benchmarks(c),
                 benchmarks(c) == 1 ? "" : "s", 100 * c->margin, level);
}

static void add_remarks(struct document *d, const struct comparison *c)
{
    for (size_t i = 0; i < c->notes; i++)
        if ((c->note[i].kind & NOTE_REMARK) != 0)
            document_add(d, DOCUMENT_NOTE, "%s", c->note[i].text);
}

static void add_differences(struct document *d, const struct comparison *c)
{
    char *text = NULL;
    size_t size;
    FILE *to = given_memory(open_memstream(&text, &size));

    environment_diff(to, c->variant[0], c->variant[1], "differs: ");
    same_library(to, c->variant[0], c->variant[1], "");
    fclose(to);
    document_lines(d, given_memory(text));
}

static const struct row_id *id_of(const struct comparison *c, size_t k)
{
    return c->row[c->class[k].first].id;
}

void comparison_class_table(struct document *d, const struct comparison *c)
{
    struct document_column column[] = {
        { "Benchmark", 0, COLUMN_LEFT },       { "Sizes", 13, COLUMN_LEFT },
        { "Rows", 4, COLUMN_MINOR },           { "Ratio", 8, 0 },
        { "95% interval", 18, COLUMN_JOINED }, { "", 0, COLUMN_LEFT },
    };
    enum { COLUMNS = sizeof column / sizeof *column, OF_CLASS = 2 };
    const size_t columns = COLUMNS - c->sizes.rows;
    char label[CLASS_LABEL], interval[48], note[CLASS_NOTE];

    if (c->sizes.rows) {
        snprintf(column[1].heading, sizeof column[1].heading, "Row");
        memmove(&column[OF_CLASS], &column[OF_CLASS + 1],
                (columns - OF_CLASS) * sizeof *column);
    }
    text_add(column[columns - 1].heading, sizeof column->heading, "%.*s is",
             utf8_within(c->variant[1]->name, 40), c->variant[1]->name);
    document_table(d, column, columns);
    for (size_t k = 0; k < c->classes; k++) {
        const struct comparison_class *of = &c->class[k];

        if (k == 0 || strcmp(id_of(c, k)->place, id_of(c, k - 1)->place) != 0)
            document_group(d, id_of(c, k)->place);
        document_cell(d, "%s", id_of(c, k)->benchmark);
        document_cell(d, "%s", comparison_class_label(c, of, label));
        if (!c->sizes.rows)
            document_cell(d, "%zu", of->end - of->first);
        document_cell(d, "%.3f", of->verdict.ratio.value);
        document_cell(d, "%s",
                      comparison_interval(&of->verdict.ratio, interval));
        document_cell(d, "%s", verdict_word(of->verdict.is));
        document_mark(d, verdict_word(of->verdict.is));
        document_aside(d, comparison_class_note(c, of, note));
    }
}

static void add_answer(struct document *d, const struct comparison *c)
{
    char *answer = comparison_answer(c), *advice = comparison_advice(c);

    document_add(d, DOCUMENT_ANSWER, "%s", answer);
    document_add(d, DOCUMENT_ADVICE, "%s", advice);
    free(answer);
    free(advice);
}

void comparison_say(struct document *d, const struct comparison *c)
{
    add_answer(d, c);
    add_remarks(d, c);
}

/* What the words of the table of classes mean. */
static void explain(struct document *d, const struct comparison *c)
{
    document_add(d, DOCUMENT_NOTE,
                 "ratio: time relative to %s, for bandwidth rows as well; "
                 "above 1 is slower. It is the geometric mean over the rows "
                 "of a class, compared run by run.",
                 c->variant[0]->name);
    document_add(d, DOCUMENT_NOTE,
                 "faster, slower: by more than %g%%, with at most 5%% risk "
                 "that any such verdict of the table is wrong; undecided: "
                 "more runs or a quieter machine are needed.",
                 100 * c->margin);
}

static void begin_rows(struct document *d, const struct comparison *c,
                       const struct row_id *id)
{
    struct document_column column[] = { { "Row", 33, COLUMN_LEFT },
                                        { "", 17, 0 },
                                        { "", 17, 0 },
                                        { "ratio", 8, 0 },
                                        { "95% interval", 18, 0 },
                                        { "", 0, COLUMN_LEFT } };

    for (int k = 0; k < 2; k++)
        snprintf(column[1 + k].heading, sizeof column->heading, "%.*s(%s)",
                 utf8_within(c->variant[k]->name, 20), c->variant[k]->name,
                 id->unit);
    document_add(d, DOCUMENT_HEADING,
                 "%s, %s: %s is better; ratio above 1: slower", id->benchmark,
                 id->place, strcmp(id->unit, "MB/s") == 0 ? "higher" : "lower");
    document_table(d, column, sizeof column / sizeof *column);
}

static void add_rows(struct document *d, const struct comparison *c)
{
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], doubt[120];

        if (is_new_benchmark(c, i))
            begin_rows(d, c, row->id);
        document_cell(d, "%s", row->id->key);
        document_cell(d, "%.2f", row->cell[0]->figure);
        document_cell(d, "%.2f", row->cell[1]->figure);
        document_cell(d, "%.3f", row->ratio.value);
        document_cell(d, "%s", comparison_interval(&row->ratio, text));
        document_cell(d, "%s", "");
        document_aside(d, comparison_doubt(c, row, doubt));
    }
    document_add(d, DOCUMENT_NOTE,
                 "Each row compares the medians of the runs. Its ratio is the "
                 "median over all pairs of runs, not the quotient of the "
                 "columns.");
}

void comparisons_left_out(struct document *d, const struct comparisons *all)
{
    for (size_t i = 0; i < all->left_out.n; i++)
        document_add(d, DOCUMENT_NOTE, "left out, since it failed: %s",
                     all->left_out.text[i]);
}

void comparisons_add(struct document *d, const struct comparisons *all,
                     bool rows)
{
    for (int i = 0; i < all->n; i++) {
        const struct comparison *c = &all->with[i];

        if (c->rows == 0)
            continue;
        add_title(d, c);
        add_differences(d, c);
        add_remarks(d, c);
        comparison_class_table(d, c);
        add_answer(d, c);
        explain(d, c);
        if (rows)
            add_rows(d, c);
    }
    comparisons_left_out(d, all);
}
