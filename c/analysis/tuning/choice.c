/* SPDX-License-Identifier: BSD-3-Clause */
#include "choice.h"

#include <math.h>
#include <string.h>

bool choice_any(const struct tune_place *p)
{
    for (size_t k = 0; k < p->sizes; k++)
        if (p->choice[k].trial >= 0)
            return true;
    return false;
}

static void take(struct tune_choice *c, int trial)
{
    c->first = c->trial = trial;
}

/* The fastest of those that are decided to be faster at each size. */
static void search_sizes(struct tune_place *p)
{
    for (size_t k = 0; k < p->sizes; k++) {
        double best = HUGE_VAL;

        for (size_t i = 0; i < p->trials; i++) {
            const struct tune_row *row =
                tune_row_of(&p->trial[i], p->choice[k].bytes);

            if (row != NULL && row->is == VERDICT_FASTER && row->ratio < best) {
                best = row->ratio;
                take(&p->choice[k], (int)i);
            }
        }
    }
}

static int trial_named(const struct tune_place *p, const char *name)
{
    for (size_t i = 0; i < p->trials; i++)
        if (strcmp(p->trial[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* What a trial says for all sizes. */
struct total {
    size_t rows, faster;
    double sum; /* of the logarithms of the ratios */
    bool harms;
    bool doubtful; /* a size may be slower beyond the margin, by its interval */
};

static void add(struct total *t, const struct tune_trial *trial, double margin)
{
    for (size_t k = 0; k < trial->rows; k++) {
        const struct tune_row *row = &trial->row[k];

        t->rows++;
        t->faster += row->is == VERDICT_FASTER;
        t->sum += log(row->ratio);
        t->harms |= row->is == VERDICT_SLOWER || row->ratio > 1 + margin;
        t->doubtful |= row->is == VERDICT_UNDECIDED &&
                       (!row->has_interval || row->high > 1 + margin);
    }
}

static bool is_good(const struct total *t)
{
    return t->faster > 0 && !t->harms;
}

/* The total of a trial of the first place and those of its name in the others.  One that a
   place lacks failed there. */
static struct total total_of(const struct tune_place *place, size_t n,
                             const char *name)
{
    struct total t = { .rows = 0 };

    for (size_t i = 0; i < n; i++) {
        const int k = trial_named(&place[i], name);

        if (k >= 0)
            add(&t, &place[i].trial[k], place[i].margin);
        t.harms |= k < 0;
    }
    return t;
}

/* One for all sizes of all places: the least mean of the logarithms. */
static void search_one(struct tune_place *place, size_t n)
{
    const char *best = NULL;
    double least = HUGE_VAL;

    for (size_t i = 0; i < place[0].trials; i++) {
        const char *name = place[0].trial[i].name;
        const struct total t = total_of(place, n, name);

        if (is_good(&t) && t.sum / (double)t.rows < least) {
            least = t.sum / (double)t.rows;
            best = name;
        }
    }
    for (size_t i = 0; i < n && best != NULL; i++)
        for (size_t k = 0; k < place[i].sizes; k++)
            take(&place[i].choice[k], trial_named(&place[i], best));
}

void choice_search(struct tune_place *place, size_t n,
                   enum tune_library library)
{
    if (library == TUNE_MPICH && n > 0)
        search_one(place, n);
    for (size_t i = 0; i < n && library == TUNE_OPENMPI; i++)
        search_sizes(&place[i]);
}

static void drop(struct tune_choice *c, enum tune_why why)
{
    if (c->trial >= 0)
        c->why = why;
    c->trial = -1;
}

/* Note the new runs. */
static void record(struct tune_place *p, const struct tune_trial *anew)
{
    for (size_t k = 0; k < p->sizes; k++) {
        const struct tune_row *row = tune_row_of(anew, p->choice[k].bytes);

        p->choice[k].is_new = row != NULL;
        if (row != NULL)
            p->choice[k].row = *row;
    }
}

static void confirm_sizes(struct tune_place *p)
{
    bool costs = false;

    for (size_t k = 0; k < p->sizes; k++) {
        struct tune_choice *c = &p->choice[k];
        const bool is_slower = c->is_new && c->row.is == VERDICT_SLOWER;

        costs |= is_slower && c->trial < 0;
        if (c->trial < 0)
            continue;
        c->why = TUNE_CONFIRMED;
        if (is_slower)
            drop(c, TUNE_SLOWER);
        else if (!c->is_new || c->row.is != VERDICT_FASTER)
            drop(c, TUNE_NOT_CONFIRMED);
    }
    for (size_t k = 0; costs && k < p->sizes; k++)
        drop(&p->choice[k], TUNE_SLOWER);
}

static void confirm_one(struct tune_place *place, const struct tune_trial *anew,
                        size_t n)
{
    struct total t = { .rows = 0 };

    for (size_t i = 0; i < n; i++) {
        add(&t, &anew[i], place[i].margin);
        for (size_t k = 0; k < place[i].sizes; k++)
            t.doubtful |= !place[i].choice[k].is_new;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < place[i].sizes; k++) {
            struct tune_choice *c = &place[i].choice[k];

            c->why = TUNE_CONFIRMED;
            if (t.doubtful || !is_good(&t))
                drop(c, t.harms ? TUNE_SLOWER : TUNE_NOT_CONFIRMED);
        }
}

void choice_confirm(struct tune_place *place, const struct tune_trial *anew,
                    size_t n, enum tune_library library)
{
    for (size_t i = 0; i < n; i++)
        record(&place[i], &anew[i]);
    if (library == TUNE_MPICH)
        confirm_one(place, anew, n);
    else
        for (size_t i = 0; i < n; i++)
            confirm_sizes(&place[i]);
}
