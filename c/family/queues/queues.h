/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * queues.h - messages that are matched in long queues: match_queue.
 *
 * A row has a queue of N entries on each of its two ranks, the parameter:
 *   posted      N receives, each of another tag than the message that is timed.
 *               They are posted before its receive, so that an arriving message is
 *               compared with them first.
 *   unexpected  N messages have arrived, for which no receive is posted.  A receive
 *               that is posted is compared with them first.
 *   in_order    N + 1 receives are posted, and their messages are sent in the same
 *               order: each is compared with its own receive alone.
 *   reverse     the same in the reverse order: a message is compared with N / 2
 *               other receives, on average.
 *
 * Slot 0 of a rank's buffers is for the message that is timed, slots 1 to N for the
 * entries; entry i has the tag QUEUES_TAG + i, and in the last two slot 0 is entry 0.
 * queues_fill makes the queues before a batch of iterations, and queues_drain
 * empties them after it: the other rank sends the messages of posted entries, and
 * receives are posted for unexpected ones.  So each entry's data are verified, like
 * those of the message.
 */
#ifndef QUEUES_H
#define QUEUES_H

#include <stdbool.h>
#include <stddef.h>

#include "data/flow.h"
#include "family.h"
#include "loop.h"
#include "options/settings.h"

/* The time of a message, and what an entry of its queue costs. */
extern const struct report report_queues;

/* --- Which queues there are, and how long they are ----------------------------- */

/* Numbers of the operations of the program; the third one is not named by itself. */
enum queues_kind {
    QUEUES_POSTED,
    QUEUES_UNEXPECTED,
    QUEUES_IN_ORDER,
    QUEUES_REVERSE,
    QUEUES_KINDS
};

enum { QUEUES_MOST = 30000 }; /* entries of a queue */

/* What the timed receive leaves open. */
enum queues_wildcard { WILDCARD_NONE, WILDCARD_SOURCE, WILDCARD_TAG, WILDCARD_BOTH };

struct queues_settings {
    /* Entries, of each queue that was named. */
    struct {
        long value[PARAMETER_MAX];
        int n; /* 0: it was not named */
    } list[QUEUES_KINDS];
    struct parameter all; /* with the values of all queues that were named */
    int wildcard;
};

FAMILY_OF(settings, const struct queues_settings, queues_settings)

/* Entries of a row, for the descriptor.  --posted, --unexpected and --reverse name its
   values, and which queues have rows. */
#define QUEUES_ENTRIES                                                                             \
    {                                                                                              \
        .name = "Entries", .key = "entries", .value = { 0, 16, 256, 1024 },                        \
        .kind = PARAMETER_NUMBER, .most = QUEUES_MOST                                              \
    }

/* --- The state of a run -------------------------------------------------------- */

/* Tags up to MPI's least upper bound (32767) are enough for all entries. */
enum { QUEUES_TAG = 100 };

struct queues {
    int from, tag;                /* of the timed receive; or wildcards */
    MPI_Request timed;            /* the receive that is timed */
    MPI_Request *sent, *received; /* of the entries, and one more each */
};

FAMILY_OF(bench_run, struct queues, queues_of)

/* Make this rank's queue, when the other rank makes its own; empty it. */
void queues_fill(struct bench_run *r);
void queues_drain(struct bench_run *r);

/* Post the receive that is timed. */
static inline void queues_post(struct bench_run *r)
{
    struct queues *m = queues_of(r);

    MPI_Irecv(r->recv, r->count, r->type, m->from, m->tag, r->comm, &m->timed);
}

/* In order or in reverse: post N + 1 receives; send their messages; wait for the
   receives, or for the messages. */
void queues_post_all(struct bench_run *r);
void queues_send_all(struct bench_run *r);
void queues_wait_all(struct bench_run *r, MPI_Request *request);

/* A block for the message and for each entry, either way. */
extern const struct flow flow_queues;

extern const struct family queues_family;

/* --- What an entry costs ------------------------------------------------------- */

/*
 * The slope of the line through times measured with queues of several lengths, and its
 * interval.
 *
 * Each point has a 95% interval of its own, and counts by the inverse square of its
 * half-width (least squares).  The half-width of the slope is the larger of two:
 *   what follows from the intervals of the points, as if they were all;
 *   what follows from how far the points are from the line, by Student's t with
 *   n - 2 degrees of freedom, so that a curve that is no line has a wide interval.
 * Source: Press et al., Numerical Recipes, section 15.2; for the second half-width
 * Draper and Smith, Applied Regression Analysis, section 1.4.
 */

struct slope_point {
    double x, y;
    double error; /* half-width of the 95% interval of y; 0: not known */
};

struct slope {
    double value, half_width; /* units of y per unit of x */
};

/* The slope of n points, in any order; false: they have fewer than two different x.
   A point whose error is not known counts as little as the worst of the others: it had
   too few iterations for an interval. */
bool slope_of(const struct slope_point *point, int n, struct slope *slope);

/* The t of Student's distribution whose upper tail is so large, 0 < tail < 0.5, with at
   least one degree of freedom: bisection of the finite sums in Abramowitz and Stegun,
   Handbook of Mathematical Functions, 26.7.3 and 26.7.4. */
double slope_student(double tail, size_t freedom);

#endif
