/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce_local.h"

#include "base/buffer_size.h"
#include "collective.h"
#include "data/verify.h"
#include "report/report_kinds.h"

enum { TERMS = 2 };

/* The vector of that term, or TERMS: the result. */
static void numbers(const struct verify *v, void *to, size_t first, size_t n,
                    int term)
{
    reduction_numbers(v->run, v->element, to, first, n,
                      term == TERMS ? TERMS : 0, term % TERMS, TERMS);
}

static void fill(const struct verify *v)
{
    v->recv_kind->set(v->recv, verify_poison(v), v->run->bytes + BUFFER_GUARD);
    verify_fill_numbers(v, v->send_kind, v->send, numbers, 0);
    verify_fill_numbers(v, v->recv_kind, v->recv, numbers, 1);
}

static void check(const struct verify *v, struct mismatch *first)
{
    verify_check_numbers(v, v->recv, 0, numbers, TERMS, first);
    verify_check_sent(v, v->send, 0, numbers, 0, first);
}

const struct flow flow_reduce_local = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = flow_one_block,
    .from = flow_anyone,
    .sum = true,
    .fill = fill,
    .check = check,
};

static struct cell bandwidth(const struct result *r)
{
    return r->mean > 0 ? cell_real(1e-6 * (double)r->row->bytes / r->mean)
                       : cell_word("-");
}

static const struct report_column columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, bandwidth },
    { .value = NULL },
};

const struct report report_reduce_local = {
    .unit = "us",
    .sample = "one call, on every rank",
    .printed = "us, mean over iterations, then over ranks; and " MB_PER_S
               " of one operand)",
    .headline = columns,
    .preamble = collective_operation_line,
};

static const struct option_row options[] = { REDUCTION_OPTION, { 0 } };
static const struct collective_settings defaults;

const struct family reduce_local_family = {
    .name = "collective",
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    .refuse = collective_refuse,
    .lacks_row = collective_lacks_row,
    .state = sizeof(struct collective),
    .begin = collective_begin,
    .end = collective_end,
};
