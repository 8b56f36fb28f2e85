/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * is_kernel.h - what one rank does in NAS IS between the exchanges with others.
 *
 * The rank of a key is the number of keys below it.  Values are divided into
 * buckets, and buckets among the ranks, so that each gets about as many keys;
 * it then counts the keys of its own values:
 *
 *     change   two keys, as the specification wants it in each iteration
 *     count    how many own keys fall into each bucket
 *       ... the sum over ranks of mine is all ...
 *     deal     buckets to ranks, and own keys into the order of buckets
 *       ... how many keys go to each rank, then the keys themselves ...
 *     expect   make room for the keys that will come
 *     rank     count the keys below each own value
 *     check    the keys of the partial verification
 *
 * No MPI here: who calls it exchanges.
 */
#ifndef IS_KERNEL_H
#define IS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specification.h"

enum { KEYS_RANKS_MOST = 1024 }; /* one bucket each */

struct keys {
    const struct nas_is *is;
    int rank, ranks;
    int first, n;    /* own keys: the first one's index, their number */
    int room;        /* for keys that come */
    int32_t *key;    /* own ones, as generated and changed */
    int32_t *sorted; /* the same by buckets; room for those that come */
    int32_t *received;
    int32_t *below; /* keys below each value; of own values only */

    int buckets, shift; /* bucket of a key: key >> shift */
    int counts;         /* of mine and all: buckets, and the keys to test */
    int *mine, *all;    /* keys in each bucket; value of each key to test */
    int *end;           /* of each rank: one past its last bucket */
    int *sends, *send_at, *receives, *receive_at; /* for MPI_Alltoallv */
    int come;                                     /* keys that have come */
    int base;      /* keys on ranks before this one */
    int low, high; /* own values: from low to below high */
    int passed;    /* keys of the partial verification found right */
};

/* Bytes on a rank. */
size_t keys_bytes(enum nas_class class, int ranks);

/* Memory and own keys; ranks: 1 to KEYS_RANKS_MOST.  False: out of memory;
   keys_end in any case. */
bool keys_begin(struct keys *k, enum nas_class class, int rank, int ranks);
void keys_end(struct keys *k);

void keys_change(struct keys *k, int iteration);
void keys_count(struct keys *k);
void keys_deal(struct keys *k);
void keys_expect(struct keys *k);
void keys_rank(struct keys *k);
void keys_check(struct keys *k, int iteration);

/* What the full verification needs to know of a rank. */
struct keys_order {
    int wrong;            /* pairs of neighbours out of order, keys astray */
    int least, most;      /* the smallest and the largest key; 0, -1: none */
    uint64_t before, now; /* sums that tell own keys, and those that came */
};

/* Move each key to the place its rank says, and look whether that sorts them.
   Spoils the ranks. */
struct keys_order keys_sort(struct keys *k);

#endif
