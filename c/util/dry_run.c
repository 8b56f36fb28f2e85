/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.h"

#include <limits.h>

#include "launch.h"
#include "plan.h"
#include "prepare.h"

/* Neighbours of a rank, without making the communicator; -1: a graph, whose
   file alone can tell. */
static int neighbours(const char *spec)
{
    int dimensions, radius;
    double n = 1;

    if (sscanf(spec, "cart:%d:%d", &dimensions, &radius) != 2 || radius < 1)
        return -1;
    for (int d = 0; d < dimensions && n < INT_MAX; d++)
        n *= 2.0 * radius + 1;
    return n < INT_MAX ? (int)n - 1 : INT_MAX;
}

/* Bytes of one rank, as far as the command line tells. */
static size_t rank_bytes(const struct bench *b, const struct settings *s,
                         int rank, int ranks, size_t bytes)
{
    struct prepared p;

    prepare_describe(&p, b, s, rank, ranks);
    p.topology.nsources = p.topology.ndestinations = neighbours(s->topology);
    return prepare_bytes(&p, b, s, bytes);
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

struct plan_line {
    const struct bench *bench;
    const struct settings *settings;
    int ranks;
};

static void print_size(const struct plan_line *l, size_t bytes)
{
    char first[32], last[32];

    if (bytes < l->settings->sizes.min || bytes > l->settings->sizes.max)
        return; /* a neighbour outside */
    printf("%-20zu %18s %18s\n", bytes,
           plan_human(rank_bytes(l->bench, l->settings, 0, l->ranks, bytes),
                      first),
           plan_human(
               rank_bytes(l->bench, l->settings, l->ranks - 1, l->ranks, bytes),
               last));
}

/* Of the first type. */
static size_t element_bytes(const struct bench *b, const struct settings *s)
{
    return element_size(s->ntypes > 0  ? s->types[0]
                        : b->flow->sum ? ELEMENT_FLOAT
                                       : ELEMENT_CHAR);
}

enum exit_code dry_run(const struct bench *b, const struct settings *s)
{
    const int ranks = ranks_of(b, s);
    const struct plan_line line = { b, s, ranks };
    size_t bytes = s->sizes.min;

    if (launch_rank() != 0)
        return EXIT_OK;
    printf("# %s on %d ranks: nothing is measured\n", b->name, ranks);
    if (!(b->takes & TAKES_SIZES)) {
        puts("# one row, no buffers");
        return EXIT_OK;
    }
    if (b->takes & TAKES_TOPOLOGY && neighbours(s->topology) < 0) {
        puts("# the memory depends on the edges in the file");
        return EXIT_OK;
    }
    printf("%-20s %18s %18s\n", "# Size", "first rank", "last rank");
    do {
        const size_t one = element_bytes(b, s);
        const bool around = s->around && bytes >= 4 * one;

        if (around)
            print_size(&line, bytes - one);
        print_size(&line, bytes);
        if (around)
            print_size(&line, bytes + one);
    } while (sizes_next(&s->sizes, &bytes));
    return EXIT_OK;
}
