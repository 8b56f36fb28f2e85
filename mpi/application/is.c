/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * is - NAS IS, an integer sort, and the share of communication
 *
 *     own keys, by index   -->   own keys, by value   -->   ranks of the keys
 *                      Alltoallv                     count
 *
 * Sample   the timed region of the NAS specification: ten times change two
 *          keys, find the rank of each key, and verify some; on every rank.
 *          Keys are generated before it, and one iteration runs untimed.
 * Printed  the slowest rank's time, in s; the time in each MPI call and outside
 *          of MPI, mean over ranks; Mop/s, millions of keys ranked per second;
 *          whether the ranks are right.
 * Ranks    1 to 1024, the number of buckets.
 *
 * The file has all that an iteration does, which makes it longer than one loop
 * around one call.
 */
#include "bench.h"

#include "nas/nas.h"

static void rank_keys(struct bench_run *r)
{
    struct nas *a = nas_of(r);
    struct parts *p = &a->parts;
    struct keys *k = &a->keys;

    while (bench_next(r)) {
        bench_sync(r);
        bench_start(r);
        for (int i = 1; nas_goes_on(a, i); i++) {
            keys_change(k, i);
            keys_count(k);
            part_begin(p);
            MPI_Allreduce(k->mine, k->all, k->counts, MPI_INT, MPI_SUM, r->comm);
            part_end(p, IS_ALLREDUCE);
            keys_deal(k);
            part_begin(p);
            MPI_Alltoall(k->sends, 1, MPI_INT, k->receives, 1, MPI_INT, r->comm);
            part_end(p, IS_ALLTOALL);
            keys_expect(k);
            part_begin(p);
            MPI_Alltoallv(k->sorted, k->sends, k->send_at, MPI_INT32_T, k->received, k->receives,
                          k->receive_at, MPI_INT32_T, r->comm);
            part_end(p, IS_ALLTOALLV);
            keys_rank(k);
            keys_check(k, i);
        }
        bench_stop(r);
    }
}

static const struct bench bench = {
    .name = "is",
    .about = "NAS IS, an integer sort, and the share of communication",
    .title = "NAS IS Integer Sort",
    .ranks = { .min = 1, .max = KEYS_RANKS_MOST },
    .takes = TAKES_MEMORY_LIMIT,
    .flow = &flow_none,
    .timed = TIMED_ALL,
    .run = rank_keys,
    .report = &report_whole,
    .family = &nas_is_family,
};

int main(int argc, char **argv)
{
    return bench_main(&bench, argc, argv);
}
