/* SPDX-License-Identifier: BSD-3-Clause */
#include "neighbors.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "bench.h"
#include "job/world.h"
#include "timing/clock.h"

static int *ints(size_t n)
{
    return world_room(n, sizeof(int), "the neighborhood");
}

static int *kept(size_t n)
{
    return world_keep(n, sizeof(int), "the neighborhood");
}

/* Find the ranks within the radius, except this one.  The same list serves as
   sources and destinations. */
static void find_in_grid(struct topology *t, int rank)
{
    const int side = 2 * t->radius + 1;
    int neighbours = 1, here[TOPOLOGY_DIMENSIONS], rest = rank;

    for (int d = t->dimensions - 1; d >= 0; d--) {
        here[d] = rest % t->dim[d];
        rest /= t->dim[d];
        neighbours *= side;
    }
    t->source = kept((size_t)neighbours);
    t->destination = kept((size_t)neighbours);
    for (int n = 0; n < neighbours; n++) {
        int there = 0, offset = n;

        for (int d = 0; d < t->dimensions; d++) {
            const int step = offset % side - t->radius;

            offset /= side;
            there = there * t->dim[d] + (here[d] + step + t->dim[d]) % t->dim[d];
        }
        if (n != neighbours / 2)
            t->source[t->nsources++] = there;
    }
    memcpy(t->destination, t->source, (size_t)t->nsources * sizeof *t->source);
    t->ndestinations = t->nsources;
}

/* cart:DIMENSIONS:RADIUS */
static bool read_grid(const char *spec, int *dimensions, int *radius)
{
    static const char begin[] = "cart:";
    long part[2];

    if (strncmp(spec, begin, sizeof begin - 1) != 0 ||
        !number_pair(spec + sizeof begin - 1, ':', part) || part[0] < 1 ||
        part[0] > TOPOLOGY_DIMENSIONS || part[1] < 1 || part[1] > INT_MAX / 4)
        return false;
    *dimensions = (int)part[0];
    *radius = (int)part[1];
    return true;
}

static void grid(struct topology *t, const char *spec, int rank, int nranks, struct refusal *r)
{
    int smallest = nranks;

    if (!read_grid(spec, &t->dimensions, &t->radius)) {
        refusal_because(r, E12_USAGE,
                        "-N '%s' is neither cart:DIMENSIONS:RADIUS (1 to %d "
                        "dimensions) nor graph:FILE",
                        spec, TOPOLOGY_DIMENSIONS);
        return;
    }
    PMPI_Dims_create(nranks, t->dimensions, t->dim);
    for (int d = 0; d < t->dimensions; d++)
        if (t->dim[d] < smallest)
            smallest = t->dim[d];
    if (t->radius > (smallest - 1) / 2)
        refusal_because(r, E02_WRONG_RANKS,
                        "-N %s needs at least %d ranks in every dimension, or ranks "
                        "would be neighbors twice; %d ranks give only %d. %.0f ranks "
                        "are enough",
                        spec, 2 * t->radius + 1, nranks, smallest,
                        pow(2 * t->radius + 1, t->dimensions));
    else
        find_in_grid(t, rank);
}

/* The edges of a file, in the order of its lines. */
struct edges {
    int (*edge)[2]; /* from, to */
    size_t n, room;
};

static void append(struct edges *e, int from, int to)
{
    if (e->n == e->room) {
        e->room = e->room > 0 ? 2 * e->room : 64;
        e->edge = realloc(e->edge, e->room * sizeof *e->edge);
        if (e->edge == NULL)
            world_no_memory("the neighborhood");
    }
    e->edge[e->n][0] = from;
    e->edge[e->n++][1] = to;
}

static void read_line(struct edges *e, char *line, int number, int nranks, struct refusal *r)
{
    long part[2];

    line[strcspn(line, "#\r\n")] = '\0';
    if (line[strspn(line, " \t")] == '\0')
        return;
    if (!number_pair(line, ',', part) || part[0] < 0 || part[1] < 0 || part[0] >= nranks ||
        part[1] >= nranks)
        refusal_because(r, E12_USAGE,
                        "-N graph: line %d is not SRC,DST with ranks from 0 to "
                        "%d: '%.40s'",
                        number, nranks - 1, line);
    else if (e->n == INT_MAX - 1)
        refusal_because(r, E12_USAGE, "-N graph: more edges than MPI can count");
    else
        append(e, (int)part[0], (int)part[1]);
}

/* On rank 0. */
static void read_edges(struct edges *e, const char *path, int nranks, struct refusal *r)
{
    FILE *const file = fopen(path, "r");
    char *line = NULL;
    size_t length = 0;

    if (file == NULL) {
        refusal_because(r, E12_USAGE, "-N graph:%s cannot be read", path);
        return;
    }
    for (int i = 1; r->why[0] == '\0' && getline(&line, &length, file) >= 0; i++)
        read_line(e, line, i, nranks, r);
    free(line);
    fclose(file);
    if (e->n == 0)
        refusal_because(r, E12_USAGE, "-N graph: the file has no edges");
}

/* Tell each rank the other ends of the edges that have it at that end (0: from, 1: to),
   into *list, and their number; rank 0 has the edges. */
static void deal(const struct edges *e, int end, int nranks, MPI_Comm comm, int **list, int *n)
{
    const size_t ranks = e->n > 0 ? (size_t)nranks : 0;
    int *const number = ints(ranks), *const first = ints(ranks), *const other = ints(e->n);

    for (size_t i = 0; i < e->n; i++)
        number[e->edge[i][end]]++;
    for (size_t i = 1; i < ranks; i++)
        first[i] = first[i - 1] + number[i - 1];
    for (size_t i = 0; i < e->n; i++)
        other[first[e->edge[i][end]]++] = e->edge[i][!end];
    for (size_t i = 0; i < ranks; i++)
        first[i] -= number[i];
    PMPI_Scatter(number, 1, MPI_INT, n, 1, MPI_INT, 0, comm);
    *list = kept((size_t)*n);
    PMPI_Scatterv(other, number, first, MPI_INT, *list, *n, MPI_INT, 0, comm);
    free(number);
    free(first);
    free(other);
}

/* Rank 0 reads the file, and tells each rank its neighbours alone. */
static void graph(struct topology *t, const char *path, const struct world *world,
                  struct refusal *r)
{
    struct edges e = { .edge = NULL };

    if (world->rank == 0)
        read_edges(&e, path, world->size, r);
    PMPI_Bcast(r, sizeof *r, MPI_BYTE, 0, world->all);
    if (r->why[0] == '\0') {
        deal(&e, 1, world->size, world->all, &t->source, &t->nsources);
        deal(&e, 0, world->size, world->all, &t->destination, &t->ndestinations);
    }
    free(e.edge);
}

/* The number of neighbors of a rank, without making the communicator; -1 for a
   graph, where only the file tells. */
static int topology_neighbours(const char *spec)
{
    int dimensions, radius;
    double n = 1;

    if (!read_grid(spec, &dimensions, &radius))
        return -1;
    for (int d = 0; d < dimensions && n < INT_MAX; d++)
        n *= 2.0 * radius + 1;
    return n < INT_MAX ? (int)n - 1 : INT_MAX;
}

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

#define TO_EACH                                                                                    \
    .sends = destinations, .to = destination_of_block, .receives = sources, .from = source_of_block
#define TO_ALL                                                                                     \
    .sends = flow_one_block, .to = flow_anyone, .receives = sources, .from = source_of_block

const struct flow flow_neighbors = { TO_EACH };
const struct flow flow_neighbors_v = { TO_EACH, .packed = true, .blocks = BLOCKS_OF_PAIRS,
                                       .arrays = &vector_arrays };
const struct flow flow_neighbors_w = { TO_EACH, .int_counts = true, .blocks = BLOCKS_OF_PAIRS,
                                       .arrays = &vector_arrays };
const struct flow flow_neighbors_all = { TO_ALL };
const struct flow flow_neighbors_all_v = { TO_ALL, .packed = true, .blocks = BLOCKS_OF_SENDERS,
                                           .arrays = &vector_arrays };

#define NEIGHBORS_OPTION                                                                           \
    {                                                                                              \
        'N', "nhbr", "cart:D:R|graph:FILE",                                                        \
            .group = OPTIONS_COLLECTIVE, .common = true,                                           \
            .help = "neighborhood; cart:D:R: all ranks within radius R in a "                      \
                    "periodic grid of D dimensions; graph:FILE: the edges in "                     \
                    "FILE, lines of SRC,DST",                                                      \
            .fallback = "cart:1:1", .kind = OPTION_TEXT,                                           \
            .offset = offsetof(struct neighbors_settings, topology), .json = "neighbors"           \
    }

static const struct option_row options[] = { COUNTS_OPTION, NEIGHBORS_OPTION, { 0 } };
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
    neighbors_of(c->run)->topology = (struct topology){ .comm = MPI_COMM_NULL,
                                                        .nsources = neighbours,
                                                        .ndestinations = neighbours };
}

/* Read -N, alike on all ranks, and make the communicator. */
static enum exit_code begin(const struct context *c)
{
    const char *const spec = neighbors_settings(c->settings)->topology;
    const MPI_Comm comm = c->world->all;
    struct topology *t = &neighbors_of(c->run)->topology;
    struct refusal refusal = { .why = "" };

    *t = (struct topology){ .comm = MPI_COMM_NULL };
    if (strncmp(spec, "graph:", 6) == 0)
        graph(t, spec + 6, c->world, &refusal);
    else
        grid(t, spec, c->world->rank, c->world->size, &refusal);
    if (refusal.why[0] != '\0')
        return refusal_print(&refusal, c->world->rank == 0);
    t->most = t->nsources > t->ndestinations ? t->nsources : t->ndestinations;
    PMPI_Allreduce(MPI_IN_PLACE, &t->most, 1, MPI_INT, MPI_MAX, comm);

    const clock_ticks before = clock_now();
    MPI_Dist_graph_create_adjacent(comm, t->nsources, t->source, MPI_UNWEIGHTED, t->ndestinations,
                                   t->destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &t->comm);
    t->create_s = clock_seconds(clock_now() - before);
    c->run->comm = t->comm;
    c->run->blocks = t->most;
    return counts_deal(&collective_settings(c->settings)->counts, c, PMPI_Neighbor_alltoall);
}

static void end(const struct context *c)
{
    struct topology *t = &neighbors_of(c->run)->topology;

    if (t->comm != MPI_COMM_NULL)
        MPI_Comm_free(&t->comm);
}

/* All ranks are in the topology: none can wait. */
static void plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    overlap_plan(b, s, plan);
    plan->swept = NULL;
    if (topology_neighbours(neighbors_settings(s)->topology) < 0)
        plan->unknown = "the memory depends on the edges in the file";
}

#define HOOKS                                                                                      \
    .name = "neighbors", .settings = sizeof defaults, .example.ranks = 3, .plan = plan,            \
    .state = sizeof(struct neighbors), .describe = describe, .begin = begin, .end = end,           \
    OVERLAP_HOOKS

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

static void topology_lines(FILE *to, const struct bench_run *r, const struct settings *s)
{
    const struct topology *t = &neighbors_of(r)->topology;

    if (t->dimensions > 0) {
        fputs("Dimensions size = ", to);
        for (int d = 0; d < t->dimensions; d++)
            fprintf(to, "%d ", t->dim[d]);
        fputc('\n', to);
    }
    fprintf(to, "Time took to create topology graph:%.2f us.\n", 1e6 * t->create_s);
}

const struct report report_neighbors = { REPORT_COLLECTIVE, .before = topology_lines };
const struct report report_neighbors_overlap = { REPORT_OVERLAP, .before = topology_lines };
const struct report report_neighbors_persistent = { REPORT_PERSISTENT, .before = topology_lines };
