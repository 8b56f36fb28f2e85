/* SPDX-License-Identifier: BSD-3-Clause */
/* Who sends and receives how much, as the root and as another rank; sums over
   some of the ranks; vectors that are dealt out. */
#include "unit.h"

#include "collective/collective.h"
#include "data/layout.h"
#include "loop.h"

enum { RANKS = 5, ROOT = 3 };

static struct bench_run run_of(int rank, bool in_place, bool rotates)
{
    return (struct bench_run){ .rank = rank,
                               .nranks = RANKS,
                               .root = ROOT,
                               .in_place = in_place,
                               .root_rotates = rotates };
}

/* Blocks of room at the root and elsewhere: without -l, with it, and with it
   where the root rotates. */
static const struct room_row {
    const char *name;
    const struct flow *flow;
    struct {
        size_t send, recv;
    } root[3], other[3];
} room_rows[] = {
    { "reduce",
      &flow_reduce,
      { { 1, 1 }, { 0, 1 }, { 1, 1 } },
      { { 1, 0 }, { 1, 0 }, { 1, 1 } } },
    { "gather",
      &flow_gather,
      { { 1, 5 }, { 0, 5 }, { 1, 5 } },
      { { 1, 0 }, { 1, 0 }, { 1, 5 } } },
    { "scatter_v",
      &flow_scatter_v,
      { { 5, 1 }, { 5, 0 }, { 5, 1 } },
      { { 0, 1 }, { 0, 1 }, { 5, 1 } } },
    { "broadcast",
      &flow_broadcast,
      { { 0, 1 }, { 0, 1 }, { 0, 1 } },
      { { 0, 1 }, { 0, 1 }, { 0, 1 } } },
    { "exchange_all_w",
      &flow_exchange_all_w,
      { { 5, 5 }, { 0, 5 }, { 0, 5 } },
      { { 5, 5 }, { 0, 5 }, { 0, 5 } } },
    { "scan",
      &flow_scan,
      { { 1, 1 }, { 0, 1 }, { 0, 1 } },
      { { 1, 1 }, { 0, 1 }, { 0, 1 } } },
};

TEST_ROWS(room_rows, there_is_room)
{
    for (int i = 0; i < 3; i++)
        for (int rank = 0; rank < RANKS; rank++) {
            const struct bench_run r = run_of(rank, i > 0, i > 1);

            assert_int_equal(flow_room(row->flow, &r, true),
                             rank == ROOT ? row->root[i].send
                                          : row->other[i].send);
            assert_int_equal(flow_room(row->flow, &r, false),
                             rank == ROOT ? row->root[i].recv
                                          : row->other[i].recv);
        }
}

/* MPI_IN_PLACE stands where MPI wants it, and nowhere else. */
TEST(in_place_is_where_it_belongs)
{
    char send, recv;

    for (int rank = 0; rank < RANKS; rank++) {
        struct bench_run r = run_of(rank, true, false);

        flow_point(&flow_gather, &r, &send, &recv);
        assert_ptr_equal(r.send, rank == ROOT ? MPI_IN_PLACE : &send);
        assert_ptr_equal(r.recv, &recv);
        flow_point(&flow_scatter, &r, &send, &recv);
        assert_ptr_equal(r.send, &send);
        assert_ptr_equal(r.recv, rank == ROOT ? MPI_IN_PLACE : &recv);
        flow_point(&flow_gather_all, &r, &send, &recv);
        assert_ptr_equal(r.send, MPI_IN_PLACE);
        r.in_place = false;
        flow_point(&flow_scatter, &r, &send, &recv);
        assert_ptr_equal(r.recv, &recv);
        flow_point(&flow_reduce, &r, &send, &recv);
        assert_ptr_equal(r.send, &send);
    }
}

TEST(prefix_sums_are_over_the_ranks_before)
{
    for (int rank = 0; rank < RANKS; rank++) {
        const struct bench_run r = run_of(rank, false, false);
        const struct bench_run in_place = run_of(rank, true, false);

        assert_int_equal(flow_summed_ranks(&flow_scan, &r), rank + 1);
        assert_int_equal(flow_summed_ranks(&flow_exscan, &r), rank);
        assert_int_equal(flow_summed_ranks(&flow_exscan, &in_place),
                         rank > 0 ? rank : 1);
        assert_int_equal(flow_summed_ranks(&flow_reduce, &r), RANKS);
    }
}

/* To 5 ranks: equal parts, then one more each to the first. */
TEST(a_vector_is_dealt_out)
{
    struct bench_run r = run_of(RANKS - 1, false, false);

    assert_true(layout_begin(&r, &flow_reduce_scatter));
    for (int count = RANKS; count < 4 * RANKS; count++) {
        int sum = 0;

        r.count = count;
        layout_fill(&r, &flow_reduce_scatter);
        for (int i = 0; i < RANKS; i++) {
            assert_int_equal(r.in.counts[i],
                             count / RANKS + (i < count % RANKS));
            assert_int_equal(r.in.displs[i], sum);
            sum += r.in.counts[i];
        }
        assert_int_equal(sum, count);
        assert_int_equal(layout_own_part(&r, &flow_reduce_scatter).first,
                         r.in.displs[RANKS - 1]);
        assert_int_equal(layout_own_part(&r, &flow_reduce_scatter_block).first,
                         (RANKS - 1) * (count / RANKS));
        assert_int_equal(layout_own_part(&r, &flow_reduce_scatter_block).n,
                         count / RANKS);
        assert_int_equal(layout_own_part(&r, &flow_reduce).n, count);
    }
    layout_end(&r);
    assert_false(flow_is_dealt(&flow_reduce_scatter, 4, RANKS));
    assert_true(flow_is_dealt(&flow_reduce_scatter, 5, RANKS));
    assert_true(flow_is_dealt(&flow_reduce, 0, RANKS));
}
