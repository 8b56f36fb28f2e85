/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of parts have those laps that the row has: no lead-in, and none that was
   late on any rank.  The linker puts this file's two reductions before those of MPI. */
#include "unit.h"

#include <time.h>

#include "sampling/over_ranks.h"
#include "schedule/part_times.h"

enum { PARTS = 2, LEAD_IN = 3, MOST = 1000 };

/* A number of seconds from here on is a lap; what the clock adds is less. */
static const double SLACK = 0.4;

static clock_ticks nanoseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (clock_ticks)t.tv_sec * 1000000000u + (clock_ticks)t.tv_nsec;
}

/* Another rank keeps the same laps, and was late in some. */
static bool late_there[PART_TIMES_KEPT];

void __wrap_over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n);
void __wrap_over_ranks_any_zero(MPI_Comm comm, clock_ticks *ticks, long n)
{
    (void)comm;
    for (long k = 0; k < n; k++)
        if (late_there[k])
            ticks[k] = 0;
}

int __wrap_MPI_Allreduce(const void *mine, void *all, int n, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm);
int __wrap_MPI_Allreduce(const void *mine, void *all, int n, MPI_Datatype type,
                         MPI_Op op, MPI_Comm comm)
{
    (void)mine, (void)all, (void)n, (void)type, (void)op, (void)comm;
    return 0;
}

static struct part_times times;

/* A batch of so many laps, and LEAD_IN before them.  With part i a lap takes as many
   seconds as its number, from 1 on, and 100 i more; the lead-in takes much longer. */
static void batch(int laps, const bool *late)
{
    static clock_ticks sample[LEAD_IN + MOST + 1], begun[LEAD_IN + MOST + 1];
    struct laps l;
    int lap = 1 - LEAD_IN;

    laps_prepare(&l, sample, begun, LEAD_IN + laps - 1, 1);
    l.counted = sample + LEAD_IN;
    l.between = NULL;
    do {
        laps_start(&l);
        l.late = lap > 0 && late != NULL && late[lap];
        part_times_lap(&times);
        for (int i = 0; i < PARTS; i++) {
            const int s = lap > 0 ? lap + 100 * i : 100000;

            part_times_start(&times);
            times.mark -= (clock_ticks)s * 1000000000u;
            part_times_stop(&times, i);
        }
        part_times_leave_rest(&times, &l);
        laps_stop(&l);
        lap++;
    } while (laps_next(&l));
    assert_int_equal(lap, laps + 1);
}

static void begin(void)
{
    clock_state = (struct clock_state){ .read = nanoseconds, .tick_s = 1e-9 };
    memset(late_there, 0, sizeof late_there);
    assert_true(part_times_begin(&times, PARTS, PART_TIMES_KEPT));
}

static void seconds_are(int left, double median, double slowest)
{
    assert_int_equal(part_times_agree(&times, MPI_COMM_NULL), left);
    for (int i = 0; i < PARTS; i++) {
        const double more = left > 0 ? 100 * i : 0;

        assert_near(part_times_median(&times, i), median + more, SLACK);
        assert_near(part_times_slowest_tenth(&times, i), slowest + more, SLACK);
    }
    part_times_end(&times);
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

TEST(late_laps_are_left_out)
{
    static const bool late[] = { [2] = true, [4] = true }, there[] = { 0, 1 };
    bool all[MOST];

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

/* Every eighth of 500 laps is kept, from the first on; it is late, or not. */
TEST(room_runs_out)
{
    bool late[MOST];

    for (int lap = 0; lap < MOST; lap++)
        late[lap] = lap >= 257; /* of those kept, 33 are up to 257 */
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
