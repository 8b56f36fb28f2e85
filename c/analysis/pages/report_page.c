/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_page.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "comparison/comparison_print.h"
#include "distribution.h"
#include "heat_map.h"
#include "plot.h"
#include "report_rows.h"
#include "results/differences.h"
#include "results/facts.h"
#include "stats/stats.h"
#include "text/markup.h"
#include "text/page.h"

enum {
    TIMELINE_RUNS = 3, /* the least to show */
    DISTRIBUTIONS = 4  /* rows of a section that have one, at most */
};

/* Print a document that was made for this place. */
static void put(FILE *to, struct document *d)
{
    document_html(to, d);
    document_release(d);
}

/* --- The first screen -------------------------------------------------------------- */

static void compared(FILE *to, const struct comparison *c,
                     const struct row_table *t)
{
    struct document said = { .n = 0 }, classes = { .n = 0 };

    comparison_say(&said, c);
    comparison_class_table(&classes, c);
    put(to, &said);
    fputs("<div class=\"first\">\n", to);
    put(to, &classes);
    plot_ratios(to, t, c);
    fputs("</div>\n", to);
}

static void compare_all(FILE *to, const struct report *r)
{
    struct document d = { .n = 0 };

    comparisons_left_out(&d, &r->all);
    put(to, &d);
    for (int i = 0; i < r->all.n; i++)
        if (r->all.with[i].rows > 0) {
            compared(to, &r->all.with[i], r->table);
            document_release(&d);
            document_add(&d, DOCUMENT_NOTE,
                         "Compared with the baseline %s, run by run, with a "
                         "margin of %g%%.",
                         r->table->variant[0].name,
                         100 * r->all.with[i].margin);
        } else {
            markup_print(to, "<p class=\"note\"><strong>%s</strong>: %s</p>\n",
                         r->table->variant[i + 1].name, r->why[i]);
        }
    put(to, &d);
}

/* How far the runs of a typical row lie apart; 0: there is one run of each. */
static double usual_range(const struct row_table *t)
{
    double *range = given_memory(malloc((t->rows + 1) * sizeof *range)), usual;

    for (size_t i = 0; i < t->rows; i++)
        range[i] = t->row[i].cell[0].high / t->row[i].cell[0].low - 1;
    usual = stats_median(range, t->rows);
    free(range);
    return usual;
}

/* What there is, of one variant. */
static void say_alone(FILE *to, const struct row_table *t)
{
    const struct doubtful doubtful = doubtful_rows(t, 0);
    const char *name = t->variant[0].name;
    struct document d = { .n = 0 };
    char benchmarks[200] = "", words[WHY], apart[80] = "";
    size_t next;

    for (size_t i = 0; i < t->rows; i = next) {
        next = row_table_next_benchmark(t, i);
        text_add_word(benchmarks, sizeof benchmarks,
                      next == t->rows ? " and " : ", ", t->row[i].id.benchmark,
                      VARIANT_NAME);
    }
    if (usual_range(t) > 0)
        snprintf(apart, sizeof apart,
                 "; the runs of a typical row differ by %.2g%%",
                 100 * usual_range(t));
    document_add(&d, DOCUMENT_ANSWER,
                 "%s has %zu run%s of %s, with %zu row%s%s.", name,
                 t->variant[0].n, t->variant[0].n == 1 ? "" : "s", benchmarks,
                 t->rows, t->rows == 1 ? "" : "s", apart);
    document_add(&d, DOCUMENT_NOTE, "%s",
                 doubtful_words(&doubtful, name, words));
    put(to, &d);
}

/* All pairs of the smallest and of the largest message. */
static void heat_maps(FILE *to, const struct row_table *t, size_t first,
                      size_t end)
{
    for (size_t i = first; i<end; i += end - first> 1 ? end - first - 1 : 1)
        for (int k = 0; k < t->variants; k++)
            heat_map(to, &t->row[i].id, &t->row[i].cell[k], t->variant[k].name);
}

/* The samples of the first rows, in files of --raw. */
static void distributions(FILE *to, const struct row_table *t, size_t first,
                          size_t end)
{
    for (size_t i = first; i < end && i < first + DISTRIBUTIONS; i++)
        for (int k = 0; k < t->variants; k++)
            distribution(to, &t->row[i].id, &t->row[i].cell[k],
                         t->variant[k].name);
}

static void section(FILE *to, const struct report *r, size_t first, size_t end)
{
    const struct row_id *id = &r->table->row[first].id;
    struct document d = { .n = 0 };

    markup_print(to, "<section>\n<h2>%s <small>(%s)</small></h2>\n",
                 id->benchmark, id->place);
    plot_curves(to, r->table, first, end);
    report_rows(&d, r, first, end);
    put(to, &d);
    heat_maps(to, r->table, first, end);
    distributions(to, r->table, first, end);
    fputs("</section>\n", to);
}

/* --- Over time --------------------------------------------------------------------- */

static void over_time(FILE *to, const struct row_table *t)
{
    struct document d = { .n = 0 };
    struct timeline over;
    double last = 0;

    timeline_make(&over, t);
    for (size_t i = 0; i < over.n; i++)
        last = fmax(last, over.run[i].seconds);
    for (int k = 0; k < t->variants; k++)
        if (timeline_drifts(&over, k))
            document_add(&d, DOCUMENT_NOTE,
                         "%s: the last third of the runs took %.3f times as "
                         "long as the first (p = %.2g): the machine changed "
                         "meanwhile.",
                         t->variant[k].name, over.trend[k].ratio,
                         over.trend[k].p);
    if (over.n >= TIMELINE_RUNS && last > 0) {
        fputs("<section>\n<h2>Over time</h2>\n", to);
        plot_timeline(to, &over, t->variant);
        document_html(to, &d);
        fputs("</section>\n", to);
    }
    document_release(&d);
    timeline_release(&over);
}

/* --- What was measured ------------------------------------------------------------- */

static void add_facts(struct document *d, const struct row_table *t)
{
    struct document_column column[1 + VARIANTS] = { { "", 0, COLUMN_LEFT } };

    for (int k = 0; k < t->variants; k++) {
        column[k + 1].kind = COLUMN_LEFT;
        text_add(column[k + 1].heading, sizeof column->heading, "%s",
                 t->variant[k].name);
    }
    document_table(d, column, 1 + (size_t)t->variants);
    document_cell(d, "Result files");
    for (int k = 0; k < t->variants; k++)
        document_cell(d, "%zu", t->variant[k].n);
    for (size_t i = 0; i < facts_of_runs; i++) {
        char *value[VARIANTS];
        bool any = false;

        for (int k = 0; k < t->variants; k++) {
            value[k] = fact_of_variant(&t->variant[k], &facts[i]);
            any = any || value[k][0] != '\0';
        }
        if (any)
            document_cell(d, "%c%s", toupper((unsigned char)facts[i].label[0]),
                          facts[i].label + 1);
        for (int k = 0; k < t->variants; k++) {
            if (any)
                document_cell(d, "%s", value[k]);
            if (any && (facts[i].kind & FACT_FREE) == 0 &&
                strcmp(value[k], value[0]) != 0)
                document_mark(d, "differs");
        }
        for (int k = 0; k < t->variants; k++)
            free(value[k]);
    }
}

/* What else differs from the first variant: variables and library files, too. */
static void add_differences(struct document *d, const struct row_table *t,
                            int k)
{
    char *text = NULL;
    size_t length;
    FILE *lines = given_memory(open_memstream(&text, &length));

    environment_diff(lines, &t->variant[0], &t->variant[k], "");
    same_library(lines, &t->variant[0], &t->variant[k], "");
    fclose(lines);
    if (length > 0)
        document_add(d, DOCUMENT_NOTE,
                     "%s, compared with %s:", t->variant[k].name,
                     t->variant[0].name);
    document_lines(d, given_memory(text));
}

/* "new compared with old", "a, b compared with old" */
static void begin(FILE *to, const struct report *r)
{
    const struct row_table *t = r->table;
    char title[VARIANTS * (VARIANT_NAME + 2) + 20] = "";

    for (int k = 1; k < t->variants; k++)
        text_add_word(title, sizeof title, ", ", t->variant[k].name,
                      VARIANT_NAME);
    text_add(title, sizeof title, "%s%s",
             t->variants > 1 ? " compared with " : "", t->variant[0].name);
    page_begin(to, r->title != NULL ? r->title : title);
}

bool report_page(FILE *to, const void *report)
{
    const struct report *r = report;
    const struct row_table *t = r->table;
    struct document d = { .n = 0 };
    size_t end;

    begin(to, r);
    if (r->answer != NULL)
        document_html(to, r->answer);
    else if (t->variants == 1)
        say_alone(to, t);
    compare_all(to, r);
    for (size_t i = 0; i < t->rows; i = row_table_next_benchmark(t, i))
        report_places(&d, t, i, row_table_next_benchmark(t, i));
    put(to, &d);
    for (size_t i = 0; i < t->rows; i = end) {
        end = row_table_next(t, i);
        section(to, r, i, end);
    }
    over_time(to, t);
    document_add(&d, DOCUMENT_HEADING, "What was measured");
    add_facts(&d, t);
    for (int k = 1; k < t->variants; k++)
        add_differences(&d, t, k);
    put(to, &d);
    if (r->rules != NULL)
        document_html(to, r->rules);
    page_end(to);
    return true;
}
