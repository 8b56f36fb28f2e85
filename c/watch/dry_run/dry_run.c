/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sizes.h"
#include "job/hardware.h"
#include "job/placement.h"
#include "job/world.h"
#include "run/prepare.h"
#include "run/run.h"

/* --- What is asked for ------------------------------------------------------------ */

static const struct option_row option_rows[] = {
    { 0, "dry-run", NULL, .group = OPTIONS_RUN, .common = true,
      .help = "print the plan without measuring; sizes and memory; works without mpirun",
      .kind = OPTION_FLAG, .offset = offsetof(struct dry_run_asked, wanted) },
    { 0, "ranks", "N", .group = OPTIONS_RUN, .help = "with --dry-run: number of ranks",
      .fallback = "as launched", .kind = OPTION_INT,
      .offset = offsetof(struct dry_run_asked, ranks), .min = 1, .max = 1 << 30 },
    { 0 },
};

static const char *conflict(const struct settings *s)
{
    return ASKED(dry_run, s)->ranks > 0 && !ASKED(dry_run, s)->wanted ? "--ranks requires --dry-run"
                                                                      : NULL;
}

static bool instead(const struct bench *b, struct settings *s, enum exit_code *code)
{
    if (!dry_run_is_wanted(s))
        return false;
    *code = dry_run(b, s, NULL);
    return true;
}

const struct option_part dry_run_options = { .rows = option_rows,
                                             .size = sizeof(struct dry_run_asked),
                                             .conflict = conflict,
                                             .instead = instead };

bool dry_run_is_wanted(const struct settings *s)
{
    return ASKED(dry_run, s)->wanted;
}

/* --- The plan --------------------------------------------------------------------- */

/* The run as one of its ranks would see it. */
struct view {
    struct world world;
    struct setup setup;
    struct context context;
};

/* --ranks, or what the launcher started, or the fewest the program takes. */
static int ranks_of(const struct bench *b, const struct settings *s)
{
    const int asked = ASKED(dry_run, s)->ranks, promised = launch_promised();

    if (asked > 0)
        return asked;
    return promised > b->ranks.min ? promised : b->ranks.min;
}

/* Of the last-level cache of this machine, if pools are to be larger than it. */
static size_t cache_of(const struct settings *s)
{
    struct hardware hardware;
    size_t bytes;

    if (s->use == BUFFERS_REUSE || s->pool > 0)
        return 0;
    hardware_load(&hardware);
    bytes = hardware_cache(&hardware);
    hardware_release(&hardware);
    return bytes;
}

static void look(struct view *v, const struct bench *b, const struct settings *s, int rank,
                 int ranks)
{
    v->world = (struct world){ .rank = rank, .size = ranks };
    v->context = (struct context){ .bench = b,
                                   .settings = s,
                                   .known = KNOWN_RANKS,
                                   .run = &v->setup.run,
                                   .world = &v->world,
                                   .side = v->setup.side };
    setup_describe(&v->setup, &v->context);
    v->context.pool = buffer_pool_bytes(s, cache_of(s), 1);
}

/* A size, what each of the two ranks needs, and whether all ranks have so much memory here; false,
   and nothing: --mem-limit does not allow it on both. */
static bool print_size(struct view view[2], size_t bytes, double available)
{
    const size_t limit = view[0].context.settings->memory_limit;
    char text[2][32];
    size_t most = 1;

    for (int i = 0; i < 2; i++) {
        const struct memory_need need = setup_need(&view[i].setup, &view[i].context, bytes);

        if (limit > 0 && need.limited > limit)
            return false;
        size_words((double)size_sum(need.host, need.gpu), text[i]);
        most = need.host > most ? need.host : most;
    }
    printf("%-20zu %18s %18s", bytes, text[0], text[1]);
    const double fit = floor(available / (double)most);

    if (fit < 1)
        printf("  no rank fits here");
    else if (fit < view[0].world.size)
        printf("  %.0f rank%s here", fit, fit > 1 ? "s fit" : " fits");
    putchar('\n');
    return true;
}

static int by_size(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Each size once, rising, whatever blocks it stands in.  Returns the number of rows that
   --mem-limit does not allow. */
static int print_sizes(struct view view[2], struct rows *rows, double available)
{
    const bool rooted = view[0].context.bench->takes & TAKES_ROOT;
    bool allowed = true;
    int above = 0;

    printf("%-20s %18s %18s\n", "# Size", rooted ? "root" : "first rank",
           rooted ? "other rank" : "last rank");
    if (rows->n > 0)
        qsort(rows->row, (size_t)rows->n, sizeof *rows->row, by_size);
    for (int i = 0; i < rows->n; i++) {
        if (i == 0 || rows->row[i].bytes != rows->row[i - 1].bytes)
            allowed = print_size(view, rows->row[i].bytes, available);
        above += !allowed;
    }
    return above;
}

static enum exit_code print_rows(struct view view[2], double available, int *sum)
{
    const struct context *c = &view[0].context;
    struct rows rows = { .row = NULL };
    enum exit_code code = rows_list(&rows, NULL, c);
    char text[32];
    int above = 0;

    if (code == EXIT_OK && bench_is_sized(c->bench)) {
        const size_t first = setup_widest(&view[0].setup, &view[0].context, &rows),
                     other = setup_widest(&view[1].setup, &view[1].context, &rows);

        /* As the two ranks would agree. */
        view[0].setup.window_bytes = view[1].setup.window_bytes = first < other ? first : other;
        above = print_sizes(view, &rows, available);
    }
    if (above > 0)
        printf("# rows left out by --mem-limit=%zu: %d\n", c->settings->memory_limit, above);
    if (rows.n > above) {
        printf("# rows=%d; memory free here=%s;\n", rows.n - above, size_words(available, text));
        if (sum != NULL)
            *sum += rows.n - above;
    } else if (code == EXIT_OK)
        code = message_print(E10_NOTHING_FITS, "no size fits: mem-limit per rank=%zu;",
                             c->settings->memory_limit);
    return code;
}

enum exit_code dry_run(const struct bench *b, struct settings *s, int *sum)
{
    const bool speaks = launch_rank() == 0;
    const int ranks = ranks_of(b, s), root = s->root > 0 ? s->root : 0;
    const double available = MEMORY_PERCENT / 100.0 * (double)capacity_memory();
    const struct plan plan = bench_plan(b, s);
    struct view view[2];
    enum exit_code code = command_line_check_ranks(b, s, ranks, MPI_COMM_NULL, speaks);

    if (code != EXIT_OK || !speaks)
        return code;
    settings_warn(s);
    /* The root, if there is one, or rank 0; and the last rank, or another. */
    look(&view[0], b, s, root, ranks);
    look(&view[1], b, s, root == ranks - 1 ? 0 : ranks - 1, ranks);
    printf("# %s on %d rank%s: nothing is measured\n", b->name, ranks, ranks == 1 ? "" : "s");
    if (plan.remark != NULL)
        printf("# %s\n", plan.remark);
    if (plan.unknown != NULL)
        printf("# %s\n", plan.unknown);
    else if (bench_has_rows(b))
        code = print_rows(view, available, sum);
    else if (bench_has_loop(b))
        code = b->family->run(&view[0].context, NULL);
    return code;
}
