/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * schedule.h - who meets whom, step by step; plain arithmetic: all ranks compute the
 *              same, and nothing is communicated.
 *
 * Round robin: every rank meets every other rank once.  In each of P - 1 rounds (P if P
 * is odd) all ranks are paired, except one if P is odd, so that as many pairs as
 * possible talk at a time.  (The circle method: Kirkman 1847.)
 *
 * Patterns: all ranks communicate at the same time.  In a ring each rank sends to the
 * next of a random order of all ranks and receives from the one before.  In a matching
 * ranks exchange messages in pairs; of an odd number of ranks the last has no partner.
 *
 *   halves   rank i and rank i + P/2
 *   shift    the round robin of an even number of ranks: the numbers of two partners
 *            add up to that of the matching, modulo P - 1 (the "mirroring shift" of
 *            hp2p)
 *   random   a random order of the ranks; its neighbors 0 and 1, 2 and 3, ...
 *            are partners (Hoefler, Schneider, Lumsdaine 2008: effective
 *            bisection bandwidth)
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The row of --seed, which sets that field of the settings. */
#define SEED_OPTION(settings, field, ...)                                      \
    {                                                                          \
        0, "seed", "N", .group = OPTIONS_FLIGHT, .common = true,               \
                        .help = "seed of the random orders of ranks; the "     \
                                "same seed gives the same orders",             \
                        .fallback = "1", .kind = OPTION_INT,                   \
                        .offset = offsetof(settings, field), .min = 1,         \
                        .max = INT_MAX, .json = "pattern_seed", __VA_ARGS__    \
    }

/* The number of rounds for so many ranks, at least 2. */
int round_robin_rounds(int ranks);

/* The partner of the rank in round 0 .. round_robin_rounds(ranks) - 1; -1: the
   rank rests. */
int round_robin_partner(int rank, int round, int ranks);

/* The number of the rank's pair among the ranks / 2 pairs of that round; -1: the rank
   rests. */
int round_robin_pair(int rank, int round, int ranks);

/* Put the ranks 0 to n - 1 into a random order, or with state NULL into their own.
   Returns the place of the rank in it, or -1. */
int schedule_order(int *order, int n, uint64_t *state, int rank);

enum schedule {
    SCHEDULE_RINGS,
    SCHEDULE_HALVES,
    SCHEDULE_SHIFT,
    SCHEDULE_RANDOM
};

enum { SCHEDULE_MOST = 1024 /* patterns */ };

struct peers {
    int to, from; /* ranks, or MPI_PROC_NULL */
};

/* Ranks that have a partner in a matching of that kind, or are in a ring: all, or all
   but the last. */
static inline int schedule_active(enum schedule kind, int ranks)
{
    return kind == SCHEDULE_RINGS ? ranks : ranks - ranks % 2;
}

/* Patterns: as many as were asked for, or what the kind has for so many
   ranks. */
int schedule_patterns(enum schedule kind, int asked, int ranks);

/*
 * Write the peers of this rank in the n patterns of that kind to peers[].  Orders are drawn
 * one after the other from the seed, which is not 0, so that more of them begin with the
 * same ones.  false: out of memory.
 */
bool schedule_fill(enum schedule kind, unsigned long seed, int n, int rank,
                   int ranks, struct peers *peers);

#endif
