/* SPDX-License-Identifier: BSD-3-Clause */
#include "hosts.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/stats.h"
#include "bench.h"
#include "environment/environment.h"
#include "job/placement.h"
#include "job/world.h"
#include "options/settings.h"
#include "run/measure.h"

static const struct option_row options[] = { SEED_OPTION(struct meetings_spec, seed), { 0 } };
static const struct meetings_spec defaults = { .every = EVERY_NODE, .fewest = 1, .seed = 1 };

FAMILY_OF(settings, const struct meetings_spec, spec_of)

/* --- Who meets whom ---------------------------------------------------------------- */

int hosts_rounds(const struct bench_run *r)
{
    const int all = round_robin_rounds(hosts_of(r)->meetings.n);

    return r->parameter == 0 || all < 1 ? 1 : r->parameter < all ? (int)r->parameter : all;
}

struct meeting hosts_meeting(const struct bench_run *r, int round)
{
    const struct hosts *h = hosts_of(r);

    return r->parameter > 0 ? meetings_get(&h->meetings, round) : h->within;
}

/* A block in either direction; each of the two ranks begins once. */
static int partner(const struct bench_run *r, int i)
{
    return r->turn > 0 ? hosts_meeting(r, r->turn - 1).rank : -1;
}

static int two_of_partner(const struct bench_run *r)
{
    return r->turn > 0 && partner(r, 0) < 0 ? 0 : 2;
}

const struct flow flow_hosts = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = two_of_partner,
    .from = partner,
    .turns = hosts_rounds,
};

/* The other of the first two ranks of this node. */
static struct meeting meet_within(const struct context *c)
{
    const struct placement *at = c->placement;
    int rank[2] = { c->world->rank, c->world->rank };

    for (int i = 0; i < 2 && i < at->node_size; i++)
        PMPI_Bcast(&rank[i], 1, MPI_INT, i, at->node);
    if (at->node_size < 2 || at->node_rank > 1)
        return (struct meeting){ .rank = -1 };
    return (struct meeting){ .rank = rank[1 - at->node_rank], .first = at->node_rank == 0 };
}

static enum exit_code begin(const struct context *c)
{
    struct hosts *h = hosts_of(c->run);
    const enum exit_code code = meetings_begin(&h->meetings, spec_of(c->settings), c);

    c->talk->among = c->world->comm;
    h->within = meet_within(c);
    return code;
}

/* Of rows that nobody named there are those that can be; without MPI no node is known. */
static const char *lacks_row(const struct context *c, const struct row *row)
{
    const int nodes = hosts_of(c->run)->meetings.n;

    if (nodes == 0 || (row->parameter > 0 ? nodes > 1 : nodes < c->world->size))
        return NULL;
    return c->settings->nparameters == 0 ? row_unasked
           : nodes > 1                   ? "they are within hosts, and each has one rank"
                                         : "they are between hosts, and there is one";
}

/* --- In what hosts should not differ ------------------------------------------------ */

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    const struct fields facts = fields_document();
    struct hosts *h = hosts_of(c->run);
    struct host own = { .median = NAN };
    FILE *const to = fmemopen(own.facts, sizeof own.facts, "w");
    const int all = round_robin_rounds(h->meetings.n), rounds = all < 1 ? 1 : all;

    if (to == NULL)
        world_no_memory("what hosts are");
    environment_host(c, facts);
    fields_write(facts, to, FIELDS_LINE);
    if (fclose(to) != 0 || own.facts[HOSTS_FACTS - 1] != '\0') /* it was cut short */
        strcpy(own.facts, "null");
    fields_release(facts);
    gethostname(own.name, sizeof own.name - 1);
    if (h->meetings.place >= 0)
        h->host = world_gather(h->meetings.comm, &own, sizeof own, "what hosts are");
    part_times_begin(&h->times, rounds, PART_TIMES_KEPT);
    h->own = world_keep((size_t)rounds, sizeof *h->own, "the times of hosts");
    if (h->meetings.number == 0)
        h->time = world_keep((size_t)h->meetings.n * (size_t)rounds, sizeof *h->time,
                             "the times of hosts");
    return EXIT_OK;
}

/* The field "hosts" of the document. */
static void record_sets(const struct hosts *h, struct fields to)
{
    const struct fields sets = fields_list(to, "hosts");

    for (int i = 0, first; i < h->meetings.n; i++) {
        for (first = 0; strcmp(h->host[first].facts, h->host[i].facts) != 0;)
            first++;
        if (first < i)
            continue;
        const struct fields set = fields_object(sets, NULL);
        const struct fields alike = fields_list(set, "hosts");

        for (int k = i; k < h->meetings.n; k++)
            if (strcmp(h->host[k].facts, h->host[i].facts) == 0)
                fields_text(alike, NULL, h->host[k].name);
        fields_written(set, "environment", h->host[i].facts);
    }
}

/* --- A row ----------------------------------------------------------------------- */

static void begin_row(const struct context *c)
{
    struct bench_run *r = c->run;
    struct hosts *h = hosts_of(r);
    struct meetings_spec spec = *spec_of(c->settings);

    spec.rounds = (int)r->parameter;
    meetings_arrange(&h->meetings, &spec);
    r->sender = r->parameter > 0 ? meetings_own(&h->meetings) > 0 : h->within.rank >= 0;
    h->times.parts = hosts_rounds(r);
}

/* Let rank 0 have the times of all nodes.  Collective over the first ranks of the nodes. */
static void gather(const struct bench_run *r)
{
    struct hosts *h = hosts_of(r);
    const struct meetings *m = &h->meetings;
    const int rounds = hosts_rounds(r);
    double *const own = h->own;

    part_times_agree(&h->times, m->comm);
    for (int i = 0; i < rounds; i++)
        own[i] = hosts_meeting(r, i).rank < 0 ? -1 : 0.5 * part_times_median(&h->times, i);
    PMPI_Gather(own, rounds, MPI_DOUBLE, h->time, rounds, MPI_DOUBLE, 0, m->comm);
    h->slowest_s = NAN;
    for (int i = 0; m->number == 0 && i < m->n; i++) {
        const double *time = h->time + (size_t)i * (size_t)rounds;
        size_t n = 0;

        for (int k = 0; k < rounds; k++)
            if (time[k] > 0)
                own[n++] = time[k];
        h->host[i].median = n > 0 ? stats_median(own, n) : NAN;
        h->slowest_s = fmax(h->slowest_s, h->host[i].median);
    }
}

static void measure(struct measure *measure, struct result *result)
{
    const struct bench_run *r = measure->context->run;

    measure_pass(measure, result, settings_budget(measure->context->settings));
    if (hosts_of(r)->meetings.place >= 0)
        gather(r);
}

static void end(const struct context *c)
{
    meetings_end(&hosts_of(c->run)->meetings);
}

/* --- What is printed, and JSON ------------------------------------------------------ */

/* A node that rests in a round has as much less time in an iteration. */
static void half_of_each(const struct context *c, struct result *result)
{
    const struct meetings *m = &hosts_of(c->run)->meetings;
    const double meetings = (double)m->rounds * (m->n / 2) * 2 / m->n;

    result->scale = 0.5 / (result->row->parameter > 0 ? meetings : 1);
}

static const struct report_column columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    { { "slowest_host_us", "Slowest Host(us)", 0 }, COLUMN_US(struct hosts, slowest_s) },
    REPORT_EXTREMES,
    { .value = NULL },
};

const struct report report_hosts = {
    .unit = "us",
    .sample = "a round trip with each partner, on every rank that has one, added up",
    .printed = "half of one, in us, mean over partners, iterations and ranks; and the "
               "median over partners of the slowest host",
    .figure = half_of_each,
    .headline = columns,
};

static void record_partners(const struct bench_run *r, int number, struct fields to)
{
    const struct fields partners = fields_list(to, "partners"), us = fields_list(to, "partner_us");
    const int rounds = hosts_rounds(r);
    const double *time = hosts_of(r)->time + (size_t)number * (size_t)rounds;
    struct meetings m = hosts_of(r)->meetings;

    for (m.place = 0; m.seat[m.place] != number;)
        m.place++;
    for (int i = 0; r->parameter > 0 && i < rounds; i++) {
        const struct meeting at = meetings_get(&m, i);

        if (at.rank >= 0) {
            fields_int(partners, NULL, at.number);
            fields_us(us, NULL, time[i]);
        }
    }
}

/* The field "hosts" of a row. */
static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct hosts *h = hosts_of(c->run);

    if (what->part == RECORDED_HEAD)
        record_sets(h, *to);
    if (what->result == NULL || what->result->iterations == 0)
        return;
    const struct fields hosts = fields_list(*to, "hosts");

    for (int i = 0; i < h->meetings.n; i++) {
        const struct fields one = fields_object(hosts, NULL);

        fields_text(one, "host", h->host[i].name);
        fields_us(one, "us", h->host[i].median);
        record_partners(c->run, i, one);
    }
}

const struct family hosts_family = {
    .name = "matrix",
    FAMILY_OPTIONS(options, defaults),
    .state = sizeof(struct hosts),
    .begin = begin,
    .lacks_row = lacks_row,
    .ready = ready,
    .row = begin_row,
    .forget = schedule_forget,
    .measure = measure,
    .record = record,
    .end = end,
};
