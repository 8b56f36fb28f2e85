/* SPDX-License-Identifier: BSD-3-Clause */
#include "noise_report.h"

#include <math.h>
#include <stdlib.h>

#include "job/world.h"

/* --- Which ranks ------------------------------------------------------------------ */

struct place {
    int rank;
    double most; /* what they are sorted by */
};

static int more(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->most != y->most)
        return x->most < y->most ? 1 : -1;
    return x->rank - y->rank;
}

static int before(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    return x->rank - y->rank;
}

static double lost(const struct noise_rank *r)
{
    return r->detours.lost;
}

static bool is_tick(const struct noise_rank *r, const struct period *p)
{
    return fabs(p->period_s - r->tick_s) < 0.01 * r->tick_s;
}

/* The part of the time that goes to that period; 0: too little to name, or, unless asked
   for, the timer tick. */
static double share_of(const struct noise_rank *r, const struct period *p,
                       bool tick)
{
    const double share =
        r->detours.total_s > 0 ? p->lost_s / r->detours.total_s : 0;

    return share >= NOISE_SHARE && is_tick(r, p) == tick ? share : 0;
}

static double most_share(const struct noise_rank *r, bool tick)
{
    double most = 0;

    for (int i = 0; i < PERIODS_MOST; i++)
        most = fmax(most, share_of(r, &r->detours.period[i], tick));
    return most;
}

static double lost_in_period(const struct noise_rank *r)
{
    return most_share(r, false);
}

static double slowness(const struct noise_rank *r)
{
    const struct detours *d = &r->detours;

    return d->slow ? d->typical_s / d->quantum_s : 0;
}

/* All ranks, those with most first. */
static struct place *sort_by(const struct noise *noise, int ranks,
                             double (*most)(const struct noise_rank *r))
{
    struct place *order =
        world_room((size_t)ranks, sizeof *order, "the order of all ranks");

    for (int i = 0; i < ranks; i++)
        order[i] = (struct place){ i, most(&noise->rank[i]) };
    qsort(order, (size_t)ranks, sizeof *order, more);
    return order;
}

/* --- What is printed ---------------------------------------------------------------- */

/* A number, or "-" for none. */
static const char *number(bool known, const char *format, double value,
                          char text[32])
{
    if (!known)
        return "-";
    snprintf(text, 32, format, value);
    return text;
}

/* Has any of these ranks one?  If not, the table has no column for it. */
static bool has_periods(const struct noise *noise, const struct place *order,
                        int rows)
{
    for (int i = 0; i < rows; i++)
        if (noise->rank[order[i].rank].detours.period[0].period_s > 0)
            return true;
    return false;
}

static void print_rank(FILE *to, const struct noise *noise, int rank,
                       bool periods)
{
    const struct environment_rank *e = &noise->environment.rank[rank];
    const struct noise_rank *r = &noise->rank[rank];
    const struct detours *d = &r->detours;
    char cpu[32], period[32];

    fprintf(to, "%-7d %-5d %-15s %-5s %12.2f %10.3f %10.1f %12.2f", rank,
            e->node, e->host,
            number(!r->moved && r->cpu >= 0, "%.0f", r->cpu, cpu),
            1e6 * d->quantum_s, 100 * d->lost, d->per_s, 1e6 * d->longest_s);
    if (periods)
        fprintf(to, " %12s",
                number(d->period[0].period_s > 0, "%.4g",
                       1e3 * d->period[0].period_s, period));
    fputc('\n', to);
}

static void begin_line(FILE *to, const struct noise *noise, const char *about,
                       int rank)
{
    const struct noise_rank *r = &noise->rank[rank];

    fprintf(to, "# %s: rank=%d; host=%s; ", about, rank,
            noise->environment.rank[rank].host);
    if (r->moved)
        fputs("cpu=several; ", to);
    else
        fprintf(to, "cpu=%d; ", r->cpu);
}

static void say_period(FILE *to, const struct noise *noise, int rank)
{
    const struct noise_rank *r = &noise->rank[rank];

    for (int i = 0; i < PERIODS_MOST; i++) {
        const struct period *p = &r->detours.period[i];
        const double share = share_of(r, p, false);

        if (share <= 0)
            continue;
        begin_line(to, noise, "Noise", rank);
        fprintf(to, "period=%.4g ms; lost=%.2f%%;\n", 1e3 * p->period_s,
                100 * share);
    }
}

static void say_slow(FILE *to, const struct noise *noise, int rank)
{
    begin_line(to, noise, "Speed", rank);
    fprintf(to, "median quantum=%.2f times the shortest;\n",
            slowness(&noise->rank[rank]));
}

/* All CPUs have the tick of their kernel, so one line says what it takes. */
static void say_tick(FILE *to, const struct noise *noise, int ranks)
{
    double least = 1, most = 0, tick_s = 0;
    int n = 0;

    for (int i = 0; i < ranks; i++) {
        const double share = most_share(&noise->rank[i], true);

        if (share <= 0)
            continue;
        n++;
        least = fmin(least, share);
        if (share > most) {
            most = share;
            tick_s = noise->rank[i].tick_s;
        }
    }
    if (n > 0)
        fprintf(to,
                "# Timer tick: period=%.4g ms; lost=%.2f%% to %.2f%%; "
                "ranks=%d;\n",
                1e3 * tick_s, 100 * least, 100 * most, n);
}

/* A line for each rank that has something, those with most first. */
static void say_each(FILE *to, const struct noise *noise, int ranks,
                     const char *about,
                     double (*most)(const struct noise_rank *r),
                     void (*say)(FILE *to, const struct noise *noise, int rank))
{
    struct place *order = sort_by(noise, ranks, most);
    int n = 0;

    while (n < ranks && order[n].most > 0)
        n++;
    for (int i = 0; i < n && i < NOISE_LINES; i++)
        say(to, noise, order[i].rank);
    if (n > NOISE_LINES)
        fprintf(to, "# %s: and %d more ranks;\n", about, n - NOISE_LINES);
    free(order);
}

void noise_print_ranks(FILE *to, const struct context *c,
                       const struct noise *noise)
{
    const int ranks = c->world->size,
              rows = ranks < NOISE_ROWS ? ranks : NOISE_ROWS;
    struct place *order = sort_by(noise, ranks, lost);

    qsort(order, (size_t)rows, sizeof *order, before);
    const bool periods = has_periods(noise, order, rows);

    fprintf(to, "%-7s %-5s %-15s %-5s %12s %10s %10s %12s", "# Rank", "Node",
            "Host", "CPU", "Quantum(us)", "Lost(%)", "Detours/s",
            "Longest(us)");
    if (periods)
        fprintf(to, " %12s", "Period(ms)");
    fputc('\n', to);
    for (int i = 0; i < rows; i++)
        print_rank(to, noise, order[i].rank, periods);
    free(order);
    if (ranks > rows)
        fprintf(
            to,
            "# Ranks not shown: %d, which lost less; --json=FILE has all;\n",
            ranks - rows);
    if (c->placement->oversubscribed) {
        fputs("# W08: more ranks than CPUs: ranks stop each other;\n", to);
        return;
    }
    say_each(to, noise, ranks, "Noise", lost_in_period, say_period);
    say_tick(to, noise, ranks);
    say_each(to, noise, ranks, "Speed", slowness, say_slow);
}

void noise_print_blame(FILE *to, const struct context *c,
                       const struct noise *noise)
{
    const struct blame *blame = &noise->cost.blame;

    if (c->placement->oversubscribed ||
        !result_is_straggler(blame, c->world->size))
        return;
    begin_line(to, noise, "Held up by", blame->rank);
    fprintf(to, "share=%.0f%%;\n", 100 * blame->share);
}

/* --- JSON ------------------------------------------------------------------------- */

static void record_rank(const struct noise *noise, int rank, struct fields to)
{
    const struct noise_rank *r = &noise->rank[rank];
    const struct detours *d = &r->detours;
    struct fields part;

    fields_int(to, "rank", rank);
    fields_text(to, "host", noise->environment.rank[rank].host);
    fields_known_int(to, "cpu", !r->moved && r->cpu >= 0, r->cpu);
    fields_int(to, "quanta", d->quanta);
    fields_real(to, "total_s", d->total_s);
    fields_us(to, "quantum_us", d->quantum_s);
    fields_us(to, "median_us", d->typical_s);
    fields_flag(to, "slow", d->slow);
    fields_int(to, "detours", d->n);
    fields_real(to, "lost", d->lost);
    fields_us(to, "longest_us", d->longest_s);
    part = fields_list(to, "periods");
    for (int i = 0; i < PERIODS_MOST && d->period[i].period_s > 0; i++) {
        const struct fields one = fields_object(part, NULL);

        fields_us(one, "period_us", d->period[i].period_s);
        fields_real(one, "lost", d->period[i].lost_s / d->total_s);
        fields_flag(one, "tick", is_tick(r, &d->period[i]));
    }
    part = fields_list(to, "longest");
    for (int i = 0; i < d->nkept; i++) {
        const struct fields one = fields_object(part, NULL);

        fields_real(one, "at_s", d->kept[i].at_s);
        fields_us(one, "lost_us", d->kept[i].lost_s);
    }
}

void noise_record(const struct context *c, const struct noise *noise,
                  struct fields to)
{
    const struct turns_cost *cost = &noise->cost;
    const struct fields object = fields_object(to, "noise");
    const struct fields ranks = fields_list(object, "ranks");
    struct fields part;

    for (int i = 0; i < c->world->size; i++)
        record_rank(noise, i, fields_object(ranks, NULL));
    part = fields_object(object, "allreduce");
    fields_int(part, "iterations", cost->n);
    fields_us(part, "quantum_us", cost->quantum_s);
    fields_us(part, "allreduce_us", cost->allreduce_s);
    fields_us(part, "together_us", cost->together_s);
    fields_real(part, "cost", cost->cost);
    fields_real(part, "own", cost->own);
    part = fields_known(part, "held_up_by", cost->blame.rank >= 0);
    fields_int(part, "rank", cost->blame.rank);
    fields_real(part, "share", cost->blame.share);
}
