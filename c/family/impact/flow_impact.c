/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow_impact.h"

#include "data/contents.h"
#include "data/verify.h"
#include "impact.h"

/* --- Victims ------------------------------------------------------------------- */

static int next(const struct bench_run *r, int i)
{
    (void)i;
    return impact_next(r);
}

static int previous(const struct bench_run *r, int i)
{
    (void)i;
    return impact_previous(r);
}

static int all_victims(const struct bench_run *r)
{
    return impact_of(r)->victims;
}

/* Terms and sums are numbered among the victims. */
static void numbers(const struct bench_run *r, enum element type, void *to,
                    size_t first, size_t n, int ranks, int rank, int nranks)
{
    const struct impact *s = impact_of(r);

    (void)rank;
    (void)nranks;
    contents_numbers(type, to, first, n, ranks, s->mine, s->victims);
}

static const struct flow ring = {
    .sends = flow_one_block,
    .to = next,
    .receives = flow_one_block,
    .from = previous,
};
static const struct flow allreduce = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = flow_one_block,
    .from = flow_anyone,
    .sum = true,
    .summed = all_victims,
    .numbers = numbers,
};

/* --- Congestors ------------------------------------------------------------------ */

static int congestor_sends(const struct bench_run *r)
{
    return congestion_blocks(r, true);
}

static int congestor_receives(const struct bench_run *r)
{
    return congestion_blocks(r, false);
}

static int first_or_other(const struct bench_run *r, int i)
{
    return congestion_partner(r, i);
}

static int member(const struct bench_run *r, int i)
{
    return impact_of(r)->member[i];
}

static int in_window(const struct bench_run *r, int i)
{
    return i % impact_of(r)->congestion.window;
}

static const struct flow one_and_others = {
    .sends = congestor_sends,
    .to = first_or_other,
    .receives = congestor_receives,
    .from = first_or_other,
    .slot = in_window,
    .window = true,
};
static const struct flow alltoall = {
    .sends = congestor_sends,
    .to = member,
    .receives = congestor_receives,
    .from = member,
};

/* --- Both --------------------------------------------------------------------------- */

/* What this rank does in this row. */
static const struct flow *flow_of(const struct bench_run *r)
{
    static const struct flow *const victim[] = {
        [VICTIM_LATENCY] = &flow_ping_pong,
        [VICTIM_BW] = &flow_stream,
        [VICTIM_ALLREDUCE] = &allreduce,
        [VICTIM_RING] = &ring,
    };
    const struct impact *s = impact_of(r);

    if (!s->congests)
        return victim[r->operation];
    return s->congestion.kind == CONGESTOR_ALLTOALL ? &alltoall
                                                    : &one_and_others;
}

static struct verify with_own_flow(const struct verify *v)
{
    struct verify own = *v;

    own.flow = flow_of(v->run);
    return own;
}

static void fill(const struct verify *v)
{
    const struct verify own = with_own_flow(v);

    verify_fill(&own);
}

static void check(const struct verify *v, struct mismatch *first)
{
    const struct verify own = with_own_flow(v);

    verify_check(&own, first);
}

/* Room in the buffers of the run, either way.  Congestors have their own. */
static int room_of_victim(const struct bench_run *r)
{
    return impact_of(r)->congests      ? 0
           : r->operation == VICTIM_BW ? r->window
                                       : 1;
}

static size_t message_bytes(const struct bench_run *r, size_t bytes)
{
    const struct impact *s = impact_of(r);

    return s->congests ? s->congestion.message : bytes;
}

/* What was put is seen by the congestor that reads it. */
static void make_visible(const struct bench_run *r)
{
    const struct congestion *g = &impact_of(r)->congestion;

    if (g->win != MPI_WIN_NULL)
        MPI_Win_sync(g->win);
}

const struct flow flow_impact = {
    .sends = room_of_victim,
    .to = flow_peer,
    .receives = room_of_victim,
    .from = flow_peer,
    .window = true,
    .fill = fill,
    .check = check,
    .message_bytes = message_bytes,
    .make_visible = make_visible,
};
