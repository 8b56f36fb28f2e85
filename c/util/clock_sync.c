/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_sync.h"

#include "clock_sync_pair.h"

static double local_now(const struct clock_sync *s)
{
    return clock_sync_local(s, clock_now());
}

/* Down both trees: first this rank's teacher, then its pupils. */
static struct clock_pair go_down(struct clock_sync *s, enum clock_task task)
{
    struct clock_pair p = { .task = task };
    struct clock_model leader = s->model;
    struct clock_step step;
    bool told = task == CLOCK_RESIDUAL;

    for (int k = 0; clock_tree_step(&s->place, k, &step); k++) {
        if (!step.across && !told) {
            leader = s->model;
            MPI_Bcast(&leader, sizeof leader, MPI_BYTE, 0, s->node);
            told = true;
        }
        p.comm = step.across ? s->across : s->node;
        p.peer = step.peer;
        p.across = step.across;
        if (step.learns)
            clock_pair_learn(s, &p, step.across ? NULL : &leader);
        else
            clock_pair_teach(s, &p, &s->known[step.across ? 0 : 1][step.pupil]);
    }
    return p;
}

/* --- All ranks ------------------------------------------------------------ */

enum { F_BOUND, F_SLOPE, F_MINUS_SLOPE, F_ERROR, F_TOOK, F_LEVELS, FACTS };

static void gather_facts(struct clock_sync *s, double begun)
{
    const double now = local_now(s);
    double all[FACTS] = { [F_BOUND] = clock_model_bound(&s->model, now),
                          [F_SLOPE] = s->model.slope,
                          [F_MINUS_SLOPE] = -s->model.slope,
                          [F_ERROR] = s->model.slope_error,
                          [F_TOOK] = now - begun,
                          [F_LEVELS] = clock_tree_depth(s->place.node) +
                                       clock_tree_depth(s->place.local) };
    int apart = !s->shares;
    struct clock_sync_facts *f = &s->facts;

    MPI_Allreduce(MPI_IN_PLACE, all, FACTS, MPI_DOUBLE, MPI_MAX, s->all);
    MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_SUM, s->all);
    *f = (struct clock_sync_facts){ .levels = (int)all[F_LEVELS],
                                    .apart = apart,
                                    .bound_s = all[F_BOUND],
                                    .slope_min = -all[F_MINUS_SLOPE],
                                    .slope_max = all[F_SLOPE],
                                    .slope_error = all[F_ERROR],
                                    .took_s = all[F_TOOK] };
    if (s->size == 1)
        f->method = "none";
    else if (s->place.nodes == 1 && apart == 0)
        f->method = "shared";
    else if (s->size == s->place.nodes + apart)
        f->method = "hca3";
    else
        f->method = "hca3+shared";
}

void clock_sync_fit(struct clock_sync *s)
{
    const double begun = local_now(s);

    s->shares = true;
    go_down(s, CLOCK_FIT);
    gather_facts(s, begun);
}

void clock_sync_refresh(struct clock_sync *s)
{
    const double begun = local_now(s);

    go_down(s, CLOCK_REFRESH);
    gather_facts(s, begun);
}

struct clock_residual clock_sync_residual(struct clock_sync *s)
{
    const struct clock_pair p = go_down(s, CLOCK_RESIDUAL);
    double worst[2] = { fabs(p.residual), p.room };

    MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, s->all);
    return (struct clock_residual){ worst[0], worst[1] };
}

struct clock_sync clock_sync_begin(MPI_Comm comm, MPI_Comm node,
                                   double baseline_s)
{
    struct clock_sync s = { .base = clock_now(),
                            .tick_s = clock_seconds(1),
                            .baseline_s = baseline_s > 0 ? baseline_s
                                                         : CLOCK_SYNC_BASELINE,
                            .shares = true };
    struct clock_place *place = &s.place;
    int rank;

    MPI_Comm_dup(comm, &s.all);
    MPI_Comm_dup(node, &s.node);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &s.size);
    MPI_Comm_rank(node, &place->local);
    MPI_Comm_size(node, &place->locals);
    MPI_Comm_split(comm, place->local == 0 ? 0 : MPI_UNDEFINED, rank,
                   &s.across);
    if (place->local == 0) {
        MPI_Comm_rank(s.across, &place->node);
        MPI_Comm_size(s.across, &place->nodes);
    }
    MPI_Bcast(&place->node, 1, MPI_INT, 0, node);
    MPI_Bcast(&place->nodes, 1, MPI_INT, 0, node);
    /* Ranks that share an oscillator must count alike. */
    MPI_Bcast(&s.base, 1, MPI_UINT64_T, 0, node);
    MPI_Bcast(&s.tick_s, 1, MPI_DOUBLE, 0, node);
    return s;
}

void clock_sync_end(struct clock_sync *s)
{
    MPI_Comm_free(&s->all);
    MPI_Comm_free(&s->node);
    if (s->across != MPI_COMM_NULL)
        MPI_Comm_free(&s->across);
}
