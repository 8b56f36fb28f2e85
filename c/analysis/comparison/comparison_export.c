/* SPDX-License-Identifier: BSD-3-Clause */
#include "comparison_export.h"

#include <stdlib.h>

#include "comparison_answer.h"
#include "comparison_classes.h"
#include "text/markup.h"

/* null: too few runs. */
static json_t *interval_object(const struct time_ratio *r)
{
    return r->has_interval ? json_pack("[f, f]", r->low, r->high) : json_null();
}

static json_t *bytes_object(double bytes)
{
    return bytes < 0 ? json_null() : json_integer((json_int_t)bytes);
}

static json_t *row_object(const struct comparison_row *row, size_t class)
{
    const struct table_cell *a = row->cell[0], *b = row->cell[1];

    return given_memory(json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:[f, f], s:[s?, s?], s:[I, I], s:f, s:o, "
        "s:I}",
        "benchmark", row->id->benchmark, "placement", row->id->place, "row",
        row->id->key, "bytes", bytes_object(row->id->bytes), "unit",
        row->id->unit, "values", a->figure, b->figure, "doubtful", a->doubtful,
        b->doubtful, "runs", (json_int_t)a->runs, (json_int_t)b->runs, "ratio",
        row->ratio.value, "ci95", interval_object(&row->ratio), "class",
        (json_int_t) class));
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
    const struct row_id *id = c->row[of->first].id;
    const struct verdict *v = &of->verdict;
    char label[CLASS_LABEL];

    return given_memory(json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:I, s:I, s:[I, I], s:f, s:o, s:f, s:f, "
        "s:f, s:s, s:o}",
        "benchmark", id->benchmark, "placement", id->place, "sizes",
        comparison_class_label(c, of, label), "above_bytes",
        limit_object(c, of->size - 1), "to_bytes", limit_object(c, of->size),
        "rows", (json_int_t)(of->end - of->first), "doubtful_rows",
        (json_int_t)comparison_class_doubtful(c, of).n, "runs",
        (json_int_t)of->runs[0], (json_int_t)of->runs[1], "ratio",
        v->ratio.value, "ci95", interval_object(&v->ratio), "p_holm", v->p,
        "p_beyond_margin_holm", v->p_beyond, "superiority", v->superiority,
        "verdict", verdict_word(v->is), "further_runs",
        v->further < 0 ? json_null() : json_integer(v->further)));
}

static json_t *comparison_object(const struct comparison *c)
{
    json_t *rows = json_array(), *classes = json_array();
    json_t *remarks = json_array();
    char *answer = comparison_answer(c), *advice = comparison_advice(c);
    json_t *all;

    for (size_t k = 0; k < c->classes; k++) {
        json_array_append_new(classes, class_object(c, &c->class[k]));
        for (size_t i = c->class[k].first; i < c->class[k].end; i++)
            json_array_append_new(rows, row_object(&c->row[i], k));
    }
    for (size_t i = 0; i < c->notes; i++)
        if ((c->note[i].kind & NOTE_REMARK) != 0)
            json_array_append_new(remarks, json_string(c->note[i].text));
    all = json_pack("{s:[s, s], s:f, s:f, s:I, s:o, s:s, s:o, s:o, s:o}",
                    "variants", c->variant[0]->name, c->variant[1]->name,
                    "margin", c->margin, "significance_level", c->level,
                    "rows_of_one_variant", (json_int_t)c->lone, "remarks",
                    remarks, "answer", answer, "advice",
                    json_text(advice[0] != '\0' ? advice : NULL), "classes",
                    classes, "rows", rows);
    free(answer);
    free(advice);
    return all;
}

bool comparison_json(FILE *to, const void *comparisons)
{
    const struct comparisons *of = comparisons;
    json_t *each = json_array(), *left_out = json_array();

    for (size_t i = 0; i < of->left_out.n; i++)
        json_array_append_new(left_out, json_string(of->left_out.text[i]));
    for (int i = 0; i < of->n; i++)
        json_array_append_new(each,
                              given_memory(comparison_object(&of->with[i])));
    return json_print(to, json_pack("{s:s, s:o, s:o}", "suite", "Alidade",
                                    "left_out", left_out, "comparisons", each));
}

/* JUnit has one element of remarks at most, and none that is empty. */
static void junit_remarks(FILE *to, const struct comparison *c)
{
    bool begun = false;

    for (size_t i = 0; i < c->notes; i++)
        if ((c->note[i].kind & NOTE_REMARK) != 0) {
            fputs(begun ? "" : "  <properties>\n", to);
            begun = true;
            markup_print(to, "    <property name=\"remark\" value=\"%s\"/>\n",
                         c->note[i].text);
        }
    fputs(begun ? "  </properties>\n" : "", to);
}

/* What fails a gate besides slower classes: an error each. */
static size_t junit_faults(FILE *to, const struct comparison *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->notes; i++)
        if ((c->note[i].kind & NOTE_FAULT) != 0 && ++n > 0 && to != NULL)
            markup_print(to,
                         "  <testcase classname=\"compare\" name=\"%s\"><error "
                         "message=\"not judged\"/></testcase>\n",
                         c->note[i].text);
    return n;
}

/* The verdict, and the rows as text. */
static void junit_class(FILE *to, const struct comparison *c,
                        const struct comparison_class *of)
{
    const enum verdict_is is = of->verdict.is;
    char label[CLASS_LABEL], text[48], note[CLASS_NOTE];

    markup_print(to, "  <testcase classname=\"%s\" name=\"%s: %s\">",
                 c->row[of->first].id->benchmark, c->row[of->first].id->place,
                 comparison_class_label(c, of, label));
    if (is == VERDICT_SLOWER || is == VERDICT_UNDECIDED) {
        fprintf(to, "<%s message=\"%s: ratio %.3f, 95%% interval %s",
                is == VERDICT_SLOWER ? "failure" : "skipped", verdict_word(is),
                of->verdict.ratio.value,
                comparison_interval(&of->verdict.ratio, text));
        if (comparison_class_note(c, of, note)[0] != '\0')
            markup_print(to, "; %s", note);
        fputs("\"/>", to);
    }
    fputs("<system-out>", to);
    for (size_t i = of->first; i < of->end; i++) {
        const struct comparison_row *row = &c->row[i];

        fputs(i > of->first ? "\n" : "", to);
        markup_print(to, "%s", row->id->key);
        fprintf(to, ": %.2f and %.2f", row->cell[0]->figure,
                row->cell[1]->figure);
        markup_print(to, " %s", row->id->unit);
        fprintf(to, ", ratio %.3f, 95%% interval %s", row->ratio.value,
                comparison_interval(&row->ratio, text));
    }
    fputs("</system-out></testcase>\n", to);
}

static void junit_suite(FILE *to, const struct comparison *c)
{
    const struct verdict_sum sum = comparison_sum_of(c);
    const size_t errors = junit_faults(NULL, c);

    markup_print(to, "<testsuite name=\"%s compared with %s",
                 c->variant[1]->name, c->variant[0]->name);
    fprintf(
        to,
        "\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
        c->classes + errors, sum.of[VERDICT_SLOWER], errors,
        sum.of[VERDICT_UNDECIDED]);
    junit_remarks(to, c);
    for (size_t k = 0; k < c->classes; k++)
        junit_class(to, c, &c->class[k]);
    junit_faults(to, c);
    fputs("</testsuite>\n", to);
}

bool comparison_junit(FILE *to, const void *comparisons)
{
    const struct comparisons *of = comparisons;

    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", to);
    if (of->left_out.n > 0)
        fprintf(to,
                "<testsuite name=\"variants that failed\" tests=\"%zu\" "
                "failures=\"0\" errors=\"%zu\" skipped=\"0\">\n",
                of->left_out.n, of->left_out.n);
    for (size_t i = 0; i < of->left_out.n; i++)
        markup_print(to,
                     "  <testcase classname=\"compare\" name=\"%s\"><error "
                     "message=\"left out, since it failed\"/></testcase>\n",
                     of->left_out.text[i]);
    fputs(of->left_out.n > 0 ? "</testsuite>\n" : "", to);
    for (int i = 0; i < of->n; i++)
        junit_suite(to, &of->with[i]);
    fputs("</testsuites>\n", to);
    return !ferror(to);
}
