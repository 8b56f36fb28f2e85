/* SPDX-License-Identifier: BSD-3-Clause */
#include "is.h"

#include <stdio.h>

static void describe(enum nas_class class, int ranks, struct problem *p)
{
    p->divides = ranks <= KEYS_RANKS_MOST;
    snprintf(p->needs, sizeof p->needs, "at most %d ranks", KEYS_RANKS_MOST);
    snprintf(p->size, sizeof p->size, "keys=%d; values=%d;", nas_is[class].keys,
             nas_is[class].values);
    p->iterations = NAS_IS_ITERATIONS;
    p->operations = nas_is_operations(class);
    p->bytes = keys_bytes(class, ranks);
}

static bool begin(struct bench_run *r, enum nas_class class)
{
    struct nas *a = nas_of(r);

    return keys_begin(&a->keys, class, r->rank, r->nranks);
}

static void end(struct bench_run *r)
{
    keys_end(&nas_of(r)->keys);
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
             tests, (int)found[0], (long long)found[1], (long long)found[2],
             k->is->keys,
             sum[0] == sum[1] ? "" : "received keys differ from sent keys;");
    return found[0] == tests && found[1] == 0 && found[2] == k->is->keys &&
           sum[0] == sum[1];
}

static const struct application application = {
    .calls = { [IS_ALLREDUCE] = "MPI_Allreduce",
               [IS_ALLTOALL] = "MPI_Alltoall",
               [IS_ALLTOALLV] = "MPI_Alltoallv" },
    .describe = describe,
    .begin = begin,
    .end = end,
    .verify = verify,
};

static const struct nas_settings defaults = { NAS_B, &application };

const struct family nas_is_family = {
    NAS_FAMILY,
    .options = nas_is_options,
    .refuse = nas_refuse,
    .defaults = &defaults,
};
