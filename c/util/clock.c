/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock.h"

#include <stdlib.h>

enum { BLOCKS = 256, READS = 64 };

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/*
 * A single pair of reads is as coarse as the resolution, so the cost is taken
 * from blocks of reads; the resolution is the smallest step inside them.
 */
struct clock_facts clock_describe(void)
{
    double cost[BLOCKS];
    clock_ticks step = 0;

    for (int block = 0; block < BLOCKS; block++) {
        const clock_ticks first = clock_now();
        clock_ticks last = first;

        for (int i = 0; i < READS; i++) {
            const clock_ticks now = clock_now();

            if (now > last && (step == 0 || now - last < step))
                step = now - last;
            last = now;
        }
        cost[block] = clock_seconds(last - first) / READS;
    }
    qsort(cost, BLOCKS, sizeof *cost, by_value);
    return (struct clock_facts){
        .name = "CLOCK_MONOTONIC",
        .resolution_s = clock_seconds(step),
        .cost_s = cost[BLOCKS / 2],
        .cost_p99_s = cost[BLOCKS * 99 / 100],
    };
}
