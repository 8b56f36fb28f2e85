/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_print.h"

#include <string.h>

#include "markup.h"

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
    if (c->level < verdict_level(0))
        fprintf(to, "; level %g %%, for it was looked before, or may be again",
                100 * c->level);
    fputc('\n', to);
}

/* What all rows come to, in a sentence or two. */
static void sum_up(FILE *to, const struct comparison *c, const char *begin)
{
    const struct comparison_sum sum = comparison_sum_of(c);
    const size_t undecided = sum.of[VERDICT_UNDECIDED];

    fprintf(to,
            "%s%s is faster in %zu rows, slower in %zu, the same in %zu; "
            "%zu undecided\n",
            begin, c->subject[1]->name, sum.of[VERDICT_FASTER],
            sum.of[VERDICT_SLOWER], sum.of[VERDICT_SAME], undecided);
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
                begin, VERDICT_FURTHER_MAX);
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
    const int more = row->verdict.further;
    char words[100] = "";

    if (row->again == COMPARISON_NOT_AGAIN)
        text_add(words, sizeof words, "slower once, times %.3f again",
                 row->ratio_again);
    else if (more != 0)
        text_add(words, sizeof words, "%s%s%s%d more launch%s",
                 leans ? outcome : "", leans ? "; " : "",
                 more < 0 ? "over " : "", more < 0 ? VERDICT_FURTHER_MAX : more,
                 more == 1 ? "" : "es");
    if (comparison_columns_disagree(row))
        text_add_word(words, sizeof words, "; ", "columns disagree", 20);
    snprintf(text, 120, words[0] != '\0' ? " (%s)" : "%s", words);
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

void comparison_print_outcomes(FILE *to, const struct comparison *c,
                               size_t first, size_t end)
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
        comparison_print_outcomes(to, c, i, end);
        fputc('\n', to);
    }
}

/* A line for each row that launches made again were asked about. */
static void confirmed(FILE *to, const struct comparison *c, const char *begin)
{
    static const char *const word[] = {
        [COMPARISON_AGAIN] = "slower again",
        [COMPARISON_NOT_AGAIN] = "not again",
        [COMPARISON_NOT_SEEN] = "slower, and not seen again",
    };

    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];

        if (row->again == COMPARISON_ONCE)
            continue;
        fprintf(to, "%s%s: %s %s %s", begin, word[row->again],
                c->subject[1]->name, row->id.benchmark, row->id.key);
        if (row->again != COMPARISON_NOT_SEEN)
            fprintf(to, " (times %.3f)", row->ratio_again);
        fputc('\n', to);
    }
}

/* "1.091 to 1.110", or "-" without one. */
static const char *interval(const struct verdict *v, char text[48])
{
    if (v->has_interval)
        snprintf(text, 48, "%.3f to %.3f", v->low, v->high);
    else
        snprintf(text, 48, "%s", "-");
    return text;
}

void comparison_text(FILE *to, const struct comparison *c)
{
    head(to, c, "# ");
    environment_diff(to, c->subject[0], c->subject[1], "# differs: ");
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], more[120], unit[2][48];

        if (is_new_benchmark(c, i)) {
            for (int k = 0; k < 2; k++)
                snprintf(unit[k], sizeof unit[k], "%.20s(%s)",
                         c->subject[k]->name, row->id.unit);
            fprintf(to, "\n# %s, %s\n%-33s %17s %17s %8s %18s %8s  %s\n",
                    row->id.benchmark, row->id.place, "# Row", unit[0], unit[1],
                    "times", "95% interval", "p (Holm)", c->subject[1]->name);
        }
        fprintf(to, "%-33s %17.2f %17.2f %8.3f %18s %8.4f  %s%s\n", row->id.key,
                row->figure[0], row->figure[1], row->verdict.ratio,
                interval(&row->verdict, text), row->verdict.p,
                verdict_word(row->verdict.is), further(c, row, more));
    }
    fprintf(to, "\n# What %s is:\n", c->subject[1]->name);
    outcomes(to, c, "# - ");
    fputc('\n', to);
    sum_up(to, c, "# ");
    confirmed(to, c, "# ");
    fputs(
        "# times: what the second takes for what the first does in 1, the median "
        "of all pairs of launches: not the quotient of the columns\n"
        "# by itself: the row's interval says so, but it is one of many rows\n",
        to);
    explain_columns(to, c, "# ");
}

static void markdown(FILE *to, const struct comparison *c)
{
    head(to, c, "## ");
    fputc('\n', to);
    sum_up(to, c, "- ");
    confirmed(to, c, "- ");
    outcomes(to, c, "- ");
    environment_diff(to, c->subject[0], c->subject[1], "- differs: ");
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        char text[48], more[120];

        if (is_new_benchmark(c, i))
            fprintf(to,
                    "\n### %s, %s\n\n| row | %s (%s) | %s (%s) | times | 95%% "
                    "interval | p (Holm) | %s |\n"
                    "|---|---:|---:|---:|---:|---:|---|\n",
                    row->id.benchmark, row->id.place, c->subject[0]->name,
                    row->id.unit, c->subject[1]->name, row->id.unit,
                    c->subject[1]->name);
        fprintf(to, "| %s | %.2f | %.2f | %.3f | %s | %.4f | %s%s |\n",
                row->id.key, row->figure[0], row->figure[1], row->verdict.ratio,
                interval(&row->verdict, text), row->verdict.p,
                verdict_word(row->verdict.is), further(c, row, more));
    }
    explain_columns(to, c, "\n");
}

/* null: it was not looked at again. */
static json_t *again_object(const struct comparison_row *row)
{
    static const char *const word[] = {
        [COMPARISON_AGAIN] = "slower",
        [COMPARISON_NOT_AGAIN] = "not slower",
        [COMPARISON_NOT_SEEN] = "not seen",
    };

    if (row->again == COMPARISON_ONCE)
        return json_null();
    return json_pack("{s:s, s:o}", "is", word[row->again], "ratio",
                     row->again == COMPARISON_NOT_SEEN
                         ? json_null()
                         : json_real(row->ratio_again));
}

static json_t *row_object(const struct comparison_row *row)
{
    const struct verdict *v = &row->verdict;

    return json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:[f, f], s:[I, I], s:f, s:o, s:f, s:f, s:f, s:s, s:o, s:o}",
        "benchmark", row->id.benchmark, "placement", row->id.place, "row",
        row->id.key, "bytes",
        row->id.bytes < 0 ? json_null()
                          : json_integer((json_int_t)row->id.bytes),
        "unit", row->id.unit, "values", row->figure[0], row->figure[1], "runs",
        (json_int_t)row->launches[0], (json_int_t)row->launches[1], "ratio",
        v->ratio, "ci95",
        v->has_interval ? json_pack("[f, f]", v->low, v->high) : json_null(),
        "p_holm", v->p, "p_beyond_margin_holm", v->p_beyond, "superiority",
        v->superiority, "verdict", verdict_word(v->is), "further_runs",
        v->further < 0 ? json_null() : json_integer(v->further), "again",
        again_object(row));
}

static json_t *comparison_object(const struct comparison *c)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < c->rows; i++)
        json_array_append_new(rows, given_memory(row_object(&c->row[i])));
    return json_pack("{s:[s, s], s:f, s:f, s:I, s:o}", "variants",
                     c->subject[0]->name, c->subject[1]->name, "margin",
                     c->margin, "significance_level", c->level,
                     "rows_of_one_variant", (json_int_t)c->lones, "rows", rows);
}

bool comparison_json(FILE *to, const struct comparison *c, int n)
{
    json_t *each = json_array(), *all;
    bool good = true;

    for (int i = 0; i < n; i++)
        good = json_array_append_new(each, comparison_object(&c[i])) == 0 &&
               good; /* a name may be no UTF-8 */
    all = given_memory(
        json_pack("{s:s, s:o}", "suite", "Alidade", "comparisons", each));
    good = good && json_dumpf(all, to, JSON_INDENT(1)) == 0 &&
           fputc('\n', to) != EOF;
    json_decref(all);
    return good;
}

/* A comparison for a CI job. */
static void junit_case(FILE *to, const struct row_id *id)
{
    markup_print(to, "  <testcase classname=\"%s\" name=\"%s: %s",
                 id->benchmark, id->place, id->key);
}

/* Rows that the first has and the other lacks were not measured: an error. */
static void junit_lacking(FILE *to, const struct comparison *c)
{
    for (size_t i = 0; i < c->lones; i++) {
        if (c->lone[i].of != 0)
            continue;
        junit_case(to, &c->lone[i].id);
        markup_print(
            to,
            "\"><error message=\"lacking: %s has no such row\"/></testcase>\n",
            c->subject[1]->name);
    }
}

static void junit_suite(FILE *to, const struct comparison *c)
{
    const struct comparison_sum sum = comparison_sum_of(c);
    size_t errors = 0;
    char text[48];

    for (size_t i = 0; i < c->lones; i++)
        errors += c->lone[i].of == 0;
    markup_print(to, "<testsuite name=\"%s against %s", c->subject[1]->name,
                 c->subject[0]->name);
    fprintf(
        to,
        "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
        c->rows + errors, sum.of[VERDICT_SLOWER], errors,
        sum.of[VERDICT_UNDECIDED]);
    for (size_t i = 0; i < c->rows; i++) {
        const struct comparison_row *row = &c->row[i];
        const bool slower = row->verdict.is == VERDICT_SLOWER;
        const bool undecided = row->verdict.is == VERDICT_UNDECIDED;

        junit_case(to, &row->id);
        if (!slower && !undecided) {
            fputs("\"/>\n", to);
            continue;
        }
        fprintf(to, "\"><%s message=\"%s: times %.3f, 95 %% interval %s",
                slower ? "failure" : "skipped", verdict_word(row->verdict.is),
                row->verdict.ratio, interval(&row->verdict, text));
        if (row->again == COMPARISON_NOT_SEEN)
            fputs("; not seen again", to);
        else if (row->again != COMPARISON_ONCE)
            fprintf(to, "; measured again: times %.3f", row->ratio_again);
        fputs("\"/></testcase>\n", to);
    }
    junit_lacking(to, c);
    fputs("</testsuite>\n", to);
}

bool comparison_markdown(FILE *to, const struct comparison *c, int n)
{
    for (int i = 0; i < n; i++)
        if (c[i].rows > 0)
            markdown(to, &c[i]);
    return !ferror(to);
}

bool comparison_junit(FILE *to, const struct comparison *c, int n)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", to);
    for (int i = 0; i < n; i++)
        junit_suite(to, &c[i]);
    fputs("</testsuites>\n", to);
    return !ferror(to);
}
