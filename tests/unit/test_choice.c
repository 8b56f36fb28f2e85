/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm tune takes: by runs that are simulated. */
#define UNIT_OWN_MAIN
#include "unit.h"

#include "unit_random.h"
#include "unit_tuning.h"

enum { SEEDS = 20, LAUNCHES = 8, ALGORITHMS = 5 };

/* About normal. */
static double deviation(void)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += unit_uniform();
    return sum - 6;
}

/* The times of all sizes in each of the runs of a variant: runs differ by 5%, rows of a run by
   another 3%, and one run in 20 takes 20% longer. */
static void run(double time[UNIT_SIZES][LAUNCHES], size_t sizes,
                const double *ratio)
{
    for (size_t i = 0; i < LAUNCHES; i++) {
        const double run =
            exp(0.05 * deviation()) * (unit_uniform() < 0.05 ? 1.2 : 1);

        for (size_t k = 0; k < sizes; k++)
            time[k][i] = ratio[k] * run * exp(0.03 * deviation());
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

static void the_planted_fastest_is_found_and_confirmed(void **state)
{
    double ratio[ALGORITHMS][UNIT_SIZES];

    (void)state;
    fill(ratio, 1);
    for (size_t k = 0; k < 12; k++) {
        ratio[2][k] = k < 4 ? 0.6 : 1.3;  /* fastest of small messages */
        ratio[4][k] = k >= 8 ? 0.6 : 1.3; /* of large ones */
        ratio[1][k] = 1.5;
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct tune_place p;

        unit_random_state = seed;
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

        unit_random_state = seed;
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

static void quiet_rows_keep_the_default(void **state)
{
    (void)state;
    quiet_rows(TUNE_OPENMPI);
    quiet_rows(TUNE_MPICH);
}

int main(void)
{
    struct unit_list list = { .n = 0 };

    UNIT_ADD(&list, the_planted_fastest_is_found_and_confirmed);
    UNIT_ADD(&list, quiet_rows_keep_the_default);
    return unit_run("choice", &list);
}
