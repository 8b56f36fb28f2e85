/* SPDX-License-Identifier: BSD-3-Clause */
#include "update.h"

#include <string.h>

#include "base/buffer_size.h"
#include "data/contents.h"
#include "data/verify.h"
#include "flow_rma.h"
#include "rma_window.h"

enum { CHUNK = VERIFY_CHUNK };

/* Numbers as two ranks contribute them to a sum: of the origin, of the window
   before the lap, and both together. */
enum contents { SENT, HELD, BOTH };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes of a chunk: of whole periods of the pattern, so that all chunks are
   alike. */
static size_t chunk_of(const struct verify *v)
{
    const size_t period =
        contents_period(v->element, 2) * element_size(v->element);

    return CHUNK / period * period;
}

/* The first elements of a block, as many as a chunk has. */
static void tabulate(const struct verify *v, enum contents what, char *chunk)
{
    const size_t size = element_size(v->element);

    for (size_t i = 0; i < least(v->run->bytes, chunk_of(v)) / size; i++)
        element_store(v->element, chunk + i * size,
                      what == BOTH
                          ? contents_sum(v->element, 2, 2, i)
                          : contents_term(v->element, (int)what, 2, i));
}

static void fill(const struct verify *v, const struct memory_kind *kind,
                 char *to, enum contents what)
{
    const size_t bytes = v->run->bytes, step = chunk_of(v);
    char chunk[CHUNK];

    tabulate(v, what, chunk);
    for (size_t done = 0; done < bytes; done += step)
        kind->copy_in(to + done, chunk, least(bytes - done, step));
}

static void check(const struct verify *v, const char *from, int block,
                  enum contents what, struct mismatch *first)
{
    const size_t bytes = v->run->bytes, size = element_size(v->element);
    const size_t step = chunk_of(v);
    char chunk[CHUNK], got[CHUNK];

    tabulate(v, what, chunk);
    for (size_t done = 0; done < bytes; done += step) {
        const size_t part = least(bytes - done, step);

        v->recv_kind->copy_out(got, from + done, part);
        for (size_t at = 0; at < part; at += size)
            if (memcmp(got + at, chunk + at, size) != 0)
                verify_note(v, first, block, (done + at) / size,
                            element_load(v->element, chunk + at),
                            element_load(v->element, got + at));
    }
    verify_check_untouched(v, from + bytes, BUFFER_GUARD, block, bytes, first);
}

/* A block to receive, and the guard after it, full of poison. */
static void poison(const struct verify *v, void *block)
{
    v->recv_kind->set(block, verify_poison(v), v->run->bytes + BUFFER_GUARD);
}

void update_fill(const struct verify *v)
{
    const struct bench_run *r = v->run;
    const struct flow_rma *flow = flow_rma_of(v->flow);
    void *window = rma_of(r)->base;

    if (v->flow->receives(r) > 0)
        poison(v, r->recv);
    if (flow->updated(r) > 0) {
        poison(v, window);
        fill(v, v->recv_kind, window, HELD);
    }
    if (v->flow->sends(r) > 0)
        fill(v, v->send_kind, r->send, SENT);
    if (v->flow->sends(r) > 0 && flow->swap)
        fill(v, v->send_kind, (char *)r->send + r->send_stride, HELD);
}

void update_check(const struct verify *v, struct mismatch *first)
{
    const struct bench_run *r = v->run;
    const struct flow_rma *flow = flow_rma_of(v->flow);
    const int received = v->flow->receives(r);

    if (received > 0)
        check(v, r->recv, 0, HELD, first);
    if (flow->updated(r) > 0)
        check(v, rma_of(r)->base, received, flow->swap ? SENT : BOTH, first);
}
