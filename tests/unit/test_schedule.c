/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * x
 */
#include "unit.h"

#include <time.h>

#include "run/measure.h"
#include "schedule/schedule.h"

/* --- Schedule ------------------------------------------------------------- */

/* Who meets whom: every rank meets every other once, every pattern is complete,
   random orders follow from the seed, and they cross the middle of the ranks as
   often as another program says. */

enum { MOST = 33, MANY = 1000 };

static struct peers peers[MOST][MANY];

static void fill(enum schedule kind, unsigned long seed, int n, int ranks)
{
    for (int i = 0; i < ranks; i++)
        schedule_fill(kind, seed, n, i, ranks, peers[i]);
}

/* In each round partners agree, as few rest as can be, and pairs are numbered. */
TEST(everybody_meets_everybody_once)
{
    for (int ranks = 2; ranks <= MOST; ranks++) {
        const int rounds = round_robin_rounds(ranks);
        int met[MOST][MOST] = { { 0 } };

        assert_int_equal(rounds, ranks - 1 + ranks % 2);
        for (int round = 0; round < rounds; round++) {
            int resting = 0, seen[MOST / 2] = { 0 };

            for (int i = 0; i < ranks; i++) {
                const int j = round_robin_partner(i, round, ranks);
                const int pair = round_robin_pair(i, round, ranks);

                if (j < 0) {
                    assert_int_equal(j, -1);
                    assert_int_equal(pair, -1);
                    resting++;
                    continue;
                }
                assert_in_range(j, 0, ranks - 1);
                assert_int_equal(round_robin_partner(j, round, ranks), i);
                assert_in_range(pair, 0, ranks / 2 - 1);
                assert_int_equal(round_robin_pair(j, round, ranks), pair);
                met[i][j]++;
                seen[pair]++;
            }
            assert_int_equal(resting, ranks % 2);
            for (int k = 0; k < ranks / 2; k++)
                assert_int_equal(seen[k], 2);
        }
        for (int i = 0; i < ranks; i++)
            for (int j = 0; j < ranks; j++)
                assert_int_equal(met[i][j], i != j);
    }
}

TEST(each_rank_of_a_ring_sends_and_receives_once)
{
    for (int ranks = 2; ranks <= MOST; ranks++) {
        fill(SCHEDULE_RINGS, 3, 5, ranks);
        for (int k = 0; k < 5; k++) {
            int at = 0, length = 0;

            for (int i = 0; i < ranks; i++)
                assert_int_equal(peers[peers[i][k].to][k].from, i);
            do { /* one ring of all ranks, not several */
                at = peers[at][k].to;
                length++;
            } while (at != 0);
            assert_int_equal(length, ranks);
        }
    }
}

TEST(partners_agree_and_only_the_last_of_an_odd_number_rests)
{
    static const enum schedule kind[] = { SCHEDULE_HALVES, SCHEDULE_SHIFT, SCHEDULE_RANDOM };

    for (int ranks = 2; ranks <= MOST; ranks++)
        for (int c = 0; c < 3; c++) {
            const int n = schedule_patterns(kind[c], 5, ranks);
            const int active = schedule_active(kind[c], ranks);

            assert_int_equal(active, ranks / 2 * 2);
            fill(kind[c], 7, n, ranks);
            for (int k = 0; k < n; k++)
                for (int i = 0; i < ranks; i++) {
                    const int j = peers[i][k].to;

                    assert_int_equal(peers[i][k].from, j);
                    if (i >= active) {
                        assert_int_equal(j, MPI_PROC_NULL);
                        continue;
                    }
                    assert_in_range(j, 0, active - 1);
                    assert_int_not_equal(j, i);
                    assert_int_equal(peers[j][k].to, i);
                }
        }
}

TEST(the_shift_is_the_round_robin_of_an_even_number)
{
    for (int ranks = 2; ranks <= MOST; ranks++) {
        const int active = ranks / 2 * 2;
        const int n = schedule_patterns(SCHEDULE_SHIFT, 8, ranks);

        assert_int_equal(n, round_robin_rounds(active));
        fill(SCHEDULE_SHIFT, 1, n, ranks);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < active; i++)
                assert_int_equal(peers[i][k].to, round_robin_partner(i, k, active));
    }
}

TEST(halves_are_the_pairs_of_multi_lat)
{
    fill(SCHEDULE_HALVES, 1, 1, 9);
    for (int i = 0; i < 4; i++)
        assert_int_equal(peers[i][0].to, i + 4);
    assert_int_equal(schedule_patterns(SCHEDULE_HALVES, 8, 9), 1);
}

TEST(more_patterns_begin_with_the_same_and_another_seed_differs)
{
    struct peers few[3], other[3];

    fill(SCHEDULE_RANDOM, 11, 6, 16);
    schedule_fill(SCHEDULE_RANDOM, 11, 3, 5, 16, few);
    schedule_fill(SCHEDULE_RANDOM, 12, 3, 5, 16, other);
    assert_memory_equal(few, peers[5], sizeof few);
    assert_memory_not_equal(few, other, sizeof few);
}

TEST(all_pairs_are_equally_frequent)
{
    int met[8] = { 0 };

    schedule_fill(SCHEDULE_RANDOM, 1, MANY, 0, 8, peers[0]);
    for (int k = 0; k < MANY; k++)
        met[peers[0][k].to]++;
    for (int j = 1; j < 8; j++) /* 143 on average, standard deviation 11 */
        assert_in_range(met[j], 100, 186);
}

/* Messages from ranks 0 to 3 to ranks 4 to 7. */
static int crossing(int k)
{
    int n = 0;

    for (int i = 0; i < 4; i++)
        n += peers[i][k].to >= 4;
    return n;
}

/* Ranks that send to the other half or receive from it. */
static int at_border(int k)
{
    int n = 0;

    for (int i = 0; i < 8; i++)
        n += (peers[i][k].to >= 4) != (i >= 4) || (peers[i][k].from >= 4) != (i >= 4);
    return n;
}

/* The simulated networks of tests/simgrid rely on these, which were computed by a
   program in another language. */
TEST(orders_cross_the_middle_as_often_as_expected)
{
    static const int random[] = { 4, 0, 2, 0, 2, 2 }, across[] = { 2, 1, 2 },
                     border[] = { 6, 4, 7 }, shift[] = { 4, 2, 2, 0, 2, 2, 4 };

    fill(SCHEDULE_RANDOM, 2, 6, 8);
    for (int k = 0; k < 6; k++)
        assert_int_equal(crossing(k), random[k]);
    fill(SCHEDULE_RINGS, 1, 3, 8);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(crossing(k), across[k]);
        assert_int_equal(at_border(k), border[k]);
    }
    fill(SCHEDULE_SHIFT, 1, 7, 8);
    for (int k = 0; k < 7; k++)
        assert_int_equal(crossing(k), shift[k]);
}

/* --- Part times ----------------------------------------------------------- */

/* The times of parts have those iterations that the row has: no lead-in, and none that
   was late on any rank.  The linker puts this file's two reductions before those of
   MPI. */

enum { PARTS = 2, LEAD_IN = 3, IN_A_ROW = 1000 };

/* A number of seconds from here on is an iteration; what the clock adds is less. */
static const double SLACK = 0.4;

static clock_ticks nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (clock_ticks)t.tv_sec * 1000000000u + (clock_ticks)t.tv_nsec;
}

/* Another rank keeps the same iterations, and was late in some. */
static bool late_there[PART_TIMES_KEPT];

void __wrap_over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n);
void __wrap_over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n)
{
    (void)comm;
    for (long k = 0; k < n; k++)
        if (late_there[k])
            ticks[k] = 0;
}

int __wrap_PMPI_Allreduce(const void *mine, void *all, int n, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm);
int __wrap_PMPI_Allreduce(const void *mine, void *all, int n, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm)
{
    (void)mine, (void)all, (void)n, (void)type, (void)op, (void)comm;
    return 0;
}

static struct part_times times;

/* A batch of so many iterations, and LEAD_IN before them.  With part i an iteration takes as many
   seconds as its number, from 1 on, and 100 i more; the lead-in takes much longer. */
static void batch(int iterations, const bool *late)
{
    static clock_ticks sample[LEAD_IN + IN_A_ROW + 1], begun[LEAD_IN + IN_A_ROW + 1];
    struct bench_run r = { .rank = 0 };
    struct iterations *const l = &r.iterations;
    int iteration = 1 - LEAD_IN;

    iterations_prepare(l, sample, begun, LEAD_IN + iterations - 1, 1);
    l->counted = sample + LEAD_IN;
    do {
        bench_start(&r);
        l->late = iteration > 0 && late != NULL && late[iteration];
        part_times_iteration(&times);
        for (int i = 0; i < PARTS; i++) {
            const int s = iteration > 0 ? iteration + 100 * i : 100000;

            part_times_start(&times);
            times.mark -= (clock_ticks)s * 1000000000u;
            part_times_stop(&times, i);
        }
        part_times_leave_rest(&times, l);
        bench_stop(&r);
        iteration++;
    } while (bench_next(&r));
    assert_int_equal(iteration, iterations + 1);
}

static void begin(void)
{
    clock_state = (struct clock_state){ .read = nanoseconds, .tick_s = 1e-9 };
    memset(late_there, 0, sizeof late_there);
    part_times_begin(&times, PARTS, PART_TIMES_KEPT);
}

static void seconds_are(int left, double median, double slowest)
{
    assert_int_equal(part_times_agree(&times, MPI_COMM_NULL), left);
    for (int i = 0; i < PARTS; i++) {
        const double more = left > 0 ? 100 * i : 0;

        assert_near(part_times_median(&times, i), median + more, SLACK);
        assert_near(part_times_slowest_tenth(&times, i), slowest + more, SLACK);
    }
}

TEST(lead_in_is_left_out)
{
    begin();
    batch(1, NULL);
    seconds_are(1, 1, 1);
    begin();
    batch(5, NULL);
    batch(5, NULL);
    seconds_are(10, 3, 5);
}

TEST(late_iterations_are_left_out)
{
    static const bool late[] = { [2] = true, [4] = true }, there[] = { 0, 1 };
    bool all[IN_A_ROW];

    memset(all, true, sizeof all);
    begin();
    batch(4, late);
    memcpy(late_there, there, sizeof there);
    seconds_are(2, 1, 3); /* 1 and 3 */
    begin();
    batch(4, late);
    late_there[0] = true;
    seconds_are(1, 3, 3);
    begin();
    batch(4, all);
    seconds_are(0, 0, 0);
}

/* Every eighth of 500 iterations is kept, from the first on; it is late, or not. */
TEST(room_runs_out)
{
    bool late[IN_A_ROW];

    for (int iteration = 0; iteration < IN_A_ROW; iteration++)
        late[iteration] = iteration >= 257; /* of those kept, 33 are up to 257 */
    late[257] = false;
    begin();
    batch(500, late);
    seconds_are(33, 1 + 8 * 16, 1 + 8 * 30.5);
}

TEST(batches_are_forgotten)
{
    begin();
    batch(3, NULL);
    part_times_forget(&times, false, false);
    batch(7, NULL);
    part_times_forget(&times, false, true);
    seconds_are(3, 2, 3);
    begin();
    batch(3, NULL);
    part_times_forget(&times, false, false);
    batch(7, NULL);
    part_times_forget(&times, true, false);
    seconds_are(7, 4, 7);
    begin();
    batch(9, NULL);
    part_times_forget(&times, true, true);
    batch(1, NULL);
    seconds_are(1, 1, 1);
}
