/* SPDX-License-Identifier: BSD-3-Clause */
#include "gate.h"

#include <string.h>

enum { NAMED = 5 };

static size_t lacking(FILE *to, const struct comparison *c, const char *begin)
{
    size_t n = 0;

    for (size_t i = 0; i < c->lones; i++) {
        const struct comparison_lone *row = &c->lone[i];

        if (row->of == 0 && n++ < NAMED)
            fprintf(to, "%s%s lacks a row of %s: %s, %s: %s\n", begin,
                    c->subject[1]->name, c->subject[0]->name, row->benchmark,
                    row->place, row->key);
    }
    if (n > NAMED)
        fprintf(to, "%s%s lacks %zu more rows of %s\n", begin,
                c->subject[1]->name, n - NAMED, c->subject[0]->name);
    return n;
}

static size_t wrong_data(FILE *to, const struct subject *s, const char *begin)
{
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        const json_t *row;
        size_t k;

        json_array_foreach(s->document[i].rows, k, row)
        {
            const char *word =
                json_string_value(json_object_get(row, "verified"));
            char key[COMPARISON_KEY];

            if (word == NULL || strcmp(word, "fail") != 0)
                continue;
            document_row_key(row, key, sizeof key);
            if (n++ < NAMED)
                fprintf(to, "%s%s: data were wrong: %s\n", begin,
                        s->document[i].path, key);
        }
    }
    return n;
}

size_t gate_faults(FILE *to, const struct comparison *c, const char *begin)
{
    return lacking(to, c, begin) + wrong_data(to, c->subject[0], begin) +
           wrong_data(to, c->subject[1], begin);
}
