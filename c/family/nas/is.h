/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * is.h - what one rank does in NAS IS between the exchanges with others.
 *
 * The rank of a key is the number of keys below it.  Values are divided into
 * buckets, and buckets among the ranks, so that each rank gets about the same
 * number of keys.  A rank then counts the keys of its own values:
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
 * There is no MPI here: the caller exchanges the keys.
 */
#ifndef NAS_IS_H
#define NAS_IS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "specification.h"

enum { KEYS_RANKS_MOST = 1024 }; /* one bucket each */

struct keys {
    const struct nas_is *is;
    int rank, ranks;
    int first, n; /* own keys: the first one's index, their number */
    int room;     /* room for received keys */
    int32_t *key; /* own keys, as generated and changed */
    /* The same in the order of buckets; has room for received keys */
    int32_t *sorted;
    int32_t *received;
    int32_t *below; /* number of keys below each value; own values only */

    int buckets, shift; /* bucket of a key: key >> shift */
    int counts;         /* length of mine and all: buckets, and keys to test */
    int *mine, *all;    /* keys in each bucket; value of each key to test */
    int *end;           /* for each rank, one past its last bucket */
    /* Arguments of MPI_Alltoallv */
    int *sends, *send_at, *receives, *receive_at;
    int come;      /* number of received keys */
    int base;      /* number of keys on lower ranks */
    int low, high; /* own values: from low to below high */
    int passed;    /* keys of the partial verification found right */
};

/* The memory that a rank needs, in bytes. */
size_t keys_bytes(enum nas_class class, int ranks);

/* Allocate memory and generate the own keys, for 1 to KEYS_RANKS_MOST ranks.  Call
   keys_end in any case. */
void keys_begin(struct keys *k, enum nas_class class, int rank, int ranks);
void keys_end(struct keys *k);

void keys_change(struct keys *k, int iteration);
void keys_count(struct keys *k);
void keys_deal(struct keys *k);
void keys_expect(struct keys *k);
void keys_rank(struct keys *k);
void keys_check(struct keys *k, int iteration);

/* The result of the full verification on one rank. */
struct keys_order {
    int wrong;            /* adjacent pairs out of order, and misplaced keys */
    int least, most;      /* the smallest and the largest key; 0, -1: none */
    uint64_t before, now; /* fingerprints of the own and of the received keys */
};

/* Move each key to the place that its rank gives, and check that the keys are
   then sorted.  The ranks are overwritten. */
struct keys_order keys_sort(struct keys *k);

#endif
