/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify_sum.h"

#include "pattern.h"

enum { CHUNK = VERIFY_CHUNK };

size_t verify_received_bytes(const struct verify *v)
{
    return v->flow->dealt == FLOW_WHOLE
               ? v->run->bytes
               : (size_t)v->run->part * element_size(v->element);
}

/* Where that part begins in the vector. */
static size_t first_element(const struct verify *v)
{
    return v->flow->dealt == FLOW_WHOLE ? 0
                                        : (size_t)v->run->displs[v->run->rank];
}

/* Over the period of the pattern: the sums over so many ranks, or, of 0, what
   this rank contributes. */
static size_t tabulate(const struct verify *v, char *table, int ranks)
{
    const struct bench_run *r = v->run;
    const size_t size = element_size(v->element);
    size_t period = pattern_period(v->element, r->nranks);

    if (period > CHUNK / size)
        period = 0; /* too long to tabulate: computed one by one */
    for (size_t i = 0; i < period && i < r->bytes / size; i++)
        element_store(v->element, table + i * size,
                      ranks > 0
                          ? pattern_sum(v->element, ranks, r->nranks, i)
                          : pattern_term(v->element, r->rank, r->nranks, i));
    return period;
}

void verify_fill_terms(const struct verify *v, const struct memory_kind *kind,
                       char *to)
{
    const struct bench_run *r = v->run;
    const size_t size = element_size(v->element), count = r->bytes / size;
    char table[CHUNK], value[16];
    const size_t period = tabulate(v, table, 0);

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

void verify_check_sum(const struct verify *v, const char *from,
                      struct mismatch *first)
{
    const struct bench_run *r = v->run;
    const size_t size = element_size(v->element);
    const size_t count = verify_received_bytes(v) / size,
                 first_i = first_element(v);
    const int ranks = flow_summed_ranks(v->flow, v->run);
    char table[CHUNK], chunk[CHUNK];
    const size_t period = tabulate(v, table, ranks), room = CHUNK / size;

    for (size_t done = 0; done < count; done += room) {
        const size_t part = count - done < room ? count - done : room;

        v->recv_kind->copy_out(chunk, from + done * size, part * size);
        for (size_t i = 0; i < part; i++) {
            const double got = element_load(v->element, chunk + i * size);
            const size_t at = first_i + done + i;
            const double right =
                period > 0
                    ? element_load(v->element, table + at % period * size)
                    : pattern_sum(v->element, ranks, r->nranks, at);

            if (got != right)
                verify_note(v, first, 0, done + i, right, got);
        }
    }
}
