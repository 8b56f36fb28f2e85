/* SPDX-License-Identifier: BSD-3-Clause */
#include "start.h"

#include <math.h>
#include <sched.h>
#include <time.h>

#include "base/simulation.h"

enum { TAG = 7, TRIALS = 10 };

static const double LEADS = 3;              /* times what telling everybody takes */
static const double LEAST_LEAD = 1e-6;      /* s */
static const double MOST_LEAD = 1;          /* s */
static const double MOST_LEADS = 8;         /* times the first */
static const double ASLEEP = 1e-6;          /* s; a loop turns in far less */
static const double FASTEST_READING = 2e-9; /* s, of the clock */
static const double PATIENT = 10e-6;        /* s: until then another rank may have the CPU */

static void sleep_for(double seconds)
{
    const double ns = ceil(1e9 * seconds); /* less would not be the moment */
    const struct timespec pause = { .tv_sec = (time_t)(ns / 1e9), .tv_nsec = (long)fmod(ns, 1e9) };

    nanosleep(&pause, NULL);
}

static bool own(struct start *s)
{
    for (int distance = 1; distance < s->nranks; distance *= 2)
        PMPI_Sendrecv(NULL, 0, MPI_BYTE, (s->rank + distance) % s->nranks, TAG, NULL, 0, MPI_BYTE,
                      (s->rank - distance + s->nranks) % s->nranks, TAG, s->comm,
                      MPI_STATUS_IGNORE);
    return false;
}

static bool none(struct start *s)
{
    return false;
}

static bool library(struct start *s)
{
    PMPI_Barrier(s->comm);
    return false;
}

static double now(const struct start *s)
{
    return clock_sync_global(s->sync, clock_now());
}

static bool at_a_moment(struct start *s)
{
    double moment;

    own(s); /* only that nobody is still busy with the iteration before */
    moment = s->rank == 0 ? now(s) + s->lead_s : 0;
    clock_sync_tell(s->comm, s->rank, s->nranks, &moment);
    moment += s->after_s;
    double seen = now(s);
    if (seen >= moment) {
        s->told_late++;
        return true;
    }
    /* Simulated time moves in calls, and not while the clock is read. */
    if (SIMULATED)
        sleep_for(moment - seen);
    /* A clock may stand still: so many readings are enough. */
    for (double reads = (s->lead_s + s->after_s) / FASTEST_READING; reads > 0; reads--) {
        seen = now(s);
        if (seen >= moment)
            break;
        if (moment - seen > PATIENT)
            sched_yield();
    }
    return seen - moment > s->asleep_s;
}

/* How far ahead: some times what the slowest rank takes to be told. */
static double lead(struct start *s)
{
    double sum = 0;

    for (int i = 0; i < TRIALS; i++) {
        double moment = 0;

        own(s);
        const double before = now(s);
        moment = before;
        clock_sync_tell(s->comm, s->rank, s->nranks, &moment);
        sum += now(s) - moment;
    }
    sum *= LEADS / TRIALS;
    PMPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_MAX, s->comm);
    return fmin(fmax(sum, LEAST_LEAD), MOST_LEAD);
}

/* Let the start be of those ranks. */
static void join(struct start *s, MPI_Comm comm)
{
    PMPI_Comm_dup(comm, &s->comm);
    PMPI_Comm_rank(s->comm, &s->rank);
    PMPI_Comm_size(s->comm, &s->nranks);
    s->told_late = 0;
    if (s->can_be_late) {
        s->lead_s = lead(s);
        s->most_lead_s = MOST_LEADS * s->lead_s;
    }
}

struct start start_begin(MPI_Comm comm, enum start_kind kind, const struct clock_sync *sync,
                         double resolution_s)
{
    static bool (*const together[])(struct start *) = {
        [START_DISSEMINATION] = own,
        [START_LIBRARY] = library,
        [START_CLOCK] = at_a_moment,
        [START_NONE] = none,
    };
    struct start s = {
        .together = together[kind],
        .can_be_late = kind == START_CLOCK,
        .sync = sync,
        .asleep_s = fmax(ASLEEP, 4 * resolution_s),
        .straggler = -1,
    };

    join(&s, comm);
    return s;
}

/* The straggler waits until all others have said that they begin, and then some time. */
static void straggle(const struct bench_run *r)
{
    struct start *const s = r->start;
    int one = 1, all;

    s->early = clock_now();
    PMPI_Reduce(&one, &all, 1, MPI_INT, MPI_SUM, s->straggler, r->comm);
    if (r->rank == s->straggler)
        sleep_for(s->late_s);
}

void bench_sync(struct bench_run *r)
{
    r->iterations.late = r->start->together(r->start);
    if (r->start->straggler >= 0)
        straggle(r);
}

void start_batch(struct bench_run *r)
{
    if (r->start->together == none)
        own(r->start);
    else
        bench_sync(r);
    r->iterations.late = false; /* of iterations that have a start of their own */
}

void subset_begin(struct bench_run *r, const struct world *world, int n)
{
    /* From the start of all ranks, or of the row before. */
    if (r->start->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&r->start->comm);
    r->nranks = n;
    MPI_Comm_split(world->all, world->rank < n ? 0 : MPI_UNDEFINED, world->rank, &r->comm);
    if (!subset_waits(r))
        join(r->start, r->comm);
}

void subset_wait(clock_ticks *ticks, clock_ticks *begun, long n)
{
    for (long i = 0; i <= n; i++) {
        ticks[i] = 0;
        begun[i] = 1;
    }
}
