/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_sync.h"

#include <stddef.h>

#include "base/simulation.h"

/* Exchanges of a burst.  Simulated ones are all alike. */
enum { BURST_MOST = SIMULATED ? 4 : 64 };

/* What a burst may take, s, however few its exchanges: with more ranks than CPUs
   each message may cost a time slice. */
static const double BURST_LIMIT = 0.020;

/* No two clocks run apart faster than this; oscillators are sold within 50 or
   100 millionths.  No model has a steeper slope, whatever was measured. */
static const double CLOCK_DRIFT_LIMIT = 2e-4;

/* An oscillator's rate is no better known than this, even if offsets say so:
   it wanders with temperature. */
static const double CLOCK_WANDER = 1e-8;

/* The smallest step of a clock that this module reckons with, s. */
static const double CLOCK_STEP = 1e-9;

/* For so long, in s, a rate that was measured is held to be the present one. */
static const double CLOCK_RATE_AGE = 30;

/* Counters of one board are started by the same signal, but read through different paths. */
static const double SHARED_SLACK = 50e-9;

/* --- One point: at local time at, the offset was within low..high ---------- */

struct offset {
    double at, low, high;
};

static double offset_middle(const struct offset *o)
{
    return (o->low + o->high) / 2;
}

/* The hard bound of the middle. */
static double offset_half(const struct offset *o)
{
    return (o->high - o->low) / 2;
}

/*
 * A short burst of exchanges between one pair makes one point: the exchange of
 * the shortest round trip, narrowed by the others.  All zeros is an empty one.
 */
struct burst {
    struct offset offset;
    double best, begun, spent; /* round trip; global times, s */
    int n;
};

/* Narrow o by what another point says, widened by what the clocks may have drifted
   in between, unless the two contradict each other (a clock stepped). */
static void narrow(struct offset *o, const struct offset *other)
{
    /* The client's clock drifts, and what the reference's model says of it. */
    const double drift = 2 * CLOCK_DRIFT_LIMIT * fabs(o->at - other->at);
    const double low = fmax(o->low, other->low - drift);
    const double high = fmin(o->high, other->high + drift);

    if (low <= high)
        *o = (struct offset){ o->at, low, high };
}

/* An exchange: the reference read s1, then the client t, then the reference s2, so
   t - s2 <= offset <= t - s1, at t, whatever the drift. */
static void burst_add(struct burst *b, double s1, double t, double s2)
{
    /* A reading may be late by one step. */
    struct offset exchange = { t, t - s2 - CLOCK_STEP, t - s1 + CLOCK_STEP };

    if (b->n == 0)
        b->begun = s1;
    if (b->n > 0 && s2 - s1 >= b->best) {
        narrow(&b->offset, &exchange);
    } else {
        if (b->n > 0)
            narrow(&exchange, &b->offset);
        b->offset = exchange;
        b->best = s2 - s1;
    }
    b->spent = s2 - b->begun;
    b->n++;
}

static bool burst_goes_on(const struct burst *b)
{
    return b->n < BURST_MOST && b->spent <= BURST_LIMIT;
}

/* --- The model of one rank's clock, from points --------------------------- */

/* What a rank learns of its reference along with a point: the bound stated by its model at the
   time, and by how much its clock may be off its leader's, 0 if they share an oscillator. */
struct clock_reference {
    double bound, apart;
};

static double clock_model_offset(const struct clock_model *m, double t)
{
    return m->offset + m->slope * (t - m->at);
}

/* How much the model's clock is ahead of what was just measured, or late if
   negative.  Within offset_half() nothing is wrong. */
static double clock_model_residual(const struct clock_model *m, const struct offset *o)
{
    return offset_middle(o) - clock_model_offset(m, o->at);
}

/*
 * Does a rank with its leader's model have its leader's clock, as far as this point can tell?
 * If its clock agrees, *m becomes that same line with the point's bound: what was measured, not
 * what is believed.  If not, *m is left alone.
 */
static bool clock_model_share(struct clock_model *m, const struct offset *o,
                              struct clock_reference reference)
{
    if (fabs(clock_model_residual(m, o)) > offset_half(o) + reference.apart + SHARED_SLACK)
        return false;
    m->offset = clock_model_offset(m, o->at);
    m->at = o->at;
    m->bound = reference.bound + offset_half(o);
    return true;
}

/* The way to the next anchor begins here. */
static void remember(struct clock_model *m, double half)
{
    m->old_at = m->at;
    m->old_offset = m->offset;
    m->old_bound = m->bound;
    m->old_half = half;
}

/* A slope is at most the limit, so this is the most that it can be wrong. */
static double most_wrong(double slope)
{
    return CLOCK_DRIFT_LIMIT + fabs(slope);
}

/* The model of one point: any slope within the limit is possible. */
static struct clock_model clock_model_of(const struct offset *o, struct clock_reference reference)
{
    struct clock_model m = { .at = o->at,
                             .offset = offset_middle(o),
                             .bound = offset_half(o) + reference.bound,
                             .slope_error = CLOCK_DRIFT_LIMIT };

    remember(&m, offset_half(o));
    return m;
}

/*
 * The model measured again, before it is used: offset and at become those of the point, unless
 * it says less than the model already knows.  If the way from the earlier anchor has become so
 * long that the slope between the two is better than the one at hand, it becomes the slope.  The
 * first slope counts as soon as the two points themselves, without the bounds of references,
 * leave less open than the limit; since references had none before, the way begins anew with it.
 * So it does with a point that is twice as good as the earlier anchor, and with one that
 * contradicts the stated bound (a clock stepped): that is believed.
 */
static void clock_model_anchor(struct clock_model *m, const struct offset *o,
                               struct clock_reference reference)
{
    const double half = offset_half(o), bound = half + reference.bound;
    const double known = clock_model_bound(m, o->at);
    const double way = o->at - m->old_at;
    const double error = (bound + m->old_bound) / way + CLOCK_WANDER;
    const bool contradicts = fabs(clock_model_residual(m, o)) > bound + known;
    const bool seen =
        m->slope_error >= CLOCK_DRIFT_LIMIT && (half + m->old_half) / way < CLOCK_DRIFT_LIMIT;
    bool anew = contradicts || way > CLOCK_RATE_AGE || 2 * bound < m->old_bound;

    if (bound >= known && !contradicts)
        return;
    m->at = o->at;
    m->offset = offset_middle(o);
    m->bound = bound;
    if (contradicts) {
        m->slope_error = most_wrong(m->slope);
    } else if (way > 0 && (seen || error < m->slope_error)) {
        const double slope = (m->offset - m->old_offset) / way;

        anew = anew || fabs(m->slope) <= 0;
        m->slope = fmin(fmax(slope, -CLOCK_DRIFT_LIMIT), CLOCK_DRIFT_LIMIT);
        m->slope_error = fmin(error, most_wrong(m->slope));
    }
    if (way > CLOCK_RATE_AGE)
        m->slope_error = fmin(2 * m->slope_error, most_wrong(m->slope));
    if (anew)
        remember(m, half);
}

enum { TAG = 13 };

/* --- Who teaches whom ---------------------------------------------------- */

/*
 * Who learns the global time from whom.
 *
 * A binomial tree of n members: member i teaches i + 2^h for each h below the
 * number of zeros that i ends with in binary (all of ceil(log2 n) for member 0),
 * the farthest first.  Every member but 0 is taught once, by one who has been.
 *
 *     n = 6      0 -> 4      round 0
 *                0 -> 2      round 1    (4 has no 6)
 *                0 -> 1, 2 -> 3, 4 -> 5      round 2
 *
 * (The order of HCA3 of Hunold and Carpen-Amarie, 2018.)
 */

/* Who teaches member i; -1 for member 0. */
static int clock_tree_parent(int i)
{
    return i > 0 ? i & (i - 1) : -1;
}

/* Pupil number k of member i, in the order of teaching; -1 after the last. */
static int clock_tree_child(int i, int n, int k)
{
    for (int step = i > 0 ? (i & -i) >> 1 : 1 << 30; step > 0; step >>= 1)
        if (step < n - i && k-- == 0)
            return i + step;
    return -1;
}

/* --- Points from exchanges of messages ------------------------------------ */

/* From one pass of a fit to the next, s.  The second gives slopes, while the references
   had none yet; the others better ones, and a chance to pairs that were held up. */
static const double BASELINE = 0.020;
enum { PASSES = 5 };

/* A loop that waits for a time reads the clock no more often than this, s:
   what ends it where the clock stands still. */
static const double FASTEST_READING = 10e-9;

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

/* The reference's message: a request for the client's clock; or what a burst of them
   has found, with what the reference knows of itself. */
struct clock_word {
    double found; /* 0: a request */
    struct offset offset;
    struct clock_reference reference;
    double residual, room;
};

static double local_now(const struct clock_sync *s)
{
    return clock_sync_local(s, clock_now());
}

/* The reference leads and the client answers, so that one clock decides where a burst ends. */
static void pair_teach(const struct clock_sync *s, const struct clock_pair *p)
{
    struct clock_word word = { 0 };
    struct burst b = { 0 };

    while (burst_goes_on(&b)) {
        double client;
        const double before = clock_sync_global(s, clock_now());

        PMPI_Send(&word, sizeof word, MPI_BYTE, p->peer, TAG, p->comm);
        PMPI_Recv(&client, 1, MPI_DOUBLE, p->peer, TAG, p->comm, MPI_STATUS_IGNORE);
        burst_add(&b, before, client, clock_sync_global(s, clock_now()));
    }
    word.found = 1;
    word.offset = b.offset;
    word.reference.bound = clock_model_bound(&s->model, local_now(s));
    word.reference.apart = s->shares ? 0 : word.reference.bound;
    word.residual = p->residual;
    word.room = p->room;
    PMPI_Send(&word, sizeof word, MPI_BYTE, p->peer, TAG, p->comm);
}

static struct clock_word take_point(const struct clock_sync *s, const struct clock_pair *p)
{
    struct clock_word word;

    for (;;) {
        PMPI_Recv(&word, sizeof word, MPI_BYTE, p->peer, TAG, p->comm, MPI_STATUS_IGNORE);
        const double now = local_now(s);

        if (word.found > 0)
            return word;
        PMPI_Send(&now, 1, MPI_DOUBLE, p->peer, TAG, p->comm);
    }
}

/* leader: the model of the leader, for ranks below it; else NULL. */
static void pair_learn(struct clock_sync *s, struct clock_pair *p, const struct clock_model *leader)
{
    const struct clock_word word = take_point(s, p);
    bool fresh = p->task == CLOCK_FIT;

    if (p->task == CLOCK_RESIDUAL) {
        const double found = clock_model_residual(&s->model, &word.offset);
        const double half = offset_half(&word.offset);
        /* Two who read one oscillator cannot be apart: as long as that is not
           refuted, what is found is the measurement's own error. */
        const bool one =
            !p->across && s->shares && word.reference.apart <= 0 && fabs(found) <= half;

        p->residual = word.residual + (one ? 0 : found);
        p->room = word.room + half;
        return;
    }
    if (!p->across && (fresh || s->shares)) {
        struct clock_model model = *leader;

        s->shares = clock_model_share(&model, &word.offset, word.reference);
        if (s->shares) {
            s->model = model;
            return;
        }
        fresh = true;
    }
    if (fresh)
        s->model = clock_model_of(&word.offset, word.reference);
    else
        clock_model_anchor(&s->model, &word.offset, word.reference);
}

void clock_sync_tell(MPI_Comm comm, int rank, int ranks, double *value)
{
    if (rank > 0)
        PMPI_Recv(value, 1, MPI_DOUBLE, clock_tree_parent(rank), TAG, comm, MPI_STATUS_IGNORE);
    for (int k = 0, child; (child = clock_tree_child(rank, ranks, k)) >= 0; k++)
        PMPI_Send(value, 1, MPI_DOUBLE, child, TAG, comm);
}

/* Go down one tree of n members, this rank being member i. */
static void go_down_tree(struct clock_sync *s, struct clock_pair *p, int i, int n,
                         const struct clock_model *leader)
{
    p->peer = clock_tree_parent(i);
    if (i > 0)
        pair_learn(s, p, leader);
    for (int k = 0; (p->peer = clock_tree_child(i, n, k)) >= 0; k++)
        pair_teach(s, p);
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
        PMPI_Bcast(&leader, sizeof leader, MPI_BYTE, 0, s->node);
    p.comm = s->node;
    p.across = false;
    go_down_tree(s, &p, s->local, s->locals, &leader);
    return p;
}

/* How many members taught one after the other until i had the time. */
static int clock_tree_depth(int i)
{
    return __builtin_popcount((unsigned)i);
}

static const char *method_of(const struct clock_sync *s, int apart)
{
    if (s->size == 1)
        return "none";
    if (s->nodes == 1 && apart == 0)
        return "shared";
    return s->size == s->nodes + apart ? "hca3" : "hca3+shared";
}

static void over_ranks_facts(struct clock_sync *s, double begun)
{
    const double now = local_now(s);
    double all[] = { clock_model_bound(&s->model, now),
                     s->model.slope,
                     -s->model.slope,
                     s->model.slope_error,
                     now - begun,
                     clock_tree_depth(s->node_index) + clock_tree_depth(s->local) };
    int apart = !s->shares;

    PMPI_Allreduce(MPI_IN_PLACE, all, sizeof all / sizeof *all, MPI_DOUBLE, MPI_MAX, s->all);
    PMPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_SUM, s->all);
    s->facts = (struct clock_sync_facts){ .method = method_of(s, apart),
                                          .levels = (int)all[5],
                                          .apart = apart,
                                          .bound_s = all[0],
                                          .slope_min = -all[2],
                                          .slope_max = all[1],
                                          .slope_error = all[3],
                                          .took_s = all[4] };
}

/* Everything: offsets, who shares an oscillator, and, in 80 ms, where some do not, the slopes. */
static void fit_models(struct clock_sync *s)
{
    const double begun = local_now(s);

    s->shares = true;
    go_down(s, CLOCK_FIT);
    over_ranks_facts(s, begun);
    if (s->nodes == 1 && s->facts.apart == 0)
        return;
    for (int i = 1; i < PASSES; i++) {
        for (double reads = BASELINE / FASTEST_READING; reads > 0; reads--)
            if (local_now(s) - begun >= i * BASELINE)
                break;
        go_down(s, CLOCK_REFRESH);
    }
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

    PMPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, s->all);
    return (struct clock_residual){ worst[0], worst[1] };
}

struct clock_sync clock_sync_begin(MPI_Comm comm, MPI_Comm node)
{
    struct clock_sync s = { .base = clock_now(), .tick_s = clock_seconds(1), .shares = true };
    int rank;

    PMPI_Comm_dup(comm, &s.all);
    PMPI_Comm_dup(node, &s.node);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &s.size);
    PMPI_Comm_rank(node, &s.local);
    PMPI_Comm_size(node, &s.locals);
    PMPI_Comm_split(comm, s.local == 0 ? 0 : MPI_UNDEFINED, rank, &s.across);
    if (s.local == 0) {
        PMPI_Comm_rank(s.across, &s.node_index);
        PMPI_Comm_size(s.across, &s.nodes);
    }
    PMPI_Bcast(&s.node_index, 1, MPI_INT, 0, node);
    PMPI_Bcast(&s.nodes, 1, MPI_INT, 0, node);
    /* Ranks that share an oscillator must count alike. */
    PMPI_Bcast(&s.base, 1, MPI_UINT64_T, 0, node);
    PMPI_Bcast(&s.tick_s, 1, MPI_DOUBLE, 0, node);
    fit_models(&s);
    return s;
}

void clock_sync_end(struct clock_sync *s)
{
    PMPI_Comm_free(&s->all);
    PMPI_Comm_free(&s->node);
    if (s->across != MPI_COMM_NULL)
        PMPI_Comm_free(&s->across);
}
