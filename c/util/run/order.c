/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order rows are measured: sweep_seed and sweep_order of sweep.h. */
#include "base/shuffle.h"
#include "sweep.h"

static void swap(struct row *a, struct row *b)
{
    const struct row c = *a;

    *a = *b;
    *b = c;
}

void sweep_seed(struct sweep *s)
{
    const struct settings *set = s->settings;

    s->seed = 0;
    if (!(s->bench->takes & TAKES_SIZES) || set->order != ORDER_RANDOM)
        return;
    s->seed =
        set->seed != 0 ? set->seed : (unsigned long)clock_now() % 1000000 + 1;
    MPI_Bcast(&s->seed, 1, MPI_UNSIGNED_LONG, 0, s->world->comm);
}

/* Put n rows of one block into order. */
static void arrange(struct row *row, int n, enum order order, uint64_t *state)
{
    if (order == ORDER_DOWN)
        for (int i = 0; i < n / 2; i++)
            swap(&row[i], &row[n - 1 - i]);
    if (order == ORDER_RANDOM) /* Fisher and Yates */
        for (int i = n - 1; i > 0; i--)
            swap(&row[i], &row[shuffle_next(state, (unsigned long)i + 1)]);
}

void sweep_order(struct sweep *s)
{
    uint64_t state = s->seed;
    int last;

    /* Blocks stay together: each has a heading of its own. */
    for (int first = 0; first < s->rows; first = last) {
        last = first;
        while (last < s->rows && row_same_block(&s->row[last], &s->row[first]))
            last++;
        arrange(&s->row[first], last - first, s->settings->order, &state);
    }
}
