/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm tune takes, and what it writes: by comparisons that are made up. */
#define UNIT_OWN_MAIN
#include "unit.h"

#include "tuning/tuned_print.h"
#include "tuning/tuned_rules.h"
#include "unit_tuning.h"

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

static void each_size_has_what_is_confirmed(void **state)
{
    const struct confirmed_row *row = *state;
    struct tune_place p = two_algorithms(TUNE_OPENMPI);

    choice_is(&p, "1222-1");
    confirm(&p, row->letters, TUNE_OPENMPI);
    choice_is(&p, row->left);
    assert_int_equal(p.choice[row->dropped].why, row->why);
    assert_int_equal(p.choice[4].why, TUNE_NOT_FASTER);
    tune_place_release(&p);
}

static void one_for_all_sizes_may_harm_none(void **state)
{
    struct tune_place p = two_algorithms(TUNE_MPICH);

    (void)state;
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

static void one_for_all_numbers_of_ranks_may_harm_none(void **state)
{
    const struct tune_trial two[] = { trial_of_letters("1-a", "ff", 0.8),
                                      trial_of_letters("2-b", "f=", 0.9) },
                            four[] = { trial_of_letters("2-b", "==", 1),
                                       trial_of_letters("1-a", "=s", 1) };
    struct tune_place p[] = { place_of("bcast", 2, two, 2),
                              place_of("bcast", 4, four, 2) };

    (void)state;
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
static void the_row_that_gains_least_speaks(void **state)
{
    struct tune_trial t = trial_of("1-a");

    (void)state;
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

/* --- Text -------------------------------------------------------------------- */

static void rules_have_ranges_for_each_number_of_ranks(void **state)
{
    const struct tune_trial two[] = { trial_of_letters("3-c", "=ff=f", 0.8) },
                            three[] = { trial_of_letters("4-d", "f====", 0.8) },
                            eight[] = { trial_of_letters("2-b", "=====", 1) };
    struct tune_place p[] = { place_of("allgather", 2, two, 1),
                              place_of("allgather", 3, three, 1),
                              place_of("bcast", 8, eight, 1) };
    struct unit_text text;

    (void)state;
    for (size_t i = 0; i < 3; i++)
        choice_search(&p[i], 1, TUNE_OPENMPI);
    unit_text_open(&text);
    tuned_write(text.to, TUNE_OPENMPI, p, 3);
    unit_text_is(&text,
                 "2 # operations; made by scripts/tune; 0 is the default\n"
                 "0 # allgather\n4 # numbers of ranks\n"
                 "0 # ranks or more\n1 # sizes\n0 0 0 0\n"
                 "2 # ranks or more\n5 # sizes\n0 0 0 0\n32 3 0 0\n128 0 0 0\n"
                 "256 3 0 0\n257 0 0 0\n"
                 "3 # ranks or more\n3 # sizes\n0 0 0 0\n24 4 0 0\n48 0 0 0\n"
                 "4 # ranks or more\n1 # sizes\n0 0 0 0\n"
                 "7 # bcast\n3 # numbers of ranks\n"
                 "0 # ranks or more\n1 # sizes\n0 0 0 0\n"
                 "8 # ranks or more\n1 # sizes\n0 0 0 0\n"
                 "9 # ranks or more\n1 # sizes\n0 0 0 0\n");
    for (size_t i = 0; i < 3; i++)
        tune_place_release(&p[i]);
}

static void variables_name_one_algorithm(void **state)
{
    struct tune_place p = two_algorithms(TUNE_MPICH);
    struct unit_text text;

    (void)state;
    unit_text_open(&text);
    tuned_write(text.to, TUNE_MPICH, &p, 1);
    unit_text_is(&text,
                 "# Made by scripts/tune. A variable holds for all sizes and "
                 "numbers of ranks.\n"
                 "export MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=2-b\n");
    tune_place_release(&p);
}

static void the_table_has_ranges_and_what_was_dropped(void **state)
{
    struct tune_place p = two_algorithms(TUNE_OPENMPI);
    struct unit_text text;

    (void)state;
    confirm(&p, "fff?=f", TUNE_OPENMPI);
    unit_text_open(&text);
    tuned_table(text.to, &p, 1);
    unit_text_is(
        &text,
        "# Operation      Ranks      From        To  Default(us)    Tuned(us)  Algorithm                     Ratio  95% interval\n"
        "allreduce            2         8         8        10.00        10.00  1-a                           0.800  -\n"
        "allreduce            2        16        32        10.00        10.00  2-b                           0.800  -\n"
        "allreduce            2       256       256        10.00        10.00  1-a                           0.800  -\n"
        "# 1 size: an algorithm was faster, but new runs do not confirm it; the default is kept.\n"
        "# Times, ratio and interval are those of new runs, of the size in the line that gains least; below 1 is faster.\n");
    tune_place_release(&p);
}

int main(void)
{
    struct unit_list list = { .n = 0 };

    UNIT_ADD_ROWS(&list, confirmed_rows, each_size_has_what_is_confirmed);
    UNIT_ADD(&list, one_for_all_sizes_may_harm_none);
    UNIT_ADD(&list, one_for_all_numbers_of_ranks_may_harm_none);
    UNIT_ADD(&list, the_row_that_gains_least_speaks);
    UNIT_ADD(&list, rules_have_ranges_for_each_number_of_ranks);
    UNIT_ADD(&list, variables_name_one_algorithm);
    UNIT_ADD(&list, the_table_has_ranges_and_what_was_dropped);
    return unit_run("tuned", &list);
}
