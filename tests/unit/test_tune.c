/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which algorithm tune takes, and what it writes.
 */
#include "unit_series.h"

#include "tuning/choice.h"

/* --- Choice --------------------------------------------------------------- */

/* Which algorithm tune takes: by runs that are simulated. */

/* Places that are made up. */

enum { UNIT_SIZES = 20 };
static const double unit_margin = 0.03;

/* To be released. */
static inline struct tune_trial trial_of(const char *name)
{
    struct tune_trial t = { .rows = 0 };

    snprintf(t.name, sizeof t.name, "%s", name);
    t.row = calloc(UNIT_SIZES + 1, sizeof *t.row);
    assert_non_null(t.row);
    return t;
}

/* Of an operation with so many ranks; the trials are its own then. */
static inline struct tune_place place_of(const char *operation, int ranks,
                                         const struct tune_trial *trial,
                                         size_t n)
{
    struct tune_place p = { .ranks = ranks,
                            .margin = unit_margin,
                            .trials = n };

    snprintf(p.operation, sizeof p.operation, "%s", operation);
    p.trial = calloc(n + 1, sizeof *p.trial);
    assert_non_null(p.trial);
    memcpy(p.trial, trial, n * sizeof *trial);
    tune_place_sizes(&p);
    return p;
}

/* The choice as digits, - for the default. */
static inline void choice_is(const struct tune_place *p, const char *expected)
{
    char got[UNIT_SIZES + 1] = "";

    for (size_t k = 0; k < p->sizes; k++)
        got[k] =
            p->choice[k].trial < 0 ? '-' : p->trial[p->choice[k].trial].name[0];
    assert_string_equal(got, expected);
}

enum { SEEDS = 20, LAUNCHES = 8, ALGORITHMS = 5 };

/* The times of all sizes in each of the runs of a variant: runs differ by 5%, rows of a run by
   another 3%, and one run in 20 takes 20% longer. */
static void run(double time[UNIT_SIZES][LAUNCHES], size_t sizes,
                const double *ratio)
{
    for (size_t i = 0; i < LAUNCHES; i++) {
        const double run = exp(0.05 * series_bell(&unit_state)) *
                           (unit_uniform() < 0.05 ? 1.2 : 1);

        for (size_t k = 0; k < sizes; k++)
            time[k][i] = ratio[k] * run * exp(0.03 * series_bell(&unit_state));
    }
}

/* Compared as compare does. */
static struct tune_trial compared(const char *name, size_t sizes,
                                  double a[UNIT_SIZES][LAUNCHES],
                                  double b[UNIT_SIZES][LAUNCHES])
{
    struct tune_trial t = trial_of(name);
    struct verdict v[UNIT_SIZES];

    for (size_t k = 0; k < sizes; k++)
        v[k] = verdict_of(a[k], LAUNCHES, b[k], LAUNCHES, unit_margin);
    verdict_settle(v, sizes, unit_margin, verdict_level(0));
    for (size_t k = 0; k < sizes; k++)
        tune_row_add(&t, &(struct tune_row){ .bytes = ldexp(8, (int)k),
                                             .ratio = v[k].ratio.value,
                                             .is = v[k].is });
    return t;
}

static const double one[UNIT_SIZES] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                        1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

/* A place whose algorithms have these ratios at each size. */
static struct tune_place simulated(size_t sizes,
                                   double ratio[ALGORITHMS][UNIT_SIZES])
{
    static const char *const name[ALGORITHMS] = { "1-a", "2-b", "3-c", "4-d",
                                                  "5-e" };
    double base[UNIT_SIZES][LAUNCHES], other[UNIT_SIZES][LAUNCHES];
    struct tune_trial trial[ALGORITHMS];

    run(base, sizes, one);
    for (size_t i = 0; i < ALGORITHMS; i++) {
        run(other, sizes, ratio[i]);
        trial[i] = compared(name[i], sizes, base, other);
    }
    return place_of("allreduce", 2, trial, ALGORITHMS);
}

/* New runs, in which the algorithms have these ratios. */
static void confirm_anew(struct tune_place *p, enum tune_library library,
                         double ratio[ALGORITHMS][UNIT_SIZES])
{
    double base[UNIT_SIZES][LAUNCHES], other[UNIT_SIZES][LAUNCHES];
    double now[UNIT_SIZES];
    struct tune_trial anew;

    if (!choice_any(p))
        return;
    for (size_t k = 0; k < p->sizes; k++)
        now[k] = p->choice[k].trial < 0 ? 1 : ratio[p->choice[k].trial][k];
    run(base, p->sizes, one);
    run(other, p->sizes, now);
    anew = compared("tuned", p->sizes, base, other);
    choice_confirm(p, &anew, 1, library);
    tune_trial_release(&anew);
}

static void fill(double ratio[ALGORITHMS][UNIT_SIZES], double value)
{
    for (size_t i = 0; i < ALGORITHMS; i++)
        for (size_t k = 0; k < UNIT_SIZES; k++)
            ratio[i][k] = value;
}

TEST(the_planted_fastest_is_found_and_confirmed)
{
    double ratio[ALGORITHMS][UNIT_SIZES];

    fill(ratio, 1);
    for (size_t k = 0; k < 12; k++) {
        ratio[2][k] = k < 4 ? 0.6 : 1.3;  /* fastest of small messages */
        ratio[4][k] = k >= 8 ? 0.6 : 1.3; /* of large ones */
        ratio[1][k] = 1.5;
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct tune_place p;

        unit_state = seed;
        p = simulated(12, ratio);
        choice_search(&p, 1, TUNE_OPENMPI);
        choice_is(&p, "3333----5555");
        confirm_anew(&p, TUNE_OPENMPI, ratio);
        choice_is(&p, "3333----5555");
        tune_place_release(&p);
    }
}

/* Ten places of 20 sizes whose algorithms are all alike: how many of these 200 rows change? */
static void quiet_rows(enum tune_library library)
{
    enum { PLACES = 10 };
    double ratio[ALGORITHMS][UNIT_SIZES];
    int first = 0, kept = 0;

    fill(ratio, 1);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int of_seed = 0;

        unit_state = seed;
        for (int i = 0; i < PLACES; i++) {
            struct tune_place p = simulated(UNIT_SIZES, ratio);

            choice_search(&p, 1, library);
            for (size_t k = 0; k < p.sizes; k++)
                first += p.choice[k].trial >= 0;
            confirm_anew(&p, library, ratio);
            for (size_t k = 0; k < p.sizes; k++)
                of_seed += p.choice[k].trial >= 0;
            tune_place_release(&p);
        }
        assert_true(of_seed < 0.02 * PLACES * UNIT_SIZES);
        kept += of_seed;
    }
    print_message("of %d quiet rows %d were chosen at first, %d confirmed\n",
                  SEEDS * PLACES * UNIT_SIZES, first, kept);
    assert_true(first < 0.02 * SEEDS * PLACES * UNIT_SIZES);
}

TEST(quiet_rows_keep_the_default)
{
    quiet_rows(TUNE_OPENMPI);
    quiet_rows(TUNE_MPICH);
}

/* --- Tuned ---------------------------------------------------------------- */

/* Which algorithm tune takes, and what it writes: by comparisons that are made up.
   */

static enum verdict_is verdict_of_letter(char c)
{
    return c == 'f'   ? VERDICT_FASTER
           : c == 's' ? VERDICT_SLOWER
           : c == '=' ? VERDICT_SAME
                      : VERDICT_UNDECIDED;
}

/* A letter for each size from 8 on, doubled: f faster, s slower, = the same, ? undecided.  The
   ratio is that of the letter f; others have 1.1, 1, 1. */
static struct tune_trial trial_of_letters(const char *name, const char *letters,
                                          double ratio)
{
    struct tune_trial t = trial_of(name);
    double bytes = 8;

    for (const char *c = letters; *c != '\0'; c++, bytes *= 2)
        if (*c != '.')
            tune_row_add(&t, &(struct tune_row){ .bytes = bytes,
                                                 .us = { 10, 10 },
                                                 .ratio = *c == 'f'   ? ratio
                                                          : *c == 's' ? 1.1
                                                                      : 1,
                                                 .is = verdict_of_letter(*c) });
    return t;
}

static void confirm(struct tune_place *p, const char *letters,
                    enum tune_library library)
{
    struct tune_trial anew = trial_of_letters("tuned", letters, 0.8);

    choice_confirm(p, &anew, 1, library);
    tune_trial_release(&anew);
}

static struct tune_place two_algorithms(enum tune_library library)
{
    const struct tune_trial trial[] = { trial_of_letters("1-a", "ff?=sf", 0.8),
                                        trial_of_letters("2-b",
                                                         "?fff==", 0.7) };
    struct tune_place p = place_of("allreduce", 2, trial, 2);

    choice_search(&p, 1, library);
    return p;
}

/* New runs of the choice 1222-1. */
static const struct confirmed_row {
    const char *name, *letters, *left;
    size_t dropped; /* the size that shows why, with the reason */
    enum tune_why why;
} confirmed_rows[] = {
    { "faster again is kept", "ffff=f", "1222-1", 0, TUNE_CONFIRMED },
    { "not faster again is dropped", "f=?f?.", "1--2--", 1,
      TUNE_NOT_CONFIRMED },
    { "slower is dropped", "ffss=f", "12---1", 2, TUNE_SLOWER },
    { "a slower size of the default costs all", "ffffsf", "------", 0,
      TUNE_SLOWER },
    { "runs that failed confirm nothing", "", "------", 0, TUNE_NOT_CONFIRMED },
};

TEST_ROWS(confirmed_rows, each_size_has_what_is_confirmed)
{
    struct tune_place p = two_algorithms(TUNE_OPENMPI);

    choice_is(&p, "1222-1");
    confirm(&p, row->letters, TUNE_OPENMPI);
    choice_is(&p, row->left);
    assert_int_equal(p.choice[row->dropped].why, row->why);
    assert_int_equal(p.choice[4].why, TUNE_NOT_FASTER);
    tune_place_release(&p);
}

TEST(one_for_all_sizes_may_harm_none)
{
    struct tune_place p = two_algorithms(TUNE_MPICH);

    choice_is(&p, "222222"); /* the first is slower somewhere */
    confirm(&p, "==f===", TUNE_MPICH);
    choice_is(&p, "222222");
    tune_place_release(&p);
    p = two_algorithms(TUNE_MPICH);
    confirm(&p, "?=f===", TUNE_MPICH); /* it may be slower */
    choice_is(&p, "------");
    assert_int_equal(p.choice[0].why, TUNE_NOT_CONFIRMED);
    tune_place_release(&p);
    p = two_algorithms(TUNE_MPICH);
    confirm(&p, "?=fs==", TUNE_MPICH);
    choice_is(&p, "------");
    assert_int_equal(p.choice[0].why, TUNE_SLOWER);
    tune_place_release(&p);
}

TEST(one_for_all_numbers_of_ranks_may_harm_none)
{
    const struct tune_trial two[] = { trial_of_letters("1-a", "ff", 0.8),
                                      trial_of_letters("2-b", "f=", 0.9) },
                            four[] = { trial_of_letters("2-b", "==", 1),
                                       trial_of_letters("1-a", "=s", 1) };
    struct tune_place p[] = { place_of("bcast", 2, two, 2),
                              place_of("bcast", 4, four, 2) };

    choice_search(p, 2, TUNE_MPICH);
    choice_is(&p[0], "22");
    choice_is(&p[1], "22");
    p[1].choice[0].trial = p[1].choice[1].trial = -1;
    /* One that failed with four ranks is none. */
    p[1].trials = 0;
    for (size_t k = 0; k < 2; k++)
        p[0].choice[k].trial = -1;
    choice_search(p, 2, TUNE_MPICH);
    choice_is(&p[0], "--");
    p[1].trials = 2;
    tune_place_release(&p[0]);
    tune_place_release(&p[1]);
}

/* Of two datatypes of a size that which is not faster speaks. */
TEST(the_row_that_gains_least_speaks)
{
    struct tune_trial t = trial_of("1-a");

    tune_row_add(&t, &(struct tune_row){
                         .bytes = 8, .ratio = 0.5, .is = VERDICT_FASTER });
    tune_row_add(&t, &(struct tune_row){
                         .bytes = 4, .ratio = 0.5, .is = VERDICT_FASTER });
    tune_row_add(
        &t, &(struct tune_row){ .bytes = 8, .ratio = 1, .is = VERDICT_SAME });
    assert_int_equal(t.rows, 2);
    assert_near(t.row[0].bytes, 4, 0);
    assert_int_equal(t.row[1].is, VERDICT_SAME);
    tune_trial_release(&t);
}
