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
    STARTUP_INIT,    /* MPI_Init, or the next three together */
    STARTUP_SESSION, /* MPI_Session_init */
    STARTUP_GROUP,   /* MPI_Group_from_session_pset */
    STARTUP_COMM,    /* MPI_Comm_create_from_group */
    STARTUP_STEPS
};

struct startup {
    MPI_Comm all;                 /* every rank of the job */
    bool sessions;                /* the model */
    MPI_Session session;          /* of the sessions model */
    double step_s[STARTUP_STEPS]; /* NAN: there is no such step */
};

/* Start MPI.  Sessions only where FEATURE_SESSIONS. */
void startup_begin(struct startup *s, bool sessions, int *argc, char ***argv);
void startup_end(struct startup *s);

#endif
