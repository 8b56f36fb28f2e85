/* SPDX-License-Identifier: BSD-3-Clause */
/* Who talks to whom, where they are, and how long windows are: prepare_describe,
   prepare_partners and prepare_check_nodes. */
#include "data/datatype.h"
#include "data/pairs.h"
#include "prepare.h"
#include "rma/rma.h"

static enum exit_code refuse(const struct world *world, const struct bench *b,
                             enum message_id id, const char *why)
{
    if (world->rank == 0)
        message_print(id, b->name, "%s", why);
    return messages[id].code;
}

/* What the run says of groups that are known. */
static void take_groups(struct prepared *p, const struct bench *b)
{
    struct bench_run *r = &p->run;

    r->groups = &p->groups;
    r->pairs = (p->groups.count - 1) * p->groups.size;
    r->peer = MPI_PROC_NULL;
    r->sender = b->flow->sends(r) > 0;
}

/* Messages in flight; at most, where that differs from row to row. */
static int window_of(const struct bench *b, const struct settings *s)
{
    if (!(b->takes & TAKES_WINDOW))
        return 1;
    if (s->vary_window)
        return 1 << (VARY_WINDOWS - 1);
    return settings_window(s);
}

void prepare_describe(struct prepared *p, const struct bench *b,
                      const struct settings *s, const struct world *world)
{
    struct bench_run *r = &p->run;

    *p = (struct prepared){ .topology.comm = MPI_COMM_NULL,
                            .start.comm = MPI_COMM_NULL,
                            .rma.win = MPI_WIN_NULL };
    r->comm = world->all;
    r->rank = world->rank;
    r->nranks = world->size;
    r->pairs = s->pairs > 0 ? s->pairs : world->size / 2;
    r->peer = pairs_of(world->rank, r->pairs).peer;
    r->sender = pairs_of(world->rank, r->pairs).sender;
    if (b->levels.kind == LEVELS_OF_RANKS) {
        r->peer = r->rank == 0 ? MPI_PROC_NULL : 0;
        r->sender = r->rank > 0;
    }
    for (int i = 0; i < 2; i++)
        p->side[i] = memory_kind_of(s->place[i]);
    r->op = MPI_SUM;
    r->start = &p->start;
    r->window = window_of(b, s);
    r->rma = b->flow->rma != FLOW_BUFFERS ? &p->rma : NULL;
    r->overlap = bench_computes(b) ? &p->overlap : NULL;
    r->topology = b->takes & TAKES_TOPOLOGY ? &p->topology : NULL;
    r->in_place = b->takes & TAKES_IN_PLACE && s->in_place;
    r->root_rotates = b->takes & TAKES_ROOT && s->root == ROOT_ROTATES;
    r->root = b->takes & TAKES_ROOT && s->root > 0 ? s->root : 0;
    p->rma.sync = s->sync;
    p->rma.kind = s->window_kind;
    p->rma.hot_spot = b->levels.kind == LEVELS_OF_RANKS;
    p->rma.lock =
        b->exclusive >> s->sync & 1 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED;
    p->rma.turns = !(b->takes & TAKES_WINDOW) && rma_is_active(s->sync);
    if (b->takes & TAKES_REUSE) {
        p->reuse.percent = s->scheme == SCHEME_PERCENT;
        r->reuse = &p->reuse;
    }
    p->overlap.tests = s->tests;
    p->overlap.target = (enum overlap_target)s->target;
    p->groups.row = MPI_COMM_NULL;
    if (b->takes & TAKES_PARTITIONS)
        r->partitions = &p->partitions;
    if (b->takes & TAKES_MATRIX)
        r->matrix = &p->matrix;
    if (b->takes & TAKES_THREADS) {
        p->threads = (struct threads){ s->threads[0], s->threads[1] };
        r->threads = &p->threads;
    }
    if (b->takes & TAKES_GROUPS) {
        groups_describe(&p->groups, s->groups > 0 ? s->groups : 2, world->rank,
                        world->size);
        take_groups(p, b);
    }
    p->cache_ranks = 1;
    p->rotation = (struct buffer_pool){
        .use = s->use,
        .touch = s->touch,
        .together = (b->strides || b->streams) &&
                    (b->flow->rma == FLOW_BUFFERS || rma_is_active(s->sync) ||
                     b->takes & TAKES_CREATION),
        .ahead = b->ahead,
        .flow = b->flow,
        .options = { s->align_offset },
        .send.buffer = &p->send,
        .recv.buffer = &p->recv,
        .window.buffer = &p->window,
        .moves = p->side[0]->moves || p->side[1]->moves,
    };
    r->rotation = &p->rotation;
}

static enum exit_code begin_groups(struct prepared *p, const struct bench *b,
                                   const struct settings *s,
                                   const struct world *world)
{
    struct groups *g = &p->groups;
    char why[200];

    if (!groups_begin(g, s->groups, world->all, why, sizeof why))
        return refuse(world, b, E02_WRONG_RANKS, why);
    if (!groups_countable(g->count, p->run.window, why, sizeof why))
        return refuse(world, b, E12_USAGE, why);
    take_groups(p, b);
    return EXIT_OK;
}

enum exit_code prepare_partners(struct prepared *p, const struct bench *b,
                                const struct settings *s,
                                const struct world *world)
{
    struct bench_run *r = &p->run;
    enum topology_outcome outcome;
    char why[300] = "";

    prepare_describe(p, b, s, world);
    if (bench_is_threaded(b, s) &&
        world_agree(world, world->startup.threads ? EXIT_OK : EXIT_RUN) !=
            EXIT_OK)
        return refuse(world, b, E18_MPI_LACKS,
                      "this MPI library does not give MPI_THREAD_MULTIPLE");
    if (!derived_read(&s->derived, world->comm, &p->blocks, why, sizeof why))
        return refuse(world, b, E12_USAGE, why);
    if (r->groups != NULL)
        return begin_groups(p, b, s, world);
    if (r->topology == NULL)
        return EXIT_OK;
    outcome =
        topology_begin(&p->topology, s->topology, world->all, why, sizeof why);
    if (outcome != TOPOLOGY_GOOD)
        return refuse(world, b,
                      outcome == TOPOLOGY_TOO_FEW ? E02_WRONG_RANKS : E12_USAGE,
                      why);
    r->comm = p->topology.comm;
    return EXIT_OK;
}

/* What needs memory that all ranks share; NULL: nothing. */
static const char *sharing(const struct bench *b, const struct settings *s)
{
    if (b->transport != NULL && b->transport->one_node)
        return "shared memory";
    return b->flow->rma != FLOW_BUFFERS &&
                   s->window_kind == WINDOW_ALLOCATE_SHARED
               ? "-w allocate_shared"
               : NULL;
}

enum exit_code prepare_check_nodes(const struct bench *b,
                                   const struct settings *s,
                                   const struct world *world,
                                   const struct placement *placement)
{
    char why[200];

    if (sharing(b, s) == NULL ||
        (placement->nodes == 1 && placement->mpi_nodes == 1))
        return EXIT_OK;
    snprintf(why, sizeof why,
             "%s needs all ranks on one node; nodes by their kernel=%d; by "
             "MPI=%d;",
             sharing(b, s), placement->nodes, placement->mpi_nodes);
    return refuse(world, b, E28_NOT_ONE_NODE, why);
}
