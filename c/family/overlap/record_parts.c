/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a lap with a computation in it, as a row of JSON has them. */
#include "record/record.h"

#ifdef HAVE_JANSSON
#    include <jansson.h>

static json_t *us(double seconds)
{
    return record_number(1e6 * seconds);
}

static json_t *overhead_of(const struct result *r)
{
    const struct overlap_parts *p = &r->parts;

    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "isend_us", us(p->sending.start),
        "send_wait_us", us(p->sending.wait), "irecv_us", us(p->receiving.start),
        "recv_wait_us", us(p->receiving.wait), "compute_us", us(p->compute),
        "compute_alone_us", us(p->alone), "latency_us", us(p->pure / 2));
}

static json_t *parts_of(const struct result *r)
{
    const struct overlap_parts *p = &r->parts;

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "start_us", us(p->start), "compute_us", us(p->compute),
                     "test_us", us(p->test), "wait_us", us(p->wait), "pure_us",
                     us(p->pure), "pure_min_us", us(p->pure_min), "pure_max_us",
                     us(p->pure_max), "compute_alone_us", us(p->alone),
                     "overlap_percent", record_number(result_overlap(r)));
}

void record_parts(void *row, const struct bench *b, const struct result *r)
{
    if (b->apart)
        json_object_set_new(row, "overhead", overhead_of(r));
    else if (bench_computes(b))
        json_object_set_new(row, "overlap", parts_of(r));
}
#endif
