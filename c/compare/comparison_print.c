/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_print.h"

#include <string.h>

#include "second_look.h"

static bool is_new_benchmark(const struct comparison *c, size_t i)
{
    return i == 0 ||
           strcmp(c->row[i].benchmark, c->row[i - 1].benchmark) != 0 ||
           strcmp(c->row[i].place, c->row[i - 1].place) != 0;
}

static size_t benchmarks(const struct comparison *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->rows; i++)
        n += is_new_benchmark(c, i);
    return n;
}

/* "8 launches", "5 to 8 launches" */
static const char *launches(const struct comparison *c, int which,
                            char text[64])
{
    size_t least = c->row[0].launches[which], most = least;

    for (size_t i = 1; i < c->rows; i++) {
        const size_t n = c->row[i].launches[which];

        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    if (least < most)
        snprintf(text, 64, "%zu to %zu launches", least, most);
    else
        snprintf(text, 64, "%zu launch%s", most, most == 1 ? "" : "es");
    return text;
}

static void head(FILE *to, const struct comparison *c, const char *begin)
{
    char text[2][64];

    fprintf(to,
            "%s%s (%s) against %s (%s): %zu rows of %zu benchmark%s; margin "
            "%g %%",
            begin, c->subject[1]->name, launches(c, 1, text[1]),
            c->subject[0]->name, launches(c, 0, text[0]), c->rows,
            benchmarks(c), benchmarks(c) == 1 ? "" : "s", 100 * c->margin);
    if (c->level < judgement_level(0))
        fprintf(to, "; level %g %%, for it was looked before, or may be again",
                100 * c->level);
    fputc('\n', to);
}

/* What all rows come to, in a sentence or two. */
static void sum_up(FILE *to, const struct comparison *c, const char *begin)
{
    const struct comparison_sum sum = comparison_sum_of(c);
    const size_t undecided = sum.of[JUDGED_UNDECIDED];

    fprintf(to,
            "%s%s is faster in %zu rows, slower in %zu, the same in %zu; "
            "%zu undecided\n",
            begin, c->subject[1]->name, sum.of[JUDGED_FASTER],
            sum.of[JUDGED_SLOWER], sum.of[JUDGED_SAME], undecided);
    if (undecided > 0 && sum.callable == 0)
        fprintf(to,
                "%s%zu launch%s a side cannot call any of %zu rows faster or "
                "slower, however far apart: it takes %d\n",
                begin, sum.launches, sum.launches == 1 ? "" : "es", c->rows,
                sum.needed);
    if (undecided > 0 && sum.further > 0)
        fprintf(to,
                "%s%d further launch%s of each would probably decide half of "
                "these\n",
                begin, sum.further, sum.further == 1 ? "" : "es");
    if (undecided > 0 && sum.further < 0)
        fprintf(to,
                "%sto decide half of these would probably take over %d further "
                "launches of each\n",
                begin, JUDGED_FURTHER_MAX);
    if (c->lones > 0)
        fprintf(to, "%s%zu rows are there on one side only\n", begin, c->lones);
}

/* Behind the verdict: "(8 more launches)", "(by itself slower; over 100 more launches)",
   "(slower once, times 1.002 again)", "(columns disagree)" */
static const char *further(const struct comparison *c,
                           const struct comparison_row *row, char text[120])
{
    const char *outcome = comparison_outcome(row, c->margin);
    const bool leans = strncmp(outcome, "by itself", 9) == 0;
    char more[80] = "";

    if (row->again == COMPARISON_NOT_AGAIN)
        snprintf(more, sizeof more, "slower once, times %.3f again",
                 row->ratio_again);
    else if (row->is.further != 0)
        snprintf(more, sizeof more, "%s%s%s%d more launch%s",
                 leans ? outcome : "", leans ? "; " : "",
                 row->is.further < 0 ? "over " : "",
                 row->is.further < 0 ? JUDGED_FURTHER_MAX : row->is.further,
                 row->is.further == 1 ? "" : "es");
    text[0] = '\0';
    if (comparison_columns_disagree(row))
        snprintf(text, 120, " (%s%scolumns disagree)", more,
                 more[0] != '\0' ? "; " : "");
    else if (more[0] != '\0')
        snprintf(text, 120, " (%s)", more);
    return text;
}

/* Once below a table, if it is said of some row. */
static void explain_columns(FILE *to, const struct comparison *c,
                            const char *begin)
{
    for (size_t i = 0; i < c->rows; i++)
        if (comparison_columns_disagree(&c->row[i])) {
            fprintf(to,
                    "%scolumns disagree: their quotient lies outside the "
                    "interval, since launches of one side differ among "
                    "themselves, as where they fall into two groups\n",
                    begin);
            return;
        }
}

/* A line for each table. */
static void outcomes(FILE *to, const struct comparison *c, const char *begin)
{
    for (size_t i = 0, end; i < c->rows; i = end) {
        end = comparison_table_end(c, i);
        fprintf(to, "%s%s, %s: ", begin, c->row[i].benchmark, c->row[i].place);
        comparison_print_outcomes(to, c, i, end);
        fputc('\n', to);
    }
}

const char *comparison_interval(const struct judgement *j, char text[48])
{
    if (j->has_interval)
        snprintf(text, 48, "%.3f to %.3f", j->low, j->high);
    else
        snprintf(text, 48, "%s", "-");
    return text;
}

void comparison_text(FILE *to, const struct comparison *c)
{
    head(to, c, "# ");
    comparison_environment(to, c->subject[0], c->subject[1], "# differs: ");
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], more[120], unit[2][48];

        if (is_new_benchmark(c, i)) {
            for (int k = 0; k < 2; k++)
                snprintf(unit[k], sizeof unit[k], "%.20s(%s)",
                         c->subject[k]->name, row->unit);
            fprintf(to, "\n# %s, %s\n%-33s %17s %17s %8s %18s %8s  %s\n",
                    row->benchmark, row->place, "# Row", unit[0], unit[1],
                    "times", "95% interval", "p (Holm)", c->subject[1]->name);
        }
        fprintf(to, "%-33s %17.2f %17.2f %8.3f %18s %8.4f  %s%s\n", row->key,
                row->figure[0], row->figure[1], row->is.ratio,
                comparison_interval(&row->is, text), row->is.p,
                judged_word(row->is.verdict), further(c, row, more));
    }
    fprintf(to, "\n# What %s is:\n", c->subject[1]->name);
    outcomes(to, c, "# - ");
    fputc('\n', to);
    sum_up(to, c, "# ");
    second_look_print(to, c, "# ");
    fputs(
        "# times: what the second takes for what the first does in 1, the median "
        "of all pairs of launches: not the quotient of the columns\n"
        "# by itself: the row's interval says so, but it is one of many rows\n",
        to);
    explain_columns(to, c, "# ");
}

void comparison_markdown(FILE *to, const struct comparison *c)
{
    head(to, c, "## ");
    fputc('\n', to);
    sum_up(to, c, "- ");
    second_look_print(to, c, "- ");
    outcomes(to, c, "- ");
    comparison_environment(to, c->subject[0], c->subject[1], "- differs: ");
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], more[120];

        if (is_new_benchmark(c, i))
            fprintf(to,
                    "\n### %s, %s\n\n| row | %s (%s) | %s (%s) | times | 95%% "
                    "interval | p (Holm) | %s |\n"
                    "|---|---:|---:|---:|---:|---:|---|\n",
                    row->benchmark, row->place, c->subject[0]->name, row->unit,
                    c->subject[1]->name, row->unit, c->subject[1]->name);
        fprintf(to, "| %s | %.2f | %.2f | %.3f | %s | %.4f | %s%s |\n",
                row->key, row->figure[0], row->figure[1], row->is.ratio,
                comparison_interval(&row->is, text), row->is.p,
                judged_word(row->is.verdict), further(c, row, more));
    }
    explain_columns(to, c, "\n");
}
