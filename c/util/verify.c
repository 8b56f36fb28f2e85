/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify.h"

#include <string.h>

#include "pattern.h"
#include "plan.h"

enum { CHUNK = 65536, POISON = 0xa5 };

static int poison_of(const struct verify *v)
{
    return POISON ^ (v->salt & 0x3f);
}

/* Bytes from one block to the next. */
static size_t stride_of(const struct verify *v, bool receiving)
{
    if (!v->flow->window)
        return v->run->bytes;
    return receiving ? v->run->recv_stride : v->run->send_stride;
}

/* Slot number that marks the contents: one for all where one buffer serves
   the whole window. */
static int slot_of(const struct verify *v, int block)
{
    return v->flow->window && v->distinct_sends ? block : 0;
}

/* "To" of what this rank receives. */
static int dest_here(const struct verify *v)
{
    return v->flow->to_all ? PATTERN_ANYONE : v->run->rank;
}

static void fill_moved(const struct verify *v, const struct memory_kind *kind,
                       char *to, int dest, int slot)
{
    char chunk[CHUNK];

    for (size_t done = 0; done < v->run->bytes; done += CHUNK) {
        const size_t left = v->run->bytes - done;
        const size_t part = left < CHUNK ? left : CHUNK;

        pattern_fill(chunk, part, done, v->run->rank, dest, slot);
        kind->copy_in(to + done, chunk, part);
    }
}

/* The values of one element, tabulated over the period of the pattern. */
static size_t tabulate(const struct verify *v, char *table, bool sum)
{
    const struct bench_run *r = v->run;
    const size_t size = element_size(v->element);
    size_t period = pattern_period(v->element, r->nranks);

    if (period > CHUNK / size)
        period = 0; /* too long to tabulate: computed one by one */
    for (size_t i = 0; i < period && i < r->bytes / size; i++)
        element_store(v->element, table + i * size,
                      sum ? pattern_sum(v->element, r->nranks, i)
                          : pattern_term(v->element, r->rank, r->nranks, i));
    return period;
}

static void fill_terms(const struct verify *v, const struct memory_kind *kind,
                       char *to)
{
    const struct bench_run *r = v->run;
    const size_t size = element_size(v->element), count = r->bytes / size;
    char table[CHUNK], value[16];
    const size_t period = tabulate(v, table, false);

    for (size_t i = 0; i < count;) {
        const size_t part = period == 0          ? 1
                            : count - i < period ? count - i
                                                 : period;

        if (period == 0)
            element_store(v->element, value,
                          pattern_term(v->element, r->rank, r->nranks, i));
        kind->copy_in(to + i * size, period == 0 ? value : table, part * size);
        i += part;
    }
}

void verify_fill(const struct verify *v)
{
    const struct bench_run *r = v->run;
    const struct flow *flow = v->flow;
    const int sends = flow->sends(r), receives = flow->receives(r);

    if (receives > 0)
        v->recv_kind->set(r->recv, poison_of(v),
                          (size_t)(receives - 1) * stride_of(v, true) +
                              r->bytes + PLAN_GUARD);
    /* A message of one byte that never comes must not look as if it had. */
    for (int i = 0; r->bytes == 1 && !flow->sum && i < receives; i++)
        v->recv_kind->set(
            (char *)r->recv + (size_t)i * stride_of(v, true),
            ~pattern_byte(0, flow->from(r, i), dest_here(v), slot_of(v, i)), 1);
    for (int i = 0; i < sends; i++) {
        const struct memory_kind *kind =
            v->in_place ? v->recv_kind : v->send_kind;
        char *to = v->in_place
                       ? (char *)r->recv + (size_t)flow->place(r, i) * r->bytes
                       : (char *)r->send + (size_t)i * stride_of(v, false);

        if (flow->sum)
            fill_terms(v, kind, to);
        else
            fill_moved(v, kind, to, flow->to(r, i), slot_of(v, i));
    }
}

static void note(struct mismatch *first, int block, size_t element,
                 double expected, double got)
{
    if (first->wrong++ > 0)
        return;
    first->block = block;
    first->element = element;
    first->expected = expected;
    first->got = got;
}

static void check_moved(const struct verify *v, const char *from, int block,
                        struct mismatch *first)
{
    const struct bench_run *r = v->run;
    const int source = v->flow->from(r, block), slot = slot_of(v, block);
    const int dest = dest_here(v);
    char chunk[CHUNK];

    for (size_t done = 0; done < r->bytes; done += CHUNK) {
        const size_t left = r->bytes - done;
        const size_t part = left < CHUNK ? left : CHUNK;
        size_t at;

        v->recv_kind->copy_out(chunk, from + done, part);
        at = pattern_check(chunk, part, done, source, dest, slot);
        for (; at < part; at++) {
            const unsigned char right =
                pattern_byte(done + at, source, dest, slot);

            if ((unsigned char)chunk[at] != right)
                note(first, block, done + at, right, (unsigned char)chunk[at]);
        }
    }
}

static void check_sum(const struct verify *v, const char *from,
                      struct mismatch *first)
{
    const struct bench_run *r = v->run;
    const size_t size = element_size(v->element), count = r->bytes / size;
    char table[CHUNK], chunk[CHUNK];
    const size_t period = tabulate(v, table, true), room = CHUNK / size;

    for (size_t done = 0; done < count; done += room) {
        const size_t part = count - done < room ? count - done : room;

        v->recv_kind->copy_out(chunk, from + done * size, part * size);
        for (size_t i = 0; i < part; i++) {
            const double got = element_load(v->element, chunk + i * size);
            const double right =
                period > 0 ? element_load(v->element,
                                          table + (done + i) % period * size)
                           : pattern_sum(v->element, r->nranks, done + i);

            if (got != right)
                note(first, 0, done + i, right, got);
        }
    }
}

static void check_guard(const struct verify *v, const char *end, int block,
                        struct mismatch *first)
{
    unsigned char guard[PLAN_GUARD];

    v->recv_kind->copy_out(guard, end, sizeof guard);
    for (size_t i = 0; i < sizeof guard; i++)
        if (guard[i] != poison_of(v))
            note(first, block, v->run->bytes + i, poison_of(v), guard[i]);
}

bool verify_check(const struct verify *v, struct mismatch *first)
{
    const struct bench_run *r = v->run;
    const int receives = v->flow->receives(r);

    *first = (struct mismatch){ 0 };
    for (int i = 0; i < receives; i++) {
        const char *from = (char *)r->recv + (size_t)i * stride_of(v, true);

        if (v->flow->sum)
            check_sum(v, from, first);
        else
            check_moved(v, from, i, first);
    }
    if (receives > 0)
        check_guard(v,
                    (char *)r->recv +
                        (size_t)(receives - 1) * stride_of(v, true) + r->bytes,
                    receives - 1, first);
    return first->wrong == 0;
}
