/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_export.h"

#include "markup.h"

/* null: it was not repeated. */
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
            "\"><error message=\"missing: %s has no such row\"/></testcase>\n",
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
    markup_print(to, "<testsuite name=\"%s compared with %s",
                 c->subject[1]->name, c->subject[0]->name);
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
        fprintf(to, "\"><%s message=\"%s: ratio %.3f, 95%% interval %s",
                slower ? "failure" : "skipped", verdict_word(row->verdict.is),
                row->verdict.ratio, comparison_interval(&row->verdict, text));
        if (row->again == COMPARISON_NOT_SEEN)
            fputs("; not measured again", to);
        else if (row->again != COMPARISON_ONCE)
            fprintf(to, "; measured again: ratio %.3f", row->ratio_again);
        fputs("\"/></testcase>\n", to);
    }
    junit_lacking(to, c);
    fputs("</testsuite>\n", to);
}

bool comparison_junit(FILE *to, const struct comparison *c, int n)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", to);
    for (int i = 0; i < n; i++)
        junit_suite(to, &c[i]);
    fputs("</testsuites>\n", to);
    return !ferror(to);
}
