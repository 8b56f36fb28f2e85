/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world.h - MPI for the harness: starting, ending, errors, agreement.
 *
 * MPI calls stay bare everywhere.  One error handler, on every communicator
 * and window, names program, rank, row and MPI's text and ends the job.
 */
#ifndef WORLD_H
#define WORLD_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/messages.h"
#include "startup.h"

struct world {
    /* The communicator of loops, as in applications: MPI_COMM_WORLD, or its
       equivalent in the sessions model */
    MPI_Comm all;
    MPI_Comm comm; /* a duplicate of it, for the harness alone */
    int rank, size;
    struct startup *startup;
    char library[64]; /* "OpenMPI-4.1.4", "SimGrid-3.32" */
};

/*
 * Start MPI (startup and how as in startup_begin), install error handlers, and
 * check that the ranks are one job.  Returns EXIT_OK, or the exit code after a
 * message and world_end.
 */
enum exit_code world_begin(struct world *world, struct startup *startup, unsigned how, int *argc,
                           char ***argv);

/* Give back, and finalize MPI unless it is kept.  Returns code, for main to return. */
enum exit_code world_end(struct world *world, enum exit_code code);

/* Rank 0's code, on all ranks.  Collective. */
enum exit_code world_told(const struct world *world, enum exit_code code);

/* The largest code of all ranks, with which every rank will leave.  If it is not EXIT_OK, and no
   rank has printed an error since message_printed was cleared, it is that of E41, which rank 0
   prints.  Collective. */
enum exit_code world_conclude(const struct world *world, enum exit_code code);

/* Rank 0 prints the message; returns the exit code of it.  All ranks call it,
   and none communicates. */
enum exit_code world_refuse(const struct world *world, enum message_id id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The lowest rank for which it is true; the number of ranks if there is none. Collective. */
int world_first(const struct world *world, bool mine);

/* Is something wrong on any rank?  The first such rank prints the message, and its number after
   it.  Returns EXIT_OK, or the exit code of that message on all ranks. Collective. */
enum exit_code world_refuse_first(const struct world *world, bool wrong, enum message_id id,
                                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Did every rank get the memory for what is named?  Returns EXIT_OK, or the exit code
   after rank 0's message.  Collective. */
enum exit_code world_agree_memory(const struct world *world, bool good, const char *what);

/* End the job, or a program that has not started MPI: this rank got no memory
   for what is named. */
_Noreturn void world_no_memory(const char *what);

/* Zeroed memory for so many of that size, and one more; the job ends without it. */
void *world_room(size_t n, size_t size, const char *what);

/* What E42 says about this call, which has failed with this errno. */
enum { WORLD_LIMIT_ROOM = 160 };
const char *world_limit(const char *call, int error, char text[WORLD_LIMIT_ROOM]);

/* Create a further thread.  The job ends with E42 if the system refuses it.  (In the middle of
   a batch, where threads are created, the other ranks cannot be asked to leave too.) */
void world_thread(pthread_t *thread, void *(*work)(void *), void *argument);

/* End the job from one rank alone. */
_Noreturn void world_abort(enum exit_code code);

/* The text of a file that all ranks of comm need and rank 0 alone reads (other nodes
   need not have it, and standard input is its own), to be freed; NULL on all: it cannot be
   read, and errno says why on rank 0. */
char *world_read_file(const char *path, MPI_Comm comm);

/* The error handler for a window: installed by who creates it. */
void world_guard_window(MPI_Win win);

#endif
