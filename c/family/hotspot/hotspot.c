/* SPDX-License-Identifier: BSD-3-Clause */
#include "hotspot.h"

#include "loop.h"

static int one_for_each_other(const struct bench_run *r)
{
    return r->rank == 0 ? r->nranks - 1 : 0;
}

int hotspot_one_of_others(const struct bench_run *r)
{
    return r->rank > 0 && r->rank < r->nranks;
}

static int other_of_block(const struct bench_run *r, int i)
{
    return 1 + i;
}

const struct flow flow_hot_send = {
    .sides = SIDES_TURNED,
    .sends = one_for_each_other,
    .to = other_of_block,
    .receives = hotspot_one_of_others,
    .from = flow_rank_0,
    .window = true,
};
const struct flow flow_hot_recv = {
    .sides = SIDES_BY_SENDER,
    .sends = hotspot_one_of_others,
    .to = flow_rank_0,
    .receives = one_for_each_other,
    .from = other_of_block,
    .window = true,
};

static void share_of_each(const struct context *c, struct result *result)
{
    result->scale = 1.0 / (double)result->row->parameter;
    result->messages = (double)result->row->parameter;
}

static struct cell aggregate(const struct result *r)
{
    return cell_real(r->mean > 0 ? (double)r->moved * r->messages / r->mean / 1e6 : 0);
}

static struct cell of_each(const struct result *r)
{
    return cell_real(r->mean > 0 ? (double)r->moved / r->mean / 1e6 : 0);
}

static const struct report_column hot_spot_columns[] = {
    { { "message_us", "Per Message(us)", 0 }, report_mean },
    { { "aggregate_mb_per_s", "All (MB/s)", 0 }, aggregate },
    { { "each_mb_per_s", "Each (MB/s)", 0 }, of_each },
    { .value = NULL },
};

const struct report report_hot_spot = {
    .unit = "us",
    .sample = "one message between rank 0 and each peer, and an empty one the "
              "other way, seen by rank 0",
    .printed = "us for a message, mean over iterations; and payload / mean time, for "
               "all peers together and for each, in MB/s (10^6 bytes)",
    .figure = share_of_each,
    .headline = hot_spot_columns,
};
