/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit_clocks.h - a job whose true time is known: ranks with clocks that are off
 *                 and drift, messages that are late, and global time taught from
 *                 rank to rank as clock_sync does.
 */
#ifndef UNIT_CLOCKS_H
#define UNIT_CLOCKS_H

#include "timing/clock_sync.c"
#include "unit.h"

enum { MOST_RANKS = 4096 };

/* One round of the tree, s. */
static const double ROUND = 0.001;

/* How long afterwards errors are looked at, s. */
static const double LEADS[] = { 0, 1, 10 };

/* Messages of some network: at least so long, and noise on top. */
static const double LEAST_DELAY = 1e-6, NOISE = 100e-9, OUTLIER = 1e-3;

/* Half of them wait for a time slice. */
static bool slow_messages;

static uint64_t random_bits;

static inline double uniform(void)
{
    random_bits ^= random_bits << 13;
    random_bits ^= random_bits >> 7;
    random_bits ^= random_bits << 17;
    return ((double)(random_bits >> 11) + 0.5) / 9007199254740992.0;
}

static inline void seed(uint64_t number)
{
    random_bits = 0x9e3779b97f4a7c15u * (number + 1);
    for (int i = 0; i < 8; i++)
        uniform();
}

/* A rank's clock reads offset + rate * true time, in steps of a nanosecond. */
struct simulated {
    double offset, rate;
    double asymmetry; /* of the way to its reference */
    struct clock_model model;
    bool shares;
};

static struct simulated ranks[MOST_RANKS];
static int nranks;

static inline double exact(const struct simulated *r, double now)
{
    return r->offset + r->rate * now;
}

static inline double reading(const struct simulated *r, double now)
{
    return floor(exact(r, now) * 1e9) * 1e-9;
}

static inline double global(const struct simulated *r, double now)
{
    return clock_model_global(&r->model, reading(r, now));
}

/* Of the model's global time, against rank 0's clock. */
static inline double error_of(const struct simulated *r, double now)
{
    return fabs(clock_model_global(&r->model, exact(r, now)) - exact(&ranks[0], now));
}

static inline double bound_of(const struct simulated *r, double now)
{
    return clock_model_bound(&r->model, exact(r, now)) + 2 * CLOCK_STEP;
}

static inline void oscillate(struct simulated *r)
{
    *r = (struct simulated){ .offset = 4 * uniform() - 2,
                             .rate = 1 + 50e-6 * (2 * uniform() - 1),
                             .asymmetry = 0.6 * uniform() - 0.3 };
}

static inline double delay(double asymmetry)
{
    double d = LEAST_DELAY * asymmetry - NOISE * (double)logf((float)uniform());

    if (slow_messages && uniform() < 0.5)
        d += 4e-3 * uniform();
    if (uniform() < 0.01)
        d += OUTLIER * uniform();
    return d;
}

/* One burst between two ranks, beginning at true time *now. */
static inline struct offset point(const struct simulated *reference, const struct simulated *client,
                                  double *now)
{
    struct burst b = { 0 };

    while (burst_goes_on(&b)) {
        const double s1 = global(reference, *now);
        double t;

        *now += delay(1 + client->asymmetry);
        t = reading(client, *now);
        *now += delay(1 - client->asymmetry);
        burst_add(&b, s1, t, global(reference, *now));
    }
    return b.offset;
}

static inline struct clock_reference tell(const struct simulated *r, double now)
{
    const double bound = clock_model_bound(&r->model, reading(r, now));

    return (struct clock_reference){ bound, r->shares ? 0 : bound };
}

/* What a rank learns at that time, for the first time or again, as pair_learn of
   clock_sync.c has it; leader: NULL for leaders. */
static inline void learn(const struct simulated *leader, const struct simulated *reference,
                         struct simulated *client, double now, bool first)
{
    const struct offset o = point(reference, client, &now);
    const struct clock_reference told = tell(reference, now);

    if (leader == NULL) {
        client->shares = true;
    } else if (first || client->shares) {
        struct clock_model model = leader->model;

        client->shares = clock_model_share(&model, &o, told);
        first = true;
        if (client->shares) {
            client->model = model;
            return;
        }
    }
    if (first)
        client->model = clock_model_of(&o, told);
    else
        clock_model_anchor(&client->model, &o, told);
}

/* ceil(log2 n): how many rounds the tree of n members takes. */
static inline int tree_rounds(int n)
{
    int rounds = 0;

    while (1L << rounds < n)
        rounds++;
    return rounds;
}

/* The round in which member i > 0 of n is taught. */
static inline int tree_round(int i, int n)
{
    return tree_rounds(n) - 1 - __builtin_ctz((unsigned)i);
}

/* Every pair's step, round by round, five times; true time when all is done. */
static inline double teach_all(void)
{
    const int rounds = tree_rounds(nranks);

    ranks[0].shares = true;
    for (int pass = 0; pass < 5; pass++)
        for (int round = 0; round < rounds; round++)
            for (int i = 1; i < nranks; i++)
                if (tree_round(i, nranks) == round)
                    learn(NULL, &ranks[clock_tree_parent(i)], &ranks[i],
                          pass * BASELINE + round * ROUND, pass == 0);
    return 4 * BASELINE + rounds * ROUND;
}

static inline int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

#endif
