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

#include "base/messages.h"
#include "mpi_features.h"

enum startup_step {
    /* Time of the process before the next step, in ticks of the kernel: mainly
       the loading of libraries */
    STARTUP_BEFORE,
    STARTUP_INIT,    /* MPI_Init, or the next three together */
    STARTUP_SESSION, /* MPI_Session_init */
    STARTUP_GROUP,   /* MPI_Group_from_session_pset */
    STARTUP_COMM,    /* MPI_Comm_create_from_group */
    /* The first MPI_Barrier: waits for the last rank, and opens connections
       that are made on first use */
    STARTUP_FIRST,
    STARTUP_SECOND, /* the second MPI_Barrier: does neither */
    STARTUP_STEPS
};

enum startup_how {
    STARTUP_BY_SESSION = 1, /* only if FEATURE_SESSIONS */
    STARTUP_BARRIERS = 2,   /* time the barriers too */
    STARTUP_THREADS = 4,    /* ask for MPI_THREAD_MULTIPLE */
};

struct startup {
    MPI_Comm all;                 /* every rank of the job */
    bool sessions;                /* the sessions model is used */
    bool threads;                 /* MPI_THREAD_MULTIPLE was given */
    MPI_Session session;          /* valid if sessions is true */
    double step_s[STARTUP_STEPS]; /* NAN: there is no such step */
    bool begun;
    bool kept; /* further programs of the job use it: startup_end leaves it */
};

/* Start MPI, unless an earlier program of the job has; how has bits of startup_how. */
void startup_begin(struct startup *s, unsigned how, int *argc, char ***argv);
/* Returns code or, if MPI says that it could not end, EXIT_RUN after a message. */
enum exit_code startup_end(struct startup *s, enum exit_code code);

#endif
