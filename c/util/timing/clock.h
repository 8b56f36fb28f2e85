/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clock.h - the one clock of a run, what reading it costs, and the iterations that it times.
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
 * Read the wanted clock from now on; ticks from before mean nothing any more.  CLOCK_AUTO: the
 * TSC where it is safe on every rank, else CLOCK_MONOTONIC.  The TSC's rate, measured over no
 * less than 20 ms from clock_anchor (it waits), is right to some 5 ppm.  The ranks of a node get
 * the rate of its first rank, and for MPI_Wtime the beginning.  Collective over all and over
 * node.  False, on every rank: the TSC was wanted and is not safe everywhere.
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

/* Read the clock some 19,000 times (about a millisecond) and describe it. */
struct clock_facts clock_describe(void);

/* --- The iterations of a batch, as the verbs of loop.h count and time them.  Samples go to
   next[0], next[1], ...  The first of them, next[0], belongs to no iteration of bench_repeat (it
   ends when the loop begins) and is not used by bench_next.  Something may have to be done between
   two iterations, untimed: other buffers (run/prepare.h), or to verify the first.  Then
   bench_repeat starts its stopwatch anew after it. --- */

struct iterations {
    clock_ticks mark;       /* when the sample under way began */
    clock_ticks *next;      /* where it will be stored */
    const clock_ticks *end; /* one past the last sample */
    long until_mark;        /* iterations up to the next reading of the clock */
    long stride;            /* iterations from one reading to the next */
    /* One entry an iteration: 0 where a rank came late to its start, so that it does not
       count; else when the iteration began, or 1 with bench_repeat, which has no start. */
    clock_ticks *begun;
    bool late;                    /* a rank came late to the start of this iteration */
    const clock_ticks *counted;   /* samples before this one are a lead-in */
    void (*between)(void *owner); /* before every iteration; or NULL */
    void *owner;                  /* of the iterations, as who set between sees it */
};

/* Prepare for samples sample[1] ... sample[n], and begun[1] ... begun[n];
   those numbered 0 are scratch. */
static inline void iterations_prepare(struct iterations *l, clock_ticks *sample, clock_ticks *begun,
                                      long n, long stride)
{
    l->next = sample;
    l->end = sample + n + 1;
    l->until_mark = 1;
    l->stride = stride;
    l->mark = 0;
    l->begun = begun;
    l->late = false;
}

/* Do what is to be done between two iterations. */
void iterations_pause(struct iterations *l);

#endif
