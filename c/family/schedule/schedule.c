/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shuffle.h"
#include "base/stats.h"
#include "family.h"
#include "job/world.h"
#include "options/settings.h"
#include "run/measure.h"

/* --- Round robin ----------------------------------------------------------------- */

int round_robin_rounds(int ranks)
{
    return ranks % 2 == 0 ? ranks - 1 : ranks;
}

/* The rank that would meet itself. */
static int middle_of(int round, int rounds)
{
    return (round % 2 == 0 ? round : round + rounds) / 2;
}

/* Two ranks meet if the sum of their numbers is the round, modulo the number of
   rounds.  A rank that would meet itself rests.  If the number of ranks is
   even, the last rank is not part of this rule, and meets the one that would
   rest. */
int round_robin_partner(int rank, int round, int ranks)
{
    const int rounds = round_robin_rounds(ranks);

    if (rank == rounds)
        return middle_of(round, rounds);
    const int other = (round - rank + rounds) % rounds;

    if (other != rank)
        return other;
    return rounds < ranks ? rounds : -1;
}

/* The two ranks of a pair are as far from the middle, one on either side. */
int round_robin_pair(int rank, int round, int ranks)
{
    const int rounds = round_robin_rounds(ranks);
    const int middle = middle_of(round, rounds);
    const int up = (rank - middle + rounds) % rounds;
    const int apart = rank == rounds ? 0 : up <= rounds / 2 ? up : rounds - up;

    return rounds < ranks ? apart : apart - 1;
}

/* --- Patterns -------------------------------------------------------------------- */

int schedule_order(int *order, int n, uint64_t *state, int rank)
{
    int place = -1;

    for (int i = 0; i < n; i++)
        order[i] = i;
    if (state != NULL)
        shuffle(order, n, state);
    for (int i = 0; i < n; i++)
        if (order[i] == rank)
            place = i;
    return place;
}

int schedule_patterns(enum schedule kind, int asked, int ranks)
{
    if (kind == SCHEDULE_HALVES)
        return 1;
    return kind == SCHEDULE_SHIFT ? schedule_active(kind, ranks) - 1 : asked;
}

/* The partner of an active rank in a matching. */
static int partner_of(enum schedule kind, int rank, int pattern, int active, const int *order,
                      int place)
{
    if (kind == SCHEDULE_HALVES)
        return (rank + active / 2) % active;
    if (kind == SCHEDULE_SHIFT)
        return round_robin_partner(rank, pattern, active);
    return order[place ^ 1];
}

void schedule_fill(enum schedule kind, unsigned long seed, int n, int rank, int ranks,
                   struct peers *peers)
{
    const int active = schedule_active(kind, ranks);
    int *order = world_room((size_t)ranks, sizeof *order, "the order of ranks");
    uint64_t state = seed;

    for (int k = 0; k < n; k++) {
        const int place = schedule_order(order, active, &state, rank);

        if (rank >= active)
            peers[k].to = peers[k].from = MPI_PROC_NULL;
        else if (kind == SCHEDULE_RINGS)
            peers[k] = (struct peers){ .to = order[(place + 1) % active],
                                       .from = order[(place + active - 1) % active] };
        else
            peers[k].to = peers[k].from = partner_of(kind, rank, k, active, order, place);
    }
    free(order);
}

/* --- The times of the parts ------------------------------------------------------- */

void part_times_begin(struct part_times *t, int parts, int room)
{
    t->parts = parts;
    t->room = room;
    t->sample = world_keep((size_t)parts, (size_t)room * sizeof *t->sample, "samples");
    t->in_time = world_keep((size_t)room, sizeof *t->in_time, "samples");
    part_times_forget(t, true, true);
}

void part_times_forget(struct part_times *t, bool before, bool batch)
{
    if (before && batch) {
        t->iterations = 0;
        t->stride = 1;
        t->kept = 0;
    } else if (batch)
        t->kept = t->before;
    else if (before)
        memset(t->in_time, 0, (size_t)t->before * sizeof *t->in_time);
    t->before = t->kept;
}

void schedule_forget(struct bench_run *r, bool before, bool batch)
{
    part_times_forget(r->family, before, batch);
}

static void give_up_every_second(struct part_times *t)
{
    for (int k = 0; k < t->room / 2; k++) {
        for (int i = 0; i < t->parts; i++)
            part_times_of(t, i)[k] = part_times_of(t, i)[2 * k];
        t->in_time[k] = t->in_time[2 * k];
    }
    t->kept = t->room / 2;
    t->before = (t->before + 1) / 2;
    t->stride *= 2;
}

void part_times_iteration(struct part_times *t)
{
    if (t->kept == t->room)
        give_up_every_second(t);
    t->sum = 0;
}

int part_times_agree(struct part_times *t, MPI_Comm comm)
{
    int left = 0;

    for (int k = t->kept; k < t->room; k++)
        t->in_time[k] = 1;
    over_ranks_any_zero(comm, t->in_time, t->room);
    for (int k = 0; k < t->kept; k++) {
        if (t->in_time[k] == 0)
            continue;
        for (int i = 0; i < t->parts; i++)
            part_times_of(t, i)[left] = part_times_of(t, i)[k];
        left++;
    }
    t->kept = left;
    PMPI_Allreduce(MPI_IN_PLACE, &left, 1, MPI_INT, MPI_MAX, comm);
    return left;
}

double part_times_median(const struct part_times *t, int part)
{
    double value[PART_TIMES_KEPT];

    for (int k = 0; k < t->kept; k++)
        value[k] = clock_seconds(part_times_of(t, part)[k]);
    return t->kept > 0 ? stats_median(value, (size_t)t->kept) : 0;
}

double part_times_slowest_tenth(const struct part_times *t, int part)
{
    const clock_ticks *sample = part_times_of(t, part);
    const int tenths = t->kept < 10 ? t->kept : 10;
    double slowest = 0;

    for (int i = 0; i < tenths; i++) {
        const int first = i * t->kept / tenths;
        const int end = (i + 1) * t->kept / tenths;
        double sum = 0;

        for (int k = first; k < end; k++)
            sum += clock_seconds(sample[k]);
        slowest = fmax(slowest, sum / (end - first));
    }
    return slowest;
}

/* --- Lines ----------------------------------------------------------------------- */

FILE *lines_about(struct lines *lines, const struct context *c, const char *about,
                  const struct result *result)
{
    if (lines->to == NULL)
        lines->to = open_memstream(&lines->text, &lines->size);
    if (lines->to == NULL)
        world_no_memory("the lines after the table");
    fprintf(lines->to, "# %s: size=%zu; ", about, result->row->bytes);
    if (c->settings->ntypes > 1)
        fprintf(lines->to, "type=%s; ", element_name(result->row->element));
    return lines->to;
}

void lines_print(struct lines *lines, FILE *to)
{
    if (lines->to != NULL)
        fclose(lines->to);
    lines->to = NULL;
    fprintf(to, "\n%s", lines->text != NULL ? lines->text : "");
}

void lines_end(struct lines *lines)
{
    if (lines->to != NULL)
        fclose(lines->to);
    free(lines->text);
    *lines = (struct lines){ .to = NULL };
}
