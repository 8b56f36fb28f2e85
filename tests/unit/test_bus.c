/* SPDX-License-Identifier: BSD-3-Clause */
/* algbw and busbw of each pattern of communication, as nccl-tests defines them. */
#include "unit.h"

#include "collective/bus.h"
#include "collective/collective.h"

static const struct of_flow {
    const char *name;
    const struct flow *flow;
    int n;
    double algbw, busbw; /* of 1,000 bytes in a second */
} rows[] = {
    { "allreduce", &flow_reduce_all, 4, 1000, 1500 },
    { "allreduce of two", &flow_reduce_all, 2, 1000, 1000 },
    { "reduce", &flow_reduce, 4, 1000, 1000 },
    { "reduce_scatter", &flow_reduce_scatter, 4, 1000, 750 },
    { "reduce_scatter_block", &flow_reduce_scatter_block, 5, 1000, 800 },
    { "scan", &flow_scan, 4, 1000, 1000 },
    { "exscan", &flow_exscan, 4, 1000, 1000 },
    { "bcast", &flow_broadcast, 4, 1000, 1000 },
    { "allgather", &flow_gather_all, 4, 4000, 3000 },
    { "allgatherv", &flow_gather_all_v, 4, 4000, 3000 },
    { "gather", &flow_gather, 5, 5000, 4000 },
    { "gatherv", &flow_gather_v, 4, 4000, 3000 },
    { "scatter", &flow_scatter, 4, 4000, 3000 },
    { "scatterv", &flow_scatter_v, 4, 4000, 3000 },
    { "alltoall", &flow_exchange_all, 4, 4000, 3000 },
    { "alltoallv", &flow_exchange_all_v, 4, 4000, 3000 },
    { "alltoallw", &flow_exchange_all_w, 3, 3000, 2000 },
};

TEST_ROWS(rows, bandwidths)
{
    const struct bus *bus = row->flow->of_family;

    assert_near(bus_bandwidth(bus, BUS_ALGBW, row->n, 1000, 1), row->algbw,
                1e-9);
    assert_near(bus_bandwidth(bus, BUS_BUSBW, row->n, 1000, 1), row->busbw,
                1e-9);
    assert_near(bus_bandwidth(bus, BUS_BUSBW, row->n, 1000, 0.5),
                2 * row->busbw, 1e-9);
}
