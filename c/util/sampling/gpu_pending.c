/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpu_pending.h"

#include "gpu/gpu.h"
#include "sampling.h"

enum { LOOKS = 5 };

static const double LITTLE = 0.05; /* of a lap */
static const double LEAST =
    5e-6; /* s: what a wait may take longer for nothing */
static const double REST = 1e-3; /* s */

static double wait_for_gpu(void)
{
    const clock_ticks before = clock_now();

    gpu_must(gpu_runtime()->wait(), "waiting after an iteration");
    return clock_seconds(clock_now() - before);
}

/* What a wait takes by itself, as after a lap: what is needed for it is no longer at
   hand. */
static double wait_in_vain(void)
{
    const clock_ticks before = clock_now();

    while (clock_seconds(clock_now() - before) < REST)
        continue;
    return wait_for_gpu();
}

struct gpu_pending gpu_pending_look(struct measure *m, double lap_s)
{
    double left[LOOKS], found[] = { 0, 1 }; /* left, certain */
    double vain = 0;

    sampling_decide(m, &lap_s, 1);
    for (int i = 0; i < LOOKS; i++) {
        sampling_untimed(m, 1);
        left[i] = wait_for_gpu();
        const double idle = wait_in_vain();
        vain = idle > vain ? idle : vain;
    }
    for (int i = 0; i < LOOKS; i++) {
        left[i] -= vain;
        if (left[i] < vain + LEAST || left[i] < LITTLE * lap_s)
            found[1] = 0;
    }
    const double median = stats_of(left, LOOKS).median;

    found[0] = median > 0 ? median : 0;
    MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_DOUBLE, MPI_MAX,
                  m->context->world->comm);
    return (struct gpu_pending){ .known = true,
                                 .left_s = found[0],
                                 .certain = found[1] > 0 };
}
