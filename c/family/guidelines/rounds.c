/* SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/shuffle.h"
#include "sampling/over_ranks.h"

bool rounds_begin(struct rounds *t, int n)
{
    t->n = n;
    t->state = 1;
    t->sample = calloc((size_t)n * ROUNDS_KEPT, sizeof *t->sample);
    rounds_forget(t, true, true);
    return t->sample != NULL;
}

void rounds_end(struct rounds *t)
{
    free(t->sample);
    t->sample = NULL;
}

void rounds_forget(struct rounds *t, bool before, bool batch)
{
    if (before && batch) {
        t->seen = 0;
        t->stride = 1;
        t->kept = 0;
    } else if (batch)
        t->kept = t->before;
    else if (before)
        memset(t->sample, 0, (size_t)t->before * sizeof *t->sample);
    t->before = t->kept;
}

int rounds_draw(struct rounds *t, const struct bench_run *r)
{
    if (r->turn > 0) {
        t->order[0] = r->turn - 1;
        return 1;
    }
    for (int i = 0; i < t->n; i++) { /* Fisher and Yates */
        const int k = (int)shuffle_next(&t->state, (unsigned long)i + 1);

        t->order[i] = t->order[k];
        t->order[k] = i;
    }
    return t->n;
}

static void give_up_every_second(struct rounds *t)
{
    for (int o = 0; o < t->n; o++) {
        clock_ticks *sample = t->sample + (size_t)o * ROUNDS_KEPT;

        for (int k = 0; k < ROUNDS_KEPT / 2; k++)
            sample[k] = sample[2 * k];
    }
    t->kept = ROUNDS_KEPT / 2;
    t->before = (t->before + 1) / 2;
    t->stride *= 2;
}

void rounds_keep(struct rounds *t, struct bench_run *r)
{
    const int timed = r->turn > 0 ? r->turn - 1 : 0;

    bench_leave_out(r, r->laps.mark + t->took[timed], clock_now());
    if (r->turn > 0 || r->laps.next < r->laps.counted)
        return;
    if (t->seen % t->stride == 0 && t->kept == ROUNDS_KEPT)
        give_up_every_second(t);
    if (t->seen++ % t->stride != 0)
        return;
    for (int o = 0; o < t->n; o++)
        t->sample[(size_t)o * ROUNDS_KEPT + (size_t)t->kept] =
            r->laps.late ? 0 : t->took[o] + 1;
    t->kept++;
}

/* Ticks are kept plus one: 0 is no time, but a late round. */
int rounds_gather(struct rounds *t, MPI_Comm comm, double *time, long *blame)
{
    int left = 0;

    over_ranks_any_zero(comm, t->sample, t->kept);
    for (int k = 0; k < t->kept; k++) {
        if (t->sample[k] == 0)
            continue;
        for (int o = 0; o < t->n; o++)
            time[o * ROUNDS_KEPT + left] =
                clock_seconds(t->sample[o * ROUNDS_KEPT + k] - 1);
        left++;
    }
    for (int o = 0; o < t->n; o++)
        over_ranks_slowest(comm, time + (size_t)o * ROUNDS_KEPT, left,
                           time + (size_t)o * ROUNDS_KEPT, blame);
    return left;
}
