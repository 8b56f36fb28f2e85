/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of all pairs, and who is slow, as a row of JSON has them. */
#include "pair_times.h"
#include "record/record.h"

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#ifdef HAVE_JANSSON
#    include <jansson.h>

enum { WHOLE_MATRIX = 64 }; /* ranks; of more it is kept with --raw */

static json_t *locality_of(const struct pairwise *p)
{
    json_t *paths = json_array();

    for (int kind = 0; kind < PATHS; kind++)
        if (p->path[kind].pairs > 0)
            json_array_append_new(
                paths,
                json_pack("{s:s, s:I, s:o, s:o}", "path", path_names[kind],
                          "pairs", (json_int_t)p->path[kind].pairs, "usual_us",
                          record_number(1e6 * p->path[kind].usual),
                          "slow_from_us",
                          record_number(1e6 * p->path[kind].usual *
                                        p->path[kind].slow)));
    return paths;
}

static json_t *slow_of(const struct pairwise *p, const struct matrix_times *all)
{
    json_t *found = json_array();

    for (int i = 0; i < p->found; i++) {
        const struct pairwise_slow *s = &p->slow[i];

        json_array_append_new(
            found,
            json_pack("{s:i, s:s, s:o, s:b, s:s, s:f, s:i, s:i}", "rank",
                      s->rank, "host", all->host[s->rank], "partner",
                      s->partner >= 0 ? json_integer(s->partner) : json_null(),
                      "whole_node", s->node > 0, "path", path_names[s->path],
                      "times", s->times, "above", s->above, "of_pairs",
                      s->pairs));
    }
    return found;
}

static json_t *matrix_of(const struct matrix_times *all)
{
    json_t *rows = json_array();

    for (int i = 0; i < all->ranks; i++) {
        json_t *row = json_array();

        for (int j = 0; j < all->ranks; j++)
            json_array_append_new(
                row, i == j
                         ? json_null()
                         : record_number(1e6 * all->time[i * all->ranks + j]));
        json_array_append_new(rows, row);
    }
    return rows;
}

void *record_pairs(const struct settings *s, const struct pairwise *judged,
                   const struct matrix_times *all)
{
    return json_pack("{s:o, s:o, s:I, s:o}", "paths", locality_of(judged), "slow",
                     slow_of(judged, all), "left_out",
                     (json_int_t)judged->left_over, "matrix_us",
                     all->ranks <= WHOLE_MATRIX || s->raw ? matrix_of(all)
                                                          : json_null());
}
#endif
