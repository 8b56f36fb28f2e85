/* SPDX-License-Identifier: BSD-3-Clause */
#include "crossover.h"

#include "sweep.h"

/* The best figure of that size, of operations from first to last; 0: none. */
static double best(const struct sweep *s, size_t bytes, int first, int last)
{
    const bool rate = s->bench->report->directions > 0;
    double figure = 0;

    for (int i = 0; i < s->rows; i++) {
        const struct row *row = &s->row[i];

        if (row->bytes == bytes && row->operation >= first &&
            row->operation <= last && row->shown > 0 &&
            (figure == 0 || rate == (row->shown > figure)))
            figure = row->shown;
    }
    return figure;
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
    const bool rate = s->bench->report->directions > 0;
    bool any = false;

    *c = (struct crossover){ .bytes = 0 };
    for (const struct row *row = next(s, NULL); row != NULL;
         row = next(s, row)) {
        const double mpi = best(s, row->bytes, 0, 0);
        const double hand = best(s, row->bytes, 1, OPERATIONS_MAX);
        const bool direct = rate == (mpi > hand);

        if (mpi == 0 || hand == 0)
            continue;
        if (any && direct != c->direct) {
            c->bytes = row->bytes;
            c->changes++;
        }
        c->direct = direct;
        any = true;
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
    if (c->changes == 0)
        fprintf(to, "none; %s is better at every size;\n", now);
    else if (c->changes == 1)
        fprintf(to, "size=%zu; from there on %s is better, below it %s;\n",
                c->bytes, now, before);
    else
        fprintf(to,
                "size=%zu; from there on %s is better, below it now one, "
                "now the other (%d changes);\n",
                c->bytes, now, c->changes);
}
