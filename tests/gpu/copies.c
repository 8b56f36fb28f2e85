/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies - what the GPU's library takes for a copy, by size and kind: the floor of
 *          messages that are staged in host memory, and what filling and checking cost.
 *
 * Each copy is complete when its time is taken.  A value is the median of as many copies
 * as fit into BUDGET.
 *
 *   copies [MOST_BYTES]      on one rank
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/messages.h"
#include "base/stats.h"
#include "data/gpu.h"
#include "data/memory.h"
#include "timing/clock.h"

enum { MOST_SAMPLES = 20000, FEWEST = 7 };

static const double BUDGET = 0.03; /* s, of a value */

struct way {
    const char *name;
    enum memory_type from, to;
    bool pageable; /* any memory, with a wait for the GPU; else as messages are staged */
};

static const struct way ways[] = {
    { "H-D", MEMORY_HOST, MEMORY_DEVICE, true },
    { "D-H", MEMORY_DEVICE, MEMORY_HOST, true },
    { "HP-D", MEMORY_PINNED, MEMORY_DEVICE, false },
    { "D-HP", MEMORY_DEVICE, MEMORY_PINNED, false },
    { "D-D", MEMORY_DEVICE, MEMORY_DEVICE, true },
};

enum { WAYS = sizeof ways / sizeof *ways };

static double once(const struct way *w, void *to, const void *from, size_t bytes)
{
    const struct gpu_runtime *gpu = gpu_runtime();
    const clock_ticks before = clock_now();

    gpu_must(w->pageable ? gpu->copy(to, from, bytes) : gpu->stage(to, from, bytes), "a copy");
    return clock_seconds(clock_now() - before);
}

/* Microseconds of a copy of so many bytes. */
static double measure(const struct way *w, size_t bytes)
{
    static double sample[MOST_SAMPLES];
    struct buffer from, to;
    size_t n = 0;
    double sum = 0;

    if (!buffer_allocate(&from, memory_kind_of(w->from), bytes) ||
        !buffer_allocate(&to, memory_kind_of(w->to), bytes)) {
        fprintf(stderr, "copies: no memory for %zu bytes\n", bytes);
        exit(EXIT_RUN);
    }
    for (int i = 0; i < FEWEST; i++) /* warm-up */
        once(w, to.base, from.base, bytes);
    while (n < FEWEST || (n < MOST_SAMPLES && sum < BUDGET)) {
        sample[n] = once(w, to.base, from.base, bytes);
        sum += sample[n++];
    }
    buffer_release(&from);
    buffer_release(&to);
    return 1e6 * stats_median(sample, n);
}

int main(int argc, char **argv)
{
    const size_t most = argc > 1 ? strtoull(argv[1], NULL, 10) : (size_t)256 << 20;
    const struct gpu_runtime *gpu = gpu_runtime();
    struct gpu_facts facts;

    if (gpu == NULL || gpu->count() == 0 || !gpu->use(0) || !gpu->facts(&facts)) {
        fprintf(stderr, "copies: there is no GPU to be used\n");
        return EXIT_CANNOT_RUN;
    }
    clock_anchor();
    MPI_Init(&argc, &argv);
    clock_choose(CLOCK_AUTO, MPI_COMM_WORLD, MPI_COMM_WORLD);
    printf("# %s; driver %d, runtime %d; H: pageable host memory, HP: pinned, "
           "D: the GPU's\n%-10s",
           facts.name, facts.driver, facts.runtime, "# Size");
    for (int k = 0; k < WAYS; k++)
        printf(" %5s (us) %9s", ways[k].name, "MB/s");
    printf("\n");
    for (size_t bytes = 8; bytes <= most; bytes *= bytes >= 65536 || bytes < 4096 ? 8 : 2) {
        printf("%-10zu", bytes);
        for (int k = 0; k < WAYS; k++) {
            const double us = measure(&ways[k], bytes);

            printf(" %10.2f %9.0f", us, (double)bytes / us);
        }
        printf("\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return 0;
}
