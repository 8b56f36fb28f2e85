/* SPDX-License-Identifier: BSD-3-Clause */
#include "congestion.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/buffer_size.h"
#include "base/simulation.h"
#include "bench.h"
#include "data/contents.h"
#include "data/verify.h"
#include "impact.h"
#include "job/progress.h"
#include "job/world.h"

static const struct timespec NAP = { .tv_nsec = 200000 };

/* --- Windows -------------------------------------------------------------------- */

/* Blocks that this congestor sends or receives in a window. */
static int blocks_of(const struct bench_run *r, bool sending)
{
    const struct impact *s = impact_of(r);
    const int window = s->congestion.window, others = s->congestors - 1;
    const bool first = s->mine == 0;

    const bool in_use =
        sending != (s->congestion.kind == CONGESTOR_OUTCAST ? !first : first);

    if (s->congestion.kind == CONGESTOR_NONE)
        return 0;
    if (s->congestion.kind == CONGESTOR_ALLTOALL)
        return s->congestors;
    return !in_use ? 0 : first ? others * window : window;
}

static double bytes_per_window(const struct bench_run *r)
{
    const int own =
        impact_of(r)->congestion.kind == CONGESTOR_ALLTOALL; /* to itself */

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
        MPI_Irecv(bench_recv_slot(r, i), r->count, r->type, partner_of(r, i),
                  BENCH_TAG, r->comm, request + i);
    for (int i = 0; i < out; i++)
        MPI_Isend(bench_send_slot(r, i), r->count, r->type, partner_of(r, i),
                  BENCH_TAG, r->comm, request + in + i);
    MPI_Waitall(in + out, request, MPI_STATUSES_IGNORE);
}

static void alltoall(struct bench_run *r)
{
    MPI_Alltoall(r->send, r->count, r->type, r->recv, r->count, r->type,
                 impact_of(r)->side);
}

static void put_window(struct bench_run *r)
{
    const struct impact *s = impact_of(r);
    const int out = blocks_of(r, true);

    for (int i = 0; i < out; i++)
        MPI_Put(bench_send_slot(r, i), r->count, r->type, 0,
                (MPI_Aint)r->recv_stride * ((s->mine - 1) * out + i), r->count,
                r->type, s->congestion.win);
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

void congestion_run(struct bench_run *r)
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

size_t congestion_bytes(const struct bench_run *r, bool sending)
{
    const struct impact *s = impact_of(r);
    const int blocks = blocks_of(r, sending);

    return s->congests && blocks > 0
               ? buffer_size(s->congestion.message, (size_t)blocks, true)
               : 0;
}

/* Puts are allowed from now on.  The window begins at a page: MPICH 4.0 loses puts into
   one whose base is not a multiple of 16. */
static void open_window(struct congestion *g, MPI_Comm side)
{
    MPI_Win_create(g->recv.base, (MPI_Aint)g->recv.bytes, 1, MPI_INFO_NULL,
                   side, &g->win);
    world_guard_window(g->win);
    MPI_Win_lock_all(0, g->win);
}

enum exit_code congestion_begin(const struct context *c)
{
    const struct bench_run *r = c->run;
    struct impact *s = impact_of(r);
    struct congestion *g = &s->congestion;
    const int n = blocks_of(r, true) + blocks_of(r, false);
    enum exit_code code;

    g->request = malloc(((size_t)n + 1) * sizeof *g->request);
    code = world_agree_memory(c->world, c->bench->name, g->request != NULL,
                              "requests of the congestors");
    if (code == EXIT_OK && s->congests && g->kind == CONGESTOR_PUT)
        open_window(g, s->side);
    return code;
}

void congestion_end(struct congestion *g)
{
    if (g->win != MPI_WIN_NULL) {
        MPI_Win_unlock_all(g->win);
        MPI_Win_free(&g->win);
    }
    free(g->request);
}

/* --- What moves ---------------------------------------------------------------- */

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
    return s->congestion.kind == CONGESTOR_ALLTOALL ? &all_to_all
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
