/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world.h - MPI for the harness: starting, ending, errors, agreement.
 *
 * MPI is started in the world model, by MPI_Init, or in the sessions model, where no rank may
 * name MPI_COMM_WORLD.
 *
 * MPI calls stay bare everywhere.  One error handler, on every communicator and window, names
 * program, rank, row and MPI's text and ends the job.
 */
#ifndef WORLD_H
#define WORLD_H

#include <mpi.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/messages.h"
#include "mpi_features.h"

enum start_step {
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

enum start_how {
    STARTUP_BY_SESSION = 1, /* only if FEATURE_SESSIONS */
    STARTUP_BARRIERS = 2,   /* time the barriers too */
    STARTUP_THREADS = 4,    /* ask for MPI_THREAD_MULTIPLE */
};

struct world_start {
    MPI_Comm all;                 /* every rank of the job */
    bool sessions;                /* the sessions model is used */
    bool threads;                 /* MPI_THREAD_MULTIPLE was given */
    MPI_Session session;          /* valid if sessions is true */
    double step_s[STARTUP_STEPS]; /* NAN: there is no such step */
    bool begun;
    bool kept; /* further programs of the job use it: world_start_end leaves it */
};

/* Start MPI, unless an earlier program of the job has; how has bits of start_how. */
void world_start_begin(struct world_start *s, unsigned how, int *argc, char ***argv);
/* The program ends: what world_keep gave is given back.  Returns code or, if MPI says that it could
   not end, EXIT_RUN after a message. */
enum exit_code world_start_end(struct world_start *s, enum exit_code code);

struct world {
    /* The communicator of loops, as in applications: MPI_COMM_WORLD, or its
       equivalent in the sessions model */
    MPI_Comm all;
    MPI_Comm comm; /* a duplicate of it, for the harness alone */
    int rank, size;
    struct world_start *startup;
    char library[64]; /* "OpenMPI-4.1.4", "SimGrid-3.32" */
};

/* MPI has been started: install error handlers, and check that the ranks are one job.  Returns
   EXIT_OK, or the exit code after a message.  world->comm is to be given back in either case. */
enum exit_code world_begin(struct world *world, struct world_start *startup);

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

/* End the job, or a program that has not started MPI: this rank got no memory for what is named. */
_Noreturn void world_no_memory(const char *what);

/* Zeroed memory for so many of that size, and one more; the job ends without it.  It is to be freed
   or, of world_keep, lasts until the program ends: what a family or a row's state is made of. */
void *world_room(size_t n, size_t size, const char *what);
void *world_keep(size_t n, size_t size, const char *what);

/* What each rank of comm has, by rank, on its rank 0; NULL elsewhere.  It lasts as long.
   Collective; O(P) bytes arrive at rank 0 and nowhere else. */
void *world_gather(MPI_Comm comm, const void *mine, size_t size, const char *what);

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

/* --- What the launcher says about this process, before MPI is asked.  Known launchers: Open MPI's
   mpirun, Hydra (MPICH, Intel MPI), MVAPICH, srun, Flux, jsrun (LSF), PALS (Cray). --- */

/* Open MPI's major version where that is the library, 0 with any other: asked at run time,
   because a program built with the ABI of MPI 5 runs with each. */
int launch_openmpi(void);

/* The rank that the launcher gave this process; 0 if no launcher started it. */
int launch_rank(void);

/* Leave before MPI is started, and return that exit code.  If the code is not 0, rank 0
   prints the reason.  The other ranks wait a moment before they leave, because launchers
   end the whole job when one process has failed. */
int launch_leave(int code);

/* The number of this process among the ranks of its node.  -1 if the launcher does not
   say; the rank in the job is never used instead.  0 if no launcher started it. */
int launch_local_rank(void);

/*
 * The number of processes that the launcher promised, 0 if it does not say.  Two
 * variables are not read: SLURM_NTASKS, which a batch script passes on to its own
 * mpirun, and PMIX_NAMESPACE, which Open MPI sets itself in a process without a
 * launcher.  PALS gives ranks alone: the number is then one more than the rank.
 */
int launch_promised(void);

/* The launcher of the MPI that this program runs with, without a folder, as it is in PATH where
   an MPI is used: the one that configure found or was given, or else its usual name. */
const char *launch_name(void);

/* " --allow-run-as-root" where the user is root, and this launcher refuses root; else "". */
const char *launch_root(void);

/* A word of a command that is printed, as a shell takes it: in quotes if it has a blank or
   another sign of the shell, in text then. */
enum { LAUNCH_WORD = 400 };
const char *launch_word(const char *word, char text[LAUNCH_WORD]);

/* Write into text a command line that starts the program on so many ranks, also as root,
   bound to cores if there are enough. */
void launch_example(char *text, size_t room, int ranks, const char *program);

#endif
