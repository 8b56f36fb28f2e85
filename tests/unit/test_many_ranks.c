/* SPDX-License-Identifier: BSD-3-Clause */
/* On a million ranks a rank has what its operation needs, and no list of all others that
   MPI does not ask for. */
#include "unit.h"

#include "collective/flow_collective.h"
#include "data/layout.h"
#include "loop.h"
#include "options/pairing.h"

enum { RANKS = 1000000, ROOT = 7 };

/* Bytes of the arrays that MPI is given, for each rank of the job, at the root and
   elsewhere; and no more than so many besides. */
static const struct array_row {
    const char *name;
    const struct flow *flow;
    size_t root, other;
} array_rows[] = {
    { "ping-pong", &flow_ping_pong, 0, 0 },
    { "no data", &flow_none, 0, 0 },
    { "broadcast", &flow_broadcast, 0, 0 },
    { "reduce", &flow_reduce, 0, 0 },
    { "gather", &flow_gather, 0, 0 },
    { "scatter", &flow_scatter, 0, 0 },
    { "gather_all", &flow_gather_all, 0, 0 },
    { "exchange_all", &flow_exchange_all, 0, 0 },
    { "reduce_scatter_block", &flow_reduce_scatter_block, 0, 0 },
    { "reduce_scatter", &flow_reduce_scatter, 8, 8 },
    { "gather_v", &flow_gather_v, 8, 0 },
    { "scatter_v", &flow_scatter_v, 8, 0 },
    { "gather_all_v", &flow_gather_all_v, 8, 8 },
    { "exchange_all_v", &flow_exchange_all_v, 16, 16 },
    { "exchange_all_w", &flow_exchange_all_w, 16 + sizeof(MPI_Datatype),
      16 + sizeof(MPI_Datatype) },
};
static const size_t BESIDES = 64;

TEST_ROWS(array_rows, arrays_are_those_that_mpi_asks_for)
{
    for (int i = 0; i < 2; i++) {
        struct bench_run r = { .rank = i == 0 ? ROOT : ROOT + 1,
                               .nranks = RANKS,
                               .blocks = RANKS,
                               .root = ROOT,
                               .count = 1,
                               .type = MPI_CHAR,
                               .bytes = 1 };
        const size_t all = RANKS * (i == 0 ? row->root : row->other);
        const size_t need = layout_need(&r, row->flow);

        assert_true(need >= all && need <= all + BESIDES);
        assert_true(layout_begin(&r, row->flow));
        layout_fill(&r, row->flow);
        if (row->flow->blocks != BLOCKS_EQUAL) {
            assert_int_equal(r.out.displs[r.out.n - 1], r.out.n - 1);
            assert_int_equal(r.in.displs[r.in.n - 1], r.in.n - 1);
            assert_int_equal(r.in.counts[0], 1);
        }
        layout_end(&r);
    }
}

/* "0-1,2-3,...": looking each rank up in the list would take hours. */
TEST(a_list_of_all_pairs_is_read_once)
{
    enum { ROOM = 16 * RANKS / 2 };
    char *text = malloc(ROOM);
    struct pairing p;
    int at = 0;

    assert_non_null(text);
    for (int i = 0; i < RANKS; i += 2)
        at += snprintf(text + at, (size_t)(ROOM - at), "%s%d-%d",
                       i > 0 ? "," : "", i, i + 1);
    assert_null(pairing_parse(text, &p));
    assert_int_equal(p.n, RANKS / 2);
    assert_int_equal(p.last, RANKS - 1);
    assert_int_equal(pairing_partner(&p, p.n, RANKS - 1).number, RANKS - 2);
    strcpy(text + at, ",999999-1000001");
    assert_string_equal(pairing_parse(text, &p), "names a rank twice");
    free(text);
}
