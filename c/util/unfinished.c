/* SPDX-License-Identifier: BSD-3-Clause */
#include "unfinished.h"

#include "gpu.h"
#include "sampling.h"

enum { LOOKS = 5 };

static const double LITTLE = 0.05; /* of a lap */

static double wait_for_gpu(void)
{
    const clock_ticks before = clock_now();

    gpu_must(gpu_runtime()->wait(), "waiting after a lap");
    return clock_seconds(clock_now() - before);
}

struct unfinished unfinished_look(struct measure *m, double lap_s)
{
    double left[LOOKS], found[] = { 0, 1 }; /* left, certain */

    sampling_decide(m, &lap_s, 1);
    for (int i = 0; i < LOOKS; i++) {
        sampling_untimed(m, 1);
        const double busy = wait_for_gpu(), idle = wait_for_gpu();

        left[i] = busy - idle;
        if (left[i] < idle || left[i] < LITTLE * lap_s)
            found[1] = 0;
    }
    const double median = stats_of(left, LOOKS).median;

    found[0] = median > 0 ? median : 0;
    MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_DOUBLE, MPI_MAX, m->world->comm);
    return (struct unfinished){ .known = true,
                                .left_s = found[0],
                                .certain = found[1] > 0 };
}
