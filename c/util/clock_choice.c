/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_choice.h"

#include <math.h>

static const double SAME = 5e-5; /* rates, as each rank has measured them */

static double wtime(void)
{
    return MPI_Wtime();
}

bool clock_choose(enum clock_kind wanted, const struct world *world,
                  MPI_Comm node)
{
    double tick_s;
    int safe =
        wanted != CLOCK_POSIX && wanted != CLOCK_MPI && clock_tsc_is_safe();

    MPI_Allreduce(MPI_IN_PLACE, &safe, 1, MPI_INT, MPI_MIN, world->comm);
    if (wanted == CLOCK_TSC && !safe)
        return false;
    if (wanted == CLOCK_AUTO)
        wanted = safe ? CLOCK_TSC : CLOCK_POSIX;
    clock_use(wanted, wtime);
    tick_s = clock_state.tick_s;
    MPI_Bcast(&tick_s, 1, MPI_DOUBLE, 0, node);
    /* What is farther apart is not one oscillator, whatever the node says. */
    if (fabs(tick_s / clock_state.tick_s - 1) < SAME)
        clock_state.tick_s = tick_s;
    return true;
}
