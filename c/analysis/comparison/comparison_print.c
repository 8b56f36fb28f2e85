/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_print.h"

#include <string.h>

#include "comparison_answer.h"
#include "results/differences.h"

static bool is_new_benchmark(const struct comparison *c, size_t i)
{
    return i == 0 || !row_id_same_table(&c->row[i].id, &c->row[i - 1].id);
}

static size_t benchmarks(const struct comparison *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->rows; i = comparison_table_end(c, i))
        n++;
    return n;
}

/* "8 runs", "5 to 8 runs" */
static const char *runs_of(const struct comparison *c, int which, char text[64])
{
    size_t least = c->row[0].runs[which], most = least;

    for (size_t i = 1; i < c->rows; i++) {
        const size_t n = c->row[i].runs[which];

        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    if (least < most)
        snprintf(text, 64, "%zu to %zu runs", least, most);
    else
        snprintf(text, 64, "%zu run%s", most, most == 1 ? "" : "s");
    return text;
}

static void head(FILE *to, const struct comparison *c, const char *begin)
{
    char text[2][64];

    fprintf(to,
            "%s%s (%s) compared with the baseline %s (%s): %zu row%s of %zu "
            "benchmark%s; margin %g%%",
            begin, c->variant[1]->name, runs_of(c, 1, text[1]),
            c->variant[0]->name, runs_of(c, 0, text[0]), c->rows,
            c->rows == 1 ? "" : "s", benchmarks(c),
            benchmarks(c) == 1 ? "" : "s", 100 * c->margin);
    if (c->level < verdict_level(0))
        fprintf(to,
                "; significance level %g%%, as one of several interim analyses",
                100 * c->level);
    fputc('\n', to);
}

static void say_text(void *to, const char *sentence)
{
    fprintf(to, "# %s\n", sentence);
}

static void say_markdown(void *to, const char *sentence)
{
    fprintf(to, "- %s\n", sentence);
}

/* What the words of the table of classes mean. */
static void explain(FILE *to, const struct comparison *c, const char *begin)
{
    fprintf(to,
            "%sratio: time relative to %s, of bandwidths too; above 1 is "
            "slower. It is the geometric mean over the rows of a class, "
            "compared run by run.\n"
            "%sFaster and slower differ by more than %g%% and hardly by "
            "chance; undecided needs more runs or a quieter machine.\n",
            begin, c->variant[0]->name, begin, 100 * c->margin);
}

static void explain_rows(FILE *to, const char *begin)
{
    fprintf(to,
            "%sEach row compares the medians of the runs. Its ratio is the "
            "median over all pairs of runs, not the quotient of the "
            "columns.\n",
            begin);
}

/* What stands above a table: which way is better. */
static void title(FILE *to, const struct row_id *id, const char *begin)
{
    fprintf(to, "\n%s%s, %s: %s is better; ratio above 1: slower\n", begin,
            id->benchmark, id->place,
            strcmp(id->unit, "MB/s") == 0 ? "higher" : "lower");
}

static void row_tables(FILE *to, const struct comparison *c)
{
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], doubt[120], unit[2][48];

        if (is_new_benchmark(c, i)) {
            for (int k = 0; k < 2; k++)
                snprintf(unit[k], sizeof unit[k], "%.*s(%s)",
                         utf8_within(c->variant[k]->name, 20),
                         c->variant[k]->name, row->id.unit);
            title(to, &row->id, "# ");
            fprintf(to, "%-33s %17s %17s %8s %18s\n", "# Row", unit[0], unit[1],
                    "ratio", "95% interval");
        }
        fprintf(to, "%-33s %17.2f %17.2f %8.3f %18s", row->id.key,
                row->figure[0], row->figure[1], row->ratio.value,
                comparison_interval(&row->ratio, text));
        if (comparison_doubt(c, row, doubt)[0] != '\0')
            fprintf(to, "  (%s)", doubt);
        fputc('\n', to);
    }
    fputc('\n', to);
    explain_rows(to, "# ");
}

void comparison_text(FILE *to, const struct comparison *c, bool rows)
{
    head(to, c, "# ");
    environment_diff(to, c->variant[0], c->variant[1], "# differs: ");
    same_library(to, c->variant[0], c->variant[1], "# ");
    comparison_remarks(c, say_text, to);
    comparison_answer_text(to, c);
    explain(to, c, "# ");
    if (rows)
        row_tables(to, c);
}

static void markdown(FILE *to, const struct comparison *c)
{
    head(to, c, "## ");
    fputc('\n', to);
    comparison_answer_markdown(to, c);
    comparison_remarks(c, say_markdown, to);
    explain(to, c, "- ");
    environment_diff(to, c->variant[0], c->variant[1], "- differs: ");
    same_library(to, c->variant[0], c->variant[1], "- ");
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], doubt[120];

        if (is_new_benchmark(c, i)) {
            title(to, &row->id, "### ");
            fprintf(to,
                    "\n| row | %s (%s) | %s (%s) | ratio | 95%% interval "
                    "| doubt |\n|---|---:|---:|---:|---:|---|\n",
                    c->variant[0]->name, row->id.unit, c->variant[1]->name,
                    row->id.unit);
        }
        fprintf(to, "| %s | %.2f | %.2f | %.3f | %s | %s |\n", row->id.key,
                row->figure[0], row->figure[1], row->ratio.value,
                comparison_interval(&row->ratio, text),
                comparison_doubt(c, row, doubt));
    }
    fputc('\n', to);
    explain_rows(to, "- ");
}

bool comparison_markdown(FILE *to, const void *comparisons)
{
    const struct comparisons *all = comparisons;

    for (int i = 0; i < all->n; i++)
        if (all->with[i].rows > 0)
            markdown(to, &all->with[i]);
    return !ferror(to);
}
