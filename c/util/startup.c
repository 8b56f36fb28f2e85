/* SPDX-License-Identifier: BSD-3-Clause */
#include "startup.h"

#include <math.h>
#include <stddef.h>

#include "clock.h"
#include "simulation.h"

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

void startup_begin(struct startup *s, bool sessions, int *argc, char ***argv)
{
    *s = (struct startup){ .sessions = sessions };
    for (int i = 0; i < STARTUP_STEPS; i++)
        s->step_s[i] = NAN;
    if (sessions)
        open_session(s);
    else
        init(s, argc, argv);
}

void startup_end(struct startup *s)
{
    if (s->sessions)
        close_session(s);
    else
        MPI_Finalize();
}
