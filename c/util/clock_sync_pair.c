/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_sync_pair.h"

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

/* From reference to client: either a request for its clock, or what a burst of
   them has found. */
enum { KIND, AT, LOW, HIGH, BOUND, SLOPE_ERROR, APART, RESIDUAL, ROOM, WORDS };
enum { ASK, POINT, LAST };

static double local_now(const struct clock_sync *s)
{
    return clock_sync_local(s, clock_now());
}

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

void clock_pair_teach(struct clock_sync *s, const struct clock_pair *p,
                      double *known)
{
    int wants_fit;

    give_point(s, p, known, ALONE_LIMIT, POINT);
    MPI_Recv(&wants_fit, 1, MPI_INT, p->peer, TAG, p->comm, MPI_STATUS_IGNORE);
    if (wants_fit)
        give_fit(s, p, known);
}

void clock_pair_learn(struct clock_sync *s, struct clock_pair *p,
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
