/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - the one clock of a run, and what reading it costs.
 *
 * clock_now() is the only part of the harness that runs inside timed regions.
 * It returns raw ticks; seconds are made of them after the loop.
 *
 *   tsc    the processor's invariant time stamp counter (x86-64) or the count of
 *          its generic timer (arm64), read directly: where the kernel itself
 *          keeps time by it, half as dear as asking the kernel.  Its rate is
 *          measured against CLOCK_MONOTONIC.
 *   posix  clock_gettime(CLOCK_MONOTONIC)
 *   mpi    MPI_Wtime
 *
 * Tests compile with CLOCK_FAKE and provide clock_now() themselves.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(CLOCK_NO_TSC)
#    define CLOCK_HAS_TSC
#endif

/* Since an arbitrary point.  MPI_Wtime may step back: differences, and sums of them, are
   modulo 2^64, and negative above 2^63. */
typedef uint64_t clock_ticks;

enum clock_kind { CLOCK_AUTO, CLOCK_TSC, CLOCK_POSIX, CLOCK_MPI };

/* What clock_now reads; clock_choose sets it.  At first: posix. */
extern struct clock_state {
    bool direct;               /* the TSC */
    clock_ticks (*read)(void); /* else */
    double tick_s;             /* seconds in a tick */
    double base_s;             /* where the ticks of CLOCK_MPI are counted from */
} clock_state;

#ifdef CLOCK_HAS_TSC
/* Not before what stands in front of it: lfence and isb see to that. */
static inline clock_ticks clock_counter(void)
{
#    ifdef __x86_64__
    /* Builtins: <x86intrin.h> would be 40,000 lines in nearly every file. */
    __builtin_ia32_lfence();
    return __builtin_ia32_rdtsc();
#    else
    clock_ticks count;

    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
#    endif
}
#endif

#ifdef CLOCK_FAKE
clock_ticks clock_now(void);
#else
static inline clock_ticks clock_now(void)
{
#    ifdef CLOCK_HAS_TSC
    if (__builtin_expect(clock_state.direct, 1))
        return clock_counter();
#    endif
    return clock_state.read();
}
#endif

/* Of a difference or a sum of them; negative where the clock stepped back. */
static inline double clock_seconds(clock_ticks ticks)
{
    return clock_state.tick_s * (double)(int64_t)ticks;
}

/* Seconds of CLOCK_MONOTONIC_RAW, which nobody sets: to see whether the other clock was. */
double clock_witness_s(void);

/* Remember now: the rate of the TSC is measured from here to clock_choose. */
void clock_anchor(void);

/*
 * Read the wanted clock from now on; ticks from before mean nothing any more.
 * CLOCK_AUTO: the TSC where it is safe on every rank, else CLOCK_MONOTONIC.  The
 * TSC's rate, measured over no less than 20 ms from clock_anchor (it waits), is
 * right to some 5 ppm.  The ranks of a node get the rate of its first rank, and for
 * MPI_Wtime the beginning.  Collective over all and over node.  False, on every
 * rank: the TSC was wanted and is not safe everywhere.
 */
bool clock_choose(enum clock_kind wanted, MPI_Comm all, MPI_Comm node);

/* What the clock itself contributes to a sample. */
struct clock_facts {
    const char *name;
    double resolution_s; /* smallest difference that was seen, not zero */
    double tick_s;       /* all differences are whole multiples of it; 0: unknown */
    double cost_s;       /* median time from one read to the next */
    double cost_p99_s;   /* its 99th percentile */
};

/* Read the clock some 25,000 times (about a millisecond) and describe it. */
struct clock_facts clock_describe(void);

#endif
