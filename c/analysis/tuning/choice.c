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

static int trial_named(const struct tune_place *p, const char *name)
{
    for (size_t i = 0; i < p->trials; i++)
        if (strcmp(p->trial[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* What rows say that are chosen together: those of all sizes, or of one. */
struct total {
    size_t rows, faster;
    double sum; /* of the logarithms of the ratios */
    bool harms;
    bool doubtful; /* a size may be slower beyond the margin, by its interval */
};

static void add(struct total *t, const struct tune_trial *trial, double margin,
                const double *bytes)
{
    for (size_t k = 0; k < trial->rows; k++) {
        const struct tune_row *row = &trial->row[k];

        if (bytes != NULL && row->bytes != *bytes)
            continue;
        t->rows++;
        t->faster += row->is == VERDICT_FASTER;
        t->sum += log(row->ratio);
        t->harms |= row->is == VERDICT_SLOWER || row->ratio > 1 + margin;
        t->doubtful |= row->is == VERDICT_UNDECIDED &&
                       (!row->has_interval || row->high > 1 + margin);
    }
}

/* The total of a trial of the first place and those of its name in the others.  One that a
   place lacks failed there. */
static struct total total_of(const struct tune_place *place, size_t n,
                             const char *name, const double *bytes)
{
    struct total t = { .rows = 0 };

    for (size_t i = 0; i < n; i++) {
        const int k = trial_named(&place[i], name);

        if (k >= 0)
            add(&t, &place[i].trial[k], place[i].margin, bytes);
        t.harms |= k < 0;
    }
    return t;
}

/* One algorithm for these sizes of all places: the least mean of the logarithms. */
static void search(struct tune_place *place, size_t n, const double *bytes)
{
    const char *best = NULL;
    double least = HUGE_VAL;

    for (size_t i = 0; i < place[0].trials; i++) {
        const char *name = place[0].trial[i].name;
        const struct total t = total_of(place, n, name, bytes);

        if (t.faster > 0 && !t.harms && t.sum / (double)t.rows < least) {
            least = t.sum / (double)t.rows;
            best = name;
        }
    }
    for (size_t i = 0; i < n && best != NULL; i++)
        for (size_t k = 0; k < place[i].sizes; k++)
            if (bytes == NULL || place[i].choice[k].bytes == *bytes)
                place[i].choice[k].first = place[i].choice[k].trial =
                    trial_named(&place[i], best);
}

/* Keep what new runs of these sizes confirm. */
static void confirm(struct tune_place *place, const struct tune_trial *anew,
                    size_t n, const double *bytes)
{
    struct total t = { .rows = 0 };

    for (size_t i = 0; i < n; i++) {
        add(&t, &anew[i], place[i].margin, bytes);
        for (size_t k = 0; k < place[i].sizes; k++)
            t.doubtful |= bytes == NULL && !place[i].choice[k].is_new;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < place[i].sizes; k++) {
            struct tune_choice *c = &place[i].choice[k];

            if (c->trial < 0 || (bytes != NULL && c->bytes != *bytes))
                continue;
            c->why = TUNE_CONFIRMED;
            if (t.faster > 0 && !t.harms && !t.doubtful)
                continue;
            c->why = t.harms ? TUNE_SLOWER : TUNE_NOT_CONFIRMED;
            c->trial = -1;
        }
}

/* Note the new runs; is a size slower that keeps the default? */
static bool record(struct tune_place *p, const struct tune_trial *anew)
{
    bool costs = false;

    for (size_t k = 0; k < p->sizes; k++) {
        const struct tune_row *row = tune_row_of(anew, p->choice[k].bytes);

        p->choice[k].is_new = row != NULL;
        if (row == NULL)
            continue;
        p->choice[k].row = *row;
        costs |= row->is == VERDICT_SLOWER && p->choice[k].trial < 0;
    }
    return costs;
}

void choice_search(struct tune_place *place, size_t n,
                   enum tune_library library)
{
    if (library == TUNE_MPICH && n > 0)
        search(place, n, NULL);
    for (size_t i = 0; i < n && library == TUNE_OPENMPI; i++)
        for (size_t k = 0; k < place[i].sizes; k++)
            search(&place[i], 1, &place[i].choice[k].bytes);
}

void choice_confirm(struct tune_place *place, const struct tune_trial *anew,
                    size_t n, enum tune_library library)
{
    for (size_t i = 0; i < n; i++) {
        const bool costs = record(&place[i], &anew[i]);

        for (size_t k = 0; k < place[i].sizes && library == TUNE_OPENMPI; k++)
            confirm(&place[i], &anew[i], 1, &place[i].choice[k].bytes);
        /* The rules themselves cost it. */
        for (size_t k = 0; k < place[i].sizes && costs; k++)
            if (place[i].choice[k].trial >= 0) {
                place[i].choice[k].trial = -1;
                place[i].choice[k].why = TUNE_SLOWER;
            }
    }
    if (library == TUNE_MPICH)
        confirm(place, anew, n, NULL);
}
