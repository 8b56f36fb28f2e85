/* SPDX-License-Identifier: BSD-3-Clause */
#include "nas.h"

#include <stdio.h>
#include <string.h>

#include "job/world.h"

static int buckets_of(const struct nas_is *is)
{
    return is->values < KEYS_RANKS_MOST ? is->values : KEYS_RANKS_MOST;
}

/* The index of a rank's first key: all have the same number, or one less. */
static int first_of(const struct nas_is *is, int rank, int ranks)
{
    return (int)((int64_t)is->keys * rank / ranks);
}

static int own_most(const struct nas_is *is, int ranks)
{
    return (is->keys + ranks - 1) / ranks;
}

/* A rank gets its share and at most one bucket more.  A key is the mean of four
   random numbers, so the densest bucket has 8/3 of the mean number of keys. */
static int room_of(const struct nas_is *is, int ranks)
{
    return own_most(is, ranks) + 3 * (is->keys / buckets_of(is)) + 64;
}

size_t keys_bytes(enum nas_class class, int ranks)
{
    const struct nas_is *is = &nas_is[class];
    const size_t keys = (size_t)own_most(is, ranks) + 2 * (size_t)room_of(is, ranks);
    const size_t counts = 2 * (size_t)(buckets_of(is) + NAS_IS_TESTS);

    return sizeof(int32_t) * (keys + (size_t)is->values + counts + 5 * (size_t)ranks);
}

/* Four random numbers make a key. */
static void generate(struct keys *k)
{
    uint64_t state = nas_random_skip(NAS_SEED, 4 * (uint64_t)k->first);
    const double scale = k->is->values / 4;

    for (int i = 0; i < k->n; i++) {
        double sum = nas_random(&state);

        for (int j = 1; j < 4; j++)
            sum += nas_random(&state);
        k->key[i] = (int32_t)(scale * sum);
    }
}

static void *room_for(int n)
{
    return world_keep((size_t)n, sizeof(int32_t), "keys");
}

void keys_begin(struct keys *k, enum nas_class class, int rank, int ranks)
{
    const struct nas_is *is = &nas_is[class];

    *k = (struct keys){ .is = is,
                        .rank = rank,
                        .ranks = ranks,
                        .first = first_of(is, rank, ranks),
                        .room = room_of(is, ranks),
                        .buckets = buckets_of(is) };
    k->n = first_of(is, rank + 1, ranks) - k->first;
    while (is->values >> k->shift > k->buckets)
        k->shift++;
    k->counts = k->buckets + NAS_IS_TESTS;
    k->key = room_for(k->n);
    k->sorted = room_for(k->room);
    k->received = room_for(k->room);
    k->below = room_for(is->values);
    k->mine = room_for(k->counts);
    k->all = room_for(k->counts);
    k->end = room_for(ranks);
    k->sends = room_for(ranks);
    k->send_at = room_for(ranks);
    k->receives = room_for(ranks);
    k->receive_at = room_for(ranks);
    generate(k);
}

static bool owns(const struct keys *k, int index)
{
    return index >= k->first && index < k->first + k->n;
}

void keys_change(struct keys *k, int iteration)
{
    const int later = iteration + NAS_IS_ITERATIONS;

    if (owns(k, iteration))
        k->key[iteration - k->first] = iteration;
    if (owns(k, later))
        k->key[later - k->first] = k->is->values - iteration;
}

void keys_count(struct keys *k)
{
    memset(k->mine, 0, (size_t)k->counts * sizeof *k->mine);
    for (int i = 0; i < k->n; i++)
        k->mine[k->key[i] >> k->shift]++;
    /* Only its owner knows the value of a key to test: others add 0. */
    for (int t = 0; t < NAS_IS_TESTS; t++)
        if (owns(k, k->is->test[t].index))
            k->mine[k->buckets + t] = k->key[k->is->test[t].index - k->first];
}

/* A rank's buckets end with the one that completes its share of all keys. */
static void assign(struct keys *k)
{
    int64_t sum = 0;
    int rank = 0;

    k->base = 0;
    for (int b = 0; b < k->buckets; b++) {
        sum += k->all[b];
        while (rank < k->ranks - 1 && sum >= first_of(k->is, rank + 1, k->ranks)) {
            k->end[rank++] = b + 1;
            if (rank == k->rank)
                k->base = (int)sum;
        }
    }
    while (rank < k->ranks)
        k->end[rank++] = k->buckets;
    k->low = (k->rank > 0 ? k->end[k->rank - 1] : 0) << k->shift;
    k->high = k->end[k->rank] << k->shift;
}

void keys_deal(struct keys *k)
{
    int place = 0;

    assign(k);
    /* mine becomes the place of the next key of a bucket. */
    for (int rank = 0, b = 0; rank < k->ranks; rank++) {
        k->send_at[rank] = place;
        for (; b < k->end[rank]; b++) {
            const int n = k->mine[b];

            k->mine[b] = place;
            place += n;
        }
        k->sends[rank] = place - k->send_at[rank];
    }
    for (int i = 0; i < k->n; i++)
        k->sorted[k->mine[k->key[i] >> k->shift]++] = k->key[i];
}

void keys_expect(struct keys *k)
{
    k->come = 0;
    for (int rank = 0; rank < k->ranks; rank++) {
        /* More keys than possible: MPI delivered a wrong number, and will
           report that messages are longer than the room for them. */
        if (k->receives[rank] < 0 || k->receives[rank] > k->room - k->come)
            k->receives[rank] = 0;
        k->receive_at[rank] = k->come;
        k->come += k->receives[rank];
    }
}

void keys_rank(struct keys *k)
{
    /* A key that MPI has damaged may have any value. */
    const int mask = k->is->values - 1;
    int32_t sum = k->base;

    memset(k->below + k->low, 0, (size_t)(k->high - k->low) * sizeof *k->below);
    for (int i = 0; i < k->come; i++)
        k->below[k->received[i] & mask]++;
    for (int value = k->low; value < k->high; value++) {
        const int32_t n = k->below[value];

        k->below[value] = sum;
        sum += n;
    }
}

void keys_check(struct keys *k, int iteration)
{
    for (int t = 0; t < NAS_IS_TESTS; t++) {
        const struct nas_is_test *test = &k->is->test[t];
        const int value = k->all[k->buckets + t];

        if (value >= k->low && value < k->high &&
            k->below[value] == test->rank + test->slope * (iteration - test->late))
            k->passed++;
    }
}

/* --- The full verification, on one rank --------------------------------------- */

/* A sum that changes, except by chance, if any key changes, and does not depend
   on the order of keys. */
static uint64_t fingerprint(const int32_t *key, int n)
{
    uint64_t sum = 0;

    for (int i = 0; i < n; i++) {
        const uint64_t x = ((uint64_t)(uint32_t)key[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);

        sum += x ^ x >> 29;
    }
    return sum;
}

struct keys_order keys_sort(struct keys *k)
{
    struct keys_order o = { .most = -1,
                            .before = fingerprint(k->key, k->n),
                            .now = fingerprint(k->received, k->come) };

    for (int i = 0; i < k->room; i++)
        k->sorted[i] = -1; /* no key has this value */
    for (int i = 0; i < k->come; i++) {
        const int32_t key = k->received[i];
        const bool ours = key >= k->low && key < k->high;
        const int64_t at = ours ? (int64_t)k->below[key]++ - k->base : -1;

        if (at < 0 || at >= k->come)
            o.wrong++;
        else
            k->sorted[at] = key;
    }
    for (int i = 0; i < k->come; i++)
        o.wrong += k->sorted[i] < (i > 0 ? k->sorted[i - 1] : 0);
    if (k->come > 0) {
        o.least = k->sorted[0];
        o.most = k->sorted[k->come - 1];
    }
    return o;
}

/* --- The family ------------------------------------------------------------------ */

static void describe(enum nas_class class, int ranks, struct problem *p)
{
    p->divides = true;
    snprintf(p->size, sizeof p->size, "keys=%d; values=%d;", nas_is[class].keys,
             nas_is[class].values);
    p->iterations = NAS_IS_ITERATIONS;
    p->operations = nas_is_operations(class);
    p->bytes = keys_bytes(class, ranks);
}

static bool begin(struct bench_run *r, enum nas_class class)
{
    struct nas *a = nas_of(r);

    keys_begin(&a->keys, class, r->rank, r->nranks);
    return true;
}

/* 1 if a key on a lower rank is larger than the smallest key of this rank. */
static int misplaced(const struct bench_run *r, const struct keys_order *o)
{
    int before = -1;

    PMPI_Exscan(&o->most, &before, 1, MPI_INT, MPI_MAX, r->comm);
    return r->rank > 0 && o->most >= 0 && before > o->least;
}

static bool verify(struct bench_run *r, char *why, size_t room)
{
    const struct keys *k = &nas_of(r)->keys;
    const int tests = NAS_IS_TESTS * NAS_IS_ITERATIONS, passed = k->passed;
    const struct keys_order o = keys_sort(&nas_of(r)->keys);
    int64_t found[] = { passed, o.wrong + misplaced(r, &o), k->come };
    uint64_t sum[] = { o.before, o.now };

    PMPI_Allreduce(MPI_IN_PLACE, found, 3, MPI_INT64_T, MPI_SUM, r->comm);
    PMPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_UINT64_T, MPI_SUM, r->comm);
    snprintf(why, room,
             "ranks of keys tested=%d; right=%d; keys out of order=%lld; "
             "keys=%lld of %d; %s",
             tests, (int)found[0], (long long)found[1], (long long)found[2], k->is->keys,
             sum[0] == sum[1] ? "" : "received keys differ from sent keys;");
    return found[0] == tests && found[1] == 0 && found[2] == k->is->keys && sum[0] == sum[1];
}

static const struct application application = {
    .calls = { [IS_ALLREDUCE] = "MPI_Allreduce",
               [IS_ALLTOALL] = "MPI_Alltoall",
               [IS_ALLTOALLV] = "MPI_Alltoallv" },
    .describe = describe,
    .begin = begin,
    .verify = verify,
};

static const struct nas_settings defaults = { NAS_B, &application };

const struct family nas_is_family = {
    NAS_FAMILY,
    .options = nas_is_options,
    .refuse = nas_refuse,
    .defaults = &defaults,
};
