/* SPDX-License-Identifier: BSD-3-Clause */
#include "dry_run.h"

#include "launch.h"
#include "pairs.h"
#include "plan.h"
#include "prepare.h"

/* Neighbours of a rank, without making the communicator; 0: only the file of
   a graph could tell. */
static int neighbours(const char *spec)
{
    int dimensions, radius, n = 1;

    if (sscanf(spec, "cart:%d:%d", &dimensions, &radius) != 2)
        return 0;
    for (int d = 0; d < dimensions && n < 1 << 20; d++)
        n *= 2 * radius + 1;
    return n - 1;
}

/* Bytes of one rank, as far as the command line tells. */
static size_t rank_bytes(const struct bench *b, const struct settings *s,
                         int rank, int ranks, size_t bytes)
{
    struct topology topology = { .nsources = neighbours(s->topology) };
    struct prepared p = { .in_place = s->in_place };
    const struct pair pair =
        pairs_of(rank, s->pairs > 0 ? s->pairs : ranks / 2);

    topology.ndestinations = topology.nsources;
    p.run = (struct bench_run){
        .rank = rank,
        .nranks = ranks,
        .peer = pair.peer,
        .sender = pair.sender,
        .window = b->takes & TAKES_WINDOW ? s->window : 1,
        .topology = &topology,
    };
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
    printf("%-20s %18s %18s\n", "# Size", "first rank", "last rank");
    do {
        char first[32], last[32];

        printf("%-20zu %18s %18s\n", bytes,
               plan_human(rank_bytes(b, s, 0, ranks, bytes), first),
               plan_human(rank_bytes(b, s, ranks - 1, ranks, bytes), last));
    } while (sizes_next(&s->sizes, &bytes));
    return EXIT_OK;
}
