/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of OMB's tables, and the value each takes from a result. */
#include "report_columns.h"

static struct cell real(double value)
{
    return (struct cell){ .kind = CELL_REAL, .real = value };
}

static struct cell mean(const struct result *r)
{
    return real(result_figure(r, r->mean));
}

static struct cell mean_min(const struct result *r)
{
    return real(result_figure(r, r->mean_min));
}

static struct cell mean_max(const struct result *r)
{
    return real(result_figure(r, r->mean_max));
}

static struct cell laps(const struct result *r)
{
    return (struct cell){ .kind = CELL_COUNT, .count = (size_t)r->laps };
}

struct cell report_message_rate_value(const struct result *r)
{
    return real(r->mean > 0 ? r->messages / r->mean : 0);
}

static struct cell computation(const struct result *r)
{
    return real(1e6 * result_computation(r));
}

static struct cell starting(const struct result *r)
{
    return real(1e6 * r->parts.start);
}

static struct cell testing(const struct result *r)
{
    return real(1e6 * r->parts.test);
}

static struct cell waiting(const struct result *r)
{
    return real(1e6 * r->parts.wait);
}

static struct cell pure(const struct result *r)
{
    return real(1e6 * r->parts.pure);
}

static struct cell pure_min(const struct result *r)
{
    return real(1e6 * r->parts.pure_min);
}

static struct cell pure_max(const struct result *r)
{
    return real(1e6 * r->parts.pure_max);
}

static struct cell sending(const struct result *r)
{
    return real(1e6 * r->parts.sending.start);
}

static struct cell sent(const struct result *r)
{
    return real(1e6 * r->parts.sending.wait);
}

static struct cell receiving(const struct result *r)
{
    return real(1e6 * r->parts.receiving.start);
}

static struct cell received(const struct result *r)
{
    return real(1e6 * r->parts.receiving.wait);
}

static struct cell receiver(const struct result *r)
{
    return real(1e6 * (r->parts.receiving.start + r->parts.receiving.wait));
}

static struct cell half_pure(const struct result *r)
{
    return real(1e6 * r->parts.pure / 2);
}

static struct cell of_full(const struct result *r)
{
    return real(100 * r->parts.pure / r->mean);
}

static struct cell left(const struct result *r)
{
    return real(100 * r->parts.compute / r->mean);
}

static struct cell hidden(const struct result *r)
{
    const double overlap = result_overlap(r);

    return real(overlap > 0 ? overlap : 0);
}

/* Of a hot spot: all its messages together, and those of each other rank. */
static struct cell aggregate(const struct result *r)
{
    return real(r->mean > 0 ? (double)r->moved * r->messages / r->mean / 1e6
                            : 0);
}

static struct cell of_each(const struct result *r)
{
    return real(r->mean > 0 ? (double)r->moved / r->mean / 1e6 : 0);
}

static struct cell mean_of_each(const struct result *r)
{
    return real(result_figure(r, r->mean) / (double)r->level);
}

const struct report_column report_latency_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, mean },
    { .value = NULL },
};
const struct report_column report_collective_full[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, mean },
    { { "latency_min_us", "Min Latency(us)", 0 }, mean_min },
    { { "latency_max_us", "Max Latency(us)", 0 }, mean_max },
    { { "iterations", "Iterations", TABLE_COUNT_WIDTH }, laps },
    { .value = NULL },
};
const struct report_column report_bandwidth_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, mean },
    { .value = NULL },
};
const struct report_column report_rate_columns[] = {
    { { "bandwidth_mb_per_s", "MB/s", 0 }, mean },
    { { "messages_per_s", "Messages/s", 0 }, report_message_rate_value },
    { .value = NULL },
};
const struct report_column report_overlap_columns[] = {
    { { "overall_us", "Overall(us)", 0 }, mean },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "pure_us", "Pure Comm.(us)", 0 }, pure },
    { { "overlap_percent", "Overlap(%)", 0 }, hidden },
    { .value = NULL },
};
const struct report_column report_overlap_full[] = {
    { { "overall_us", "Overall(us)", 0 }, mean },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "init_us", "Coll. Init(us)", 0 }, starting },
    { { "test_us", "MPI_Test(us)", 0 }, testing },
    { { "wait_us", "MPI_Wait(us)", 0 }, waiting },
    { { "pure_us", "Pure Comm.(us)", 0 }, pure },
    { { "pure_min_us", "Min Comm.(us)", 0 }, pure_min },
    { { "pure_max_us", "Max Comm.(us)", 0 }, pure_max },
    { { "overlap_percent", "Overlap(%)", 0 }, hidden },
    { .value = NULL },
};
const struct report_column report_overlap_bandwidth_columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, mean },
    { { "of_full_percent", "Of Full(%)", 0 }, of_full },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { { "left_percent", "CPU Left(%)", 0 }, left },
    { .value = NULL },
};
const struct report_column report_overhead_columns[] = {
    { { "send_overhead_us", "Send(us)", 0 }, mean },
    { { "recv_overhead_us", "Receive(us)", 0 }, receiver },
    { { "latency_us", "Latency(us)", 0 }, half_pure },
    { .value = NULL },
};
const struct report_column report_overhead_full[] = {
    { { "send_overhead_us", "Send(us)", 0 }, mean },
    { { "recv_overhead_us", "Receive(us)", 0 }, receiver },
    { { "latency_us", "Latency(us)", 0 }, half_pure },
    { { "isend_us", "MPI_Isend(us)", 0 }, sending },
    { { "send_wait_us", "its Wait(us)", 0 }, sent },
    { { "irecv_us", "MPI_Irecv(us)", 0 }, receiving },
    { { "recv_wait_us", "its Wait(us)", 0 }, received },
    { { "compute_us", "Compute(us)", 0 }, computation },
    { .value = NULL },
};
const struct report_column report_rma_latency_columns[] = {
    { { "latency_us", "Latency (us)", 0 }, mean },
    { .value = NULL },
};
const struct report_column report_hot_spot_columns[] = {
    { { "message_us", "Per Message(us)", 0 }, mean },
    { { "aggregate_mb_per_s", "All (MB/s)", 0 }, aggregate },
    { { "each_mb_per_s", "Each (MB/s)", 0 }, of_each },
    { .value = NULL },
};
const struct report_column report_rma_hot_spot_columns[] = {
    { { "aggregate_mb_per_s", "All (MB/s)", 0 }, mean },
    { { "each_mb_per_s", "Each (MB/s)", 0 }, mean_of_each },
    { .value = NULL },
};
