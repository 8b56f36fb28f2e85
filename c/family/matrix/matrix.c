/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sizes.h"
#include "bench.h"
#include "job/world.h"
#include "options/settings.h"
#include "record/fields.h"

/* --- The times of all pairs ---------------------------------------------------- */

static size_t all_pairs_bytes(int ranks)
{
    const struct all_pairs *all = NULL;
    const size_t n = (size_t)ranks;

    return size_product(n, size_sum(size_product(n, sizeof *all->time + sizeof *all->path),
                                    sizeof *all->node + sizeof *all->home));
}

/* Let the pairs of so many ranks lie in that memory. */
static void all_pairs_begin(struct all_pairs *all, int ranks, void *memory)
{
    const size_t n = (size_t)ranks;

    all->ranks = ranks;
    all->time = memory;
    all->home = (struct home *)(all->time + n * n);
    all->node = (int *)(all->home + n);
    all->path = (unsigned char *)(all->node + n);
}

static void settle(struct all_pairs *all)
{
    const struct home *home = all->home;
    int nodes = 0;

    for (int i = 0; i < all->ranks; i++) {
        int other = 0;

        while (other < i && home[other].spot.node != home[i].spot.node)
            other++;
        all->node[i] = other < i ? all->node[other] : nodes++;
        for (int j = 0; j < all->ranks; j++)
            all->path[all_pairs_at(all, i, j)] =
                (unsigned char)path_between(&home[i].spot, &home[j].spot);
    }
}

/* Collect the medians, multiplied by scale, and the places of the ranks of comm; in the
   job this one is number rank.  Collective over comm. */
static void all_pairs_gather(const struct part_times *t, MPI_Comm comm, double scale,
                             const struct placement *placement, int rank, struct all_pairs *all)
{
    struct home mine = { .spot = placement->spot, .rank = rank };
    double *median = world_room((size_t)t->parts, sizeof *median, "the times of all pairs");
    int number;

    gethostname(mine.host, sizeof mine.host);
    for (int i = 0; i < t->parts; i++)
        median[i] = scale * part_times_median(t, i);
    PMPI_Gather(median, t->parts, MPI_DOUBLE, all->time, t->parts, MPI_DOUBLE, 0, comm);
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, all->home, sizeof mine, MPI_BYTE, 0, comm);
    PMPI_Comm_rank(comm, &number);
    if (number == 0)
        settle(all);
    free(median);
}

enum { WHOLE_MATRIX = 64 }; /* ranks; a larger matrix needs --raw */

/* A time of a pair as it is printed; not a number: it was not measured. */
static double value_of(const struct matrix *m, double time)
{
    if (m->messages == 0)
        return 1e6 * time;
    return time > 0 ? m->bytes / time / 1e6 : NAN;
}

static void say_path(struct matrix *m, const struct context *c, const struct result *result,
                     int kind)
{
    const struct straggler_path *p = &m->slow.path[kind];

    if (p->pairs == 0)
        return;
    fprintf(lines_about(&m->lines, c, "Pairs", result), "path=%s; pairs=%ld; typical=%.2f %s;\n",
            path_names[kind], p->pairs, value_of(m, p->usual), m->messages > 0 ? "MB/s" : "us");
}

static void say_slow(struct matrix *m, const struct context *c, const struct result *result,
                     const struct straggler *s)
{
    const struct home *first = &m->pairs.home[s->rank];
    const struct home *second = &m->pairs.home[s->partner < 0 ? 0 : s->partner];
    FILE *const to = lines_about(&m->lines, c, "Outliers", result);

    if (s->partner >= 0)
        fprintf(to, "ranks=%d,%d; hosts=%s,%s; ", first->rank, second->rank, first->host,
                second->host);
    else if (s->node > 0)
        fprintf(to, "host=%s; all its ranks=%d; ", first->host, s->node);
    else
        fprintf(to, "rank=%d; host=%s; ", first->rank, first->host);
    fprintf(to, "path=%s; %.2f times typical, ", path_names[s->path],
            m->messages > 0 ? 1 / s->times : s->times);
    if (s->partner >= 0)
        fputs("only this pair;\n", to);
    else
        fprintf(to, "in %d of %d pairs%s;\n", s->above, s->pairs,
                s->node > 0 ? " of its first rank" : "");
}

static void say_row(struct matrix *m, const struct context *c, const struct result *result)
{
    const struct stragglers *slow = &m->slow;

    for (int kind = 0; kind < PATHS; kind++)
        say_path(m, c, result, kind);
    for (int i = 0; i < slow->found; i++)
        say_slow(m, c, result, &slow->slow[i]);
    if (slow->found == 0)
        fputs("none;\n", lines_about(&m->lines, c, "Outliers", result));
    else if (slow->left_over > 0)
        fprintf(lines_about(&m->lines, c, "Outliers", result), "and %ld more;\n", slow->left_over);
}

/* Ranks that do not meet are on no path: not judged.  Find the slowest pair too. */
static void look_at_pairs(struct matrix *m)
{
    struct all_pairs *all = &m->pairs;

    for (int i = 0; i < all->ranks; i++)
        for (int j = 0; j < all->ranks; j++) {
            const size_t at = all_pairs_at(all, i, j);

            if (i == j)
                continue;
            if (m->messages > 0 && !(all->time[at] > 0))
                all->path[at] = PATHS;
            if (all->time[at] > m->pair.time)
                m->pair = (struct extreme){ all->time[at], all->home[i].rank, all->home[j].rank };
        }
}

/* The slowest tenth of all pairs, on all ranks. */
static void find_tenth(struct matrix *m, MPI_Comm comm)
{
    const struct part_times *times = &m->times;
    const struct home *home = m->pairs.home;
    double longest = 0;
    int partner = 0;

    for (int i = 0; i < times->parts; i++) {
        const double time = part_times_slowest_tenth(times, i);

        if (time > longest) {
            longest = time;
            partner = i;
        }
    }
    m->tenth = over_ranks_longest(comm, longest, partner);
    if (m->pairs.ranks > 0) {
        m->tenth.rank = home[m->tenth.rank].rank;
        m->tenth.partner = home[m->tenth.partner].rank;
    }
}

/* Judge the pairs of the row that was measured, of the ranks of comm: for its record and for a
   line; neither if all iterations were late.  Collective over comm; valid until the next row. */
static void judge_row(struct matrix *m, const struct context *c, MPI_Comm comm,
                      const struct result *result)
{
    const bool known = part_times_agree(&m->times, comm) > 0;

    m->slow = (struct stragglers){ 0 };
    m->pair = m->tenth = (struct extreme){ 0 };
    m->bytes = (double)m->messages * (double)result->moved;
    m->judged = false;
    all_pairs_gather(&m->times, comm, m->messages > 0 ? 1 : 0.5, c->placement, c->world->rank,
                     &m->pairs);
    if (m->messages > 0)
        find_tenth(m, comm);
    m->pair_mb_per_s = NAN;
    m->tenth_mb_per_s = value_of(m, m->tenth.time);
    if (m->pairs.ranks == 0 || !known)
        return;
    look_at_pairs(m);
    m->pair_mb_per_s = value_of(m, m->pair.time);
    m->judged = true;
    stragglers_find(&m->pairs, &m->slow);
    say_row(m, c, result);
}

/* --- JSON ---------------------------------------------------------------------- */

static void record_value(const struct matrix *m, struct fields to, const char *time,
                         const char *rate, double value)
{
    fields_real(to, m->messages > 0 ? rate : time, value_of(m, value));
}

static void record_paths(const struct matrix *m, struct fields to)
{
    const struct fields paths = fields_list(to, "paths");

    for (int kind = 0; kind < PATHS; kind++) {
        const struct straggler_path *p = &m->slow.path[kind];

        if (p->pairs == 0)
            continue;
        const struct fields path = fields_object(paths, NULL);

        fields_text(path, "path", path_names[kind]);
        fields_int(path, "pairs", p->pairs);
        record_value(m, path, "typical_us", "typical_mb_per_s", p->usual);
        record_value(m, path, "slow_from_us", "slow_below_mb_per_s", p->usual * p->slow);
    }
}

static void record_slow(const struct matrix *m, struct fields to)
{
    const struct fields found = fields_list(to, "slow");
    const struct home *home = m->pairs.home;

    for (int i = 0; i < m->slow.found; i++) {
        const struct straggler *s = &m->slow.slow[i];
        const struct fields one = fields_object(found, NULL);

        fields_int(one, "rank", home[s->rank].rank);
        fields_text(one, "host", home[s->rank].host);
        fields_known_int(one, "partner", s->partner >= 0,
                         home[s->partner < 0 ? 0 : s->partner].rank);
        fields_flag(one, "whole_node", s->node > 0);
        fields_text(one, "path", path_names[s->path]);
        fields_real(one, "ratio", s->times);
        fields_int(one, "above", s->above);
        fields_int(one, "of_pairs", s->pairs);
    }
}

static const char *name_of_matrix(const struct matrix *m)
{
    return m->messages > 0 ? "matrix_mb_per_s" : "matrix_us";
}

/* A value that is not a number becomes null, such as that of a rank with itself. */
static void record_all(const struct matrix *m, struct fields to)
{
    const struct all_pairs *all = &m->pairs;
    const struct fields ranks = fields_list(to, "ranks");
    const struct fields hosts = fields_list(to, "hosts");
    const struct fields rows = fields_list(to, name_of_matrix(m));

    for (int i = 0; i < all->ranks; i++) {
        const struct fields row = fields_list(rows, NULL);

        fields_int(ranks, NULL, all->home[i].rank);
        fields_text(hosts, NULL, all->home[i].host);
        for (int j = 0; j < all->ranks; j++)
            fields_real(row, NULL, i == j ? NAN : value_of(m, all->time[all_pairs_at(all, i, j)]));
    }
}

static void record_extreme(const struct matrix *m, struct fields to, const char *name,
                           const struct extreme *what)
{
    const struct fields one = fields_object(to, name);

    fields_real(one, "mb_per_s", value_of(m, what->time));
    fields_int(one, "rank", what->rank);
    fields_int(one, "partner", what->partner);
}

/* The field "pairs" of the row.  It has every pair if there are few ranks, or with --raw. */
static void record(const struct context *c, const struct recorded *what, struct fields *to)
{
    const struct matrix *m = matrix_of(c->run);

    if (what->result == NULL || !m->judged)
        return;
    const struct fields pairs = fields_object(*to, "pairs");

    record_paths(m, pairs);
    record_slow(m, pairs);
    fields_int(pairs, "left_out", m->slow.left_over);
    if (m->messages > 0) {
        record_extreme(m, pairs, "slowest_pair", &m->pair);
        record_extreme(m, pairs, "slowest_tenth", &m->tenth);
    }
    if (m->pairs.ranks <= WHOLE_MATRIX || what->raw) {
        record_all(m, pairs);
        return;
    }
    fields_text(pairs, "ranks", NULL);
    fields_text(pairs, "hosts", NULL);
    fields_text(pairs, name_of_matrix(m), NULL);
}

/* --- After the rows ------------------------------------------------------------- */

static enum exit_code print(FILE *to, const struct context *c, const struct rows *rows)
{
    struct matrix *m = matrix_of(c->run);

    if (m->lines.to == NULL)
        return EXIT_OK;
    lines_print(&m->lines, to);
    /* Ranks took turns on the CPUs. */
    if (c->placement->oversubscribed)
        fputs("# W08: more ranks than CPUs: outliers may be due to chance;\n", to);
    return EXIT_OK;
}

/* --- Options of pair_bw ---------------------------------------------------------- */

enum ways { WAYS_ONE, WAYS_BOTH };

struct bandwidth_settings {
    struct meetings_spec who;
    int ways, window;
};

static const struct choice ways_words[] = {
    { "one", WAYS_ONE, "one way, then the other" },
    { "both", WAYS_BOTH, "both ways at the same time" },
    { 0 },
};
static const struct choice every_words[] = {
    { "rank", EVERY_RANK, "all ranks" },
    { "node", EVERY_NODE, "the first rank of each node" },
    { "gpu", EVERY_GPU, "the first rank of each GPU; needs GPU memory" },
    { 0 },
};

/* All rounds, if so many were not asked for. */
static void record_rounds(struct fields to, const char *name, const void *rounds)
{
    const int n = *(const int *)rounds;

    fields_known_int(to, name, n > 0, n);
}

FAMILY_OF(settings, const struct bandwidth_settings, settings_of)

static bool is_regular(const struct settings *s)
{
    return settings_of(s)->who.rounds == 0;
}

#define FIELD(name) .offset = offsetof(struct bandwidth_settings, name)

static const struct option_row options[] = {
    { 'W', "window-size", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "messages in flight", .fallback = "16", .kind = OPTION_INT, FIELD(window), .min = 1,
      .max = 1 << 20 },
    { 0, "ways", "HOW", .group = OPTIONS_FLIGHT, .common = true,
      .help = "in which directions a pair sends", .fallback = "one", .kind = OPTION_CHOICE,
      FIELD(ways), .choices = ways_words, .json = "ways" },
    { 0, "alone", NULL, .group = OPTIONS_FLIGHT, .common = true,
      .help = "one pair at a time; without it all pairs of a round send at the same time",
      .kind = OPTION_FLAG, FIELD(who.alone), .json = "alone" },
    { 0, "rounds", "N", .group = OPTIONS_FLIGHT, .common = true,
      .help = "at most N random rounds; no pair meets twice", .fallback = "all there are",
      .kind = OPTION_INT, FIELD(who.rounds), .min = 1, .max = INT_MAX, .json = "rounds",
      .record = record_rounds },
    SEED_OPTION(struct bandwidth_settings, who.seed, .moot = is_regular,
                .moot_because = "without --rounds no order is random"),
    { 0, "every", "WHAT", .group = OPTIONS_FLIGHT, .common = true, .help = "which ranks take part",
      .fallback = "rank", .kind = OPTION_CHOICE, FIELD(who.every), .choices = every_words,
      .json = "every" },
    { 0 },
};
static const struct bandwidth_settings defaults = { .who = { .fewest = 3, .seed = 1 },
                                                    .window = 16 };

static void refuse(const struct context *c, struct refusal *r)
{
    if (settings_of(c->settings)->who.every == EVERY_GPU && !settings_device_words(c->settings))
        refusal_because(r, E12_USAGE, "--every=gpu needs GPU memory: add -d cuda or -d rocm");
}

/* --- What moves -------------------------------------------------------------- */

static int partner(const struct bench_run *r, int i)
{
    return round_robin_partner(r->rank, r->turn - 1, r->nranks);
}

/* Of a round two messages, where this rank does not rest. */
static int one_of_each_other(const struct bench_run *r)
{
    return r->turn == 0 ? r->nranks - 1 : partner(r, 0) < 0 ? 0 : 2;
}

static int rounds_of_all(const struct bench_run *r)
{
    return round_robin_rounds(r->nranks);
}

const struct flow flow_every_pair = {
    .sends = flow_one_block,
    .to = flow_anyone,
    .receives = one_of_each_other,
    .from = partner,
    .turns = rounds_of_all,
};

static int window_sent(const struct bench_run *r)
{
    return meetings_own(&matrix_of(r)->meetings) > 0 ? r->window : 0;
}

static int partner_of_meeting(const struct bench_run *r, int i)
{
    return meetings_partner(&matrix_of(r)->meetings, r->turn - 1);
}

static int window_received(const struct bench_run *r)
{
    return r->turn > 0 && partner_of_meeting(r, 0) < 0 ? 0 : window_sent(r);
}

static int rounds(const struct bench_run *r)
{
    return matrix_of(r)->meetings.rounds;
}

const struct flow flow_windows_of_pairs = {
    .sends = window_sent,
    .to = flow_anyone,
    .receives = window_received,
    .from = partner_of_meeting,
    .slot = flow_in_window,
    .window = true,
    .turns = rounds,
};

/* --- What is printed --------------------------------------------------------- */

static void half_of_each(const struct context *c, struct result *result)
{
    result->scale = 0.5 / (c->run->nranks - 1);
}

static const struct report_column latency_columns[] = {
    { { "latency_us", "Avg Latency(us)", 0 }, report_mean },
    REPORT_EXTREMES,
    { .value = NULL },
};

const struct report report_pair_matrix = {
    .unit = "us",
    .sample = "a round trip with each other rank, on every rank, added up",
    .printed = "half of one, in us, mean over partners, iterations and ranks",
    .figure = half_of_each,
    .headline = latency_columns,
};

/* A rank that meets fewer others than most has as much less time in an iteration. */
static void one_direction(const struct context *c, struct result *result)
{
    const struct meetings *m = &matrix_of(c->run)->meetings;
    const double partners = (double)m->rounds * (m->n / 2) * 2 / m->n;

    result->messages = partners * c->run->window;
}

static const struct report_column columns[] = {
    { { "bandwidth_mb_per_s", "Bandwidth (MB/s)", 0 }, report_mean },
    { { "slowest_pair_mb_per_s", "Slowest Pair", 0 }, COLUMN_OF(struct matrix, pair_mb_per_s) },
    { { "slowest_tenth_mb_per_s", "Slowest Tenth", 0 }, COLUMN_OF(struct matrix, tenth_mb_per_s) },
    { .value = NULL },
};
const struct report report_pair_bandwidth = {
    .unit = "MB/s",
    .sample = "a window to each other rank and its acknowledgement, on every rank, added up",
    .printed = MB_PER_S ", one direction), payload / mean time of the pairs; "
                        "the slowest pair; and the slowest tenth of the row of any pair",
    .is_rate = true,
    .figure = one_direction,
    .headline = columns,
};

/* --- The families ---------------------------------------------------------------- */

static void take_part(const struct context *c)
{
    struct matrix *m = matrix_of(c->run);

    m->both = settings_of(c->settings)->ways == WAYS_BOTH;
    c->run->window = settings_of(c->settings)->window;
    c->run->pairs = settings_of(c->settings)->who.alone ? 1 : m->meetings.n / 2;
    c->run->sender = meetings_own(&m->meetings) > 0;
}

static void describe(const struct context *c)
{
    struct meetings *m = &matrix_of(c->run)->meetings;

    /* As long as nobody asked who takes part: all ranks. */
    m->n = c->run->nranks;
    m->place = c->run->rank;
    meetings_plan(m, &settings_of(c->settings)->who);
    take_part(c);
}

static enum exit_code begin(const struct context *c)
{
    const enum exit_code code =
        meetings_begin(&matrix_of(c->run)->meetings, &settings_of(c->settings)->who, c);

    take_part(c);
    c->talk->among = matrix_of(c->run)->meetings.comm;
    return code;
}

/* Ranks that take part: pair_matrix has no meetings, and all do. */
static int partners_of(const struct context *c)
{
    const int meet = matrix_of(c->run)->meetings.n;

    return meet > 0 ? meet : c->world->size;
}

static void memory(const struct context *c, struct buffers *b)
{
    /* Samples, on each rank; and pairs. */
    buffers_add(b, NULL, &memory_host,
                size_product((size_t)partners_of(c), PART_TIMES_KEPT * sizeof(clock_ticks)));
    if (c->world->rank == 0)
        buffers_add(b, &matrix_of(c->run)->memory, &memory_host, all_pairs_bytes(partners_of(c)));
}

static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    struct matrix *m = matrix_of(c->run);

    if (c->world->rank == 0)
        all_pairs_begin(&m->pairs, partners_of(c), m->memory.base);
    m->messages = c->bench->report->is_rate ? c->run->window : 0;
    part_times_begin(&m->times, partners_of(c), PART_TIMES_KEPT);
    return EXIT_OK;
}

static void measure(struct measure *measure, struct result *result)
{
    const struct context *c = measure->context;
    struct matrix *m = matrix_of(c->run);
    const MPI_Comm comm = m->meetings.n > 0 ? m->meetings.comm : c->run->comm;

    measure_pass(measure, result, settings_budget(measure->context->settings));
    if (m->meetings.place >= 0)
        judge_row(m, c, comm, result);
}

static void end(const struct context *c)
{
    struct matrix *m = matrix_of(c->run);

    lines_end(&m->lines);
    meetings_end(&m->meetings);
}

#define HOOKS                                                                                      \
    .name = "matrix", .state = sizeof(struct matrix), .memory = memory, .ready = ready,            \
    .forget = schedule_forget, .measure = measure, .print = print, .record = record, .end = end

const struct family matrix_family = { HOOKS };
const struct family bandwidth_family = {
    HOOKS,          FAMILY_OPTIONS(options, defaults), .refuse = refuse, .describe = describe,
    .begin = begin,
};
