/* SPDX-License-Identifier: BSD-3-Clause */
#include "doubtful.h"

#include <string.h>

enum { WORD = 32 }; /* bytes of a reason */

static const json_t *reasons_of(const struct run_row *run)
{
    return json_object_get(run->row, "doubtful");
}

/* How many of the runs give this reason? */
static size_t runs_with(const struct run_row *run, size_t n, const char *reason)
{
    size_t with = 0, k;
    const json_t *other;

    for (size_t i = 0; i < n; i++)
        json_array_foreach(reasons_of(&run[i]), k, other)
        {
            const char *word = json_string_value(other);

            with += word != NULL && strcmp(word, reason) == 0;
        }
    return with;
}

const char *doubtful_row(const struct run_row *run, size_t n)
{
    const char *why = NULL;
    size_t doubtful = 0, most = 0, k;
    const json_t *reason;

    for (size_t i = 0; i < n; i++) {
        doubtful += json_array_size(reasons_of(&run[i])) > 0;
        json_array_foreach(reasons_of(&run[i]), k, reason)
        {
            const char *word = json_string_value(reason);
            const size_t with = word != NULL ? runs_with(run, n, word) : 0;

            if (with > most) {
                most = with;
                why = word;
            }
        }
    }
    return 2 * doubtful >= n ? why : NULL;
}

void doubtful_add(struct doubtful *d, const struct row_id *id, const char *why)
{
    d->rows++;
    if (why == NULL)
        return;
    if (d->n < DOUBTFUL_NAMED)
        d->first[d->n] = *id;
    d->n++;
    if (strstr(d->why, why) == NULL)
        text_add_word(d->why, sizeof d->why, ", ", why, WORD);
}

const char *doubtful_words(const struct doubtful *d, const char *of,
                           char text[WHY])
{
    text[0] = '\0';
    if (d->n == 0)
        return text;
    text_add(text, WHY,
             "%zu of %zu rows of %s say%s little of the machine (%s)", d->n,
             d->rows, of, d->n == 1 ? "s" : "", d->why);
    for (size_t i = 0; i < d->n && i < DOUBTFUL_NAMED; i++)
        text_add(text, WHY, "%s %s %s", i == 0 ? ":" : ",",
                 d->first[i].benchmark, d->first[i].key);
    if (d->n > DOUBTFUL_NAMED)
        text_add(text, WHY, ", and %zu more", d->n - DOUBTFUL_NAMED);
    return text;
}
