/* SPDX-License-Identifier: BSD-3-Clause */
#include "detours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/stats.h"

/*
 * Do these instants come once a period, in one part of it?  No MPI.
 *
 * The test of a period for one set of detours and one candidate.
 */

struct instants {
    double *at_s; /* rising */
    long n;
    double span_s;    /* of the series that they are from */
    double quantum_s; /* they are known no better */
};

/* The part of a period in which most periods have one of them. */
struct pulse {
    double period_s, middle_s;
    double half_s; /* half of its length */
    /* - log of the probability that so many periods have one there, if each has one by the
       share of the other tenths; 0: less than 60% of the periods have one, or nearly as
       many have one in another tenth. */
    double rarity;
};

enum { CELLS = 20 }; /* of a period, at most; two are a tenth */
static const double TAKEN = 0.6, ABOVE = 0.25, EDGE = 0.25, NEARLY_ALL = 0.95,
                    NEAR = 0.1; /* of a period: near the mean phase */

/* In how many periods there is one in each cell or in the next one; returns the number of
   periods. */
static long count_hits(const struct instants *s, double period_s, int cells,
                       long hits[CELLS])
{
    const long periods = (long)(s->span_s / period_s);
    long now = 0;
    unsigned mask = 0;

    memset(hits, 0, CELLS * sizeof *hits);
    for (long i = 0; i <= s->n; i++) {
        const double at = i < s->n ? s->at_s[i] / period_s : (double)periods;
        const long number = (long)at;

        if (number != now || i == s->n) {
            for (int cell = 0; cell < cells; cell++)
                hits[cell] +=
                    (mask >> cell & 1) | (mask >> (cell + 1) % cells & 1);
            mask = 0;
            now = number;
        }
        if (number >= periods)
            break;
        mask |= 1U << (int)(cells * (at - (double)number));
    }
    return periods;
}

/* - log of the probability of k or more of n, if each has the probability p. */
static double tail(long n, long k, double p)
{
    double sum = 0;

    for (; k <= n; k++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
                   lgamma((double)(n - k) + 1) + (double)k * log(p) +
                   (double)(n - k) * log1p(-p));
    return -log(sum);
}

/* How far after the middle of the pulse next to it. */
static double after_middle(const struct pulse *p, double at_s)
{
    return remainder(at_s - p->middle_s, p->period_s);
}

static bool pulse_has(const struct pulse *p, double at_s)
{
    return fabs(after_middle(p, at_s)) <= p->half_s;
}

/* How many it has, and how many half a period later, where they are by chance; *after_s is
   how far after the middle they are on average. */
static long count_in(const struct pulse *p, const struct instants *s,
                     long *chance, double *after_s)
{
    double sum = 0;
    long in = 0;

    *chance = 0;
    for (long i = 0; i < s->n; i++) {
        if (pulse_has(p, s->at_s[i])) {
            sum += after_middle(p, s->at_s[i]);
            in++;
        }
        *chance += pulse_has(p, s->at_s[i] - 0.5 * p->period_s);
    }
    *after_s = in > 0 ? sum / (double)in : 0;
    return in;
}

/* As short as it can be, so that few other detours are in it: half of it has nearly all
   that is not by chance, and chance varies by its root. */
static void narrow(struct pulse *p, const struct instants *s)
{
    double after_s;
    long before, chance, now;
    struct pulse half = *p;

    before = count_in(p, s, &chance, &after_s);
    while (half.half_s >= 2 * s->quantum_s) {
        const double least =
            NEARLY_ALL * (double)(before - chance) - sqrt((double)chance);

        half.middle_s += after_s;
        half.half_s /= 2;
        now = count_in(&half, s, &chance, &after_s);
        if ((double)(now - chance) < least)
            return;
        before = now;
        *p = half;
    }
}

/* period_s is at least eight quanta. */
static struct pulse pulse_at(const struct instants *s, double period_s)
{
    /* A cell is no shorter than a quantum. */
    const int cells = (int)fmin(CELLS, period_s / s->quantum_s);
    long hits[CELLS], apart = 1, second = 0;
    const long periods = count_hits(s, period_s, cells, hits);
    const double all = (double)periods;
    struct pulse pulse = { .period_s = period_s };
    int best = 0;

    for (int cell = 1; cell < cells; cell++)
        if (hits[cell] > hits[best])
            best = cell;
    for (int i = 3; i <= cells - 3; i++) {
        const long here = hits[(best + i) % cells];

        apart += here;
        second = here > second ? here : second;
    }
    const double chance = (double)apart / ((cells - 5) * all),
                 edge =
                     chance * all + EDGE * ((double)hits[best] - chance * all);
    const int before = (double)hits[(best + cells - 2) % cells] > edge ? 2 : 0,
              after = (double)hits[(best + 2) % cells] > edge ? 2 : 0;

    pulse.middle_s = period_s * (2 * best + 2 + after - before) / (2 * cells);
    pulse.half_s = period_s * (before + 4 + after) / (2 * cells);
    if ((double)hits[best] >= TAKEN * all && chance < 1 &&
        (double)(hits[best] - second) >= ABOVE * all) {
        pulse.rarity = tail(periods, hits[best], chance) - log(cells);
        narrow(&pulse, s);
    }
    return pulse;
}

/* A better value of the period: the slope of a line through those near the mean phase. */
static double pulse_refine(const struct instants *s, double period_s)
{
    double cosine = 0, sine = 0, n = 0, k1 = 0, t1 = 0, kk = 0, kt = 0;

    for (long i = 0; i < s->n; i++) {
        cosine += cos(2 * M_PI * s->at_s[i] / period_s);
        sine += sin(2 * M_PI * s->at_s[i] / period_s);
    }
    const double begin_s = period_s * atan2(sine, cosine) / (2 * M_PI);

    for (long i = 0; i < s->n; i++) {
        const double t = s->at_s[i] - begin_s, k = round(t / period_s);

        if (fabs(t - k * period_s) > NEAR * period_s)
            continue;
        n++;
        k1 += k;
        t1 += t;
        kk += k * k;
        kt += k * t;
    }
    return n * kk > k1 * k1 ? (n * kt - k1 * t1) / (n * kk - k1 * k1)
                            : period_s;
}

enum {
    SEARCHES = 2 * PERIODS_MOST,
    OVERSAMPLED = 4,
    STEPS_MOST = 2 * OVERSAMPLED * PERIOD_MOST + 1
};
static const double GROWS = 1.25, FILLED = 2, CHANCE = 0.01, CAP = 4,
                    SCREEN = 0.5, SAME = 0.1;

/* Detours, and what a set of them is searched with. */
struct search {
    struct detour *all; /* of the series, rising in time */
    long n;
    double shortest_s;  /* period */
    struct instants of; /* of the set */
    double *power;      /* by number of the frequency */
    int sets;           /* that are searched */
};

/* A set: of all detours, or of so many at once, those that last so long. */
struct set {
    long at_once;
    double least_s, cap_s; /* no more of a detour counts as explained */
};

struct candidate {
    struct period period;
    struct set of;
    struct pulse pulse;
};

static bool is_same(const struct period *a, const struct period *b)
{
    return fabs(a->period_s - b->period_s) < SAME * a->period_s;
}

/* --- Sets ------------------------------------------------------------------------ */

static int shorter(const void *a, const void *b)
{
    const struct detour *x = a, *y = b;

    return (x->lost_s > y->lost_s) - (x->lost_s < y->lost_s);
}

/* The duration of detour number m of n, the longest first. */
static double bound(const struct detour *sorted, long n, long m)
{
    return sorted[n - m].lost_s;
}

/* Fill it with those that last so long. */
static void fill(struct search *s, const struct set *of)
{
    s->of.n = 0;
    for (long i = 0; i < s->n && i < of->at_once && s->of.n < PERIOD_MOST; i++)
        if (s->all[i].lost_s >= of->least_s)
            s->of.at_s[s->of.n++] = s->all[i].at_s;
}

/* --- Frequencies ------------------------------------------------------------------ */

/* Frequency number k is k / (OVERSAMPLED span). */
static long first_step(void)
{
    return OVERSAMPLED * PERIOD_TIMES;
}

/* No more frequencies than a set can have a detour for in every other period. */
static long last_step(const struct search *s)
{
    const double most =
        fmin(FILLED * (double)s->of.n, s->of.span_s / s->shortest_s);
    const long last = (long)(OVERSAMPLED * most);

    return last < STEPS_MOST ? last : STEPS_MOST - 1;
}

static void find_power(const struct search *s, double *sine)
{
    const long from = first_step(), to = last_step(s);
    double *cosine = s->power;

    memset(cosine, 0, STEPS_MOST * sizeof *cosine);
    memset(sine, 0, STEPS_MOST * sizeof *sine);
    for (long i = 0; i < s->of.n; i++) {
        const double angle =
            2 * M_PI * s->of.at_s[i] / (OVERSAMPLED * s->of.span_s);
        const double turn_c = cos(angle), turn_s = sin(angle);
        double x = cos((double)from * angle), y = sin((double)from * angle);

        for (long k = from; k <= to; k++) {
            const double next = x * turn_c - y * turn_s;

            cosine[k] += x;
            sine[k] += y;
            y = x * turn_s + y * turn_c;
            x = next;
        }
    }
    for (long k = from; k <= to; k++)
        s->power[k] =
            (cosine[k] * cosine[k] + sine[k] * sine[k]) / (double)s->of.n;
}

/* The top of the parabola through three neighbors, as a distance from the middle one. */
static double top(const double *middle)
{
    const double bend = middle[-1] - 2 * middle[0] + middle[1];

    return bend < 0 ? 0.5 * (middle[-1] - middle[1]) / bend : 0;
}

/* What the Rayleigh test asks for. */
static double limit(const struct search *s)
{
    return log((double)s->sets * (double)(last_step(s) - first_step() + 1) /
               CHANCE);
}

/* The period of the set that has most power, as a candidate; 0: there is none. */
static double by_power(const struct search *s)
{
    const long from = first_step(), to = last_step(s);
    const double least = SCREEN * limit(s);
    double most = 0, step;
    long k = from;

    for (long i = from; i <= to; i++)
        most = fmax(most, s->power[i]);
    if (to <= from || most < least)
        return 0;
    while (s->power[k] < fmax(least, most / 2))
        k++;
    while (k < to && s->power[k + 1] > s->power[k])
        k++;
    step = (double)k + (k > from && k < to ? top(&s->power[k]) : 0);
    return OVERSAMPLED * s->of.span_s / step;
}

/* What detours of that period lost: of all detours, those in the pulse, less what is there
   by chance.  Chance is the share of those half a period later, and takes from the others
   alone.  A detour much longer than the set's would outweigh them all. */
static double explained(const struct search *s, const struct candidate *c)
{
    double all = 0, in = 0, half = 0;

    for (long i = 0; i < s->n && s->all[i].at_s <= s->of.span_s; i++) {
        const double at_s = s->all[i].at_s,
                     own = fmin(s->all[i].lost_s, c->of.cap_s);

        all += own;
        if (pulse_has(&c->pulse, at_s))
            in += own;
        if (pulse_has(&c->pulse, at_s - 0.5 * c->pulse.period_s))
            half += own;
    }
    return half < all ? (in - half) / (1 - half / all) : 0;
}

/* --- The search --------------------------------------------------------------------- */

static int count_sets(long n)
{
    int sets = 2;

    for (double m = PERIOD_LEAST; m < (double)n && m < PERIOD_MOST; m *= GROWS)
        sets++;
    return sets;
}

/* The pulse of this period or of two or three times as long a one, the longest that there
   is: the parts of a pulse can give a multiple of the frequency most power. */
static struct pulse find_pulse(const struct search *s, double period_s,
                               double least)
{
    struct pulse pulse = { .rarity = 0 };

    for (int times = 3; times > 0 && pulse.rarity <= 0; times--) {
        if (times * period_s * PERIOD_TIMES > s->of.span_s)
            continue;
        pulse = pulse_at(&s->of, pulse_refine(&s->of, times * period_s));
        pulse.rarity = pulse.rarity >= least + log(3) ? pulse.rarity : 0;
    }
    return pulse;
}

/* Keep the period of this set if it explains more than that so far, or is clearer. */
static void try_set(struct search *s, struct set of, double total_s,
                    double *sine, struct candidate *best)
{
    struct candidate own = { .of = of };
    double period_s;

    fill(s, &of);
    if (s->of.n < PERIOD_LEAST)
        return;
    find_power(s, sine);
    period_s = by_power(s);
    if (period_s > 0)
        own.pulse = find_pulse(s, period_s, limit(s));
    if (own.pulse.rarity <= 0)
        return;
    own.period.period_s = own.pulse.period_s;
    own.period.lost_s = total_s / s->of.span_s * explained(s, &own);
    if (is_same(&own.period, &best->period)
            ? own.pulse.rarity > best->pulse.rarity
            : own.period.lost_s > best->period.lost_s)
        *best = own;
}

/* The period that explains most; sorted: room for the detours. */
static struct candidate search(struct search *s, struct detour *sorted,
                               double total_s, double *sine)
{
    const long most = s->n < PERIOD_MOST ? s->n : PERIOD_MOST;
    struct candidate best = { .period.period_s = 0 };

    if (s->n < PERIOD_LEAST)
        return best;
    memcpy(sorted, s->all, (size_t)s->n * sizeof *sorted);
    qsort(sorted, (size_t)s->n, sizeof *sorted, shorter);
    s->sets = count_sets(s->n);
    s->of.span_s = total_s;
    for (double m = PERIOD_LEAST; m < (double)most; m *= GROWS) {
        const struct set of = { s->n, bound(sorted, s->n, (long)m),
                                CAP * bound(sorted, s->n, (long)m / 2) };

        try_set(s, of, total_s, sine, &best);
    }
    if (s->n > most)
        s->of.span_s = s->all[most].at_s;
    try_set(s, (struct set){ most, 0, CAP * bound(sorted, s->n, s->n / 2) },
            total_s, sine, &best);
    return best;
}

/* Take the detours of that period out of all, but those that are too long for it. */
static void take_out(struct search *s, const struct candidate *c)
{
    long left = 0;

    for (long i = 0; i < s->n; i++)
        if (s->all[i].lost_s > c->of.cap_s ||
            !pulse_has(&c->pulse, s->all[i].at_s))
            s->all[left++] = s->all[i];
    s->n = left;
}

/* What is left of a period, because its detours vary, belongs to it. */
static void period_keep(struct period *out, int *found,
                        const struct period *period)
{
    for (int i = 0; i < *found; i++)
        if (is_same(&out[i], period)) {
            out[i].lost_s += period->lost_s;
            return;
        }
    out[(*found)++] = *period;
}

/*
 * The periods that explain most of the lost time, the first of all detours, each other one
 * of those that are left; period_s 0: no more.  detour[0..n-1] are in order of time, in a
 * series of total_s with quanta of quantum_s; they are not the same afterwards.  false: out
 * of memory.
 */
static bool period_find(struct detour *detour, long n, double quantum_s,
                        double total_s, struct period out[PERIODS_MOST])
{
    struct search s = { .all = detour,
                        .n = n,
                        .shortest_s = PERIOD_QUANTA * quantum_s,
                        .of = { .quantum_s = quantum_s } };
    struct detour *sorted;
    double *sine;
    int found = 0;

    memset(out, 0, PERIODS_MOST * sizeof *out);
    if (n < PERIOD_LEAST || quantum_s <= 0 || total_s <= 0)
        return true;
    sorted = malloc((size_t)n * sizeof *sorted);
    s.of.at_s = malloc(PERIOD_MOST * sizeof *s.of.at_s);
    s.power = malloc(STEPS_MOST * sizeof *s.power);
    sine = malloc(STEPS_MOST * sizeof *sine);
    const bool good =
        sorted != NULL && s.of.at_s != NULL && s.power != NULL && sine != NULL;

    for (int i = 0; good && found < PERIODS_MOST && i < SEARCHES; i++) {
        const struct candidate best = search(&s, sorted, total_s, sine);

        if (best.period.period_s <= 0)
            break;
        period_keep(out, &found, &best.period);
        take_out(&s, &best);
    }
    free(sorted);
    free(s.of.at_s);
    free(s.power);
    free(sine);
    return good;
}

static bool is_detour(const struct detours *d, double took_s)
{
    return took_s > DETOUR * d->typical_s;
}

/* Shortest, median and sum. */
static bool describe(const double *took_s, long n, struct detours *d)
{
    double *sorted = malloc((size_t)n * sizeof *sorted);

    if (sorted == NULL)
        return false;
    memcpy(sorted, took_s, (size_t)n * sizeof *sorted);
    stats_sort(sorted, (size_t)n);
    d->quantum_s = sorted[0];
    d->typical_s = stats_quantile(sorted, (size_t)n, 0.5);
    d->slow = d->typical_s > DETOUR * d->quantum_s;
    for (long i = 0; i < n; i++)
        d->total_s += took_s[i];
    free(sorted);
    return true;
}

/* Keep it if it is one of the longest. */
static void keep(struct detours *d, struct detour one)
{
    int least = 0;

    if (d->nkept < DETOURS_KEPT) {
        d->kept[d->nkept++] = one;
        return;
    }
    for (int i = 1; i < d->nkept; i++)
        if (d->kept[i].lost_s < d->kept[least].lost_s)
            least = i;
    if (d->kept[least].lost_s >= one.lost_s)
        return;
    memmove(&d->kept[least], &d->kept[least + 1],
            (size_t)(d->nkept - least - 1) * sizeof one);
    d->kept[d->nkept - 1] = one;
}

/* Collect the detours; returns how many there are without those that follow another
   one. */
static long collect(const double *took_s, long n, struct detours *d,
                    struct detour *apart)
{
    double at = 0, lost = 0;
    bool follows = false;
    long events = 0;

    for (long i = 0; i < n; i++) {
        const struct detour one = { at, took_s[i] - d->typical_s };
        const bool detour = is_detour(d, took_s[i]);

        at += took_s[i];
        if (detour) {
            d->n++;
            lost += one.lost_s;
            d->longest_s = fmax(d->longest_s, one.lost_s);
            keep(d, one);
            if (follows)
                apart[events - 1].lost_s += one.lost_s;
            else
                apart[events++] = one;
        }
        follows = detour;
    }
    if (d->total_s > 0) {
        d->lost = lost / d->total_s;
        d->per_s = (double)d->n / d->total_s;
    }
    return events;
}

bool detours_of(const double *took_s, long n, struct detours *out)
{
    struct detour *apart;
    bool good;

    *out = (struct detours){ .quanta = n };
    if (n == 0)
        return true;
    apart = malloc((size_t)n * sizeof *apart);
    good = apart != NULL && describe(took_s, n, out);
    if (good) {
        const long events = collect(took_s, n, out, apart);

        good = period_find(apart, events, out->quantum_s, out->total_s,
                           out->period);
    }
    free(apart);
    return good;
}
