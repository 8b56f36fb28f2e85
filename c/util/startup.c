/* SPDX-License-Identifier: BSD-3-Clause */
#include "startup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "simulation.h"

const char *const startup_names[STARTUP_STEPS] = {
    [STARTUP_BEFORE] = "before_init",   [STARTUP_INIT] = "init",
    [STARTUP_SESSION] = "session_init", [STARTUP_GROUP] = "group",
    [STARTUP_COMM] = "communicator",    [STARTUP_FIRST] = "first_barrier",
    [STARTUP_SECOND] = "second_barrier"
};

double startup_tick_s(void)
{
    return 1 / (double)sysconf(_SC_CLK_TCK);
}

/* How long this process has been there; NAN: the kernel does not say. */
static double age(void)
{
    char text[1024];
    const char *at;
    unsigned long long ticks;
    struct timespec time;
    FILE *file = SIMULATED ? NULL : fopen("/proc/self/stat", "r");

    if (file == NULL)
        return NAN;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    at = strrchr(text, ')'); /* of the name, which may hold anything */
    /* The 22nd field; the state is the third. */
    if (at == NULL || sscanf(at + 1,
                             "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                             "%*s %*s %*s %*s %*s %*s %*s %llu",
                             &ticks) != 1)
        return NAN;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return fmax(0, (double)time.tv_sec + 1e-9 * (double)time.tv_nsec -
                       (double)ticks * startup_tick_s());
}

/* Simulated time begins with MPI_Init, at 0. */
static clock_ticks now(void)
{
    return SIMULATED ? 0 : clock_now();
}

static void init(struct startup *s, int *argc, char ***argv)
{
    const clock_ticks before = now();

    MPI_Init(argc, argv);
    s->step_s[STARTUP_INIT] = clock_seconds(clock_now() - before);
    s->all = MPI_COMM_WORLD;
}

#ifdef HAVE_MPI_SESSION_INIT
static void open_session(struct startup *s)
{
    clock_ticks at[4];
    MPI_Group group;

    at[0] = clock_now();
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s->session);
    at[1] = clock_now();
    MPI_Group_from_session_pset(s->session, "mpi://WORLD", &group);
    at[2] = clock_now();
    MPI_Comm_create_from_group(group, "alidade", MPI_INFO_NULL,
                               MPI_ERRORS_ARE_FATAL, &s->all);
    at[3] = clock_now();
    MPI_Group_free(&group);
    for (int i = 0; i < 3; i++)
        s->step_s[STARTUP_SESSION + i] = clock_seconds(at[i + 1] - at[i]);
    s->step_s[STARTUP_INIT] = clock_seconds(at[3] - at[0]);
}

static void close_session(struct startup *s)
{
    MPI_Comm_free(&s->all);
    MPI_Session_finalize(&s->session);
}
#else
static void open_session(struct startup *s)
{
    (void)s; /* refused before: FEATURE_SESSIONS */
}

static void close_session(struct startup *s)
{
    (void)s;
}
#endif

void startup_begin(struct startup *s, unsigned how, int *argc, char ***argv)
{
    *s = (struct startup){ .sessions = how & STARTUP_BY_SESSION };
    for (int i = 0; i < STARTUP_STEPS; i++)
        s->step_s[i] = NAN;
    s->step_s[STARTUP_BEFORE] = age();
    if (s->sessions)
        open_session(s);
    else
        init(s, argc, argv);
    for (int i = STARTUP_FIRST; how & STARTUP_BARRIERS && i <= STARTUP_SECOND;
         i++) {
        const clock_ticks before = clock_now();

        MPI_Barrier(s->all);
        s->step_s[i] = clock_seconds(clock_now() - before);
    }
}

void startup_end(struct startup *s)
{
    if (s->sessions)
        close_session(s);
    else
        MPI_Finalize();
}
