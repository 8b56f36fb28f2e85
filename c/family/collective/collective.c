/* SPDX-License-Identifier: BSD-3-Clause */
#include "collective.h"

#include <limits.h>

#include "bench.h"
#include "bus.h"
#include "deal.h"
#include "report/report_kinds.h"
#include "report/rows.h"
#include "sampling/measure.h"

bool collective_is_split(const struct bench *b, const struct settings *s)
{
    const struct collective_settings *own = collective_settings(s);

    (void)b;
    return own != NULL && own->split.groups > 0;
}

/* Programs without a family have no such settings. */
bool collective_is_unequal(const struct bench *b, const struct settings *s)
{
    const struct collective_settings *own = collective_settings(s);

    (void)b;
    return own != NULL && own->counts.kind != COUNTS_EQUAL;
}

struct cell collective_max_bytes(const struct result *r)
{
    const struct collective *state = r->family;

    return cell_count((size_t)state->busiest.bytes);
}

int collective_ranks(const struct result *r)
{
    const struct collective *state = r->family;

    return state != NULL && state->split.groups > 0
               ? r->ranks / state->split.groups
               : r->ranks;
}

const struct report_column collective_headline[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    COLLECTIVE_COLUMNS,
    { .value = NULL },
};

static struct cell bandwidth(const struct bench *b, const struct result *r,
                             int column)
{
    return bus_cell(b, r, r->mean, column);
}

#define ONE_CALL                                                               \
    .unit = "us",                                                              \
    .sample = "one call, on every rank, after all ranks were synchronized",    \
    .printed = "us, mean over iterations, then over ranks",                    \
    .headline = collective_headline

const struct report report_collective = { ONE_CALL, .more = bus_columns,
                                          .preamble = collective_operation_line,
                                          .more_value = bandwidth,
                                          .more_help = bus_help };
const struct report report_barrier = { ONE_CALL, .no_type_line = true };

/* --- Options ------------------------------------------------------------------ */

static const struct option_row options[] = { COLLECTIVE_OPTIONS, { 0 } };
static const struct collective_settings defaults;

static const struct parameter collective_procs = {
    .name = "Ranks",
    .key = "procs",
    .option = "procs",
    .argument = "N[,N...]|all",
    .help =
        "ranks that take part; the first ones of the job, for each number a "
        "section of the table; all: 2, 4, 8, ... and all ranks",
    .fallback = "one section; all ranks",
    .kind = PARAMETER_SUBSETS,
    .group = OPTIONS_COLLECTIVE,
    .least = 2,
    .value = { 2, 4, 8, 16, 32, 64, 128, 256, 512, 1 << 10, 1 << 11, 1 << 12,
               1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 18, 1 << 20, 1 << 30 },
};

static void refuse_counts(const struct context *c, struct refusal *r)
{
    const struct settings *s = c->settings;

    if (s->derived.kind != TYPEMAP_WHOLE)
        refusal_because(r, E12_USAGE, "--counts and -D exclude each other");
    if (s->in_place && c->bench->flow->blocks == BLOCKS_OF_PAIRS)
        refusal_because(r, E12_USAGE,
                        "--counts and -l exclude each other: in place two "
                        "ranks exchange blocks of one length");
    if (collective_settings(s)->split.groups > 0)
        refusal_because(r, E12_USAGE,
                        "--counts and --split exclude each other");
    if (s->nparameters > 0)
        refusal_because(r, E12_USAGE,
                        "--counts and --procs exclude each other");
}

static void refuse_root(const struct settings *s, struct refusal *r)
{
    for (int i = 0; i < s->nparameters; i++)
        if (s->root > 0 &&
            (s->parameter[i] == PARAMETER_OWN ? 2 : s->parameter[i]) <= s->root)
            refusal_because(r, E12_USAGE,
                            "-k fixed:%d is no rank of all sections of "
                            "--procs: name a lower root, or more ranks",
                            s->root);
}

void collective_refuse(const struct context *c, struct refusal *r)
{
    const struct settings *s = c->settings;
    const struct collective_settings *own = collective_settings(s);

    if (own->split.groups > 0 && s->nparameters > 0)
        refusal_because(r, E12_USAGE, "--split and --procs exclude each other");
    if (c->bench->flow->sum)
        reduction_refuse(own->op, s->types, s->ntypes, r);
    else if (collective_is_unequal(c->bench, s))
        refuse_counts(c, r);
    if (c->world == NULL)
        return;
    split_refuse(&own->split, c->world->size, s->root, r);
    refuse_root(s, r);
}

/* MPI hands a function of the program an int. */
const char *collective_lacks_row(const struct context *c, const struct row *row)
{
    return collective_settings(c->settings)->op == REDUCTION_USER &&
                   row->bytes > INT_MAX
               ? "the function of --op=user cannot be given as many elements"
               : NULL;
}

void collective_describe(const struct context *c)
{
    split_describe(&collective_of(c->run)->split,
                   &collective_settings(c->settings)->split, c);
}

enum exit_code collective_begin(const struct context *c)
{
    split_begin(&collective_of(c->run)->split,
                &collective_settings(c->settings)->split, c);
    c->run->op = reduction_begin(collective_settings(c->settings)->op);
    return deal_begin(c, PMPI_Alltoall);
}

void collective_gather(struct measure *m)
{
    struct collective *own = collective_of(m->context->run);

    split_gather(&own->split, m->context, &m->moments);
    if (collective_is_unequal(m->context->bench, m->context->settings))
        deal_weigh(m->context, &own->busiest);
}

void collective_measure(struct measure *m, struct result *result)
{
    measure_pass(m, result, measure_budget(m));
    collective_gather(m);
}

void collective_record(const struct context *c, const struct recorded *what,
                       struct fields *to)
{
    if (what->result != NULL)
        split_record(&collective_of(c->run)->split, *to);
}

void collective_end(const struct context *c)
{
    deal_end(c);
    split_end(&collective_of(c->run)->split);
    reduction_end(collective_settings(c->settings)->op, &c->run->op);
}

/* A rank with a short block may well be done sooner than a message of the row's size
   takes. */
void collective_plan(const struct bench *b, const struct settings *s,
                     struct plan *plan)
{
    plan->swept = &collective_procs;
    plan->times_transfer = !collective_is_unequal(b, s);
    if (collective_is_unequal(b, s))
        plan->remark = "memory is that of --counts=equal";
}

void collective_operation_line(FILE *to, const struct bench_run *r,
                               const struct settings *s)
{
    const struct collective_settings *own = collective_settings(s);

    (void)r;
    if (own != NULL && own->op != REDUCTION_SUM)
        fprintf(to, "# Reduction: %s.\n",
                choice_word(reduction_words, (int)own->op));
}

const struct family collective_family = {
    .name = "collective",
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    COLLECTIVE_HOOKS,
    .plan = collective_plan,
    .refuse = collective_refuse,
    .state = sizeof(struct collective),
    .describe = collective_describe,
    .measure = collective_measure,
    .record = collective_record,
};
