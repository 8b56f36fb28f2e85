/* SPDX-License-Identifier: BSD-3-Clause */
#include "neighbors.h"

#include "bench.h"
#include "collective/deal.h"
#include "job/world.h"
#include "report/report_kinds.h"

/* --- What moves ---------------------------------------------------------------- */

static int destinations(const struct bench_run *r)
{
    return neighbors_of(r)->topology.ndestinations;
}

static int sources(const struct bench_run *r)
{
    return neighbors_of(r)->topology.nsources;
}

static int source_of_block(const struct bench_run *r, int i)
{
    return neighbors_of(r)->topology.source[i];
}

static int destination_of_block(const struct bench_run *r, int i)
{
    return neighbors_of(r)->topology.destination[i];
}

const struct flow flow_neighbors = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
};
const struct flow flow_neighbors_v = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
    .packed = true,
    .blocks = BLOCKS_OF_PAIRS,
};
const struct flow flow_neighbors_w = {
    .sends = destinations,
    .to = destination_of_block,
    .receives = sources,
    .from = source_of_block,
    .int_counts = true,
    .blocks = BLOCKS_OF_PAIRS,
};
const struct flow flow_neighbors_all = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = sources,
    .from = source_of_block,
};
const struct flow flow_neighbors_all_v = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = sources,
    .from = source_of_block,
    .packed = true,
    .blocks = BLOCKS_OF_SENDERS,
};

#define NEIGHBORS_OPTION                                                       \
    {                                                                          \
        'N', "nhbr", "cart:D:R|graph:FILE",                                    \
            .group = OPTIONS_COLLECTIVE, .common = true,                       \
            .help = "neighborhood; cart:D:R: all ranks within radius R in a "  \
                    "periodic grid of D dimensions; graph:FILE: the edges in " \
                    "FILE, lines of SRC,DST",                                  \
            .fallback = "cart:1:1", .kind = OPTION_TEXT,                       \
            .offset = offsetof(struct neighbors_settings, topology),           \
            .json = "neighbors"                                                \
    }

static const struct option_row options[] = { COUNTS_OPTION,
                                             NEIGHBORS_OPTION,
                                             { 0 } };
static const struct option_row overlap_options[] = {
    COUNTS_OPTION, OVERLAP_OPTIONS, NEIGHBORS_OPTION, { 0 }
};
static const struct option_row persistent_options[] = {
    COUNTS_OPTION, PERSISTENT_OPTIONS, NEIGHBORS_OPTION, { 0 }
};
static const struct neighbors_settings alone = { .overlap.target = COMPUTE_NOT,
                                                 .topology = "cart:1:1" };
static const struct neighbors_settings defaults = { .topology = "cart:1:1" };

static void describe(const struct context *c)
{
    const char *spec = neighbors_settings(c->settings)->topology;
    const int neighbours = topology_neighbours(spec);

    overlap_describe(c);
    c->run->blocks = neighbours;
    neighbors_of(c->run)->topology =
        (struct topology){ .comm = MPI_COMM_NULL,
                           .nsources = neighbours,
                           .ndestinations = neighbours };
}

static enum exit_code begin(const struct context *c)
{
    struct bench_run *r = c->run;
    struct topology *t = &neighbors_of(r)->topology;
    char why[300] = "";
    const enum topology_outcome outcome =
        topology_begin(t, neighbors_settings(c->settings)->topology,
                       c->world->all, why, sizeof why);

    if (outcome != TOPOLOGY_GOOD)
        return world_refuse(
            c->world, outcome == TOPOLOGY_TOO_FEW ? E02_WRONG_RANKS : E12_USAGE,
            c->bench->name, "%s", why);
    r->comm = t->comm;
    r->blocks = t->most;
    return deal_begin(c, PMPI_Neighbor_alltoall);
}

static void end(const struct context *c)
{
    deal_end(c);
    topology_end(&neighbors_of(c->run)->topology);
}

/* All ranks are in the topology: none can wait. */
static void plan(const struct bench *b, const struct settings *s,
                 struct plan *plan)
{
    overlap_plan(b, s, plan);
    plan->swept = NULL;
    if (topology_neighbours(neighbors_settings(s)->topology) < 0)
        plan->unknown = "the memory depends on the edges in the file";
}

#define HOOKS                                                                  \
    .name = "neighbors", .settings = sizeof defaults, .example.ranks = 3,      \
    .plan = plan, .state = sizeof(struct neighbors), .describe = describe,     \
    .begin = begin, .end = end, OVERLAP_HOOKS

const struct family neighbors_family = {
    HOOKS,
    .options = options,
    .defaults = &alone,
};
const struct family ineighbor_family = {
    HOOKS,
    .options = overlap_options,
    .defaults = &defaults,
};
const struct family neighbor_persistent_family = {
    HOOKS,
    .options = persistent_options,
    .defaults = &alone,
};

/* --- Tables -------------------------------------------------------------------- */

static void topology_lines(FILE *to, const struct bench_run *r,
                           const struct settings *s)
{
    const struct topology *t = &neighbors_of(r)->topology;

    (void)s;
    if (t->dimensions > 0) {
        fputs("Dimensions size = ", to);
        for (int d = 0; d < t->dimensions; d++)
            fprintf(to, "%d ", t->dim[d]);
        fputc('\n', to);
    }
    fprintf(to, "Time took to create topology graph:%.2f us.\n",
            1e6 * t->create_s);
}

const struct report report_neighbors = {
    .unit = "us",
    .sample = "one call, on every rank, after all ranks were synchronized",
    .printed = "us, mean over iterations, then over ranks",
    .headline = collective_headline,
    .before = topology_lines,
};
const struct report report_neighbors_overlap = { REPORT_OVERLAP,
                                                 .before = topology_lines };
const struct report report_neighbors_persistent = { REPORT_PERSISTENT,
                                                    .before = topology_lines };
