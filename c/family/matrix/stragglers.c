/* SPDX-License-Identifier: BSD-3-Clause */
#include "stragglers.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"
#include "job/world.h"

static const double RANK_APART = 0.10, PAIR_APART = 0.50;
static const double RANK_DEVIATIONS = 4, PAIR_DEVIATIONS = 6;

/* The time of a rank over one kind of path. */
struct part {
    int pairs;
    /* Its lower median, as a multiple of the typical time; 1 if that does not
       tell about the rank itself */
    double times;
};

/* All data for judging. */
struct judge {
    const struct all_pairs *all;
    int ranks;
    int kind;          /* kind of path that is judged now */
    struct part *part; /* for each rank and each kind of path */
    /* Scratch space for all pairs of a rank, or for a value of each rank */
    double *list;
};

static struct part *part_of(const struct judge *g, int rank)
{
    return &g->part[(size_t)g->kind * (size_t)g->ranks + (size_t)rank];
}

static double time_of(const struct judge *g, int i, int j)
{
    return (g->all->time[all_pairs_at(g->all, i, j)] + g->all->time[all_pairs_at(g->all, j, i)]) /
           2;
}

static bool is_kind(const struct judge *g, int i, int j)
{
    return i != j && g->all->path[all_pairs_at(g->all, i, j)] == g->kind;
}

/* Copy the rank's times with its partners over this kind of path into list;
   returns their number. */
static size_t list_of(const struct judge *g, int rank)
{
    size_t n = 0;

    for (int j = 0; j < g->ranks; j++)
        if (is_kind(g, rank, j))
            g->list[n++] = time_of(g, rank, j);
    return n;
}

/* Find the typical time, and the time of each rank relative to it. */
static void learn(const struct judge *g, struct straggler_path *p)
{
    size_t n = 0;

    for (int i = 0; i < g->ranks; i++) {
        const size_t pairs = list_of(g, i);

        p->pairs += (long)pairs;
        *part_of(g, i) = (struct part){ (int)pairs, pairs > 0 ? stats_median(g->list, pairs) : 0 };
    }
    p->pairs /= 2;
    if (p->pairs == 0)
        return;
    for (int i = 0; i < g->ranks; i++)
        if (part_of(g, i)->pairs > 0)
            g->list[n++] = part_of(g, i)->times;
    p->usual = stats_median(g->list, n);
    p->slow = 1 + fmax(RANK_APART, RANK_DEVIATIONS * stats_deviation(g->list, n) / p->usual);
    for (int i = 0; i < g->ranks; i++) {
        struct part *part = part_of(g, i);

        /* A single pair may be slow because of the other rank, or of the path. */
        part->times = part->pairs > 1 ? part->times / p->usual : 1;
    }
}

/* The time of a pair as a multiple of the typical time, divided by what its two ranks explain. */
static double beside_ranks(const struct judge *g, const struct straggler_path *p, int i, int j)
{
    return time_of(g, i, j) /
           (p->usual * fmax(1, part_of(g, i)->times) * fmax(1, part_of(g, j)->times));
}

/* The limit above which a pair is slow.  One pair of each rank represents all of them. */
static double pair_limit(const struct judge *g, const struct straggler_path *p)
{
    size_t n = 0;

    for (int i = 0; i < g->ranks; i++)
        for (int step = 1; step < g->ranks; step++) {
            const int j = (i + step) % g->ranks;

            if (is_kind(g, i, j)) {
                g->list[n++] = beside_ranks(g, p, i, j);
                break;
            }
        }
    const double median = stats_median(g->list, n);

    return fmax(1, median) *
           (1 + fmax(PAIR_APART, PAIR_DEVIATIONS * stats_deviation(g->list, n) / median));
}

/* Insert it among the worst of its kind, which begin at index first. */
static void add(struct stragglers *out, int first, struct straggler slow)
{
    int at = out->found;

    while (at > first && out->slow[at - 1].times < slow.times)
        at--;
    if (out->found == STRAGGLERS_KEPT) {
        out->left_over++;
        if (at == STRAGGLERS_KEPT)
            return;
    } else {
        out->found++;
    }
    for (int i = out->found - 1; i > at; i--)
        out->slow[i] = out->slow[i - 1];
    out->slow[at] = slow;
}

static bool is_slow(const struct judge *g, const struct straggler_path *p, int rank)
{
    return part_of(g, rank)->times > p->slow;
}

/* The number of ranks of the node, if it has several, all are slow, and this is the first.  0: the
   rank is slow alone.  -1: another rank represents the node. */
static int node_of(const struct judge *g, const struct straggler_path *p, int rank)
{
    int ranks = 0, first = -1;

    for (int i = 0; i < g->ranks; i++) {
        if (g->all->node[i] != g->all->node[rank])
            continue;
        if (!is_slow(g, p, i))
            return 0;
        first = first < 0 ? i : first;
        ranks++;
    }
    if (ranks == 1)
        return 0;
    return first == rank ? ranks : -1;
}

static void judge_ranks(const struct judge *g, const struct straggler_path *p,
                        struct stragglers *out)
{
    for (int i = 0; i < g->ranks; i++) {
        const int node = is_slow(g, p, i) ? node_of(g, p, i) : -1;
        struct straggler slow = { .rank = i,
                                  .partner = -1,
                                  .node = node,
                                  .path = g->kind,
                                  .times = part_of(g, i)->times,
                                  .pairs = part_of(g, i)->pairs };

        if (node < 0)
            continue;
        for (int j = 0; j < g->ranks; j++)
            slow.above += is_kind(g, i, j) && time_of(g, i, j) > p->slow * p->usual;
        add(out, 0, slow);
    }
}

static void judge_pairs(const struct judge *g, const struct straggler_path *p, int first,
                        struct stragglers *out)
{
    const double limit = pair_limit(g, p);

    for (int i = 0; i < g->ranks; i++)
        for (int j = i + 1; j < g->ranks; j++)
            if (is_kind(g, i, j) && beside_ranks(g, p, i, j) > limit)
                add(out, first,
                    (struct straggler){ .rank = i,
                                        .partner = j,
                                        .path = g->kind,
                                        .times = time_of(g, i, j) / p->usual,
                                        .above = 1,
                                        .pairs = 1 });
}

void stragglers_find(const struct all_pairs *all, struct stragglers *out)
{
    const size_t n = (size_t)all->ranks;
    struct judge g = { .all = all,
                       .ranks = all->ranks,
                       .part = world_room(PATHS * n, sizeof *g.part, "the times of all pairs"),
                       .list = world_room(n, sizeof *g.list, "the times of all pairs") };

    *out = (struct stragglers){ 0 };
    for (g.kind = 0; g.kind < PATHS; g.kind++) {
        learn(&g, &out->path[g.kind]);
        if (out->path[g.kind].usual > 0) /* a clock that stands still gives 0 */
            judge_ranks(&g, &out->path[g.kind], out);
    }
    const int first = out->found;

    for (g.kind = 0; g.kind < PATHS; g.kind++)
        if (out->path[g.kind].usual > 0)
            judge_pairs(&g, &out->path[g.kind], first, out);
    free(g.part);
    free(g.list);
}
