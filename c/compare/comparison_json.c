/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison for machines: comparison_print.h. */
#include "comparison_print.h"

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
    const struct judgement *j = &row->is;

    return json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:[f, f], s:[I, I], s:f, s:o, s:f, s:f, s:f, s:s, s:o, s:o}",
        "benchmark", row->benchmark, "place", row->place, "row", row->key,
        "bytes",
        row->bytes < 0 ? json_null() : json_integer((json_int_t)row->bytes),
        "unit", row->unit, "figures", row->figure[0], row->figure[1],
        "launches", (json_int_t)row->launches[0], (json_int_t)row->launches[1],
        "ratio", j->ratio, "ci95",
        j->has_interval ? json_pack("[f, f]", j->low, j->high) : json_null(),
        "p_holm", j->p, "p_beyond_margin_holm", j->p_beyond, "superiority",
        j->superiority, "verdict", judged_word(j->verdict), "further",
        j->further < 0 ? json_null() : json_integer(j->further), "again",
        again_object(row));
}

static json_t *comparison_object(const struct comparison *c)
{
    json_t *rows = json_array();
    bool good = true;

    for (size_t i = 0; i < c->rows; i++)
        good = json_array_append_new(rows, row_object(&c->row[i])) == 0 && good;
    if (!good) {
        json_decref(rows);
        return NULL;
    }
    return json_pack("{s:[s, s], s:f, s:f, s:I, s:o}", "subjects",
                     c->subject[0]->name, c->subject[1]->name, "margin",
                     c->margin, "level", c->level, "rows_on_one_side",
                     (json_int_t)c->lones, "rows", rows);
}

bool comparison_json(FILE *to, const struct comparison *c, int n)
{
    json_t *each = json_array(), *all;
    bool good = true;

    for (int i = 0; i < n; i++)
        good =
            json_array_append_new(each, comparison_object(&c[i])) == 0 && good;
    all = json_pack("{s:s, s:o}", "suite", "Alidade", "comparisons", each);
    good = good && all != NULL && json_dumpf(all, to, JSON_INDENT(1)) == 0 &&
           fputc('\n', to) != EOF;
    json_decref(all);
    return good;
}
