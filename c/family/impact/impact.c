/* SPDX-License-Identifier: BSD-3-Clause */
#include "impact.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/shuffle.h"
#include "base/simulation.h"
#include "base/sizes.h"
#include "base/stats.h"
#include "bench.h"
#include "collective/collective.h"
#include "data/verify.h"
#include "job/placement.h"
#include "job/progress.h"
#include "job/world.h"
#include "run/measure.h"

static const struct timespec NAP = { .tv_nsec = 200000 };

/* --- Windows -------------------------------------------------------------------- */

/* Blocks that this congestor sends or receives in a window. */
static int blocks_of(const struct bench_run *r, bool sending)
{
    const struct impact *s = impact_of(r);
    const int window = s->congestion.window, others = s->congestors - 1;
    const bool first = s->mine == 0;

    const bool in_use = sending != (s->congestion.kind == CONGESTOR_OUTCAST ? !first : first);

    if (s->congestion.kind == CONGESTOR_NONE)
        return 0;
    if (s->congestion.kind == CONGESTOR_ALLTOALL)
        return s->congestors;
    return !in_use ? 0 : first ? others * window : window;
}

static double bytes_per_window(const struct bench_run *r)
{
    const int own = impact_of(r)->congestion.kind == CONGESTOR_ALLTOALL; /* to itself */

    return (double)(blocks_of(r, true) - own) * (double)r->bytes;
}

/* But for alltoall: the rank that block number i goes to, or comes from. */
static int partner_of(const struct bench_run *r, int i)
{
    const struct impact *s = impact_of(r);

    return s->member[s->mine == 0 ? 1 + i / s->congestion.window : 0];
}

static void send_window(struct bench_run *r)
{
    MPI_Request *request = impact_of(r)->congestion.request;
    const int in = blocks_of(r, false), out = blocks_of(r, true);

    for (int i = 0; i < in; i++)
        MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, partner_of(r, i), BENCH_TAG, r->comm,
                  request + i);
    for (int i = 0; i < out; i++)
        MPI_Isend(bench_send_slot(r, i), r->count, r->type, partner_of(r, i), BENCH_TAG, r->comm,
                  request + in + i);
    MPI_Waitall(in + out, request, MPI_STATUSES_IGNORE);
}

static void alltoall(struct bench_run *r)
{
    MPI_Alltoall(r->send, r->count, r->type, r->recv, r->count, r->type, impact_of(r)->side);
}

static void put_window(struct bench_run *r)
{
    const struct impact *s = impact_of(r);
    const int out = blocks_of(r, true);

    for (int i = 0; i < out; i++)
        MPI_Put(bench_send_slot(r, i), r->count, r->type, 0,
                (MPI_Aint)r->recv_stride * ((s->mine - 1) * out + i), r->count, r->type,
                s->congestion.win);
    if (out > 0)
        MPI_Win_flush(0, s->congestion.win);
}

/* --- Until told to stop ----------------------------------------------------------- */

/* Was the message of that request received? */
static int is_here(MPI_Request *stop)
{
    int here = 0;

    PMPI_Test(stop, &here, MPI_STATUS_IGNORE);
    return here;
}

static void follow(struct bench_run *r, void (*window)(struct bench_run *))
{
    struct impact *s = impact_of(r);
    struct congestion *g = &s->congestion;
    MPI_Request stop, told;
    int goes_on = 1, all = 1;
    clock_ticks begun = 0;

    if (s->mine == 0)
        PMPI_Irecv(NULL, 0, MPI_BYTE, s->other, IMPACT_STOP, r->comm, &stop);
    for (long n = 0; all; n++) {
        if (s->mine == 0 && is_here(&stop))
            goes_on = 0;
        PMPI_Iallreduce(&goes_on, &all, 1, MPI_INT, MPI_MIN, s->side, &told);
        window(r);
        PMPI_Wait(&told, MPI_STATUS_IGNORE);
        progress_moved();
        if (n > 0) {
            g->bytes += bytes_per_window(r);
            continue;
        }
        if (s->mine == 0)
            PMPI_Send(NULL, 0, MPI_BYTE, s->other, IMPACT_GO, r->comm);
        begun = clock_now();
    }
    g->seconds += clock_seconds(clock_now() - begun);
}

/* Sleep as long as nothing has come: victims that are alone need the processor. */
static void doze(MPI_Request *request)
{
    if (SIMULATED)
        PMPI_Wait(request, MPI_STATUS_IGNORE);
    else
        while (!is_here(request))
            nanosleep(&NAP, NULL);
}

static void sleep_until_told(struct bench_run *r)
{
    struct impact *s = impact_of(r);
    MPI_Request request;

    if (s->mine == 0) {
        PMPI_Irecv(NULL, 0, MPI_BYTE, s->other, IMPACT_STOP, r->comm, &request);
        doze(&request);
    }
    PMPI_Ibarrier(s->side, &request);
    doze(&request);
}

/* This congestor's part of a batch of the loop: windows, or sleep. */
static void congestion_run(struct bench_run *r)
{
    static void (*const window[])(struct bench_run *) = {
        [CONGESTOR_INCAST] = send_window,
        [CONGESTOR_OUTCAST] = send_window,
        [CONGESTOR_ALLTOALL] = alltoall,
        [CONGESTOR_PUT] = put_window,
    };
    const struct impact *s = impact_of(r);

    if (s->loaded)
        follow(r, window[s->congestion.kind]);
    else
        sleep_until_told(r);
}

/* --- Memory ------------------------------------------------------------------------ */

/* Bytes of the buffers of a congestor. */
static size_t congestion_bytes(const struct bench_run *r, bool sending)
{
    const struct impact *s = impact_of(r);
    const int blocks = blocks_of(r, sending);

    return s->congests && blocks > 0 ? buffer_size(s->congestion.message, (size_t)blocks, true) : 0;
}

/* Puts are allowed from now on.  The window begins at a page: MPICH 4.0 loses puts into
   one whose base is not a multiple of 16. */
static void open_window(struct congestion *g, MPI_Comm side)
{
    MPI_Win_create(g->recv.base, (MPI_Aint)g->recv.bytes, 1, MPI_INFO_NULL, side, &g->win);
    world_guard_window(g->win);
    MPI_Win_lock_all(0, g->win);
}

/* --- What moves ---------------------------------------------------------------- */

static int next(const struct bench_run *r, int i)
{
    return impact_next(r);
}

static int previous(const struct bench_run *r, int i)
{
    return impact_previous(r);
}

static int all_victims(const struct bench_run *r)
{
    return impact_of(r)->victims;
}

/* Terms and sums are numbered among the victims. */
static void numbers(const struct bench_run *r, enum element type, void *to, size_t first, size_t n,
                    int ranks, int rank, int nranks)
{
    const struct impact *s = impact_of(r);

    reduction_contents(REDUCTION_SUM, type, to, first, n, ranks, s->mine, s->victims);
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

static int congestor_sends(const struct bench_run *r)
{
    return blocks_of(r, true);
}

static int congestor_receives(const struct bench_run *r)
{
    return blocks_of(r, false);
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
    .to = partner_of,
    .receives = congestor_receives,
    .from = partner_of,
    .slot = in_window,
    .window = true,
};
static const struct flow all_to_all = {
    .sends = congestor_sends,
    .to = member,
    .receives = congestor_receives,
    .from = member,
};

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
    return s->congestion.kind == CONGESTOR_ALLTOALL ? &all_to_all : &one_and_others;
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
    return impact_of(r)->congests ? 0 : r->operation == VICTIM_BW ? r->window : 1;
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
        PMPI_Win_sync(g->win);
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

/* --- How much longer loaded blocks took ---------------------------------------- */

static double value_of(const struct block *b, bool tail)
{
    return tail ? b->p99_s : b->median_s;
}

struct impact_ratio impact_judge(const struct impact_pair *pair, bool tail)
{
    double alone[IMPACT_PAIRS], loaded[IMPACT_PAIRS], ratio[IMPACT_PAIRS];
    struct impact_ratio r = { .known = true };

    for (int i = 0; i < IMPACT_PAIRS; i++) {
        alone[i] = value_of(&pair[i].alone, tail);
        loaded[i] = value_of(&pair[i].loaded, tail);
        if (!(alone[i] > 0) || !(loaded[i] > 0))
            return (struct impact_ratio){ false, NAN, NAN, NAN, NAN, NAN };
        ratio[i] = loaded[i] / alone[i];
    }
    const struct stats over_pairs = stats_of(ratio, IMPACT_PAIRS);

    r.alone_s = stats_median(alone, IMPACT_PAIRS);
    r.loaded_s = stats_median(loaded, IMPACT_PAIRS);
    r.times = over_pairs.median;
    r.low = over_pairs.ci_low;
    r.high = over_pairs.ci_high;
    return r;
}

/* --- Sides ---------------------------------------------------------------------- */

/* The units, in random order; how many there are. */
static int draw(const int *unit, int ranks, unsigned long seed, int *order)
{
    uint64_t state = seed;
    int units = 0;

    for (int i = 0; i < ranks; i++)
        if (unit[i] == i)
            order[units++] = i;
    shuffle(order, units, &state);
    return units;
}

int sides_deal(const int *unit, int ranks, double share, unsigned long seed, int *order,
               bool *congests)
{
    int *const size = order + ranks;
    int units, n = 0, taken = 0;

    for (int i = 0; i < ranks; i++) {
        congests[i] = false;
        size[i] = 0;
    }
    for (int i = 0; i < ranks; i++)
        size[unit[i]]++;
    units = draw(unit, ranks, seed, order);
    while (taken < units && (taken < lround(share * units) || n < SIDES_LEAST))
        n += size[order[taken++]];
    while (taken > 0 && ranks - n < SIDES_LEAST)
        n -= size[order[--taken]];
    for (int i = 0; i < taken; i++)
        congests[order[i]] = true;
    for (int i = 0; i < ranks; i++) /* the lowest of a unit comes first */
        congests[i] = congests[unit[i]];
    return n < SIDES_LEAST ? 0 : n;
}

/* Where each victim's or congestor's partner is. */
static void join(const struct context *c)
{
    struct bench_run *r = c->run;
    const struct impact *s = impact_of(r);
    const int half = s->victims / 2;

    r->pairs = half;
    r->sender = !s->congests && s->mine < half;
    r->peer = MPI_PROC_NULL;
    if (s->member != NULL && !s->congests && s->mine < 2 * half)
        r->peer = s->member[s->mine < half ? s->mine + half : s->mine - half];
}

/* Which side is this rank on?  false: there are too few ranks. */
static bool deal(const struct context *c, const int *unit)
{
    const struct impact_settings *own = impact_settings(c->settings);
    struct impact *s = impact_of(c->run);
    const int n = c->world->size, rank = c->world->rank;
    int *order = world_room(2 * (size_t)n, sizeof *order, "the sides of all ranks");

    s->all = world_keep((size_t)n, sizeof *s->all, "the sides of all ranks");
    s->congestors = sides_deal(unit, n, own->share, (unsigned long)own->seed, order, s->all);
    free(order);
    s->victims = n - s->congestors;
    s->congests = s->all[rank];
    s->mine = 0;
    for (int i = 0; i < rank; i++)
        s->mine += s->all[i] == s->congests;
    return s->congestors > 0;
}

/* The unit of each rank, as long as nobody asked for the nodes: groups of consecutive
   ranks, or single ranks.  To be freed. */
static int *units_by_number(const struct context *c)
{
    const int groups = impact_settings(c->settings)->groups;
    const int ranks = c->world->size;
    const int size = groups > 0 && groups <= ranks ? ranks / groups : 1;
    int *unit = world_room((size_t)ranks, sizeof *unit, "the sides of all ranks");

    for (int i = 0; i < ranks; i++)
        unit[i] = i / size * size;
    return unit;
}

void impact_describe(const struct context *c)
{
    const struct impact_settings *own = impact_settings(c->settings);
    struct impact *s = impact_of(c->run);
    int *unit = units_by_number(c);

    s->congestion.kind = own->congestor;
    s->congestion.window = own->window;
    s->congestion.message = own->bytes;
    s->congestion.win = MPI_WIN_NULL;
    s->side = s->together.comm = MPI_COMM_NULL;
    deal(c, unit);
    free(unit);
    join(c);
}

/* The units: groups, nodes, or on one node the ranks. */
static void find_units(const struct context *c, int *unit)
{
    struct impact *s = impact_of(c->run);
    const struct placement *at = c->placement;

    s->units = "group";
    if (impact_settings(c->settings)->groups > 0)
        return;
    PMPI_Allgather(&at->node_first, 1, MPI_INT, unit, 1, MPI_INT, c->world->comm);
    s->units = at->nodes > 1 ? "node" : "rank";
    for (int i = 0; at->nodes == 1 && i < c->world->size; i++)
        unit[i] = i;
}

enum exit_code impact_deal(const struct context *c)
{
    struct impact *s = impact_of(c->run);
    const int n = c->world->size;
    int *unit = units_by_number(c), at = 0;
    bool enough;

    find_units(c, unit);
    enough = deal(c, unit);
    free(unit);
    if (!enough)
        return world_refuse(c->world, E02_WRONG_RANKS,
                            "needs at least two victims and two congestors, "
                            "and a node or group is never divided; assigned "
                            "by %s; ranks=%d;",
                            s->units, n);
    s->member = world_keep((size_t)n, sizeof *s->member, "the ranks of a side");
    s->other = -1;
    for (int i = 0; i < n; i++)
        if (s->all[i] == s->congests)
            s->member[at++] = i;
        else if (s->other < 0)
            s->other = i;
    MPI_Comm_split(c->world->all, s->congests, c->world->rank, &s->side);
    c->talk->among = s->side;
    join(c);
    return EXIT_OK;
}

/* --- Memory ------------------------------------------------------------------------ */

void impact_memory(const struct context *c, struct buffers *b)
{
    struct congestion *g = &impact_of(c->run)->congestion;

    buffers_add(b, &g->send, b->kind, congestion_bytes(c->run, true));
    buffers_add(b, &g->recv, b->kind, congestion_bytes(c->run, false));
}

enum exit_code impact_ready(const struct context *c, const struct buffers *b)
{
    struct impact *s = impact_of(c->run);
    struct congestion *g = &s->congestion;
    const int n = blocks_of(c->run, true) + blocks_of(c->run, false);

    s->together = start_begin(s->side, c->settings->start, c->sync, c->clock->resolution_s);
    g->request = world_keep((size_t)n, sizeof *g->request, "requests of the congestors");
    if (s->congests && g->kind == CONGESTOR_PUT)
        open_window(g, s->side);
    return EXIT_OK;
}

void impact_release(const struct context *c)
{
    struct impact *s = impact_of(c->run);
    MPI_Win *const win = &s->congestion.win;

    if (*win != MPI_WIN_NULL) {
        MPI_Win_unlock_all(*win);
        MPI_Win_free(win);
    }
    if (s->together.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&s->together.comm);
    if (s->side != MPI_COMM_NULL)
        MPI_Comm_free(&s->side);
}

/* --- A row ---------------------------------------------------------------------------- */

void impact_row(const struct context *c)
{
    static char nothing[1];
    struct bench_run *r = c->run;
    struct impact *s = impact_of(r);

    /* Verified are both sides, and so at the same time. */
    s->loaded = s->congestion.kind != CONGESTOR_NONE;
    r->sender = !s->congests && (s->mine < s->victims / 2 || r->operation >= VICTIM_ALLREDUCE);
    if (!s->congests)
        return;
    r->send = s->congestion.send.base;
    r->recv = s->congestion.recv.base;
    r->send = r->send != NULL ? r->send : nothing;
    r->recv = r->recv != NULL ? r->recv : nothing;
}

bool impact_begin(struct bench_run *r)
{
    struct impact *s = impact_of(r);

    if (s->congests) {
        subset_wait(r->iterations.next, r->iterations.begun,
                    r->iterations.end - r->iterations.next - 1);
        progress.waiting = true;
        congestion_run(r);
        return false;
    }
    s->run = r->start;
    r->start = &s->together;
    if (s->loaded && s->mine == 0)
        PMPI_Recv(NULL, 0, MPI_BYTE, s->other, IMPACT_GO, r->comm, MPI_STATUS_IGNORE);
    PMPI_Barrier(s->side);
    return true;
}

void impact_end(struct bench_run *r)
{
    struct impact *s = impact_of(r);

    r->start = s->run;
    PMPI_Barrier(s->side);
    if (s->mine == 0)
        PMPI_Send(NULL, 0, MPI_BYTE, s->other, IMPACT_STOP, r->comm);
}

/* --- Measuring -------------------------------------------------------------------------- */

/* One block, which has the budget of a row, alone or loaded. */
static struct block measure_block(struct measure *m, struct result *result, bool loaded)
{
    struct impact *s = impact_of(m->context->run);
    struct block block = { 0 };

    s->loaded = loaded && s->congestion.kind != CONGESTOR_NONE;
    measure_pass(m, result, settings_budget(m->context->settings));
    if (m->context->world->rank != 0 || result->over_iterations.n == 0)
        return block;
    block.median_s = result->over_iterations.median;
    if (result->over_iterations.n >= IMPACT_TAIL)
        block.p99_s = series_quantile(&m->series, 0.99);
    return block;
}

/* What congestors sent together, and the time that the slowest of them took. */
static void gather(struct congestion *g, MPI_Comm comm)
{
    PMPI_Allreduce(MPI_IN_PLACE, &g->bytes, 1, MPI_DOUBLE, MPI_SUM, comm);
    PMPI_Allreduce(MPI_IN_PLACE, &g->seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
    g->mb_per_s = g->seconds > 0 ? g->bytes / g->seconds / 1e6 : 0;
}

/* Pairs of blocks, the last of them a loaded one: so what else is printed of a row is of
   that. */
static void measure_pairs(struct measure *m, struct result *result)
{
    struct impact *s = impact_of(m->context->run);

    for (int i = 0; i < IMPACT_PAIRS; i++) {
        struct impact_pair *pair = &s->pair[i];

        if (i % 2 == 1)
            pair->alone = measure_block(m, result, false);
        pair->loaded = measure_block(m, result, true);
        if (i % 2 == 0)
            pair->alone = measure_block(m, result, false);
    }
}

/* Times of an iteration become those of what is printed: half a round trip, a message. */
static void to_printed(struct impact_ratio *r, double scale)
{
    r->alone_s *= scale;
    r->loaded_s *= scale;
}

void impact_measure(struct measure *m, struct result *result)
{
    struct impact *s = impact_of(m->context->run);

    m->brief = false; /* a block is to use its budget */
    s->congestion.bytes = s->congestion.seconds = 0;
    measure_pairs(m, result);
    gather(&s->congestion, m->context->world->comm);
    s->median = impact_judge(s->pair, false);
    s->tail = impact_judge(s->pair, true);
    s->loaded = s->congestion.kind != CONGESTOR_NONE;
    result->own_headline = true;
    result->headline_s = s->median.loaded_s;
    result->part[0] = s->median.times;
    result->part[1] = s->median.low;
    to_printed(&s->median, result->scale);
    to_printed(&s->tail, result->scale);
}
