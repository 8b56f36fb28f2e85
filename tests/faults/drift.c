/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drift.c - every rank has a clock of its own.
 *
 *   FAULT_OFFSET_US  rank r is r times this ahead
 *   FAULT_DRIFT_PPM  and gains r times this many millionths, since the boot
 *   FAULT_STEP       with each so many-th reading, MPI_Wtime goes forward by FAULT_STEP_US
 *                    more; the default is -1000, so it goes back by 1 ms
 *   FAULT_RANK       only on this rank, as if it were rank 1; default: on all
 *
 * CLOCK_MONOTONIC and MPI_Wtime are shifted, system calls are not.  The rank is
 * the launcher's, since the clock is read before MPI_Init.
 */
#include <stdint.h>
#include <time.h>

#include "fault.h"

static int factor(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK" };
    const long only = fault_number("FAULT_RANK", -1);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL) {
            const int rank = (int)fault_number(names[i], 0);

            return only < 0 ? rank : rank == only;
        }
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*next)(clockid_t, struct timespec *);
    static int64_t offset_ns, drift_ppm;
    int64_t ns;
    int result;

    if (next == NULL) {
        offset_ns = 1000 * fault_number("FAULT_OFFSET_US", 0) * factor();
        drift_ppm = fault_number("FAULT_DRIFT_PPM", 0) * factor();
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    }
    result = next(clock, t);
    if (clock != CLOCK_MONOTONIC || result != 0)
        return result;
    ns = (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
    ns += offset_ns + ns / 1000000 * drift_ppm + ns % 1000000 * drift_ppm / 1000000;
    t->tv_sec = ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return 0;
}

double MPI_Wtime(void)
{
    static long step = -1, readings;
    struct timespec t;

    if (step < 0)
        step = fault_number("FAULT_STEP", 0);
    readings++;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec +
           (step > 0
                ? 1e-6 * (double)fault_number("FAULT_STEP_US", -1000) * (double)(readings / step)
                : 0);
}
