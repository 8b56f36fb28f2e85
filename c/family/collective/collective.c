/* SPDX-License-Identifier: BSD-3-Clause */
#include "collective.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/sizes.h"
#include "bench.h"
#include "data/verify.h"
#include "job/placement.h"
#include "job/world.h"
#include "run/measure.h"

enum { TERMS = 2 };

/* The vector of that term, or TERMS: the result. */
static void numbers(const struct verify *v, void *to, size_t first, size_t n, int term)
{
    reduction_numbers(v->run, v->element, to, first, n, term == TERMS ? TERMS : 0, term % TERMS,
                      TERMS);
}

static void fill(const struct verify *v)
{
    v->recv_kind->set(v->recv, verify_poison(v), v->run->bytes + BUFFER_GUARD);
    verify_fill_numbers(v, v->send_kind, v->send, numbers, 0);
    verify_fill_numbers(v, v->recv_kind, v->recv, numbers, 1);
}

static void check(const struct verify *v, struct mismatch *first)
{
    verify_check_numbers(v, v->recv, true, 0, numbers, TERMS, first);
    verify_check_numbers(v, v->send, false, 0, numbers, 0, first);
}

const struct flow flow_reduce_local = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = flow_one_block,
    .from = flow_anyone,
    .sum = true,
    .fill = fill,
    .check = check,
};

static struct cell reduce_bandwidth(const struct result *r)
{
    return r->mean > 0 ? cell_real(1e-6 * (double)r->row->bytes / r->mean) : cell_word("-");
}

static const struct report_column columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, reduce_bandwidth },
    { .value = NULL },
};

const struct report report_reduce_local = {
    .unit = "us",
    .sample = "one call, on every rank",
    .printed = "us, mean over iterations, then over ranks; and " MB_PER_S " of one operand)",
    .headline = columns,
    .preamble = collective_operation_line,
};

static const struct option_row reduce_options[] = { REDUCTION_OPTION, { 0 } };
static const struct collective_settings reduce_defaults;

const struct family reduce_local_family = {
    .name = "collective",
    FAMILY_OPTIONS(reduce_options, reduce_defaults),
    .refuse = collective_refuse,
    .lacks_row = collective_lacks_row,
    .state = sizeof(struct collective),
    .begin = collective_begin,
    .end = collective_end,
};

enum {
    MOST_GROUPS = 1 << 20,
    OTHER_GROUP = 97, /* checks from one group's data to the next one's: verify.h */
};

const struct choice split_words[] = {
    { "N:block", SPLIT_BLOCK, "neighboring ranks are a group" },
    { "N:cyclic", SPLIT_CYCLIC, "every Nth rank is in the same group" },
    { "N:node", SPLIT_NODE, "block, sorted by node" },
    { 0 },
};

const char *split_parse(void *field, const char *text)
{
    struct split_spec *spec = field;
    const char *how;
    const long groups = number_whole(text, &how);

    if (how == text || groups < 1 || groups > MOST_GROUPS)
        return "does not begin with a number of groups";
    spec->groups = (int)groups;
    spec->how = SPLIT_BLOCK;
    if (*how == '\0')
        return NULL;
    for (const struct choice *c = split_words; c->word != NULL; c++)
        if (strcmp(how, c->word + 1) == 0) {
            spec->how = (enum split_how)c->value;
            return NULL;
        }
    return "has no block, cyclic or node after the number";
}

void split_record_spec(struct fields to, const char *name, const void *field)
{
    const struct split_spec *spec = field;
    char text[40];

    if (spec->groups == 0)
        return;
    snprintf(text, sizeof text, "%d%s", spec->groups, choice_word(split_words, (int)spec->how) + 1);
    fields_text(to, name, text);
}

/* Refuse so many ranks, of which number root is a root, where they are no such groups. */
static void split_refuse(const struct split_spec *spec, int ranks, int root, struct refusal *r)
{
    const int groups = spec->groups;

    if (groups == 0)
        return;
    if (ranks % groups != 0 || ranks / groups < 2)
        refusal_because(r, E12_USAGE,
                        "--split=%d needs groups of equal size, of at least two ranks; given: %d",
                        groups, ranks);
    else if (root >= ranks / groups)
        refusal_because(r, E12_USAGE,
                        "-k fixed:%d is no rank of a group: with --split=%d a group has %d ranks",
                        root, groups, ranks / groups);
}

/* Let the run be of one group: how many ranks, before MPI runs. */
static void split_describe(struct split *split, const struct split_spec *spec,
                           const struct context *c)
{
    struct bench_run *r = c->run;

    if (spec->groups == 0 || c->world->size < spec->groups)
        return; /* refused soon */
    split->groups = spec->groups;
    split->comm = split->leaders = MPI_COMM_NULL;
    r->nranks = c->world->size / spec->groups;
    r->rank = c->world->rank % r->nranks;
    r->blocks = r->nranks;
}

/* The lowest ranks of the groups, in the order of groups, have a communicator of their
   own; rank 0 is the first of them, and learns who they are. */
static void find_leaders(struct split *split, const struct context *c)
{
    const int rank = c->world->rank;
    const bool leads = c->run->rank == 0;

    if (rank == 0)
        split->mean_s =
            world_keep((size_t)split->groups, sizeof *split->mean_s, "the groups of --split");
    PMPI_Comm_split(c->world->comm, leads ? 0 : MPI_UNDEFINED, split->mine, &split->leaders);
    if (leads)
        split->first = world_gather(split->leaders, &rank, sizeof rank, "the groups of --split");
}

/* Make the groups, and free them.  Collective. */
static void split_begin(struct split *split, const struct split_spec *spec, const struct context *c)
{
    struct bench_run *r = c->run;
    const int rank = c->world->rank, size = r->nranks;
    const int by_node = c->placement->ranks_before + c->placement->node_rank;

    if (split->groups == 0)
        return;
    split->mine = spec->how == SPLIT_CYCLIC ? rank % split->groups
                  : spec->how == SPLIT_NODE ? by_node / size
                                            : rank / size;
    /* Data of one group are not those of another. */
    r->checks = OTHER_GROUP * (unsigned)split->mine;
    MPI_Comm_split(c->world->all, split->mine, rank, &split->comm);
    r->comm = split->comm;
    PMPI_Comm_rank(r->comm, &r->rank);
    find_leaders(split, c);
}

static void split_end(struct split *split)
{
    if (split->groups == 0)
        return;
    if (split->comm != MPI_COMM_NULL)
        MPI_Comm_free(&split->comm);
    if (split->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&split->leaders);
}

/* The means of the groups, from that of this rank, on rank 0.  Collective. */
static void split_gather(struct split *split, const struct context *c, const struct moments *mine)
{
    const double own = moments_mean(mine) / c->run->nranks;
    double mean;

    if (split->groups == 0)
        return;
    PMPI_Reduce(&own, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, split->comm);
    if (split->leaders != MPI_COMM_NULL)
        PMPI_Gather(&mean, 1, MPI_DOUBLE, split->mean_s, 1, MPI_DOUBLE, 0, split->leaders);
    split->worst_s = 0;
    for (int i = 0; split->mean_s != NULL && i < split->groups; i++)
        split->worst_s = fmax(split->worst_s, split->mean_s[i]);
}

/* "groups" of a row in JSON. */
static void split_record(const struct split *split, struct fields to)
{
    struct fields list;

    if (split->groups == 0)
        return;
    list = fields_list(to, "groups");
    for (int i = 0; i < split->groups; i++) {
        const struct fields group = fields_object(list, NULL);

        fields_int(group, "first_rank", split->first[i]);
        fields_us(group, "mean_us", split->mean_s[i]);
    }
}

/* Programs without a family, which have reports of this one, have no such settings. */
bool collective_is_split(const struct bench *b, const struct settings *s)
{
    return s->family != NULL && collective_settings(s)->split.groups > 0;
}

bool collective_is_unequal(const struct bench *b, const struct settings *s)
{
    return s->family != NULL && collective_settings(s)->counts.kind != COUNTS_EQUAL;
}

/* Are ranks made to come late? */
static bool is_late(const struct settings *s)
{
    return s->family != NULL && collective_settings(s)->arrival.kind != ARRIVAL_TOGETHER;
}

struct cell collective_max_bytes(const struct result *r)
{
    const struct collective *state = r->family;

    return cell_count((size_t)state->busiest.bytes);
}

int collective_ranks(const struct result *r)
{
    const struct collective *state = r->family;

    return state != NULL && state->split.groups > 0 ? r->ranks / state->split.groups : r->ranks;
}

const struct report_column collective_headline[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    COLLECTIVE_COLUMNS,
    { .value = NULL },
};

static bool is_trusted(const struct result *r)
{
    return r->global.trusted;
}

static struct cell latest(const struct result *r)
{
    return cell_real(result_headline(r));
}

static struct cell absorbed(const struct result *r)
{
    const struct lateness *late = &((const struct collective *)r->family)->lateness;

    return cell_real(100 * lateness_absorbed(late->own_s, r->global.latest_s, late->skew_s));
}

#define IF_TRUSTED .known = is_trusted

const struct report_column *collective_columns(const struct bench *b, const struct settings *s)
{
    static const struct report_column late_columns[] = {
        { { "latest_us", "Latest(us)", 0 }, latest, IF_TRUSTED },
        { { "waited_us", "Waited(us)", 0 }, report_mean, IF_TRUSTED },
        { { "waited_min_us", "Min Waited(us)", 0 }, report_mean_min, IF_TRUSTED, .full = true },
        { { "waited_max_us", "Max Waited(us)", 0 }, report_mean_max, IF_TRUSTED, .full = true },
        { { "iterations", "Iterations", TABLE_COUNT_WIDTH }, report_iterations, .full = true },
        { { "absorbed_percent", "Absorbed(%)", 0 }, absorbed, IF_TRUSTED },
        COLLECTIVE_COLUMNS,
        { .value = NULL },
    };

    return is_late(s) ? late_columns : NULL;
}

static struct cell bandwidth(const struct bench *b, const struct result *r, int column)
{
    return bus_cell(b, r, r->mean, column);
}

/* What is reduced, and how ranks arrive. */
void collective_preamble(FILE *to, const struct bench_run *r, const struct settings *s)
{
    collective_operation_line(to, r, s);
    if (is_late(s))
        fprintf(to, "# Arrival: %s.\n", collective_settings(s)->arrival.text);
}

const struct report report_collective = { REPORT_COLLECTIVE, .more = bus_columns,
                                          .more_value = bandwidth, .more_help = bus_help };
const struct report report_barrier = { REPORT_COLLECTIVE, .no_type_line = true };

/* --- Options ------------------------------------------------------------------ */

static const struct option_row options[] = {
    COLLECTIVE_OPTIONS,
    { 0, "arrival", "HOW", .group = OPTIONS_COLLECTIVE,
      .help = "ranks come late to each iteration; implies --start=clock, and prints Latest, Waited "
              "and Absorbed",
      .fallback = "all ranks together", .kind = OPTION_SPECIAL,
      .offset = offsetof(struct collective_settings, arrival), .choices = lateness_words,
      .parse = lateness_parse, .json = "arrival" },
    { 0 },
};
static const struct collective_settings defaults;

static const struct parameter collective_procs = {
    .name = "Ranks",
    .key = "procs",
    .option = "procs",
    .argument = "N[,N...]|all",
    .help = "ranks that take part; the first ones of the job, for each number a "
            "section of the table; all: 2, 4, 8, ... and all ranks",
    .fallback = "one section; all ranks",
    .kind = PARAMETER_SUBSETS,
    .group = OPTIONS_COLLECTIVE,
    .least = 2,
    .value = { 2, 4, 8, 16, 32, 64, 128, 256, 512, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14,
               1 << 15, 1 << 16, 1 << 18, 1 << 20, 1 << 30 },
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
        refusal_because(r, E12_USAGE, "--counts and --split exclude each other");
    if (s->nparameters > 0)
        refusal_because(r, E12_USAGE, "--counts and --procs exclude each other");
}

/* The fewest ranks of a section of --procs, or all. */
static long fewest_ranks(const struct context *c)
{
    const struct settings *s = c->settings;
    long fewest = c->world->size;

    for (int i = 0; i < s->nparameters; i++) {
        const long ranks = s->parameter[i] == PARAMETER_OWN ? 2 : s->parameter[i];

        fewest = ranks < fewest ? ranks : fewest;
    }
    return fewest;
}

static void refuse_rank(const struct context *c, struct refusal *r)
{
    const struct settings *s = c->settings;
    const struct arrival *arrival = &collective_settings(s)->arrival;

    if (s->nparameters > 0 && s->root > 0 && s->root >= fewest_ranks(c))
        refusal_because(r, E12_USAGE,
                        "-k fixed:%d is no rank of all sections of "
                        "--procs: name a lower root, or more ranks",
                        s->root);
    if (arrival->kind == ARRIVAL_ONE && arrival->rank >= fewest_ranks(c))
        refusal_because(r, E12_USAGE, "--arrival=%s: there is no such rank; ranks: %ld",
                        arrival->text, fewest_ranks(c));
}

void collective_refuse(const struct context *c, struct refusal *r)
{
    const struct settings *s = c->settings;
    const struct collective_settings *own = collective_settings(s);

    if (own->split.groups > 0 && s->nparameters > 0)
        refusal_because(r, E12_USAGE, "--split and --procs exclude each other");
    if (own->arrival.kind != ARRIVAL_TOGETHER && (s->start != START_CLOCK || settings_as_omb(s)))
        refusal_because(r, E12_USAGE, "--arrival needs --start=clock, and excludes --protocol=omb");
    if (c->bench->flow->sum)
        reduction_refuse(own->op, s->types, s->ntypes, r);
    else if (collective_is_unequal(c->bench, s))
        refuse_counts(c, r);
    if (c->known < KNOWN_RANKS)
        return;
    split_refuse(&own->split, c->world->size, s->root, r);
    refuse_rank(c, r);
}

/* MPI hands a function of the program an int. */
const char *collective_lacks_row(const struct context *c, const struct row *row)
{
    return collective_settings(c->settings)->op == REDUCTION_USER && row->bytes > INT_MAX
               ? "the function of --op=user cannot be given as many elements"
               : NULL;
}

void collective_describe(const struct context *c)
{
    split_describe(&collective_of(c->run)->split, &collective_settings(c->settings)->split, c);
}

enum exit_code collective_begin(const struct context *c)
{
    const struct collective_settings *own = collective_settings(c->settings);
    struct collective *state = collective_of(c->run);

    split_begin(&state->split, &own->split, c);
    c->run->op = reduction_begin(own->op);
    const enum exit_code code = counts_deal(&own->counts, c, PMPI_Alltoall);

    return code == EXIT_OK ? lateness_begin(&state->lateness, &own->arrival, c) : code;
}

void collective_gather(struct measure *m)
{
    struct collective *own = collective_of(m->context->run);

    split_gather(&own->split, m->context, &m->moments);
    if (collective_is_unequal(m->context->bench, m->context->settings))
        counts_weigh(m->context, &own->busiest);
}

void collective_measure(struct measure *m, struct result *result)
{
    if (is_late(m->context->settings))
        lateness_measure(&collective_of(m->context->run)->lateness,
                         &collective_settings(m->context->settings)->arrival, m, result);
    else
        measure_pass(m, result, settings_budget(m->context->settings));
    collective_gather(m);
}

void collective_record(const struct context *c, const struct recorded *what, struct fields *to)
{
    if (what->result == NULL)
        return;
    split_record(&collective_of(c->run)->split, *to);
    if (is_late(c->settings))
        lateness_record(&collective_of(c->run)->lateness, *to);
}

void collective_end(const struct context *c)
{
    split_end(&collective_of(c->run)->split);
    reduction_end(collective_settings(c->settings)->op, &c->run->op);
}

/* A rank with a short block may well be done sooner than a message of the row's size takes. */
void collective_plan(const struct bench *b, const struct settings *s, struct plan *plan)
{
    plan->swept = &collective_procs;
    plan->times_transfer = !collective_is_unequal(b, s);
    plan->starts_by_clock = collective_settings(s)->arrival.kind != ARRIVAL_TOGETHER;
    if (collective_is_unequal(b, s))
        plan->remark = "memory is that of --counts=equal";
}

void collective_operation_line(FILE *to, const struct bench_run *r, const struct settings *s)
{
    const struct collective_settings *own = collective_settings(s);

    if (own != NULL && own->op != REDUCTION_SUM)
        fprintf(to, "# Reduction: %s.\n", choice_word(reduction_words, (int)own->op));
}

const struct family collective_family = {
    .name = "collective",
    FAMILY_OPTIONS(options, defaults),
    COLLECTIVE_HOOKS,
    .plan = collective_plan,
    .refuse = collective_refuse,
    .state = sizeof(struct collective),
    .describe = collective_describe,
    .measure = collective_measure,
    .record = collective_record,
};

/* --- What operations move, and their bandwidths --------------------------------- */

const struct extra_column bus_columns[] = {
    [BUS_ALGBW] = { "algbw",
                    "bytes of the operation / mean time, in MB/s, by the formula "
                    "of nccl-tests (--help)",
                    "Alg. BW(MB/s)",
                    "Alg. BW(MB/s)",
                    { 0 } },
    [BUS_BUSBW] = { "busbw",
                    "algbw times the share that each rank's link carries; not "
                    "meaningful for trees and in-network reduction",
                    "Bus BW(MB/s)",
                    "Bus BW(MB/s)",
                    { 0 } },
    { 0 },
};

double bus_bandwidth(const struct bus *bus, int column, int n, double bytes, double seconds)
{
    const double algbw = bytes * (bus->blocks ? n : 1) / seconds;
    const double f = bus->rounds > 0 ? bus->rounds * (n - 1.0) / n : 1;

    return column == BUS_BUSBW ? algbw * f : algbw;
}

struct cell bus_cell(const struct bench *b, const struct result *r, double mean_s, int column)
{
    if (!(mean_s > 0))
        return cell_word("-");
    return cell_real(1e-6 * bus_bandwidth(b->flow->of_family, column, collective_ranks(r),
                                          (double)r->moved, mean_s));
}

void bus_help(const struct bench *b, char *text, size_t room)
{
    const struct bus *bus = b->flow->of_family;

    snprintf(text, room,
             "--columns=algbw,busbw: algbw = S/t, busbw = algbw%s, in MB/s.\n"
             "S: %sbytes of the row; t: mean time%s; n: ranks.\n"
             "busbw is not meaningful for trees and in-network reduction.\n",
             bus->rounds > 1   ? " * 2(n-1)/n"
             : bus->rounds > 0 ? " * (n-1)/n"
                               : "",
             bus->blocks ? "n times the " : "",
             b->family != &collective_family ? " without computation" : "");
}

static int one_per_rank(const struct bench_run *r)
{
    return r->nranks;
}

static int one_of_root(const struct bench_run *r)
{
    return r->rank == r->root;
}

static int one_per_rank_at_root(const struct bench_run *r)
{
    return r->rank == r->root ? r->nranks : 0;
}

/* The root that works in place keeps its block where it is. */
static int one_unless_in_place(const struct bench_run *r)
{
    return !(r->in_place && r->rank == r->root);
}

static int up_to_own(const struct bench_run *r)
{
    return r->rank + 1;
}

static int before_own(const struct bench_run *r)
{
    return r->rank;
}

static int root(const struct bench_run *r, int i)
{
    return r->root;
}

static int rank_of_block(const struct bench_run *r, int i)
{
    return i;
}

static int own_block(const struct bench_run *r, int i)
{
    return r->rank;
}

/* What algbw and busbw count: an allreduce passes a vector on twice, what gathers,
   scatters or exchanges blocks once. */
static const struct bus vector = { 0 }, shares = { .rounds = 1 }, shares_twice = { .rounds = 2 },
                        blocks = { .rounds = 1, .blocks = true };

#define SUM_OF_ALL                                                                                 \
    .sends = flow_one_block, .to = flow_anyone, .receives = flow_one_block, .from = rank_of_block, \
    .in_place_block = rank_of_block, .sum = true, .numbers = reduction_numbers
#define GATHER_ALL                                                                                 \
    .sends = flow_one_block, .to = flow_anyone, .receives = one_per_rank, .from = rank_of_block,   \
    .in_place_block = own_block, .of_family = &blocks
#define GATHER                                                                                     \
    .sends = flow_one_block, .to = root, .receives = one_per_rank_at_root, .from = rank_of_block,  \
    .in_place_block = own_block, .rooted = true, .of_family = &blocks
#define SCATTER                                                                                    \
    .sends = one_per_rank_at_root, .to = rank_of_block, .receives = one_unless_in_place,           \
    .from = root, .rooted = true, .of_family = &blocks
#define EXCHANGE_ALL                                                                               \
    .sends = one_per_rank, .to = rank_of_block, .receives = one_per_rank, .from = rank_of_block,   \
    .in_place_block = rank_of_block, .of_family = &blocks

/* Ranks that come late in turn: all or, of many, some. */
enum { STRAGGLERS = 32 };

static int stragglers(const struct bench_run *r)
{
    return r->nranks < STRAGGLERS ? r->nranks : STRAGGLERS;
}

const struct flow flow_barrier = {
    .sends = flow_no_block,
    .to = flow_peer,
    .receives = flow_no_block,
    .from = flow_peer,
    .turns = stragglers,
    .synchronizes = true,
};
const struct flow flow_reduce_all = { SUM_OF_ALL, .of_family = &shares_twice };
const struct flow flow_reduce = {
    .sends = flow_one_block,
    .to = root,
    .receives = one_of_root,
    .from = rank_of_block,
    .in_place_block = rank_of_block,
    .sum = true,
    .numbers = reduction_numbers,
    .rooted = true,
    .of_family = &vector,
};
const struct flow flow_reduce_scatter = { SUM_OF_ALL, .dealt = FLOW_PARTS, .arrays = &vector_arrays,
                                          .of_family = &shares };
const struct flow flow_reduce_scatter_block = { SUM_OF_ALL, .dealt = FLOW_BLOCKS,
                                                .of_family = &shares };
const struct flow flow_scan = { SUM_OF_ALL, .summed = up_to_own, .of_family = &vector };
const struct flow flow_exscan = { SUM_OF_ALL, .summed = before_own, .of_family = &vector };
const struct flow flow_broadcast = {
    .sends = one_of_root,
    .to = flow_anyone,
    .receives = flow_one_block,
    .from = root,
    .in_place_block = rank_of_block,
    .rooted = true,
    .always_in_place = true,
    .of_family = &vector,
};
const struct flow flow_gather_all = { GATHER_ALL };
const struct flow flow_gather_all_v = { GATHER_ALL, .packed = true, .blocks = BLOCKS_OF_SENDERS,
                                        .arrays = &vector_arrays };
const struct flow flow_gather = { GATHER };
const struct flow flow_gather_v = { GATHER, .packed = true, .blocks = BLOCKS_OF_SENDERS,
                                    .arrays = &vector_arrays };
const struct flow flow_scatter = { SCATTER };
const struct flow flow_scatter_v = { SCATTER, .packed = true, .blocks = BLOCKS_OF_RECEIVERS,
                                     .arrays = &vector_arrays };
const struct flow flow_exchange_all = { EXCHANGE_ALL };
const struct flow flow_exchange_all_v = { EXCHANGE_ALL, .packed = true, .blocks = BLOCKS_OF_PAIRS,
                                          .arrays = &vector_arrays };
const struct flow flow_exchange_all_w = { EXCHANGE_ALL, .packed_bytes = true,
                                          .blocks = BLOCKS_OF_PAIRS, .arrays = &vector_arrays };
