/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce_local.h"

#include <string.h>

#include "base/buffer_size.h"
#include "collective.h"
#include "data/verify.h"
#include "report/report_kinds.h"

enum { CHUNK = VERIFY_CHUNK, TERMS = 2 };

/* Part of the vector of that term, or of the result (ranks: TERMS), from that byte on;
   how many bytes. */
static size_t part_of(const struct verify *v, int ranks, int term, size_t from,
                      char *chunk)
{
    const size_t size = element_size(v->element);
    const size_t left = v->run->bytes - from;
    const size_t part = left < CHUNK ? left : CHUNK;

    reduction_numbers(v->run, v->element, chunk, from / size, part / size,
                      ranks, term, TERMS);
    return part;
}

static void fill(const struct verify *v)
{
    const size_t bytes = v->run->bytes;
    char chunk[CHUNK];

    v->recv_kind->set(v->recv, verify_poison(v), bytes + BUFFER_GUARD);
    for (size_t done = 0, part; done < bytes; done += part) {
        part = part_of(v, 0, 0, done, chunk);
        v->send_kind->copy_in(v->send + done, chunk, part);
        part_of(v, 0, 1, done, chunk);
        v->recv_kind->copy_in(v->recv + done, chunk, part);
    }
}

static void check(const struct verify *v, struct mismatch *first)
{
    const size_t bytes = v->run->bytes, size = element_size(v->element);
    char right[CHUNK], got[CHUNK];

    for (size_t done = 0, part; done < bytes; done += part) {
        part = part_of(v, TERMS, 0, done, right);
        v->recv_kind->copy_out(got, v->recv + done, part);
        for (size_t at = 0; at < part; at += size)
            if (memcmp(got + at, right + at, size) != 0)
                verify_note(v, first, 0, (done + at) / size,
                            element_load(v->element, right + at),
                            element_load(v->element, got + at));
    }
    verify_check_untouched(v, v->recv + bytes, BUFFER_GUARD, 0, bytes, first);
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
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, bandwidth },
    { .value = NULL },
};

static const struct report_column full[] = {
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
    .full = full,
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
    .has_row = collective_has_row,
    .state = sizeof(struct collective),
    .begin = collective_begin,
    .end = collective_end,
};
