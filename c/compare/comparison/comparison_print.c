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
    size_t least = c->row[0].launches[which], most = least;

    for (size_t i = 1; i < c->rows; i++) {
        const size_t n = c->row[i].launches[which];

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
            begin, c->subject[1]->name, runs_of(c, 1, text[1]),
            c->subject[0]->name, runs_of(c, 0, text[0]), c->rows,
            c->rows == 1 ? "" : "s", benchmarks(c),
            benchmarks(c) == 1 ? "" : "s", 100 * c->margin);
    if (c->level < verdict_level(0))
        fprintf(to,
                "; significance level %g%%, as one of several interim analyses",
                100 * c->level);
    fputc('\n', to);
}

/* What all rows come to, in a sentence or two. */
static void sum_up(FILE *to, const struct comparison *c, const char *begin)
{
    const struct verdict_sum sum = comparison_sum_of(c);
    const size_t undecided = sum.of[VERDICT_UNDECIDED];

    fprintf(to,
            "%s%s is faster in %zu rows, slower in %zu, the same in %zu, "
            "undecided in %zu\n",
            begin, c->subject[1]->name, sum.of[VERDICT_FASTER],
            sum.of[VERDICT_SLOWER], sum.of[VERDICT_SAME], undecided);
    if (undecided > 0 && sum.callable == 0)
        fprintf(to,
                "%s%zu run%s of a variant cannot show a difference in %zu "
                "row%s, however large it is: each needs at least %d\n",
                begin, sum.launches, sum.launches == 1 ? "" : "s", c->rows,
                c->rows == 1 ? "" : "s", sum.needed);
    if (undecided > 0 && sum.further > 0)
        fprintf(to,
                "%sabout %d more run%s of each variant would probably decide "
                "half of the undecided rows\n",
                begin, sum.further, sum.further == 1 ? "" : "s");
    if (undecided > 0 && sum.further < 0)
        fprintf(to,
                "%sover %d more runs of each variant would probably be needed "
                "to decide half of the undecided rows\n",
                begin, VERDICT_FURTHER_MAX);
}

static void say_text(void *to, const char *sentence)
{
    fprintf(to, "# %s\n", sentence);
}

static void say_markdown(void *to, const char *sentence)
{
    fprintf(to, "- %s\n", sentence);
}

enum { FURTHER = 240 };

/* After the verdict: "(about 8 more runs)", "(slower before correction; over 100 more
   runs)", "(slower once, ratio 1.002 in the repetition)", "(columns disagree)",
   "(disturbed in new)" */
static const char *further(const struct comparison *c,
                           const struct comparison_row *row, char text[FURTHER])
{
    const char *leaning = comparison_leaning(row, c->margin);
    const int more = row->verdict.further;
    char words[220] = "", doubt[120];

    if (row->again == COMPARISON_NOT_AGAIN)
        text_add(words, sizeof words,
                 "slower once, ratio %.3f in the repetition", row->ratio_again);
    else if (more != 0)
        text_add(words, sizeof words, "%s%s%s %d more run%s",
                 leaning != NULL ? leaning : "",
                 leaning != NULL ? " before correction; " : "",
                 more < 0 ? "over" : "about",
                 more < 0 ? VERDICT_FURTHER_MAX : more, more == 1 ? "" : "s");
    if (comparison_columns_disagree(row))
        text_add_word(words, sizeof words, "; ", "columns disagree", 20);
    if (comparison_doubt(c, row, doubt)[0] != '\0')
        text_add_word(words, sizeof words, "; ", doubt, sizeof doubt);
    snprintf(text, FURTHER, words[0] != '\0' ? " (%s)" : "%s", words);
    return text;
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
            begin, c->subject[0]->name, begin, 100 * c->margin);
}

/* What further words of the tables of rows mean, and of these only what is said of some
   row. */
static void explain_rows(FILE *to, const struct comparison *c,
                         const char *begin)
{
    bool leans = false, disagree = false;

    for (size_t i = 0; i < c->rows; i++) {
        leans |= comparison_leaning(&c->row[i], c->margin) != NULL;
        disagree |= comparison_columns_disagree(&c->row[i]);
    }
    fprintf(to,
            "%sEach row compares the medians of the runs. Its ratio is the "
            "median over all pairs of runs, not the quotient of the "
            "columns.\n",
            begin);
    if (leans)
        fprintf(
            to,
            "%sbefore correction: the row alone would say so, but one of %zu "
            "rows does so easily by chance.\n",
            begin, c->rows);
    if (disagree)
        fprintf(to,
                "%scolumns disagree: their quotient lies outside the interval. "
                "Usually the runs of one variant fall into two groups; trust "
                "the ratio.\n",
                begin);
}

/* "8", "8 to 64", or "all rows" where they have no size */
static void print_sizes(FILE *to, double first, double last)
{
    if (first < 0)
        fputs("all rows", to);
    else if (first == last)
        fprintf(to, "%.0f", first);
    else
        fprintf(to, "%.0f to %.0f", first, last);
}

/* Rows first to end of one table, neighbors alike together: "1 to 64 slower,
   128 undecided". */
static void print_outcomes(FILE *to, const struct comparison *c, size_t first,
                           size_t end)
{
    for (size_t i = first, next; i < end; i = next) {
        const char *outcome = comparison_outcome(&c->row[i], c->margin);

        for (next = i + 1; next < end; next++)
            if (strcmp(comparison_outcome(&c->row[next], c->margin), outcome) !=
                0)
                break;
        fputs(i > first ? ", " : "", to);
        print_sizes(to, c->row[i].id.bytes, c->row[next - 1].id.bytes);
        fprintf(to, " %s", outcome);
    }
}

/* A line for each table. */
static void outcomes(FILE *to, const struct comparison *c, const char *begin)
{
    for (size_t i = 0, end; i < c->rows; i = end) {
        end = comparison_table_end(c, i);
        fprintf(to, "%s%s, %s: ", begin, c->row[i].id.benchmark,
                c->row[i].id.place);
        print_outcomes(to, c, i, end);
        fputc('\n', to);
    }
}

/* A line for each row that was repeated to confirm it. */
static void confirmed(FILE *to, const struct comparison *c, const char *begin)
{
    static const char *const word[] = {
        [COMPARISON_AGAIN] = "confirmed slower",
        [COMPARISON_NOT_AGAIN] = "not confirmed",
        [COMPARISON_NOT_SEEN] = "slower, not measured again",
    };

    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];

        if (row->again == COMPARISON_ONCE)
            continue;
        fprintf(to, "%s%s: %s %s %s", begin, word[row->again],
                c->subject[1]->name, row->id.benchmark, row->id.key);
        if (row->again != COMPARISON_NOT_SEEN)
            fprintf(to, " (ratio %.3f)", row->ratio_again);
        fputc('\n', to);
    }
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
        char text[48], more[FURTHER], unit[2][48];

        if (is_new_benchmark(c, i)) {
            for (int k = 0; k < 2; k++)
                snprintf(unit[k], sizeof unit[k], "%.*s(%s)",
                         utf8_within(c->subject[k]->name, 20),
                         c->subject[k]->name, row->id.unit);
            title(to, &row->id, "# ");
            fprintf(to, "%-33s %17s %17s %8s %18s %8s  %s is\n", "# Row",
                    unit[0], unit[1], "ratio", "95% interval", "p (Holm)",
                    c->subject[1]->name);
        }
        fprintf(to, "%-33s %17.2f %17.2f %8.3f %18s %8.4f  %s%s\n", row->id.key,
                row->figure[0], row->figure[1], row->verdict.ratio,
                comparison_interval(&row->verdict, text), row->verdict.p,
                verdict_word(row->verdict.is), further(c, row, more));
    }
    fprintf(to, "\n# Rows of %s compared with %s:\n", c->subject[1]->name,
            c->subject[0]->name);
    outcomes(to, c, "# - ");
    fputc('\n', to);
    sum_up(to, c, "# ");
    explain_rows(to, c, "# ");
}

void comparison_text(FILE *to, const struct comparison *c, bool rows)
{
    const struct verdict_sum sum = comparison_sum_of(c);

    head(to, c, "# ");
    environment_diff(to, c->subject[0], c->subject[1], "# differs: ");
    same_library(to, c->subject[0], c->subject[1], "# ");
    comparison_remarks(c, say_text, to);
    comparison_answer_text(to, c);
    if (!rows)
        fprintf(to,
                "# single rows, which need more runs: %zu faster, %zu slower, "
                "%zu the same, %zu undecided; --rows prints them\n",
                sum.of[VERDICT_FASTER], sum.of[VERDICT_SLOWER],
                sum.of[VERDICT_SAME], sum.of[VERDICT_UNDECIDED]);
    confirmed(to, c, "# ");
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
    sum_up(to, c, "- ");
    confirmed(to, c, "- ");
    outcomes(to, c, "- ");
    environment_diff(to, c->subject[0], c->subject[1], "- differs: ");
    same_library(to, c->subject[0], c->subject[1], "- ");
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], more[FURTHER];

        if (is_new_benchmark(c, i)) {
            title(to, &row->id, "### ");
            fprintf(to,
                    "\n| row | %s (%s) | %s (%s) | ratio | 95%% interval "
                    "| p (Holm) | %s is |\n"
                    "|---|---:|---:|---:|---:|---:|---|\n",
                    c->subject[0]->name, row->id.unit, c->subject[1]->name,
                    row->id.unit, c->subject[1]->name);
        }
        fprintf(to, "| %s | %.2f | %.2f | %.3f | %s | %.4f | %s%s |\n",
                row->id.key, row->figure[0], row->figure[1], row->verdict.ratio,
                comparison_interval(&row->verdict, text), row->verdict.p,
                verdict_word(row->verdict.is), further(c, row, more));
    }
    fputc('\n', to);
    explain_rows(to, c, "- ");
}

bool comparison_markdown(FILE *to, const struct comparison *c, int n)
{
    for (int i = 0; i < n; i++)
        if (c[i].rows > 0)
            markdown(to, &c[i]);
    return !ferror(to);
}
