/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * detours.h - what a series of equal quanta of work says about one CPU.  No MPI.
 *
 * A quantum is a fixed count of operations, so its shortest duration is that without
 * noise.  A detour is a quantum longer than DETOUR times the median quantum.  It lost what
 * it is longer than that median.
 *
 * Where the CPU changes its clock, or another thread of its core works, quanta are longer
 * without any detour of the operating system.  If the median is longer than DETOUR times
 * the shortest quantum, the series is called slow.
 *
 * For a period (period.h), detours that follow each other without a clean quantum between
 * them are one.
 */
#ifndef NOISE_DETOURS_H
#define NOISE_DETOURS_H

#include "period.h"

static const double DETOUR = 1.05;

enum { DETOURS_KEPT = 32 };

/* Plain data without pointers: ranks send it to rank 0. */
struct detours {
    long quanta;
    double total_s;
    double quantum_s, typical_s; /* shortest and median quantum */
    long n;                      /* detours */
    double lost;                 /* their excess, as a part of total_s */
    double per_s, longest_s;     /* longest_s: excess */
    bool slow;
    struct period period[PERIODS_MOST]; /* those found first come first */
    struct detour kept[DETOURS_KEPT];   /* the longest, by time */
    int nkept;
};

/* Describe took_s[0..n-1], the durations of quanta that follow each other.  false: out of
   memory. */
bool detours_of(const double *took_s, long n, struct detours *out);

#endif
