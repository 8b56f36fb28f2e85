/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_export.h"

#include <stdlib.h>

#include "comparison_answer.h"
#include "comparison_classes.h"
#include "comparison_gaps.h"
#include "text/markup.h"

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

/* What rows and classes have in common: their runs, and the verdict on these. */
static json_t *verdict_object(const struct verdict *v, const size_t launches[2])
{
    return given_memory(json_pack(
        "{s:[I, I], s:f, s:o, s:f, s:f, s:f, s:s, s:o}", "runs",
        (json_int_t)launches[0], (json_int_t)launches[1], "ratio", v->ratio,
        "ci95",
        v->has_interval ? json_pack("[f, f]", v->low, v->high) : json_null(),
        "p_holm", v->p, "p_beyond_margin_holm", v->p_beyond, "superiority",
        v->superiority, "verdict", verdict_word(v->is), "further_runs",
        v->further < 0 ? json_null() : json_integer(v->further)));
}

/* object, and after its own the fields of the verdict and of again. */
static json_t *with_verdict(json_t *object, const struct verdict *v,
                            const size_t launches[2], json_t *again)
{
    json_t *fields = verdict_object(v, launches);

    json_object_update(given_memory(object), fields);
    json_object_set_new(object, "again", again);
    json_decref(fields);
    return object;
}

static json_t *row_object(const struct comparison_row *row)
{
    return with_verdict(
        json_pack("{s:s, s:s, s:s, s:o, s:s, s:[f, f], s:[s?, s?]}",
                  "benchmark", row->id.benchmark, "placement", row->id.place,
                  "row", row->id.key, "bytes",
                  row->id.bytes < 0 ? json_null()
                                    : json_integer((json_int_t)row->id.bytes),
                  "unit", row->id.unit, "values", row->figure[0],
                  row->figure[1], "doubtful", row->doubtful[0],
                  row->doubtful[1]),
        &row->verdict, row->launches, again_object(row));
}

/* The end of a size class; null: none. */
static json_t *limit_object(const struct comparison *c, int k)
{
    return k >= 0 && k < c->sizes.n
               ? json_integer((json_int_t)c->sizes.limit[k])
               : json_null();
}

static json_t *class_object(const struct comparison *c,
                            const struct comparison_class *of)
{
    const struct row_id *id = &c->row[of->first].id;
    char label[80];

    return with_verdict(
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:I, s:I}", "benchmark",
                  id->benchmark, "placement", id->place, "sizes",
                  comparison_class_label(c, of, label), "above_bytes",
                  limit_object(c, of->size - 1), "to_bytes",
                  limit_object(c, of->size), "rows",
                  (json_int_t)(of->end - of->first), "doubtful_rows",
                  (json_int_t)comparison_class_doubtful(c, of).n),
        &of->verdict, of->launches,
        of->not_again ? json_string("not slower") : json_null());
}

static void append(void *array, const char *sentence)
{
    json_array_append_new(array, json_string(sentence));
}

/* Rows that one variant has and the other lacks. */
static json_int_t lone_rows(const struct comparison *c)
{
    json_int_t n = 0;

    for (size_t i = 0; i < c->lones; i++)
        n += c->lone[i].lacks[0] == NULL || c->lone[i].lacks[1] == NULL;
    return n;
}

static json_t *comparison_object(const struct comparison *c)
{
    json_t *rows = json_array(), *classes = json_array();
    json_t *remarks = json_array();
    char *answer = comparison_answer(c);
    json_t *all;

    for (size_t i = 0; i < c->rows; i++)
        json_array_append_new(rows, row_object(&c->row[i]));
    for (size_t k = 0; k < c->classes; k++)
        json_array_append_new(classes, class_object(c, &c->class[k]));
    comparison_remarks(c, append, remarks);
    all = json_pack("{s:[s, s], s:f, s:f, s:I, s:o, s:s, s:o, s:o}", "variants",
                    c->subject[0]->name, c->subject[1]->name, "margin",
                    c->margin, "significance_level", c->level,
                    "rows_of_one_variant", lone_rows(c), "remarks", remarks,
                    "answer", answer, "classes", classes, "rows", rows);
    free(answer);
    return all;
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

/* What was not compared: an error. */
static void junit_lacking(FILE *to, const struct comparison *c)
{
    char words[240];

    for (size_t i = 0; i < c->lones; i++) {
        junit_case(to, &c->lone[i].id);
        markup_print(to,
                     "\"><error message=\"not compared: %s\"/></testcase>\n",
                     comparison_gap_words(c, &c->lone[i], words));
    }
}

/* Variants that failed: an error each. */
static void junit_left_out(FILE *to, const struct comparison *c)
{
    for (int i = 0; i < c->how->left_outs; i++)
        markup_print(to,
                     "  <testcase classname=\"variants\" name=\"%s\"><error "
                     "message=\"left out, since it failed\"/></testcase>\n",
                     c->how->left_out[i]);
}

/* The element of all remarks: JUnit has one at most, and none that is empty. */
struct properties {
    FILE *to;
    bool begun;
};

static void junit_remark(void *data, const char *sentence)
{
    struct properties *all = data;

    if (!all->begun)
        fputs("  <properties>\n", all->to);
    all->begun = true;
    markup_print(all->to, "    <property name=\"remark\" value=\"%s\"/>\n",
                 sentence);
}

static void junit_remarks(FILE *to, const struct comparison *c)
{
    struct properties all = { .to = to };

    comparison_remarks(c, junit_remark, &all);
    if (all.begun)
        fputs("  </properties>\n", to);
}

static void junit_suite(FILE *to, const struct comparison *c)
{
    const struct verdict_sum sum = comparison_sum_of(c);
    const size_t errors = c->lones + (size_t)c->how->left_outs;
    char text[48], doubt[120];

    markup_print(to, "<testsuite name=\"%s compared with %s",
                 c->subject[1]->name, c->subject[0]->name);
    fprintf(
        to,
        "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
        c->rows + errors, sum.of[VERDICT_SLOWER], errors,
        sum.of[VERDICT_UNDECIDED]);
    junit_remarks(to, c);
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
        if (comparison_doubt(c, row, doubt)[0] != '\0')
            markup_print(to, "; %s", doubt);
        fputs("\"/></testcase>\n", to);
    }
    junit_lacking(to, c);
    junit_left_out(to, c);
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
