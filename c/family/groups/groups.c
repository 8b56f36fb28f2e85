/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include "bench.h"
#include "job/placement.h"
#include "job/world.h"
#include "record/fields.h"

enum { EXAMPLE = 4 }; /* ranks, of an example */

struct groups_settings {
    int count; /* 0: nodes */
};

static int count_of(const struct settings *s)
{
    return ((const struct groups_settings *)s->family)->count;
}

static const struct option_row options[] = {
    { 0, "groups", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "groups of consecutive ranks; they take the place of nodes; the "
              "first group communicates with all others",
      .fallback = "one per node", .kind = OPTION_INT,
      .offset = offsetof(struct groups_settings, count), .min = 2, .max = 1 << 30 },
    { 0 },
};
static const struct groups_settings defaults = { .count = 0 };

static void refuse_unequal(struct refusal *r, int ranks, const char *what, int count)
{
    refusal_because(r, E02_WRONG_RANKS, "groups must be of equal size; ranks=%d; %s=%d;", ranks,
                    what, count);
}

/* MPI must count a window of messages to each group. */
static void refuse_count(const struct settings *s, int count, struct refusal *r)
{
    if (!flow_is_countable(count, s->window))
        refusal_because(r, E12_USAGE, "-W: more messages to all groups than MPI can count");
}

static void refuse(const struct context *c, struct refusal *r)
{
    const int count = count_of(c->settings);

    if (c->known < KNOWN_RANKS || count == 0)
        return;
    if (c->world->size % count != 0)
        refuse_unequal(r, c->world->size, "groups", count);
    refuse_count(c->settings, count, r);
}

/* Form count groups of consecutive ranks; count divides nranks. */
static void form_blocks(struct groups *g, int count, int rank, int nranks)
{
    const int size = nranks / count > 0 ? nranks / count : 1;

    *g = (struct groups){ .count = count,
                          .size = size,
                          .mine = rank / size,
                          .place = rank % size,
                          .row = MPI_COMM_NULL };
}

/* Make each node a group.  false: the nodes differ in size. */
static bool find_nodes(struct groups *g, const struct context *c)
{
    const struct placement *at = c->placement;

    *g = (struct groups){ .count = at->nodes,
                          .size = at->node_size,
                          .mine = at->node_number,
                          .place = at->node_rank,
                          .row = MPI_COMM_NULL };
    return world_first(c->world, at->node_size < at->max_node_size) == c->world->size;
}

/* Tell the run what the groups decide. */
static void tell_run(const struct context *c)
{
    const struct groups *g = groups_of(c->run);
    struct bench_run *r = c->run;

    r->pairs = (g->count - 1) * g->size;
    r->peer = MPI_PROC_NULL;
    r->sender = c->bench->flow->sends(r) > 0;
}

static void describe(const struct context *c)
{
    const int count = count_of(c->settings);

    form_blocks(groups_of(c->run), count > 0 ? count : 2, c->run->rank, c->run->nranks);
    tell_run(c);
}

static enum exit_code begin(const struct context *c)
{
    struct groups *g = groups_of(c->run);
    struct refusal refusal = { .why = "" };
    char example[600];

    if (count_of(c->settings) == 0 && !find_nodes(g, c))
        refuse_unequal(&refusal, c->world->size, "nodes", g->count);
    else if (g->count < 2) {
        launch_example(example, sizeof example, EXAMPLE, c->settings->started_as);
        refusal_because(&refusal, E02_WRONG_RANKS,
                        "needs ranks on at least 2 nodes, or --groups N, which "
                        "divides the ranks of one node into groups. For "
                        "example: %s --groups=2",
                        example);
    }
    refuse_count(c->settings, g->count, &refusal);
    if (refusal.why[0] != '\0')
        return refusal_print(&refusal, c->world->rank == 0);
    PMPI_Comm_split(c->world->all, g->place, g->mine, &g->row);
    g->member = world_keep((size_t)g->count, sizeof *g->member, "the ranks of a group");
    PMPI_Allgather(&c->world->rank, 1, MPI_INT, g->member, 1, MPI_INT, g->row);
    tell_run(c);
    c->talk->among = g->row;
    c->talk->star = true;
    return EXIT_OK;
}

static void end(const struct context *c)
{
    struct groups *g = groups_of(c->run);

    if (g->row != MPI_COMM_NULL)
        PMPI_Comm_free(&g->row);
}

static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    if (what->part == RECORDED_METHOD)
        fields_int(*to, "groups", groups_of(c->run)->count);
}

/* --- What is sent where ---------------------------------------------------- */

int groups_messages(const struct bench_run *r)
{
    const struct groups *g = groups_of(r);

    return g->mine == 0 ? r->window * (g->count - 1) : r->window;
}

static int messages_of_parent(const struct bench_run *r)
{
    return groups_of(r)->mine == 0 ? groups_messages(r) : 0;
}

static int window_of_parent(const struct bench_run *r)
{
    return groups_of(r)->mine == 0 ? r->window : 0;
}

static int messages_of_others(const struct bench_run *r)
{
    return groups_of(r)->mine > 0 ? groups_messages(r) : 0;
}

static int parent(const struct bench_run *r, int i)
{
    return groups_of(r)->member[0];
}

static int other_of_slot(const struct bench_run *r, int i)
{
    return groups_of(r)->member[1 + i / r->window];
}

const struct flow flow_fan_in = {
    .sides = SIDES_BY_SENDER,
    .sends = messages_of_others,
    .to = parent,
    .receives = messages_of_parent,
    .from = other_of_slot,
    .slot = flow_in_window,
    .window = true,
};
const struct flow flow_fan_out = {
    .sides = SIDES_BY_SENDER,
    .sends = window_of_parent,
    .to = flow_anyone,
    .receives = messages_of_others,
    .from = parent,
    .requests = groups_messages,
    .slot = flow_in_window,
    .window = true,
};

const struct report report_fan = {
    .unit = "MB/s",
    .sample = "windows to or from the first group and their acknowledgements, "
              "on every sender",
    .printed = MB_PER_S ", sum of all windows), payload / mean time of the "
                        "senders",
    .is_rate = true,
    .headline = report_bandwidth_columns,
};

const struct family groups_family = {
    .name = "groups",
    FAMILY_OPTIONS(options, defaults),
    .example.options = "--groups=2",
    .refuse = refuse,
    .state = sizeof(struct groups),
    .describe = describe,
    .begin = begin,
    .end = end,
    .record = record,
};
