/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossover.h"

#include <limits.h>
#include <math.h>

#include "report/result.h"

static double median_of(const struct result *r)
{
    return r->over_laps.median;
}

/* The half-width of its interval; without one all of it is in doubt. */
static double error_of(const struct result *r)
{
    return median_of(r) *
           (r->over_laps.has_interval ? stats_half_width(&r->over_laps) : 1);
}

/* The fastest row of that size among the operations from first to last; NULL:
   none. */
static const struct result *best(const struct rows *rows, size_t bytes,
                                 int first, int last)
{
    const struct result *found = NULL;

    for (int i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];
        const struct result *r = &rows->result[i];

        if (row->bytes == bytes && row->operation >= first &&
            row->operation <= last && median_of(r) > 0 &&
            (found == NULL || median_of(r) < median_of(found)))
            found = r;
    }
    return found;
}

/* Do the medians differ by more than their half-widths together? */
static bool differ(const struct result *a, const struct result *b)
{
    return fabs(median_of(a) - median_of(b)) > error_of(a) + error_of(b);
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
    size_t before = 0;
    bool any = false;

    *c = (struct crossover){ .bytes = 0 };
    for (const struct row *row = next(rows, NULL); row != NULL;
         row = next(rows, row)) {
        const struct result *mpi = best(rows, row->bytes, 0, 0);
        const struct result *hand = best(rows, row->bytes, 1, INT_MAX);

        if (mpi == NULL || hand == NULL)
            continue;
        any = true;
        if (!differ(mpi, hand))
            continue;
        const bool direct = median_of(mpi) < median_of(hand);
        if (c->decided > 0 && direct != c->direct) {
            c->bytes = row->bytes;
            c->until = before;
            c->changes++;
        }
        before = row->bytes;
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
        fprintf(to, "size=%zu; %s from here on, %s up to size=%zu;\n", c->bytes,
                faster(c->direct),
                c->direct ? "staged copies" : "direct transfers", c->until);
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
