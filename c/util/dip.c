/* SPDX-License-Identifier: BSD-3-Clause */
#include "dip.h"

#include <math.h>
#include <stdbool.h>

/* The empirical distribution function steps at x, from below to upto values. */
struct step {
    double x, below, upto;
};

/* Indices of the steps where a convex minorant or a concave majorant touches. */
struct hull {
    size_t at[DIP_MOST];
    size_t n;
};

/* Where the two are furthest apart, as the ends of the next modal interval. */
struct furthest {
    double apart;
    size_t from, to;
};

struct search {
    struct step step[DIP_MOST];
    struct hull minorant, majorant;
    size_t from, to; /* the modal interval */
    double dip;      /* in values, and twice the dip */
};

static size_t steps_of(struct step *step, const double *sorted, size_t n)
{
    size_t steps = 0;

    for (size_t i = 0; i < n; i++) {
        if (steps == 0 || sorted[i] > step[steps - 1].x)
            step[steps++] = (struct step){ sorted[i], (double)i, 0 };
        step[steps - 1].upto = (double)i + 1;
    }
    return steps;
}

static double height(const struct step *s, bool majorant)
{
    return majorant ? s->upto : s->below;
}

/* Does b lie on the wrong side of the line from a to c, or on it? */
static bool superfluous(const struct step *a, const struct step *b,
                        const struct step *c, bool majorant)
{
    const double turn =
        (height(b, majorant) - height(a, majorant)) * (c->x - b->x) -
        (height(c, majorant) - height(b, majorant)) * (b->x - a->x);

    return majorant ? turn <= 0 : turn >= 0;
}

static void touch(struct hull *hull, const struct search *s, bool majorant)
{
    hull->n = 0;
    for (size_t i = s->from; i <= s->to; i++) {
        while (hull->n >= 2 && superfluous(&s->step[hull->at[hull->n - 2]],
                                           &s->step[hull->at[hull->n - 1]],
                                           &s->step[i], majorant))
            hull->n--;
        hull->at[hull->n++] = i;
    }
}

/* Height at step i of a hull's segment that ends at its point k, k > 0. */
static double between(const struct search *s, const struct hull *hull, size_t k,
                      size_t i, bool majorant)
{
    const struct step *a = &s->step[hull->at[k - 1]];
    const struct step *b = &s->step[hull->at[k]];

    return height(a, majorant) + (height(b, majorant) - height(a, majorant)) *
                                     ((s->step[i].x - a->x) / (b->x - a->x));
}

/* Largest distance of the other hull from the points of this one. */
static struct furthest furthest_at(const struct search *s, bool majorant)
{
    const struct hull *here = majorant ? &s->majorant : &s->minorant;
    const struct hull *there = majorant ? &s->minorant : &s->majorant;
    struct furthest f = { .apart = -1 };
    size_t k = 1;

    for (size_t j = 0; j < here->n; j++) {
        const size_t i = here->at[j];
        double apart;

        while (there->at[k] < i)
            k++;
        apart = fabs(between(s, there, k, i, !majorant) -
                     height(&s->step[i], majorant));
        if (apart <= f.apart)
            continue;
        f.apart = apart;
        /* The neighbour of the other hull that lies inside: the next one above
           a point of the minorant, the last one below one of the majorant. */
        if (majorant)
            f.from = there->at[k] == i ? i : there->at[k - 1];
        else
            f.from = i;
        if (majorant)
            f.to = i;
        else
            f.to = there->at[k - 1] == i ? i : there->at[k];
    }
    return f;
}

/* Largest distance of the function from the hulls outside from..to. */
static double outside(const struct search *s, size_t from, size_t to)
{
    double most = 0;
    size_t k = 1;

    for (size_t i = s->from; i < from; i++) {
        while (s->minorant.at[k] < i)
            k++;
        most =
            fmax(most, s->step[i].upto - between(s, &s->minorant, k, i, false));
    }
    k = 1;
    for (size_t i = to + 1; i <= s->to; i++) {
        while (s->majorant.at[k] < i)
            k++;
        most =
            fmax(most, between(s, &s->majorant, k, i, true) - s->step[i].below);
    }
    return most;
}

/* One round of section 3 of the paper; false: the modal interval stays. */
static bool narrow(struct search *s)
{
    struct furthest minorant, f;

    touch(&s->minorant, s, false);
    touch(&s->majorant, s, true);
    minorant = furthest_at(s, false);
    f = furthest_at(s, true);
    if (minorant.apart > f.apart)
        f = minorant;
    if (f.apart <= s->dip)
        return false;
    s->dip = fmax(s->dip, outside(s, f.from, f.to));
    s->from = f.from;
    s->to = f.to;
    return true;
}

double dip_of(const double *sorted, size_t n)
{
    struct search s = { .dip = 1 };

    s.to = steps_of(s.step, sorted, n) - 1;
    while (s.from < s.to && narrow(&s))
        ;
    return s.dip / (2 * (double)n);
}
