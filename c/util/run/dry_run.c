/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.h"

#include <math.h>
#include <stdio.h>

#include "nas/application.h"
#include "command_line.h"
#include "job/launch.h"
#include "pace.h"
#include "base/buffer_size.h"
#include "prepare.h"
#include "sampling/subset.h"

/* What the command line tells of one rank, without MPI. */
static void describe(struct prepared *p, const struct bench *b,
                     const struct settings *s, int rank, int ranks)
{
    const struct world world = { .rank = rank, .size = ranks };

    prepare_describe(p, b, s, &world);
    p->topology.nsources = p->topology.ndestinations =
        topology_neighbours(s->topology);
}

/* --ranks, or what the launcher started, or the fewest the program takes. */
static int ranks_of(const struct bench *b, const struct settings *s)
{
    const char *variable;
    const int promised = launch_promised(&variable);

    if (s->ranks > 0)
        return s->ranks;
    return promised > b->ranks.min ? promised : b->ranks.min;
}

struct plan {
    const struct bench *bench;
    const struct settings *settings;
    int ranks;
    double available; /* bytes of this node */
    long level[LEVELS_MAX];
    int levels;
    long rows;
    double seconds;
};

/* The two ranks that are shown: the root, if there is one, or rank 0; and the
   last, or another than the root. */
static int shown(const struct plan *plan, int i)
{
    const int last = plan->ranks - 1;
    const int root = plan->settings->root > 0 ? plan->settings->root : 0;

    if (i == 0)
        return root;
    return root == last ? 0 : last;
}

/* What a row may take. */
static double seconds_of(const struct plan *plan, size_t bytes)
{
    const struct bench *b = plan->bench;
    double blocks = 1;

    for (int i = 0; i < 2; i++) {
        struct prepared p;

        describe(&p, b, plan->settings, shown(plan, i), plan->ranks);
        blocks = fmax(blocks,
                      fmax(b->flow->sends(&p.run), b->flow->receives(&p.run)));
    }
    return pace_seconds(b, plan->settings, bytes, blocks);
}

/* Has a type a row of this size?  A neighbour may lie outside the sweep; blocks
   of a file are not known here. */
static bool is_row(const struct plan *plan, enum element type, size_t bytes)
{
    const struct settings *s = plan->settings;
    const size_t one = element_size(type);

    if (!(plan->bench->takes & TAKES_SIZES))
        return bytes == 0 || bytes == one;
    return bytes >= s->sizes.min && bytes <= s->sizes.max &&
           bytes % bench_unit(plan->bench, s, type) == 0 &&
           flow_is_dealt(plan->bench->flow, bytes / one, plan->ranks) &&
           (s->derived.kind != TYPEMAP_VECT ||
            typemap_of(&s->derived, NULL, one, bytes).n > 0);
}

/* Rows of a size: of every type that has one. */
static long count_rows(struct plan *plan, size_t bytes)
{
    const struct settings *s = plan->settings;
    const long before = plan->rows;
    const int blocks = plan->levels * bench_blocks(plan->bench, s, bytes);

    for (int i = 0; i < s->ntypes; i++)
        if (is_row(plan, s->types[i], bytes)) {
            plan->rows += blocks;
            plan->seconds += blocks * seconds_of(plan, bytes);
        }
    return plan->rows - before;
}

/* Rows of a program whose rows are numbers of ranks. */
static void count_numbers(struct plan *plan)
{
    for (int n = 0; (n = subset_next(n, plan->ranks)) > 0;)
        count_rows(plan, 0);
}

/* Bytes that one of the two ranks needs at its widest level. */
static double need_of(const struct plan *plan, int which, size_t bytes)
{
    struct prepared p;

    describe(&p, plan->bench, plan->settings, shown(plan, which), plan->ranks);
    prepare_widest(&p, plan->bench, plan->level, plan->levels);
    const struct prepare_need need =
        prepare_need(&p, plan->bench, plan->settings, bytes);

    return (double)size_sum(need.host, need.gpu);
}

static void print_size(struct plan *plan, size_t bytes)
{
    char text[2][32];
    double need[2], most;

    if (count_rows(plan, bytes) == 0)
        return;
    for (int i = 0; i < 2; i++) {
        need[i] = need_of(plan, i, bytes);
        size_words(need[i], text[i]);
    }
    most = fmax(need[0], need[1]);
    printf("%-20zu %18s %18s %18.0f\n", bytes, text[0], text[1],
           floor(most > 0 ? plan->available / most : 0));
}

static void print_sweep(struct plan *plan)
{
    const struct settings *s = plan->settings;
    const size_t one = element_size(s->types[0]);
    size_t bytes = s->sizes.min;

    do {
        const bool around = s->around && bytes >= 4 * one;

        if (around)
            print_size(plan, bytes - one);
        print_size(plan, bytes);
        if (around)
            print_size(plan, bytes + one);
    } while (sizes_next(&s->sizes, &bytes));
}

static void print_sizes(struct plan *plan)
{
    const bool rooted = plan->bench->takes & TAKES_ROOT;

    printf("%-20s %18s %18s %18s\n", "# Size", rooted ? "root" : "first rank",
           rooted ? "other rank" : "last rank", "ranks fitting here");
    if (plan->bench->takes & TAKES_SIZES)
        print_sweep(plan);
    else
        for (size_t bytes = 1; bytes <= 8; bytes *= 2)
            print_size(plan, bytes);
}

static void print_sum(const struct plan *plan)
{
    const struct settings *s = plan->settings;
    char text[32];

    printf("# rows=%ld; estimated time=%.3gs (%s); memory free here=%s;\n",
           plan->rows, plan->seconds,
           settings_fixed(s)
               ? "at 2us and 10GB/s a message"
               : "at most, unless 20 laps take longer than the budget",
           size_words(plan->available, text));
}

static enum exit_code refuse_all(const struct plan *plan)
{
    message_print(E19_EMPTY, plan->bench->name,
                  "no size from %zu to %zu bytes can be measured",
                  plan->settings->sizes.min, plan->settings->sizes.max);
    return messages[E19_EMPTY].code;
}

enum exit_code dry_run(const struct bench *b, const struct settings *s)
{
    const bool speaks = launch_rank() == 0;
    struct plan plan = { .bench = b,
                         .settings = s,
                         .ranks = ranks_of(b, s),
                         .available = MEMORY_PERCENT / 100.0 *
                                      (double)memory_available() };
    const enum exit_code code =
        command_line_check_ranks(b, s, plan.ranks, speaks);

    if (code != EXIT_OK || !speaks)
        return code;
    plan.levels =
        levels_choose(bench_levels(b, s), s, plan.ranks, plan.level, NULL, 0);
    printf("# %s on %d ranks: nothing is measured\n", b->name, plan.ranks);
    if (b->takes & TAKES_TOPOLOGY && topology_neighbours(s->topology) < 0)
        puts("# the memory depends on the edges in the file");
    else if (b->application != NULL)
        application_print_plan(b->application,
                               application_class(b->application, s->class),
                               plan.ranks, plan.available);
    else if (bench_is_sized(b))
        print_sizes(&plan);
    else if (b->by_ranks)
        count_numbers(&plan);
    else if (b->takes & TAKES_LAPS)
        count_rows(&plan, 0);
    if (plan.rows > 0)
        print_sum(&plan);
    else if (b->takes & TAKES_SIZES && topology_neighbours(s->topology) >= 0)
        return refuse_all(&plan);
    return EXIT_OK;
}
