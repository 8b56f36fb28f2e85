/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * burner.c - noise of a known period and length: burner PERIOD_US BUSY_US.
 *
 * Every period it computes until it has had the CPU for so long, and sleeps.  It ends when
 * it is killed, or with the process that started it.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { S = 1000000000 };

static long now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return t.tv_sec * S + t.tv_nsec;
}

int main(int argc, char **argv)
{
    const long period = argc == 3 ? 1000 * atol(argv[1]) : 0;
    const long busy = argc == 3 ? 1000 * atol(argv[2]) : 0;
    long next = now(CLOCK_MONOTONIC);

    if (period <= busy || busy <= 0)
        return 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_TIMERSLACK, 1UL);
    for (;;) {
        const long begun = now(CLOCK_THREAD_CPUTIME_ID);
        struct timespec at;

        next += period;
        while (now(CLOCK_THREAD_CPUTIME_ID) - begun < busy)
            ;
        at = (struct timespec){ next / S, next % S };
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
}
