/* SPDX-License-Identifier: BSD-3-Clause */
#include "collective.h"

#include "bench.h"
#include "deal.h"

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
    (void)i;
    return r->root;
}

static int rank_of_block(const struct bench_run *r, int i)
{
    (void)r;
    return i;
}

static int own_block(const struct bench_run *r, int i)
{
    (void)i;
    return r->rank;
}

#define SUM_OF_ALL                                                             \
    .sends = flow_one_block, .to = flow_anyone, .receives = flow_one_block,    \
    .from = rank_of_block, .place = rank_of_block, .sum = true
#define GATHER_ALL                                                             \
    .sends = flow_one_block, .to = flow_anyone, .receives = one_per_rank,      \
    .from = rank_of_block, .place = own_block
#define GATHER                                                                 \
    .sends = flow_one_block, .to = root, .receives = one_per_rank_at_root,     \
    .from = rank_of_block, .place = own_block, .rooted = true
#define SCATTER                                                                \
    .sends = one_per_rank_at_root, .to = rank_of_block,                        \
    .receives = one_unless_in_place, .from = root, .rooted = true
#define EXCHANGE_ALL                                                           \
    .sends = one_per_rank, .to = rank_of_block, .receives = one_per_rank,      \
    .from = rank_of_block, .place = rank_of_block

const struct flow flow_reduce_all = { SUM_OF_ALL };
const struct flow flow_reduce = {
    .sends = flow_one_block,
    .to = root,
    .receives = one_of_root,
    .from = rank_of_block,
    .place = rank_of_block,
    .sum = true,
    .rooted = true,
};
const struct flow flow_reduce_scatter = { SUM_OF_ALL, .dealt = FLOW_PARTS };
const struct flow flow_reduce_scatter_block = { SUM_OF_ALL,
                                                .dealt = FLOW_BLOCKS };
const struct flow flow_scan = { SUM_OF_ALL, .summed = up_to_own };
const struct flow flow_exscan = { SUM_OF_ALL, .summed = before_own };
const struct flow flow_broadcast = {
    .sends = one_of_root,
    .to = flow_anyone,
    .receives = flow_one_block,
    .from = root,
    .place = rank_of_block,
    .rooted = true,
    .always_in_place = true,
};
const struct flow flow_gather_all = { GATHER_ALL };
const struct flow flow_gather_all_v = { GATHER_ALL, .packed = true,
                                        .blocks = BLOCKS_OF_SENDERS };
const struct flow flow_gather = { GATHER };
const struct flow flow_gather_v = { GATHER, .packed = true,
                                    .blocks = BLOCKS_OF_SENDERS };
const struct flow flow_scatter = { SCATTER };
const struct flow flow_scatter_v = { SCATTER, .packed = true,
                                     .blocks = BLOCKS_OF_RECEIVERS };
const struct flow flow_exchange_all = { EXCHANGE_ALL };
const struct flow flow_exchange_all_v = { EXCHANGE_ALL, .packed = true,
                                          .blocks = BLOCKS_OF_PAIRS };
const struct flow flow_exchange_all_w = { EXCHANGE_ALL, .packed_bytes = true,
                                          .blocks = BLOCKS_OF_PAIRS };

const struct report report_collective = {
    .unit = "us",
    .sample = "one call, on every rank, after all ranks were synchronized",
    .printed = "us, mean over iterations, then over ranks",
    .figure = report_whole_lap,
    .headline = report_latency_columns,
    .full = report_collective_full,
    .more = collective_columns,
};
const struct report report_barrier = {
    .unit = "us",
    .sample = "one call, on every rank, after all ranks were synchronized",
    .printed = "us, mean over iterations, then over ranks",
    .figure = report_whole_lap,
    .headline = report_latency_columns,
    .full = report_collective_full,
    .no_type_line = true,
};

/* --- Blocks of different lengths: --counts -------------------------------------- */

static const struct option_row options[] = { COLLECTIVE_OPTIONS, { 0 } };
static const struct collective_settings defaults;

const char *collective_parse_counts(void *settings, const char *text)
{
    return counts_parse(text,
                        &((struct collective_settings *)settings)->counts);
}

void collective_record_counts(struct fields to, const char *name,
                              const void *settings)
{
    const struct collective_settings *s = settings;

    fields_text(to, name, s->counts.text != NULL ? s->counts.text : "equal");
}

/* Programs without a family have no such settings. */
static bool are_unequal(const struct settings *s)
{
    return s->family != NULL &&
           collective_settings(s)->counts.kind != COUNTS_EQUAL;
}

unsigned collective_takes(const struct bench *b)
{
    return b->flow->blocks != BLOCKS_EQUAL ? TAKES_COUNTS : 0;
}

const char *collective_conflict(const struct bench *b, const struct settings *s)
{
    if (!are_unequal(s))
        return NULL;
    if (s->derived.kind != TYPEMAP_WHOLE)
        return "--counts and -D exclude each other";
    if (s->in_place && b->flow->blocks == BLOCKS_OF_PAIRS)
        return "--counts and -l exclude each other: in place two ranks exchange "
               "blocks of one length";
    return NULL;
}

enum exit_code collective_begin(const struct context *c)
{
    return deal_begin(c, MPI_Alltoall);
}

void collective_end(const struct context *c)
{
    deal_end(c);
}

void collective_measured(const struct context *c, struct row *row,
                         struct result *result)
{
    (void)row;
    (void)result;
    if (are_unequal(c->settings))
        deal_weigh(c, &collective_of(c->run)->busiest);
}

/* A rank with a short block may well be done sooner than a message of the row's size
   takes. */
bool collective_times_transfer(const struct bench *b, const struct settings *s)
{
    (void)b;
    return !are_unequal(s);
}

bool collective_dry_run(const struct context *c, double available)
{
    (void)available;
    if (are_unequal(c->settings))
        puts("# memory and time are those of --counts=equal");
    return false;
}

static struct cell busiest_bytes(const struct result *r)
{
    return cell_count(
        (size_t)((const struct collective *)r->family)->busiest.bytes);
}

static struct cell imbalance(const struct result *r)
{
    const double times =
        ((const struct collective *)r->family)->busiest.imbalance;

    return times > 0 ? cell_real(times) : cell_word("-");
}

const struct report_column *collective_columns(const struct settings *s)
{
    static const struct report_column columns[] = {
        { { "max_bytes", "Max Bytes", 0 }, busiest_bytes },
        { { "imbalance", "Imbalance", 0 }, imbalance },
        { .value = NULL },
    };

    return are_unequal(s) ? columns : NULL;
}

const struct family collective_family = {
    .name = "collective",
    .options = options,
    .defaults = &defaults,
    .settings = sizeof defaults,
    .takes = collective_takes,
    .conflict = collective_conflict,
    .state = sizeof(struct collective),
    .begin = collective_begin,
    .end = collective_end,
    .measured = collective_measured,
    .times_transfer = collective_times_transfer,
    .dry_run = collective_dry_run,
};
