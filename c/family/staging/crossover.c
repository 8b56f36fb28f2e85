/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossover.h"

#include <math.h>

#include "run/sweep.h"

/* The quickest row of that size, of operations from first to last; NULL: none. */
static const struct row *best(const struct sweep *s, size_t bytes, int first,
                              int last)
{
    const struct row *found = NULL;

    for (int i = 0; i < s->rows; i++) {
        const struct row *row = &s->row[i];

        if (row->bytes == bytes && row->operation >= first &&
            row->operation <= last && row->median_s > 0 &&
            (found == NULL || row->median_s < found->median_s))
            found = row;
    }
    return found;
}

/* Are the medians farther apart than both may be wrong? */
static bool differ(const struct row *a, const struct row *b)
{
    return fabs(a->median_s - b->median_s) > a->error_s + b->error_s;
}

/* The row of MPI's own path of the next larger size, whatever the order of rows. */
static const struct row *next(const struct sweep *s, const struct row *last)
{
    const struct row *found = NULL;

    for (int i = 0; i < s->rows; i++) {
        const struct row *row = &s->row[i];

        if (row->operation == 0 && (last == NULL || row->bytes > last->bytes) &&
            (found == NULL || row->bytes < found->bytes))
            found = row;
    }
    return found;
}

bool crossover_find(const struct sweep *s, struct crossover *c)
{
    bool any = false;

    *c = (struct crossover){ .bytes = 0 };
    for (const struct row *row = next(s, NULL); row != NULL;
         row = next(s, row)) {
        const struct row *mpi = best(s, row->bytes, 0, 0);
        const struct row *hand = best(s, row->bytes, 1, OPERATIONS_MAX);

        if (mpi == NULL || hand == NULL)
            continue;
        any = true;
        if (!differ(mpi, hand))
            continue;
        const bool direct = mpi->median_s < hand->median_s;
        if (c->decided > 0 && direct != c->direct) {
            c->bytes = row->bytes;
            c->changes++;
        }
        c->direct = direct;
        c->decided++;
    }
    return any;
}

const char *crossover_name(bool direct)
{
    return direct ? "direct" : "by hand";
}

void crossover_print(FILE *to, const struct crossover *c)
{
    const char *now = crossover_name(c->direct);
    const char *before = crossover_name(!c->direct);

    fputs("# Crossover: ", to);
    if (c->decided == 0)
        fputs("none; at no size do they differ by more than their intervals;\n",
              to);
    else if (c->changes == 0)
        fprintf(to, "none; %s is better at every size that decides;\n", now);
    else if (c->changes == 1)
        fprintf(to, "size=%zu; from there on %s is better, below it %s;\n",
                c->bytes, now, before);
    else
        fprintf(to,
                "size=%zu; from there on %s is better, below it now one, "
                "now the other (%d changes);\n",
                c->bytes, now, c->changes);
}
