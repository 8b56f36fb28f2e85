/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * startup.h - MPI is started and ended: the world model, by MPI_Init, or the
 *             sessions model, where no rank may name MPI_COMM_WORLD.
 *
 * Each step is timed, as far as a program can see it.
 */
#ifndef STARTUP_H
#define STARTUP_H

#include <stdbool.h>

#include "mpi_features.h"

enum startup_step {
    STARTUP_BEFORE,  /* the process's time before the next step, in ticks of the
                        kernel: loading of libraries, above all */
    STARTUP_INIT,    /* MPI_Init, or the next three together */
    STARTUP_SESSION, /* MPI_Session_init */
    STARTUP_GROUP,   /* MPI_Group_from_session_pset */
    STARTUP_COMM,    /* MPI_Comm_create_from_group */
    STARTUP_FIRST,   /* the first MPI_Barrier: waiting for the last rank, and
                        connections that are opened when they are used */
    STARTUP_SECOND,  /* the next one: neither */
    STARTUP_STEPS
};

extern const char *const startup_names[STARTUP_STEPS];

enum startup_how {
    STARTUP_BY_SESSION = 1, /* only where FEATURE_SESSIONS */
    STARTUP_BARRIERS = 2,   /* time the barriers too */
    STARTUP_THREADS = 4,    /* ask for MPI_THREAD_MULTIPLE */
};

struct startup {
    MPI_Comm all;                 /* every rank of the job */
    bool sessions;                /* the model */
    bool threads;                 /* MPI_THREAD_MULTIPLE was given */
    MPI_Session session;          /* where sessions is true */
    double step_s[STARTUP_STEPS]; /* NAN: there is no such step */
};

/* Start MPI; how: bits of startup_how. */
void startup_begin(struct startup *s, unsigned how, int *argc, char ***argv);
void startup_end(struct startup *s);

/* What STARTUP_BEFORE is counted in. */
double startup_tick_s(void);

#endif
