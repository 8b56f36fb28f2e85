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

enum exit_code dry_run(const struct bench *b, const struct settings *s)
{
    const int ranks = ranks_of(b, s);
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
        char first[32], last[32];

        printf("%-20zu %18s %18s\n", bytes,
               plan_human(rank_bytes(b, s, 0, ranks, bytes), first),
               plan_human(rank_bytes(b, s, ranks - 1, ranks, bytes), last));
    } while (sizes_next(&s->sizes, &bytes));
    return EXIT_OK;
}
