/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_choice.h"

static double wtime(void)
{
    return MPI_Wtime();
}

bool clock_choose(enum clock_kind wanted, const struct world *world,
                  MPI_Comm node)
{
    int safe =
        wanted != CLOCK_POSIX && wanted != CLOCK_MPI && clock_tsc_is_safe();

    MPI_Allreduce(MPI_IN_PLACE, &safe, 1, MPI_INT, MPI_MIN, world->comm);
    if (wanted == CLOCK_TSC && !safe)
        return false;
    if (wanted == CLOCK_AUTO)
        wanted = safe ? CLOCK_TSC : CLOCK_POSIX;
    clock_use(wanted, wtime);
    MPI_Bcast(&clock_state.tick_s, 1, MPI_DOUBLE, 0, node);
    return true;
}
