/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "job/world.h"
#include "sampling/over_ranks.h"
#include "stats/stats.h"
#include "timing/clock.h"

/* --- A quantum of work --------------------------------------------------------- */

enum { TRIAL = 100000, TRIALS = 200 }; /* steps; some 0.1 ms */

void quantum_run(long steps)
{
    static volatile uint64_t sink;
    uint64_t x = sink;

    for (long i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    sink = x;
}

long quantum_calibrate(MPI_Comm comm, double seconds)
{
    double best = HUGE_VAL;

    for (int i = 0; i < TRIALS; i++) {
        const clock_ticks before = clock_now();

        quantum_run(TRIAL);
        best = fmin(best, clock_seconds(clock_now() - before));
    }
    PMPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE, MPI_MIN, comm);
    /* A clock that stands still (simulated time) tells nothing. */
    return best > 0 ? (long)fmax(1, round(seconds / best * TRIAL)) : 1;
}

/* A rank's readings, in s; and of each iteration of all ranks on rank 0. */
struct readings {
    double *work, *wait;
    struct slowest {
        double work;
        int rank;
    } * slowest;
    double together; /* sum */
};

/* --- Sums ----------------------------------------------------------------------- */

/* What a rank adds in iteration i, from 0. */
static int64_t part(int64_t i, int rank)
{
    return i + rank + 1;
}

static int64_t whole(int64_t i, int ranks)
{
    return ranks * i + (int64_t)ranks * (ranks + 1) / 2;
}

static void fill(struct turns *t, long from, int rank)
{
    for (int i = 0; i < TURNS; i++) {
        t->mine[i] = part(from + i, rank);
        t->sum[i] = -1;
    }
}

/* The first that is wrong, from 1; 0: none. */
static long find_wrong(const struct turns *t, long from, int ranks)
{
    for (int i = 0; i < t->n; i++)
        if (t->sum[i] != whole(from + i, ranks))
            return from + i + 1;
    return 0;
}

/* All ranks learn of the first rank that has a wrong sum. */
static long agree(const struct world *world, long wrong, int *rank)
{
    *rank = world_first(world, wrong > 0);
    if (*rank < world->size)
        PMPI_Bcast(&wrong, 1, MPI_LONG, *rank, world->comm);
    return wrong;
}

/* --- Times ---------------------------------------------------------------------- */

static void collect(const struct turns *t, long from, struct readings *r)
{
    for (int i = 0; i < t->n; i++) {
        r->work[from + i] = clock_seconds(t->worked[i] - t->begun[i]);
        r->wait[from + i] = clock_seconds(t->begun[i + 1] - t->worked[i]);
        r->together += clock_seconds(t->begun[i + 1] - t->begun[i]);
    }
}

/* Is there time for another batch, as rank 0 sees it? */
static bool has_time(const struct world *world, clock_ticks begun,
                     double duration_s)
{
    int more = clock_seconds(clock_now() - begun) < duration_s;

    PMPI_Bcast(&more, 1, MPI_INT, 0, world->comm);
    return more;
}

/* Of each iteration the slowest rank, and the shortest allreduce. */
static void reduce(struct readings *r, const struct world *world, long n)
{
    for (long i = 0; i < n; i++)
        r->slowest[i] = (struct slowest){ r->work[i], world->rank };
    for (long i = 0; i < n; i += GATHER_CHUNK) {
        const int count = (int)(n - i < GATHER_CHUNK ? n - i : GATHER_CHUNK);
        const bool root = world->rank == 0;

        PMPI_Reduce(root ? MPI_IN_PLACE : &r->slowest[i],
                    root ? &r->slowest[i] : NULL, count, MPI_DOUBLE_INT,
                    MPI_MAXLOC, 0, world->comm);
        PMPI_Reduce(root ? MPI_IN_PLACE : &r->wait[i],
                    root ? &r->wait[i] : NULL, count, MPI_DOUBLE, MPI_MIN, 0,
                    world->comm);
    }
}

/* Whose detours the others waited for. */
static struct blame find_blame(const struct readings *r, long n, int ranks,
                               double quantum_s)
{
    double *lost =
        world_room((size_t)ranks, sizeof *lost, "what each rank loses");
    struct blame blame = { .rank = -1 };
    double sum = 0;

    for (long i = 0; i < n; i++)
        if (r->slowest[i].work > DETOUR * quantum_s) {
            lost[r->slowest[i].rank] += r->slowest[i].work - quantum_s;
            sum += r->slowest[i].work - quantum_s;
        }
    for (int i = 0; i < ranks && sum > 0; i++)
        if (lost[i] > blame.share * sum)
            blame = (struct blame){ i, lost[i] / sum };
    free(lost);
    return blame;
}

static void judge(struct readings *r, const struct world *world, long n,
                  struct turns_cost *cost)
{
    double shortest = HUGE_VAL, lost = 0;

    for (long i = 0; i < n; i++)
        shortest = fmin(shortest, r->work[i]);
    for (long i = 0; i < n; i++)
        lost += r->work[i] - shortest;
    const struct spread quantum = over_ranks_spread(world->comm, shortest, 1),
                        own = over_ranks_spread(world->comm, lost, 1),
                        together =
                            over_ranks_spread(world->comm, r->together, 1);

    reduce(r, world, n);
    if (world->rank > 0)
        return;
    cost->n = n;
    cost->quantum_s = quantum.max;
    cost->blame = find_blame(r, n, world->size, quantum.max);
    stats_sort(r->wait, (size_t)n);
    cost->allreduce_s = stats_quantile(r->wait, (size_t)n, 0.5);
    cost->together_s = together.mean / (double)n;
    cost->least_s = together.min / (double)n;
    cost->most_s = together.max / (double)n;

    const double ideal = cost->quantum_s + cost->allreduce_s;

    if (ideal > 0) {
        cost->cost = cost->together_s / ideal - 1;
        cost->own = own.mean / (double)n / ideal;
    }
}

/* --- Batches -------------------------------------------------------------------- */

static void *room_for(size_t size)
{
    return world_room(TURNS_MOST, size, "samples");
}

void turns_run(struct turns *t, const struct world *world, double duration_s,
               void (*batch)(void *), void *argument, struct turns_cost *cost,
               long *wrong, int *rank)
{
    struct readings r = {
        .work = room_for(sizeof *r.work),
        .wait = room_for(sizeof *r.wait),
        .slowest = room_for(sizeof *r.slowest),
    };
    const clock_ticks begun = clock_now();
    long n = 0;

    *cost = (struct turns_cost){ .blame.rank = -1 };
    *wrong = 0;
    /* The first batch is not counted: it opens connections. */
    for (bool first = true; *wrong == 0; first = false) {
        t->n = TURNS;
        fill(t, n, world->rank);
        batch(argument);
        *wrong = agree(world, find_wrong(t, n, world->size), rank);
        if (first)
            continue;
        collect(t, n, &r);
        n += TURNS;
        if (n == TURNS_MOST || !has_time(world, begun, duration_s))
            break;
    }
    if (*wrong == 0)
        judge(&r, world, n, cost);
    cost->elapsed_s = clock_seconds(clock_now() - begun);
    free(r.work);
    free(r.wait);
    free(r.slowest);
}
