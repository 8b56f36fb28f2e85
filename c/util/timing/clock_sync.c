/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_sync.h"

#include <stddef.h>

static double local_now(const struct clock_sync *s)
{
    return clock_sync_local(s, clock_now());
}

/*
 * What two ranks do to bring one's time to the other.  The reference leads and
 * the client answers, so that where bursts and fits end is decided by one clock.
 * Every message of the reference is one array of doubles: a request for the
 * client's clock, or what a burst has found, with what the reference knows of
 * itself.  The client's verdict on the first point says whether a line of points
 * follows.
 */
enum clock_task { CLOCK_FIT, CLOCK_REFRESH, CLOCK_RESIDUAL };

/* One pair at work. */
struct clock_pair {
    MPI_Comm comm;
    int peer;
    bool across; /* between leaders */
    enum clock_task task;
    /* For a residual: by how much this rank was found to be off, and the bound of
       that measurement, s. */
    double residual, room;
};

enum { TAG = 13 };

/* A loop that waits for a time reads the clock no more often than this, s:
   what ends it where the clock stands still. */
static const double FASTEST_READING = 10e-9;

/* A fit that is held up takes no longer than so many baselines, once it has
   FEWEST points. */
static const double PATIENCE = 2;
enum { FEWEST = 8 };

/* What a burst may take, s: a point that stands alone must be a good one; of a
   line, others can be. */
static const double ALONE_LIMIT = 0.020, LINE_LIMIT = 0.005;

/* The reference's message: a request for the client's clock, or what a burst of
   them has found. */
enum { KIND, AT, LOW, HIGH, BOUND, SLOPE_ERROR, APART, RESIDUAL, ROOM, WORDS };
enum { ASK, POINT, LAST };

static double global_now(const struct clock_sync *s)
{
    return clock_sync_global(s, clock_now());
}

/* --- One point ------------------------------------------------------------ */

static void give_point(struct clock_sync *s, const struct clock_pair *p,
                       double *known, double limit, int kind)
{
    struct burst b = burst_begin(*known, limit);
    double word[WORDS] = { ASK }, now;

    while (burst_goes_on(&b)) {
        double client;
        const double before = global_now(s);

        MPI_Send(word, WORDS, MPI_DOUBLE, p->peer, TAG, p->comm);
        MPI_Recv(&client, 1, MPI_DOUBLE, p->peer, TAG, p->comm,
                 MPI_STATUS_IGNORE);
        burst_add(&b, before, client, global_now(s));
    }
    *known = burst_known(&b);
    now = local_now(s);
    word[KIND] = kind;
    word[AT] = b.offset.at;
    word[LOW] = b.offset.low;
    word[HIGH] = b.offset.high;
    word[BOUND] = clock_model_bound(&s->model, now);
    word[SLOPE_ERROR] = s->model.slope_error;
    word[APART] = s->shares ? 0 : word[BOUND];
    word[RESIDUAL] = p->residual;
    word[ROOM] = p->room;
    MPI_Send(word, WORDS, MPI_DOUBLE, p->peer, TAG, p->comm);
}

static struct offset take_point(struct clock_sync *s,
                                const struct clock_pair *p, double word[WORDS])
{
    for (;;) {
        MPI_Recv(word, WORDS, MPI_DOUBLE, p->peer, TAG, p->comm,
                 MPI_STATUS_IGNORE);
        const double now = local_now(s);

        if (word[KIND] > ASK)
            break;
        MPI_Send(&now, 1, MPI_DOUBLE, p->peer, TAG, p->comm);
    }
    return (struct offset){ word[AT], word[LOW], word[HIGH] };
}

static struct clock_reference reference_of(const double word[WORDS])
{
    return (struct clock_reference){ word[BOUND], word[SLOPE_ERROR],
                                     word[APART] };
}

/* --- A line of points ----------------------------------------------------- */

static void wait_until(const struct clock_sync *s, double time, double gap)
{
    for (double reads = gap / FASTEST_READING; reads > 0; reads--)
        if (local_now(s) >= time)
            return;
}

static void give_fit(struct clock_sync *s, const struct clock_pair *p,
                     double *known)
{
    const double gap = s->baseline_s / (CLOCK_SYNC_POINTS - 1);
    const double begun = local_now(s);
    int last = 0;

    for (int i = 0; !last; i++) {
        wait_until(s, begun + i * gap, gap);
        last = i == CLOCK_SYNC_POINTS - 1 ||
               (i >= FEWEST - 1 &&
                local_now(s) - begun > PATIENCE * s->baseline_s);
        give_point(s, p, known, LINE_LIMIT, last ? LAST : POINT);
    }
}

static void take_fit(struct clock_sync *s, const struct clock_pair *p)
{
    struct clock_fit fit = { .n = 0 };
    double word[WORDS];

    do {
        const struct offset o = take_point(s, p, word);

        clock_fit_add(&fit, &o);
    } while (word[KIND] < LAST);
    s->model = clock_fit_model(&fit, reference_of(word));
}

/* --- One pair ------------------------------------------------------------- */

/* known: the shortest round trip with this pupil, s; 0: not known yet. */
static void pair_teach(struct clock_sync *s, const struct clock_pair *p,
                       double *known)
{
    int wants_fit;

    give_point(s, p, known, ALONE_LIMIT, POINT);
    MPI_Recv(&wants_fit, 1, MPI_INT, p->peer, TAG, p->comm, MPI_STATUS_IGNORE);
    if (wants_fit)
        give_fit(s, p, known);
}

/* leader: the model of the leader, for ranks below it; else NULL. */
static void pair_learn(struct clock_sync *s, struct clock_pair *p,
                       const struct clock_model *leader)
{
    double word[WORDS];
    const struct offset o = take_point(s, p, word);
    const bool fresh = p->task == CLOCK_FIT, shared = s->shares;
    int wants_fit = 0;

    if (p->task == CLOCK_RESIDUAL) {
        const double found = clock_model_residual(&s->model, &o);
        /* Two who read one oscillator cannot be apart: as long as that is not
           refuted, what is found is the measurement's own error. */
        const bool one = !p->across && s->shares && word[APART] <= 0 &&
                         fabs(found) <= offset_half(&o);

        p->residual = word[RESIDUAL] + (one ? 0 : found);
        p->room = word[ROOM] + offset_half(&o);
    } else if (p->across) {
        wants_fit = fresh;
    } else if (fresh || shared) {
        struct clock_model model = *leader;

        s->shares = clock_model_share(&model, &o, reference_of(word));
        wants_fit = !s->shares;
        if (s->shares)
            s->model = model;
    }
    MPI_Send(&wants_fit, 1, MPI_INT, p->peer, TAG, p->comm);
    if (wants_fit)
        take_fit(s, p);
    else if (p->task == CLOCK_REFRESH && (p->across || !s->shares))
        clock_model_anchor(&s->model, &o, reference_of(word));
}

/* --- All ranks ------------------------------------------------------------ */

/* Go down one tree of n members, this rank being member i. */
static void go_down_tree(struct clock_sync *s, struct clock_pair *p, int i,
                         int n, const struct clock_model *leader)
{
    p->peer = clock_tree_parent(i);
    if (i > 0)
        pair_learn(s, p, leader);
    for (int k = 0; (p->peer = clock_tree_child(i, n, k)) >= 0; k++)
        pair_teach(s, p, &s->known[p->across ? 0 : 1][k]);
}

/* Go down both trees. */
static struct clock_pair go_down(struct clock_sync *s, enum clock_task task)
{
    struct clock_pair p = { .comm = s->across, .across = true, .task = task };
    struct clock_model leader;

    if (s->local == 0)
        go_down_tree(s, &p, s->node_index, s->nodes, NULL);
    leader = s->model;
    if (task != CLOCK_RESIDUAL && s->locals > 1)
        MPI_Bcast(&leader, sizeof leader, MPI_BYTE, 0, s->node);
    p.comm = s->node;
    p.across = false;
    go_down_tree(s, &p, s->local, s->locals, &leader);
    return p;
}

enum { F_BOUND, F_SLOPE, F_MINUS_SLOPE, F_ERROR, F_TOOK, F_LEVELS, FACTS };

static void over_ranks_facts(struct clock_sync *s, double begun)
{
    const double now = local_now(s);
    double all[FACTS] = { [F_BOUND] = clock_model_bound(&s->model, now),
                          [F_SLOPE] = s->model.slope,
                          [F_MINUS_SLOPE] = -s->model.slope,
                          [F_ERROR] = s->model.slope_error,
                          [F_TOOK] = now - begun,
                          [F_LEVELS] = clock_tree_depth(s->node_index) +
                                       clock_tree_depth(s->local) };
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
    else if (s->nodes == 1 && apart == 0)
        f->method = "shared";
    else if (s->size == s->nodes + apart)
        f->method = "hca3";
    else
        f->method = "hca3+shared";
}

void clock_sync_fit(struct clock_sync *s)
{
    const double begun = local_now(s);

    s->shares = true;
    go_down(s, CLOCK_FIT);
    over_ranks_facts(s, begun);
}

void clock_sync_refresh(struct clock_sync *s)
{
    const double begun = local_now(s);

    go_down(s, CLOCK_REFRESH);
    over_ranks_facts(s, begun);
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
    int rank;

    MPI_Comm_dup(comm, &s.all);
    MPI_Comm_dup(node, &s.node);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &s.size);
    MPI_Comm_rank(node, &s.local);
    MPI_Comm_size(node, &s.locals);
    MPI_Comm_split(comm, s.local == 0 ? 0 : MPI_UNDEFINED, rank, &s.across);
    if (s.local == 0) {
        MPI_Comm_rank(s.across, &s.node_index);
        MPI_Comm_size(s.across, &s.nodes);
    }
    MPI_Bcast(&s.node_index, 1, MPI_INT, 0, node);
    MPI_Bcast(&s.nodes, 1, MPI_INT, 0, node);
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
