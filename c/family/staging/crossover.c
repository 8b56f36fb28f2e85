/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossover.h"

#include <limits.h>
#include <math.h>

/* The fastest row of that size among the operations from first to last; NULL:
   none. */
static const struct row *best(const struct rows *rows, size_t bytes, int first,
                              int last)
{
    const struct row *found = NULL;

    for (int i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];

        if (row->bytes == bytes && row->operation >= first &&
            row->operation <= last && row->median_s > 0 &&
            (found == NULL || row->median_s < found->median_s))
            found = row;
    }
    return found;
}

/* Do the medians differ by more than their half-widths together? */
static bool differ(const struct row *a, const struct row *b)
{
    return fabs(a->median_s - b->median_s) > a->error_s + b->error_s;
}

/* The row of the direct transfer of the next larger size, whatever the order of
   the rows. */
static const struct row *next(const struct rows *rows, const struct row *last)
{
    const struct row *found = NULL;

    for (int i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];

        if (row->operation == 0 && (last == NULL || row->bytes > last->bytes) &&
            (found == NULL || row->bytes < found->bytes))
            found = row;
    }
    return found;
}

bool crossover_find(const struct rows *rows, struct crossover *c)
{
    bool any = false;

    *c = (struct crossover){ .bytes = 0 };
    for (const struct row *row = next(rows, NULL); row != NULL;
         row = next(rows, row)) {
        const struct row *mpi = best(rows, row->bytes, 0, 0);
        const struct row *hand = best(rows, row->bytes, 1, INT_MAX);

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

static const char *name_of(bool direct)
{
    return direct ? "direct" : "staged";
}

static const char *faster(bool direct)
{
    return direct ? "direct transfers are faster" : "staged copies are faster";
}

void crossover_print(FILE *to, const struct crossover *c)
{
    fputs("# crossover: ", to);
    if (c->decided == 0)
        fputs("none; at no size do they differ by more than their intervals;\n",
              to);
    else if (c->changes == 0)
        fprintf(to, "none; %s at every size that decides;\n",
                faster(c->direct));
    else if (c->changes == 1)
        fprintf(to, "size=%zu; %s from here on, %s below;\n", c->bytes,
                faster(c->direct),
                c->direct ? "staged copies" : "direct transfers");
    else
        fprintf(to,
                "size=%zu; %s from here on; below, the faster one changes "
                "(%d changes);\n",
                c->bytes, faster(c->direct), c->changes);
}

void crossover_record(struct fields to, const struct crossover *c)
{
    const struct fields object = fields_object(to, "crossover");

    fields_known_int(object, "bytes", c->changes > 0, (long long)c->bytes);
    fields_text(object, "better_from_there",
                c->decided > 0 ? name_of(c->direct) : NULL);
    fields_int(object, "changes", c->changes);
    fields_int(object, "sizes_that_decide", c->decided);
}
