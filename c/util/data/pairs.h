/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs.h - who talks to whom in programs for several pairs of ranks.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include <stdbool.h>

struct pair {
    int peer;    /* MPI_PROC_NULL for ranks beyond the pairs */
    bool sender; /* the first of the two */
};

/* OMB's pairing: sender r talks to receiver r + pairs; ranks from 2 * pairs
   on have nobody to talk to. */
struct pair pairs_of(int rank, int pairs);

#endif
