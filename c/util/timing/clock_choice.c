/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_choice.h"

#include <math.h>

static const double SAME = 5e-5; /* rates, as each rank has measured them */

static double wtime(void)
{
    return MPI_Wtime();
}

bool clock_choose(enum clock_kind wanted, MPI_Comm all, MPI_Comm node)
{
    double first[2];
    int safe =
        wanted != CLOCK_POSIX && wanted != CLOCK_MPI && clock_tsc_is_safe();

    MPI_Allreduce(MPI_IN_PLACE, &safe, 1, MPI_INT, MPI_MIN, all);
    if (wanted == CLOCK_TSC && !safe)
        return false;
    if (wanted == CLOCK_AUTO)
        wanted = safe ? CLOCK_TSC : CLOCK_POSIX;
    clock_use(wanted, wtime);
    first[0] = clock_state.tick_s;
    first[1] = clock_state.base_s;
    MPI_Bcast(first, 2, MPI_DOUBLE, 0, node);
    /* What is farther apart is not one oscillator, whatever the node says. */
    if (fabs(first[0] / clock_state.tick_s - 1) < SAME)
        clock_state.tick_s = first[0];
    /* MPI may count from the start of each process; no ticks are negative. */
    if (wanted == CLOCK_MPI && first[1] <= wtime())
        clock_state.base_s = first[1];
    return true;
}
